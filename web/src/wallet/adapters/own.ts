import { base64, hex } from "@scure/base";
import { decodeAddress } from "../address.ts";
import { asRecord, REJECTED_4001, RpcCode, toWalletError, WalletError } from "../errors.ts";
import type { Method, Params, Result } from "../methods/catalogue.ts";
import { signingHints } from "../psbt.ts";
import { sentence, walletTexts } from "../texts.ts";
import type { Adapter, WalletEventName } from "./adapter.ts";

/** What a wallet can do, by the standard's names. A method that is not there is −32001. */
export type Handlers = { [M in Method]?: (params: Params<M>) => Promise<unknown> };

/** Starts and stops listening; undefined for an event that the wallet does not have. */
export type Events = { [E in WalletEventName]?: (heard: (event: unknown) => void) => () => void };

/** An adapter out of what a wallet's own API can do. `getInfo` is answered here, from the handlers. */
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
      } catch (fault) {
        throw ownFault(fault);
      }
    },
    listen(event, heard) {
      try {
        const start = events[event];
        if (start) return start(heard);
        console.error(walletTexts.noListener);
      } catch (fault) {
        console.error(walletTexts.noListener, fault);
      }
      return () => {};
    },
  };
}

/**
 * Codes of such wallets are EIP-1193's, where −32000 is no refusal: 4001 is one and becomes −32000, all else is −32603.
 * An exception of the language itself means that the wallet's answer was not what its documentation promises.
 */
function ownFault(fault: unknown): WalletError {
  if (fault instanceof WalletError) return fault;
  if (fault instanceof TypeError || fault instanceof RangeError) {
    return new WalletError(
      RpcCode.internalError,
      sentence("unknownResponse"),
      { why: fault.message },
      { kind: "unreadable" },
    );
  }
  const { message, data, kind, foreign } = toWalletError(fault);
  const rejected = asRecord(fault)?.["code"] === REJECTED_4001;
  if (rejected) return new WalletError(RpcCode.userRejection, message, data, { kind: "rejected", foreign });
  return new WalletError(RpcCode.internalError, message, data, {
    kind: kind === "rejected" ? "failed" : kind,
    foreign,
  });
}

/** An event of Node's emitter kind, as most such wallets have. */
export interface Emitter {
  on?(event: string, heard: (data: unknown) => void): void;
  removeListener?(event: string, heard: (data: unknown) => void): void;
}

/** Hears an emitter's event when it passes. A wallet without `on` is told of in the console. */
export function hear(
  emitter: Emitter,
  event: string,
  heard: (data: unknown) => void,
  passes: (data: unknown) => boolean = () => true,
): () => void {
  const filtered = (data: unknown): void => {
    if (passes(data)) heard(data);
  };
  if (typeof emitter.on !== "function") throw new Error(event);
  emitter.on(event, filtered);
  return () => emitter.removeListener?.(event, filtered);
}

export const isEmpty = (accounts: unknown): boolean => Array.isArray(accounts) && accounts.length === 0;

/** The one item of a list that this wallet takes only one of. */
export function only<T>(items: readonly T[]): T {
  if (items.length !== 1)
    throw new WalletError(RpcCode.internalError, sentence("oneRecipient"), undefined, { kind: "badParams" });
  return items[0]!;
}

type Entry = Result<"getAccounts">[number];

/** One address for both purposes, with its public key as the standard hands it out: x-only for taproot. */
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

/** How an address's messages are signed when nobody asks for more: BIP-322 by p2wpkh and p2tr, ECDSA by the others. */
export function protocolOf(address: string): "BIP322" | "ECDSA" {
  const { type } = decodeAddress(address);
  return type === "p2wpkh" || type === "p2tr" ? "BIP322" : "ECDSA";
}

/** An input to sign, as Unisat's API has it and those made after it. */
export interface ToSign {
  index: number;
  address: string;
  disableTweakSigner?: true;
  sighashTypes?: number[];
}

/** Options of such an API's signPsbt: the inputs to sign, each with what its PSBT asks for. */
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

/** The calls of wallets whose PSBTs are hex: Unisat's, and those made after it. */
interface HexSigner {
  signPsbt(psbtHex: string, options: ReturnType<typeof signOptions>): Promise<string>;
  pushPsbt(psbtHex: string): Promise<unknown>;
}

/** Has such a wallet sign, and push what it finalized where that is asked for. */
export async function signByHex(wallet: HexSigner, { psbt, signInputs, broadcast = false }: Params<"signPsbt">) {
  const bytes = base64.decode(psbt);
  const signed = textOf(await wallet.signPsbt(hex.encode(bytes), signOptions(bytes, signInputs, broadcast)));
  if (!broadcast) return { psbt: signed };
  return { psbt: signed, ...readTxid(await wallet.pushPsbt(hex.encode(base64.decode(signed)))) };
}

/** A PSBT in base64, whether it came in hex or in base64. */
function textOf(signed: unknown): string {
  if (typeof signed === "string" && /^(?:[0-9a-f]{2})+$/i.test(signed)) return base64.encode(hex.decode(signed));
  if (typeof signed === "string" && /^[A-Za-z0-9+/]+={0,2}$/.test(signed)) return signed;
  throw new WalletError(RpcCode.internalError, sentence("unknownResponse"), signed, { kind: "unreadable" });
}

/** A transaction's id, bare or in an object. */
export function readTxid(answer: unknown): { txid: unknown } {
  const record = asRecord(answer);
  return { txid: record ? (record["txid"] ?? record["txId"] ?? record["txhash"]) : answer };
}
