import { RpcCode, WalletError } from "../errors";
import { findProvider } from "../providers";
import { walletTexts } from "../texts";
import type { Adapter } from "./adapter";
import { standardAdapter } from "./standard";

/**
 * The adapter of the wallet with this id, as it is on the page now. Wallets with an API of their own
 * get their adapter here, by id; all others speak the standard.
 */
export function adapterFor(id: string | null): Adapter {
  const provider = id === null ? undefined : findProvider(id);
  if (!provider) throw new WalletError(RpcCode.internalError, walletTexts.noProvider);
  return standardAdapter(provider);
}
