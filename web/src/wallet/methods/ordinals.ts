import { integer, list, number, object, optional, text, txid } from "../check.ts";
import { call, promptlessCall } from "./call.ts";
import { inscriptionId } from "./names.ts";

const inscription = object({
  inscriptionId: text({ min: 1 }),
  inscriptionNumber: text(),
  address: text(),
  collectionName: optional(text()),
  /** Sats of the output that carries it, as digits. */
  postage: text(),
  contentLength: text(),
  contentType: text(),
  timestamp: number,
  offset: number,
  genesisTransaction: text(),
  output: text(),
});

/** Inscriptions, for wallets that support them. */
export const ordinalsMethods = {
  ord_getInscriptions: promptlessCall(
    object({ offset: integer(0), limit: integer(1) }),
    object({ total: integer(0), limit: integer(0), offset: integer(0), inscriptions: list(inscription) }),
  ),
  ord_sendInscriptions: call(
    object({ transfers: list(object({ address: text({ min: 1 }), inscriptionId }), 1) }),
    object({ txid }),
    { named: ({ transfers }) => ({ addresses: transfers.map(({ address }) => address) }) },
  ),
};
