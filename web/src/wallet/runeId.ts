import { RpcCode, WalletError } from "./errors.ts";
import { sentence } from "./texts.ts";

export interface RuneId {
  /** Height of the block with the etching. */
  block: bigint;
  /** Index of the etching transaction within its block. */
  tx: number;
}

const U32 = 0xffff_ffff;
const U64 = (1n << 64n) - 1n;

/** Parses a rune id, block:tx. Throws WalletError −32602 for anything but two integers within their bounds. */
export function parseRuneId(text: string): RuneId {
  const parts = text.split(":");
  const whole = parts.length === 2 && parts.every((part) => /^(0|[1-9][0-9]{0,19})$/.test(part));
  const block = whole ? BigInt(parts[0]!) : -1n;
  const tx = whole ? Number(parts[1]) : -1;
  // As in ord: block 0 has no id but 0:0.
  if (block < 0n || block > U64 || tx < 0 || tx > U32 || (block === 0n && tx > 0)) {
    throw new WalletError(RpcCode.invalidParams, sentence("badRuneId"));
  }
  return { block, tx };
}
