import { RpcCode, WalletError } from "../errors.ts";
import { findProvider, hasOwnApi, type WindowProvider, XVERSE } from "../providers.ts";
import { sentence } from "../texts.ts";
import type { Adapter } from "./adapter.ts";
import { standardAdapter } from "./standard.ts";

type Make = (provider: any) => Adapter;

/** Adapters of wallets with an API of their own, by provider id. Each is loaded at the first call of its wallet. */
const OWN: Record<string, () => Promise<Make>> = {
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
  const load = hasOwnApi(id, provider) ? OWN[id] : undefined;
  return load ? (await load())(provider) : standardAdapter(provider as Required<WindowProvider>);
}
