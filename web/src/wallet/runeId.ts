import { RpcCode, WalletError } from "./errors.ts";
import { sentence } from "./texts.ts";

export interface RuneId {
  /** Height of the etching's block. */
  block: bigint;
  /** Place of the etching in its block. */
  tx: number;
}

const U32 = 0xffff_ffff;
const U64 = (1n << 64n) - 1n;

/** Reads block:tx. Throws WalletError −32602 for anything that is not exactly two parts, both whole and in bounds. */
export function parseRuneId(text: string): RuneId {
  const parts = text.split(":");
  const whole = parts.length === 2 && parts.every((part) => /^(0|[1-9][0-9]{0,19})$/.test(part));
  const block = whole ? BigInt(parts[0]!) : -1n;
  const tx = whole ? Number(parts[1]) : -1;
  // As the reference has it: nothing but 0:0 in block 0.
  if (block < 0n || block > U64 || tx < 0 || tx > U32 || (block === 0n && tx > 0)) {
    throw new WalletError(RpcCode.invalidParams, sentence("badRuneId"));
  }
  return { block, tx };
}
