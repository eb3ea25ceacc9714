import { afterEach, expect } from "vitest";
import { walletTexts } from "../texts.ts";
import { RpcCode } from "../errors.ts";

const page = window as unknown as Record<string, unknown>;
const put = new Set<string>();

/** Id of the wallet that tests put on the page. */
export const ID = "TestWallet.BitcoinProvider";

export const PAYMENT = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080";
/** PAYMENT's public key, and an x-only key as of a taproot address. */
export const PAYMENT_KEY = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
export const ORDINALS_KEY = PAYMENT_KEY.slice(2);
export const ORDINALS = "bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6";
export const TXID = "ab".repeat(32);
export const PSBT = "cHNidP8BAAoCAAAAAAAAAAAAAA==";
/** Id of PSBT's transaction. */
export const PSBT_TXID = "4ebd325a4b394cff8c57e8317ccf5a8d0e2bdf1b8526f8aad6c8e43d8240621a";

export type Reply = { result: unknown } | { error: { code: number; message: string } };
/** An example message for each code. The library recognizes a rejection by its words. */
const wordsOf = (code: number): string =>
  code === RpcCode.userRejection ? "User rejected the request." : "said the wallet";
export const refusal = (code: number, message = wordsOf(code)): Reply => ({ error: { code, message } });

/** Puts an object below `window` until the test ends. */
export function putOnPage(path: string, object: unknown): void {
  const [outer = "", inner] = path.split(".");
  put.add(outer);
  page[outer] = inner === undefined ? object : { ...(page[outer] as object | undefined), [inner]: object };
}

/**
 * A wallet that implements the standard and responds by method: with a value in a JSON-RPC envelope, or with what a
 * function returns or throws. Other methods are −32601. Returns the calls that it receives.
 */
export function installStandard(
  replies: Record<string, Reply | ((params: any) => unknown)>,
  id = ID,
): { calls: [method: string, params: unknown][] } {
  const calls: [string, unknown][] = [];
  const request = async (method: string, params: unknown): Promise<unknown> => {
    calls.push([method, params]);
    const reply = replies[method] ?? refusal(RpcCode.methodNotFound);
    return typeof reply === "function" ? reply(params) : { jsonrpc: "2.0", id: "1", ...reply };
  };
  putOnPage(id, { request });
  return { calls };
}

afterEach(() => {
  for (const name of put) delete page[name];
  put.clear();
  localStorage.clear();
});

/** Matches a WalletError. */
export const fault = (code: number, message: unknown = expect.any(String)) =>
  expect.objectContaining({ name: "WalletError", code, message });
export const unknownResponse = fault(RpcCode.internalError, walletTexts.unknownResponse);
