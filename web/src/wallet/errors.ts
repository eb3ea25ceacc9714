import { walletTexts } from "./texts.ts";

/** JSON-RPC 2.0 codes as wallets use them (specification, section 8). */
export const RpcCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  userRejection: -32000,
  methodNotSupported: -32001,
  accessDenied: -32002,
} as const;

/**
 * The one error of the wallet room. `message` can be shown as it is; `code` is a JSON-RPC code,
 * or whatever number the wallet sent; `data` is what the wallet sent besides, or what a failed order's buyer needs to know.
 */
export class WalletError extends Error {
  override readonly name = "WalletError";
  readonly code: number;
  readonly data: unknown;
  /** The words are the wallet's, not ours. */
  readonly foreign: boolean;

  constructor(code: number, message: string, data?: unknown, foreign = false) {
    super(message);
    this.code = code;
    this.data = data;
    this.foreign = foreign;
  }

  /** The person said no, in the wallet. */
  get rejected(): boolean {
    return this.code === RpcCode.userRejection;
  }

  /** The wallet has no such method: another way may be tried. */
  get unsupported(): boolean {
    return this.code === RpcCode.methodNotFound || this.code === RpcCode.methodNotSupported;
  }

  /** The same fault in other words. */
  withMessage(message: string): WalletError {
    return new WalletError(this.code, message, this.data);
  }
}

/** EIP-1193's "user rejected", which some wallets throw instead of answering −32000. */
const REJECTED_4001 = 4001;

/**
 * Makes a WalletError of whatever a wallet answered as `error`, or threw.
 * Shapes seen: {code, message, data?}, {error: {code, message}}, Error, anything.
 */
export function toWalletError(fault: unknown): WalletError {
  if (fault instanceof WalletError) return fault;
  const outer = asRecord(fault);
  const inner = outer && asRecord(outer["error"]);
  const source = inner ?? outer;
  const code = source?.["code"];
  const message = source?.["message"];
  return new WalletError(
    code === REJECTED_4001 ? RpcCode.userRejection : Number.isInteger(code) ? (code as number) : RpcCode.internalError,
    typeof message === "string" && message !== "" ? message : walletTexts.callFailed,
    source?.["data"] ?? fault,
    true,
  );
}

/** The value as an object to look into; undefined when it is none. */
export function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
}
