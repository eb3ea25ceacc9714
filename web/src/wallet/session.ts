import { RpcCode, WalletError, type FaultKind } from "./errors.ts";
import type { Result } from "./methods/catalogue.ts";
import type { NetworkName } from "./methods/names.ts";
import {
  defaultProvider,
  findProvider,
  listProviders,
  removeDefaultProvider,
  setDefaultProvider,
} from "./providers.ts";
import { isThere } from "./events.ts";
import { ask, askOnce, type RequestOptions } from "./ask.ts";
import { clearAll, stored } from "./storage.ts";
import { sentence } from "./texts.ts";

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
  /** When it fails, the wallet and the session that are there stay. */
  keep?: boolean | undefined;
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
  if (!session) throw new WalletError(RpcCode.accessDenied, sentence("noAddresses"));
  return session;
}

/**
 * Connects the wallet with this id and keeps it and its two addresses. When the person says no, or
 * the wallet has no fitting addresses, nothing is kept, unless `keep` asks for what was there before.
 *
 * Throws WalletError with the specification's sentences: no wallet, refused, failed, incompatible.
 */
export async function connect(
  provider: string | null = defaultProvider(),
  options: ConnectOptions = {},
): Promise<Session> {
  if (!provider) {
    const none = listProviders().every((choice) => !choice.installed);
    throw new WalletError(RpcCode.internalError, none ? sentence("noWallets") : sentence("notSelected"));
  }
  const asking = { provider, signal: options.signal };
  try {
    const session = await pickAddresses(await askAddresses(asking, options), options.network);
    if (options.signal?.aborted)
      throw new WalletError(RpcCode.internalError, sentence("aborted"), undefined, { kind: "abandoned" });
    setDefaultProvider(provider);
    stored.session.write(session);
    return session;
  } catch (fault) {
    if (!options.keep) {
      removeDefaultProvider();
      stored.session.remove();
    }
    throw connectFault(fault);
  }
}

const PURPOSES = ["payment" as const, "ordinals" as const];

type Way = () => Promise<AddressEntry[]>;

/**
 * The addresses, with one question to the person where the wallet can do it: wallet_connect asks and answers at once.
 * Wallets without it ask at wallet_requestPermissions, and answer getAddresses by themselves after that, or ask at
 * getAccounts.
 */
function askAddresses(asking: RequestOptions, { message, network }: ConnectOptions): Promise<AddressEntry[]> {
  const shown = message ? { message } : {};
  const params = { purposes: PURPOSES, ...shown };
  return firstThatAnswers([
    async () =>
      (await askOnce("wallet_connect", { addresses: PURPOSES, ...shown, ...(network ? { network } : {}) }, asking))
        .addresses,
    async () => {
      // No params: Xverse answers −32603 to any.
      const granted = await askOnce("wallet_requestPermissions", null, asking);
      return granted === true ? [] : granted.addresses;
    },
    async () => (await askOnce("getAddresses", params, asking)).addresses,
    () => askOnce("getAccounts", params, asking),
    async () => (await askOnce("wallet_getAccount", null, asking)).addresses,
  ]);
}

/**
 * The answer of the first way that gives addresses. A way that the wallet does not have, does not allow or answers with
 * something else is passed over. When none is left, the fault that says most is thrown.
 */
async function firstThatAnswers(ways: readonly Way[]): Promise<AddressEntry[]> {
  let told: WalletError | null = null;
  for (const way of ways) {
    try {
      const found = await way();
      if (found.length > 0) return found;
    } catch (fault) {
      if (!(fault instanceof WalletError && PASSED_OVER.has(fault.kind))) throw fault;
      if (told === null || told.unsupported) told = fault;
    }
  }
  throw told ?? new WalletError(RpcCode.internalError, sentence("incompatible"));
}

const PASSED_OVER: ReadonlySet<FaultKind> = new Set<FaultKind>([
  "unsupported",
  "disconnected",
  "badParams",
  "unreadable",
]);

/** A public key as wallets hand it out: compressed, or x-only for taproot. */
const PUBLIC_KEY = /^(?:0[23])?[0-9a-fA-F]{64}$/;

/**
 * The first address of each purpose with its key, both checked; a wallet's other addresses are no use here. Whether the
 * key belongs to the address is checked by the server before it gives out a stake address.
 */
async function pickAddresses(entries: AddressEntry[], network?: NetworkName): Promise<Session> {
  const pick = (purpose: string) => entries.find((entry) => entry.purpose === purpose);
  const payment = pick("payment");
  const ordinals = pick("ordinals");
  if (!payment || !ordinals) throw new WalletError(RpcCode.internalError, sentence("incompatible"));
  const { decodeAddress } = await import("./address.ts");
  const both = [payment, ordinals];
  for (const { address } of both) {
    const { networks } = decodeAddress(address);
    if (network && !networks.includes(network)) {
      throw new WalletError(RpcCode.invalidParams, sentence("wrongNetwork", network), undefined, {
        kind: "otherNetwork",
      });
    }
  }
  for (const { address, publicKey } of both) {
    if (!PUBLIC_KEY.test(publicKey)) {
      throw new WalletError(RpcCode.internalError, sentence("noKey", address), undefined, { kind: "unreadable" });
    }
  }
  return {
    payment: { address: payment.address, publicKey: payment.publicKey },
    ordinals: { address: ordinals.address, publicKey: ordinals.publicKey },
  };
}

/** The specification's sentences in place of the wallet's own words. What this room says itself stays. */
function connectFault(fault: unknown): unknown {
  if (!(fault instanceof WalletError))
    return new WalletError(RpcCode.internalError, sentence("connectionFailed"), fault);
  if (!fault.foreign) return fault;
  return fault.withMessage(fault.rejected ? sentence("connectionRefused") : sentence("connectionFailed"));
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

/** How long a wallet that answers by itself may take to tell its account. */
const ACCOUNT_TIMEOUT = 10_000;

/**
 * Asks the connected wallet for its addresses again, after an accountChange, and keeps them. Ways that ask nobody come
 * first. Throws as connect does, but keeps wallet and session when it fails, unless the wallet shares no account any
 * more.
 */
export async function refreshSession(options: Pick<ConnectOptions, "network"> = {}): Promise<Session> {
  const params = { purposes: PURPOSES };
  const quiet = { timeout: ACCOUNT_TIMEOUT };
  const ways: Way[] = [
    async () => (await ask("wallet_getAccount", null, quiet)).addresses,
    async () => (await ask("getAddresses", params, quiet)).addresses,
    () => ask("getAccounts", params),
  ];
  return keep(await firstThatAnswers(ways), options.network);
}

/**
 * The session that an earlier page kept, if the wallet still stands by it: another account that was chosen
 * meanwhile is taken over. Opens no popup. Null when there is none, or when the wallet shares no account any
 * more. A wallet that does not answer, or not in time, changes nothing.
 */
export async function resumeSession(options: Pick<ConnectOptions, "network"> = {}): Promise<Session | null> {
  const provider = defaultProvider();
  const kept = readSession();
  if (!kept) return null;
  if (provider === null || !(await isThere(provider))) return kept;
  try {
    const { addresses } = await ask("wallet_getAccount", null, { timeout: ACCOUNT_TIMEOUT });
    return await keep(addresses, options.network);
  } catch (fault) {
    if (fault instanceof WalletError && fault.kind === "otherNetwork") throw fault;
    return readSession();
  }
}

async function keep(addresses: AddressEntry[], network?: NetworkName): Promise<Session> {
  const session = await pickAddresses(addresses, network);
  stored.session.write(session);
  return session;
}
