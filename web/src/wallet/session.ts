import { RpcCode, WalletError } from "./errors.ts";
import type { Result } from "./methods/catalogue.ts";
import type { NetworkName } from "./methods/names.ts";
import { defaultProvider, findProvider, listProviders, removeDefaultProvider, setDefaultProvider } from "./providers.ts";
import { ask, type RequestOptions } from "./ask.ts";
import { clearAll, stored } from "./storage.ts";
import { walletTexts } from "./texts.ts";

export interface KeyedAddress {
  address: string;
  /** Hex: 33 bytes compressed, or 32 bytes x-only where the wallet hands a taproot key out so. */
  publicKey: string;
}

/** The two addresses that the product needs of a wallet. */
export interface Session {
  payment: KeyedAddress;
  ordinals: KeyedAddress;
}

type AddressEntry = Result<"getAccounts">[number];

export interface ConnectOptions {
  /** Shown by the wallet beside its question; at most 80 characters. */
  message?: string | undefined;
  /** Network that the addresses must be of; any when left out. */
  network?: NetworkName | undefined;
  signal?: AbortSignal | undefined;
}

/** How long a wallet may take to hear that it is no longer used. */
const RENOUNCE_TIMEOUT = 3_000;

/** The session kept from an earlier connect; null when there is none. Asks no wallet. */
export function readSession(): Session | null {
  return stored.session.read();
}

/** The session, or WalletError "No wallet addresses". */
export function requireSession(): Session {
  const session = readSession();
  if (!session) throw new WalletError(RpcCode.accessDenied, walletTexts.noAddresses);
  return session;
}

/**
 * Connects the wallet with this id and keeps it and its two addresses. When the person says no, or
 * the wallet has no fitting addresses, nothing is kept.
 *
 * Throws WalletError with the specification's sentences: no wallet, refused, failed, incompatible.
 */
export async function connect(
  provider: string | null = defaultProvider(),
  options: ConnectOptions = {},
): Promise<Session> {
  if (!provider) {
    const none = listProviders().every((choice) => !choice.installed);
    throw new WalletError(RpcCode.internalError, none ? walletTexts.noWallets : walletTexts.notSelected);
  }
  const asking = { provider, signal: options.signal };
  try {
    await askPermission(asking);
    const session = await pickAddresses(await readAddresses(asking, options.message), options.network);
    if (options.signal?.aborted) throw new WalletError(RpcCode.internalError, walletTexts.aborted);
    setDefaultProvider(provider);
    stored.session.write(session);
    return session;
  } catch (fault) {
    removeDefaultProvider();
    stored.session.remove();
    throw connectFault(fault);
  }
}

/** No params: wallets answer −32603 to them. A wallet without permissions asks at getAccounts instead. */
async function askPermission(asking: RequestOptions): Promise<void> {
  try {
    await ask("wallet_requestPermissions", null, asking);
  } catch (fault) {
    if (!(fault instanceof WalletError && fault.unsupported)) throw fault;
  }
}

async function readAddresses(asking: RequestOptions, message?: string): Promise<AddressEntry[]> {
  const params = { purposes: ["payment" as const, "ordinals" as const], ...(message ? { message } : {}) };
  try {
    return await ask("getAccounts", params, asking);
  } catch (fault) {
    if (!(fault instanceof WalletError && fault.unsupported)) throw fault;
    return (await ask("wallet_getAccount", null, asking)).addresses;
  }
}

/** The first address of each purpose, both checked; a wallet's other addresses are no use here. */
async function pickAddresses(entries: AddressEntry[], network?: NetworkName): Promise<Session> {
  const pick = (purpose: string) => entries.find((entry) => entry.purpose === purpose);
  const payment = pick("payment");
  const ordinals = pick("ordinals");
  if (!payment || !ordinals) throw new WalletError(RpcCode.internalError, walletTexts.incompatible);
  const { decodeAddress } = await import("./address.ts");
  for (const { address } of [payment, ordinals]) {
    const { networks } = decodeAddress(address);
    if (network && !networks.includes(network)) throw new WalletError(RpcCode.invalidParams, walletTexts.wrongNetwork(network));
  }
  return {
    payment: { address: payment.address, publicKey: payment.publicKey },
    ordinals: { address: ordinals.address, publicKey: ordinals.publicKey },
  };
}

/** The specification's sentences in place of the wallet's own words. What this room says itself stays. */
function connectFault(fault: unknown): unknown {
  if (!(fault instanceof WalletError) || !fault.foreign) return fault;
  return fault.withMessage(fault.rejected ? walletTexts.connectionRefused : walletTexts.connectionFailed);
}

/**
 * Tells the wallet, when there is one, and empties all local storage whatever it says. Asks nobody
 * and never throws: without a wallet there is only the storage to empty.
 */
export async function disconnect(): Promise<void> {
  const provider = defaultProvider();
  clearAll();
  if (!provider || !findProvider(provider)) return;
  const options = { provider, timeout: RENOUNCE_TIMEOUT };
  try {
    await ask("wallet_renouncePermissions", null, options).catch((fault: unknown) => {
      if (fault instanceof WalletError && fault.unsupported) return ask("wallet_disconnect", null, options);
      throw fault;
    });
  } catch {
    // The person is disconnected here all the same; the wallet lists its permissions by itself.
  }
}

/**
 * Asks the connected wallet for its addresses again, after an accountChange, and keeps them.
 * Throws as connect does, but keeps wallet and session when it fails.
 */
export async function refreshSession(options: Pick<ConnectOptions, "network"> = {}): Promise<Session> {
  const session = await pickAddresses(await readAddresses({}), options.network);
  stored.session.write(session);
  return session;
}
