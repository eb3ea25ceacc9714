import { RpcCode, WalletError } from "../errors.ts";
import { findProvider, hasOwnApi, type OwnId, type WindowProvider, XVERSE } from "../providers.ts";
import { sentence } from "../texts.ts";
import type { Adapter } from "./adapter.ts";
import { standardAdapter } from "./standard.ts";

type Make = (provider: any) => Adapter;

/** Adapters of wallets with an API of their own. Each is loaded at the first call of its wallet. */
const OWN: Record<OwnId, () => Promise<Make>> = {
  unisat: async () => (await import("./unisat.ts")).unisatAdapter,
  LeatherProvider: async () => (await import("./leather.ts")).leatherAdapter,
  "okxwallet.bitcoin": async () => (await import("./okx.ts")).okxAdapter,
  "magicEden.bitcoin": async () => (await import("./magicEden.ts")).magicEdenAdapter,
  "phantom.bitcoin": async () => (await import("./phantom.ts")).phantomAdapter,
};

/**
 * Returns the adapter of the wallet with this id and its current window object. Wallets with an API of their own are
 * selected by id; all others use the standard.
 */
export async function adapterFor(id: string | null): Promise<Adapter> {
  const provider = id === null ? undefined : findProvider(id);
  if (id === null || !provider) {
    throw new WalletError(RpcCode.internalError, sentence("noProvider"), undefined, { kind: "noWallet" });
  }
  if (id === XVERSE) return (await import("./xverse.ts")).xverseAdapter(provider as Required<WindowProvider>);
  if (hasOwnApi(id, provider)) return (await OWN[id]())(provider);
  return standardAdapter(provider as Required<WindowProvider>);
}
