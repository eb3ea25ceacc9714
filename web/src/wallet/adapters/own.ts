import { base64, hex } from "@scure/base";
import { decodeAddress } from "../address.ts";
import { asRecord, REJECTED_4001, RpcCode, toWalletError, WalletError } from "../errors.ts";
import type { Method, Params, Result } from "../methods/catalogue.ts";
import { signingHints } from "../psbt.ts";
import { sentence, walletTexts } from "../texts.ts";
import type { Adapter, WalletEventName } from "./adapter.ts";

/** What a wallet can do, by the names of the standard. A method without a handler is −32001. */
export type Handlers = { [M in Method]?: (params: Params<M>) => Promise<unknown> };

/** Subscribes to and unsubscribes from an event; undefined for an event that the wallet does not have. */
export type Events = { [E in WalletEventName]?: (listener: (event: unknown) => void) => () => void };

/** Returns an adapter for a wallet's own API. `getInfo` is answered from the list of handlers. */
export function ownAdapter(handlers: Handlers, events: Events, version?: () => Promise<unknown>): Adapter {
  const info = async (): Promise<Result<"getInfo">> => ({
    version: String((await version?.().catch(() => undefined)) ?? ""),
    methods: ["getInfo", ...Object.keys(handlers)],
    supports: [],
  });
  const all: Handlers = { getInfo: info, ...handlers };
  return {
    async request(method, params) {
      const handle = Object.hasOwn(all, method) ? all[method as Method] : undefined;
      if (!handle) throw new WalletError(RpcCode.methodNotSupported, sentence("notSupported"));
      try {
        return await handle(params as never);
      } catch (error) {
        throw ownFault(error);
      }
    },
    listen(event, listener) {
      try {
        const start = events[event];
        if (start) return start(listener);
        console.error(walletTexts.noListener);
      } catch (error) {
        console.error(walletTexts.noListener, error);
      }
      return () => {};
    },
  };
}

/**
 * Such wallets use EIP-1193's codes, where −32000 is not a rejection: 4001 becomes −32000 and every other code
 * becomes −32603. An exception of the JavaScript engine means that the response was not of the documented form.
 */
function ownFault(error: unknown): WalletError {
  if (error instanceof WalletError) return error;
  if (error instanceof TypeError || error instanceof RangeError) {
    return new WalletError(
      RpcCode.internalError,
      sentence("unknownResponse"),
      { why: error.message },
      { kind: "unreadable" },
    );
  }
  const { message, data, kind, foreign } = toWalletError(error, "callFailed");
  const rejected = asRecord(error)?.["code"] === REJECTED_4001;
  if (rejected) return new WalletError(RpcCode.userRejection, message, data, { kind: "rejected", foreign });
  return new WalletError(RpcCode.internalError, message, data, {
    kind: kind === "rejected" ? "failed" : kind,
    foreign,
  });
}

/** An event emitter as in Node, which most such wallets have. */
export interface Emitter {
  on?(event: string, listener: (data: unknown) => void): void;
  removeListener?(event: string, listener: (data: unknown) => void): void;
}

/**
 * Subscribes to the events of an emitter that `passes` accepts. Returns the function that unsubscribes. Throws an Error
 * if the wallet has no `on`; its adapter then logs it.
 */
export function subscribe(
  emitter: Emitter,
  event: string,
  listener: (data: unknown) => void,
  passes: (data: unknown) => boolean = () => true,
): () => void {
  const filtered = (data: unknown): void => {
    if (passes(data)) listener(data);
  };
  if (typeof emitter.on !== "function") throw new Error(event);
  emitter.on(event, filtered);
  return () => emitter.removeListener?.(event, filtered);
}

export const isEmpty = (accounts: unknown): boolean => Array.isArray(accounts) && accounts.length === 0;

/** Returns the only item of a list for which this wallet accepts one item. */
export function single<T>(items: readonly T[]): T {
  if (items.length !== 1)
    throw new WalletError(RpcCode.internalError, sentence("oneRecipient"), undefined, { kind: "badParams" });
  return items[0]!;
}

