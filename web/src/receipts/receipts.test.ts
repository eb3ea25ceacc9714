import { schnorr } from "@noble/curves/secp256k1.js";
import { afterEach, expect, it, vi } from "vitest";
import { canonical, type Json, vectors } from "../verify/testing/vectors.ts";
import { bytesToHex, hexToBytes, tagged } from "../verify/hash.ts";
import { checkReceipts, contradictions, type Expected, newestFirst, readKept } from "./check.ts";
import { Keep, memoryStorage, type ReceiptStorage } from "./keep.ts";
import { syncReceipts } from "./sync.ts";

const batch = vectors.receipts.find(({ files }) => files.length === 5)!;
const { network, community, owner } = JSON.parse(batch.receipts[0]!) as Omit<Expected, "key">;
const expected: Expected = { network, community, owner, key: batch.key };
const mine = batch.files.filter((file) => (JSON.parse(file) as { receipt: Expected }).receipt.owner === owner);

afterEach(() => vi.unstubAllGlobals());

/** Stubs the server's answer: these receipts, newest first, 100 at once. */
function serve(files: readonly string[], status = 200): string[] {
  const calls: string[] = [];
  vi.stubGlobal("fetch", (input: string) => {
    calls.push(input);
    const skip = Number(new URL(input, "http://lobo.localhost").searchParams.get("skip") ?? 0);
    return Promise.resolve(new Response(`[${files.slice(skip, skip + 100).join(",")}]`, { status }));
  });
  return calls;
}

it("keeps only receipts of this owner, community and key that verify", async () => {
  const forged = mine[0]!.replace(/"sats":"\d*/, '"sats":"9');
  const { valid, invalid } = await checkReceipts([...mine, forged, `[${mine[0]!}]`, "7"], expected);
  expect(valid.map(({ text }) => text)).toEqual(mine);
  expect(invalid).toEqual([forged, `[${mine[0]!}]`, "7"]);
  for (const other of [{ network: "mainnet" }, { community: "x" }, { owner: "x" }, { key: "00".repeat(32) }]) {
    expect((await checkReceipts(mine, { ...expected, ...other })).valid, JSON.stringify(other)).toEqual([]);
  }
});

it("fetches new receipts once, and keeps them when the server stops serving them", async () => {
  const keep = new Keep(memoryStorage());
  serve(mine);
  expect(await syncReceipts(expected, keep)).toEqual({ served: true, added: mine.length, invalid: [] });
  const calls = serve(mine);
  expect(await syncReceipts(expected, keep)).toEqual({ served: true, added: 0, invalid: [] });
  expect(calls).toHaveLength(1);
  serve([], 404);
  expect(await syncReceipts(expected, keep)).toEqual({ served: false, added: 0, invalid: [] });
  serve([], 500);
  await expect(syncReceipts(expected, keep)).rejects.toThrow();
  expect((await keep.read(owner)).texts.toSorted()).toEqual(mine.toSorted());
  expect((await keep.read("another")).texts).toEqual([]);
});

it("keeps receipts in memory, and says so, if the browser forbids its storage", async () => {
  const forbidden: ReceiptStorage = {
    read: () => Promise.reject(new DOMException("forbidden")),
    write: () => Promise.reject(new DOMException("forbidden")),
  };
  const keep = new Keep(forbidden);
  serve(mine);
  await syncReceipts(expected, keep);
  expect(await keep.read(owner)).toEqual({ texts: mine, lasts: false });
});

it("finds receipts of two batches with the same key and sequence", () => {
  const first = JSON.parse(mine[0]!) as Record<string, any>;
  first["batch"].time += 1;
  const id = tagged("moonfund/receipt-batch", canonical(first["batch"] as Json));
  const signature = schnorr.sign(hexToBytes(id), hexToBytes(vectors.receipt_secret), new Uint8Array(32));
  first["batch_signature"] = bytesToHex(signature);
  const other = readKept(canonical(first as Json));
  const kept = mine.map(readKept);
  expect(contradictions(kept)).toEqual([]);
  const found = contradictions(newestFirst([...kept, other]));
  expect(found).toContain(other);
  expect(found).toHaveLength(kept.length + 1);
});
