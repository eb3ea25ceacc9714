import { RpcCode, WalletError, type ErrorKind } from "./errors.ts";
import type { Result } from "./methods/catalogue.ts";
import type { NetworkName } from "./methods/names.ts";
import {
  defaultProvider,
  findProvider,
  listProviders,
  removeDefaultProvider,
  setDefaultProvider,
} from "./providers.ts";
import { waitForProvider } from "./events.ts";
import { abandoned, callWallet, callWalletOnce, type RequestOptions } from "./callWallet.ts";
import { clearAll, stored } from "./storage.ts";
import { sentence } from "./texts.ts";

export interface KeyedAddress {
  address: string;
  /** Hex: 33 bytes compressed, or 32 bytes x-only if the wallet returns taproot keys in that form. */
  publicKey: string;
}

/** The two addresses that the product uses. */
export interface Session {
  payment: KeyedAddress;
  ordinals: KeyedAddress;
}

type AddressEntry = Result<"getAccounts">[number];

export interface ConnectOptions {
  /** Shown by the wallet with its connection request; at most 80 characters. */
  message?: string | undefined;
  /** Network that the addresses must belong to; any network if omitted. */
  network?: NetworkName | undefined;
  /** On failure, keep the stored wallet and session. */
  keep?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

type ReadOptions = Pick<ConnectOptions, "network" | "signal">;

/** Maximum wait in ms for the wallet's response to a disconnect. */
const RENOUNCE_TIMEOUT = 3_000;

/** Returns the stored session of an earlier connect, or null. Does not call the wallet. */
export function readSession(): Session | null {
  return stored.session.read();
}

/** Returns the stored session. Throws WalletError "No wallet addresses" if there is none. */
export function requireSession(): Session {
  const session = readSession();
  if (!session) throw new WalletError(RpcCode.accessDenied, sentence("noAddresses"));
  return session;
}

/**
 * Connects the wallet with this id and stores the wallet's id and its two addresses. If the user rejects, or the wallet
 * lacks one of the two addresses, nothing is stored, and an earlier session is deleted unless `keep` is set.
 *
 * Throws WalletError with the sentences of the specification: no wallet, refused, failed, incompatible.
 */
export async function connect(
  provider: string | null = defaultProvider(),
  options: ConnectOptions = {},
): Promise<Session> {
  if (!provider) {
    const none = listProviders().every((choice) => !choice.installed);
    throw new WalletError(RpcCode.internalError, none ? sentence("noWallets") : sentence("notSelected"));
  }
  const request = { provider, signal: options.signal };
  try {
    const session = await pickAddresses(await requestAddresses(request, options), options.network);
    if (options.signal?.aborted) throw abandoned();
    setDefaultProvider(provider);
    stored.session.write(session);
    return session;
  } catch (error) {
    if (!options.keep) {
      removeDefaultProvider();
      stored.session.remove();
    }
    throw connectFault(error);
  }
}

const PURPOSES = ["payment" as const, "ordinals" as const];

type AddressRequest = () => Promise<AddressEntry[]>;

/**
 * Requests the addresses with as few popups as possible. wallet_connect grants permission and returns the addresses in
 * one. Wallets without it ask the user at wallet_requestPermissions and then answer getAddresses without a popup, or
 * ask at getAccounts.
 */
function requestAddresses(request: RequestOptions, { message, network }: ConnectOptions): Promise<AddressEntry[]> {
  const shown = message ? { message } : {};
  const connectParams = { addresses: PURPOSES, ...shown, ...(network ? { network } : {}) };
  const params = { purposes: PURPOSES, ...shown };
  return firstAddresses([
    async () => (await callWalletOnce("wallet_connect", connectParams, request)).addresses,
    async () => {
      // No params: Xverse returns −32603 for any.
      const granted = await callWalletOnce("wallet_requestPermissions", null, request);
      return granted === true ? [] : granted.addresses;
    },
    async () => (await callWalletOnce("getAddresses", params, request)).addresses,
    () => callWalletOnce("getAccounts", params, request),
    async () => (await callWalletOnce("wallet_getAccount", null, request)).addresses,
  ]);
}

/**
 * Returns the addresses of the first method that succeeds. A method that the wallet lacks, denies or answers in another
 * form is skipped. If none succeeds, the first error that is not "unsupported" is thrown.
 */
async function firstAddresses(requests: readonly AddressRequest[]): Promise<AddressEntry[]> {
  let failure: WalletError | null = null;
  for (const tryRequest of requests) {
    try {
      const found = await tryRequest();
      if (found.length > 0) return found;
    } catch (error) {
      if (!(error instanceof WalletError && SKIPPED_KINDS.has(error.kind))) throw error;
      if (failure === null || failure.unsupported) failure = error;
    }
  }
  throw failure ?? new WalletError(RpcCode.internalError, sentence("incompatible"));
}

const SKIPPED_KINDS: ReadonlySet<ErrorKind> = new Set<ErrorKind>([
  "unsupported",
  "disconnected",
  "badParams",
  "unreadable",
]);

/** A public key as wallets return it: compressed, or x-only for taproot. */
const PUBLIC_KEY = /^(?:0[23])?[0-9a-fA-F]{64}$/;

/**
 * Returns the first address of each purpose with its key, both checked. Other addresses are ignored. The server
 * verifies that the key belongs to the address before it issues a stake address.
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

/** Replaces the wallet's own words by the sentences of the specification. This library's own sentences stay. */
function connectFault(error: unknown): unknown {
  if (!(error instanceof WalletError))
    return new WalletError(RpcCode.internalError, sentence("connectionFailed"), error);
  if (!error.foreign) return error;
  return error.withMessage(error.rejected ? sentence("connectionRefused") : sentence("connectionFailed"));
}

/**
 * Disconnects the wallet, if there is one, and empties all local storage, whatever the wallet responds. Opens no popup
 * and never throws.
 */
export async function disconnect(): Promise<void> {
  const provider = defaultProvider();
  clearAll();
  if (!provider || !findProvider(provider)) return;
  const options = { provider, timeout: RENOUNCE_TIMEOUT };
  try {
    await callWallet("wallet_renouncePermissions", null, options).catch((error: unknown) => {
      if (error instanceof WalletError && error.unsupported) return callWallet("wallet_disconnect", null, options);
      throw error;
    });
  } catch {
    // The session ends here regardless; the user can revoke the permission in the wallet.
  }
}

/** Maximum wait in ms for a response that needs no user interaction. */
const ACCOUNT_TIMEOUT = 10_000;

/**
 * Requests the connected wallet's addresses again, after an accountChange, and stores them. Methods without a popup are
 * tried first. Throws as connect does, but on failure keeps the wallet and the session, unless the wallet no longer
 * shares an account. Stores nothing once `signal` is aborted: of two requests, the one that began last is right.
 */
export async function refreshSession(options: ReadOptions = {}): Promise<Session> {
  const params = { purposes: PURPOSES };
  const { signal } = options;
  const promptless = { timeout: ACCOUNT_TIMEOUT, signal };
  const requests: AddressRequest[] = [
    async () => (await callWallet("wallet_getAccount", null, promptless)).addresses,
    async () => (await callWallet("getAddresses", params, promptless)).addresses,
    () => callWallet("getAccounts", params, { signal }),
  ];
  try {
    return await keep(await firstAddresses(requests), options);
  } catch (error) {
    throw signal?.aborted ? error : await withNetwork(error, options.network);
  }
}

/** Maximum wait in ms for the wallet's network. */
const NETWORK_TIMEOUT = 3_000;

/** Returns the error that names the wallet's network, if that is another one: some wallets then fail in other words. */
async function withNetwork(error: unknown, needed?: NetworkName): Promise<unknown> {
  if (!needed || !(error instanceof WalletError)) return error;
  try {
    const { bitcoin } = await callWallet("wallet_getNetwork", null, { timeout: NETWORK_TIMEOUT });
    if (bitcoin.name === needed) return error;
    const said = sentence("networkIs", bitcoin.name, needed);
    return new WalletError(RpcCode.invalidParams, said, undefined, { kind: "otherNetwork" });
  } catch {
    return error;
  }
}

/**
 * Returns the session that an earlier page stored, with the wallet's current account, if the wallet still shares one.
 * Opens no popup. Returns null if there is no session, or if the wallet no longer shares an account. If the wallet
 * fails to respond in time, the stored session stays valid. `signal` is as in refreshSession.
 */
export async function resumeSession(options: ReadOptions = {}): Promise<Session | null> {
  const provider = defaultProvider();
  if (!readSession()) return null;
  if (provider === null || !(await waitForProvider(provider))) return readSession();
  try {
    const request = { timeout: ACCOUNT_TIMEOUT, signal: options.signal };
    const { addresses } = await callWallet("wallet_getAccount", null, request);
    return await keep(addresses, options);
  } catch (error) {
    if (error instanceof WalletError && error.kind === "otherNetwork") throw await withNetwork(error, options.network);
    return readSession();
  }
}

async function keep(addresses: AddressEntry[], { network, signal }: ReadOptions): Promise<Session> {
  const session = await pickAddresses(addresses, network);
  if (signal?.aborted) throw abandoned();
  stored.session.write(session);
  return session;
}
