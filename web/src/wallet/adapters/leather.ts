import { base64, hex } from "@scure/base";
import { decodeAddress } from "../address.ts";
import { asRecord, toWalletError } from "../errors.ts";
import type { Method, Params } from "../methods/catalogue.ts";
import type { Adapter } from "./adapter.ts";
import { type Handlers, ownAdapter, xOnly } from "./own.ts";
import { signingHints } from "../psbt.ts";
import { unwrap } from "./standard.ts";

/**
 * Leather uses JSON-RPC by `window.LeatherProvider.request`, with params and results of its own, and throws its
 * refusals. The payment address is its native segwit address, the ordinals address its taproot address. It has no
 * method for runes and no events.
 *
 * Sources: leather.io/posts/signmessage-api-method and api-send-transfer; the request types in Leather's published
 * examples, read in November 2026.
 */
export interface LeatherApi {
  request(method: string, params?: unknown): Promise<unknown>;
}

interface LeatherAddress {
  symbol: string;
  type?: string;
  address: string;
  publicKey?: string;
}

/** Methods with the standard's params and results. */
const STANDARD_METHODS = [
  "stx_getAddresses",
  "stx_signMessage",
  "stx_signStructuredMessage",
  "stx_signTransaction",
  "stx_transferStx",
  "stx_callContract",
  "stx_deployContract",
] as const satisfies readonly Method[];

export function leatherAdapter(leather: LeatherApi): Adapter {
  const call = async (method: string, params?: unknown): Promise<any> => {
    try {
      return unwrap(await leather.request(method, params));
    } catch (error) {
      throw toWalletError(error, "callFailed"); // refusals are thrown as {error: {code, message}}
    }
  };
  const addresses = async (purposes: readonly string[]) => {
    const { addresses: list } = (await call("getAddresses")) as { addresses: LeatherAddress[] };
    return list.map(standardEntry).filter((entry) => entry !== null && purposes.includes(entry.purpose));
  };
  const account = async () => ({ addresses: await addresses(["payment", "ordinals"]) });
  const standardHandlers = Object.fromEntries(
    STANDARD_METHODS.map((method) => [method, (params: unknown) => call(method, params)]),
  ) as Handlers;
  return ownAdapter(
    {
      // Each getAddresses opens a popup. Its response is the result, so that connecting opens one popup only.
      wallet_connect: account,
      wallet_requestPermissions: account,
      getAccounts: ({ purposes }) => addresses(purposes),
      getAddresses: async ({ purposes }) => ({ addresses: await addresses(purposes) }),
      sendTransfer: async ({ recipients }) => {
        const network = networkOf(recipients[0]!.address);
        const texts = recipients.map(({ address, amount }) => ({ address, amount: `${amount}` }));
        return call("sendTransfer", { recipients: texts, network });
      },
      signMessage: async ({ address, message }) => {
        const paymentType = decodeAddress(address).type;
        const signed = await call("signMessage", { message, paymentType, network: networkOf(address) });
        return { messageHash: "", protocol: "BIP322", ...asRecord(signed) };
      },
      signPsbt: (params) => sign(call, params),
      ...standardHandlers,
    },
    {},
    async () => asRecord(await call("getInfo"))?.["version"],
  );
}

/** Converts a BTC address to the form of the standard. Returns null for other chains. */
function standardEntry({ symbol, type, address, publicKey = "" }: LeatherAddress) {
  const common = { address, addressType: type, walletType: "software" };
  if (symbol !== "BTC") return null;
  if (type === "p2wpkh") return { ...common, publicKey, purpose: "payment" };
  return type === "p2tr" ? { ...common, publicKey: xOnly(publicKey), purpose: "ordinals" } : null;
}

/** Leather's name of the network that an address belongs to. */
function networkOf(address: string): string {
  const { networks } = decodeAddress(address);
  return networks.includes("Mainnet") ? "mainnet" : networks.includes("Testnet") ? "testnet" : "devnet";
}

/**
 * Leather finalizes what it signs unless `finalize` is false. A script leaf is finalized by this library, and never
 * sent by Leather.
 */
async function sign(
  ask: (method: string, params: unknown) => Promise<any>,
  { psbt, signInputs, broadcast = false }: Params<"signPsbt">,
) {
  const addresses = Object.keys(signInputs);
  const sighashes = signingHints(base64.decode(psbt))
    .map(({ sighash }) => sighash)
    .filter((type) => type !== undefined);
  const signed = await ask("signPsbt", {
    hex: hex.encode(base64.decode(psbt)),
    broadcast,
    finalize: broadcast,
    signAtIndex: Object.values(signInputs).flat(),
    ...(sighashes.length > 0 ? { allowedSighash: [...new Set(sighashes)] } : {}),
    ...(addresses[0] ? { network: networkOf(addresses[0]) } : {}),
  });
  return { psbt: base64.encode(hex.decode(signed.hex)), ...(broadcast ? { txid: signed.txid } : {}) };
}