type Entry = Result<"getAccounts">[number];

/** Returns one address for both purposes, with its public key in the form of the standard: x-only for taproot. */
export function oneAddress(address: string, publicKey: string, purposes: readonly string[]): Entry[] {
  if (purposes.includes("stacks"))
    throw new WalletError(RpcCode.internalError, sentence("onlyBitcoin"), undefined, { kind: "badParams" });
  const { type } = decodeAddress(address);
  const common = {
    address,
    publicKey: type === "p2tr" ? xOnly(publicKey) : publicKey,
    addressType: type,
    walletType: "software",
  };
  return ["payment", "ordinals"]
    .filter((purpose) => purposes.includes(purpose))
    .map((purpose) => ({ ...common, purpose }));
}

/** A compressed key without its first byte. */
export function xOnly(publicKey: string): string {
  return publicKey.length === 66 ? publicKey.slice(2) : publicKey;
}

/** The default protocol for messages of an address: BIP-322 for p2wpkh and p2tr, ECDSA for the others. */
export function protocolOf(address: string): "BIP322" | "ECDSA" {
  const { type } = decodeAddress(address);
  return type === "p2wpkh" || type === "p2tr" ? "BIP322" : "ECDSA";
}

/** An input to sign, in the form of Unisat's API and of APIs modelled on it. */
export interface ToSign {
  index: number;
  address: string;
  disableTweakSigner?: true;
  sighashTypes?: number[];
}

/** Options of such an API's signPsbt: the inputs to sign, each with the hints of its PSBT. */
export function signOptions(psbt: Uint8Array, signInputs: Record<string, number[]> = {}, broadcast = false) {
  const hints = signingHints(psbt);
  const toSignInputs = Object.entries(signInputs).flatMap(([address, indexes]) =>
    indexes.map((index): ToSign => {
      const { leaf = false, sighash } = hints[index] ?? {};
      return {
        index,
        address,
        ...(leaf ? { disableTweakSigner: true } : {}),
        ...(sighash === undefined ? {} : { sighashTypes: [sighash] }),
      };
    }),
  );
  return { autoFinalized: broadcast, ...(toSignInputs.length > 0 ? { toSignInputs } : {}) };
}

/** The calls of wallets whose PSBTs are hex: Unisat, and wallets modelled on it. */
interface HexSigner {
  signPsbt(psbtHex: string, options: ReturnType<typeof signOptions>): Promise<string>;
  pushPsbt(psbtHex: string): Promise<unknown>;
}

/** Signs a PSBT with such a wallet, and broadcasts what the wallet finalized if `broadcast` is set. */
export async function signByHex(wallet: HexSigner, { psbt, signInputs, broadcast = false }: Params<"signPsbt">) {
  const bytes = base64.decode(psbt);
  const signed = textOf(await wallet.signPsbt(hex.encode(bytes), signOptions(bytes, signInputs, broadcast)));
  if (!broadcast) return { psbt: signed };
  return { psbt: signed, ...readTxid(await wallet.pushPsbt(hex.encode(base64.decode(signed)))) };
}

/** Returns a PSBT in base64, from hex or base64. */
function textOf(signed: unknown): string {
  if (typeof signed === "string" && /^(?:[0-9a-f]{2})+$/i.test(signed)) return base64.encode(hex.decode(signed));
  if (typeof signed === "string" && /^[A-Za-z0-9+/]+={0,2}$/.test(signed)) return signed;
  throw new WalletError(RpcCode.internalError, sentence("unknownResponse"), signed, { kind: "unreadable" });
}

/** Returns a transaction id, from a bare string or an object. */
export function readTxid(answer: unknown): { txid: unknown } {
  const record = asRecord(answer);
  return { txid: record ? (record["txid"] ?? record["txId"] ?? record["txhash"]) : answer };
}
