// @vitest-environment node
import { schnorr } from "@noble/curves/secp256k1.js";
import { expect, it } from "vitest";
import { DocumentError } from "./errors.ts";
import { bytesToHex, hexToBytes, tagged } from "./hash.ts";
import { readReceipts } from "./receipt.ts";
import { canonical, changed, changes, type Json, vectors } from "./testing/vectors.ts";

const [, , , five, eight] = vectors.receipts;

/** Returns a signed receipt with some of its members changed, and its batch and its certificate signed again. */
function resigned(file: string, change: (s: Record<string, any>) => void): string {
  return changed(file, (s) => {
    change(s);
    const sign = (tag: string, part: Json, secret: string): string =>
      bytesToHex(schnorr.sign(hexToBytes(tagged(tag, canonical(part))), hexToBytes(secret), new Uint8Array(32)));
    s["batch_signature"] = sign("moonfund/receipt-batch", s["batch"], vectors.receipt_secret);
    s["certificate_signature"] = sign("moonfund/receipt-key", s["certificate"], vectors.secret);
  });
}

it("agrees with the receipts of the vectors", () => {
  for (const { key, files, receipts } of vectors.receipts) {
    const all = readReceipts(`[${files.join(",")}]`);
    expect(all).toHaveLength(files.length);
    all.forEach((receipt, index) => {
      const { kind, owner, time, txid } = JSON.parse(receipts[index]!) as Record<string, string>;
      expect(receipt).toMatchObject({ key, index, kind, owner, time, txid });
    });
  }
  expect(readReceipts("[]")).toEqual([]);
});

it("refuses each change of a receipt", () => {
  const all = changes(five!.files[2]!);
  expect(all.length).toBeGreaterThan(300);
  for (const { path, text } of all) expect(() => readReceipts(text), path).toThrow(DocumentError);
});

it("refuses parts that do not belong together, also if they are signed again", () => {
  const file = five!.files[1]!;
  const other = JSON.parse(eight!.files[1]!) as Record<string, any>;
  expect(readReceipts(resigned(file, () => {}))).toHaveLength(1);
  const wrong: [string, (s: Record<string, any>) => void][] = [
    ["does not lead", (s) => (s["path"] = other["path"])],
    ["does not lead", (s) => (s["batch"] = other["batch"])],
    ["does not lead", (s) => (s["receipt"].sats = "1")],
    ["too few", (s) => (s["path"] = [])],
    ["too many", (s) => s["path"].push(five!.key)],
    ["receipt 1 of a batch of 1", (s) => (s["batch"].count = 1)],
    ["valid from", (s) => (s["certificate"].to = s["batch"].time - 1)],
    ["valid from", (s) => (s["certificate"].from = s["batch"].time + 1)],
    ["another key", (s) => (s["certificate"].key = five!.key)],
    ["my-wolf", (s) => (s["certificate"].community = "my-wolf")],
    ["my-wolf", (s) => (s["batch"].community = "my-wolf")],
    ["mainnet", (s) => (s["receipt"].network = "mainnet")],
  ];
  for (const [message, change] of wrong) expect(() => readReceipts(resigned(file, change)), message).toThrow(message);
});
