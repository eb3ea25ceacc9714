import { DocumentError } from "./errors.ts";
import { concatBytes, hexToBytes, tagged } from "./hash.ts";
import { Reader } from "./reader.ts";
import { isSignature } from "./statement.ts";

/** What a server said about an action or an order. docs/receipts.md describes the members. */
export interface Receipt {
  network: string;
  community: string;
  kind: string;
  time: number;
  owner: string;
  action: string;
  order: string;
  message: string;
  signature: string;
  units: number;
  runes: bigint;
  sats: bigint;
  address: string;
  txid: string;
  vout: number;
  height: number;
}

interface Batch {
  network: string;
  community: string;
  key: string;
  sequence: number;
  time: number;
  count: number;
  root: string;
}

interface Certificate {
  network: string;
  community: string;
  key: string;
  from: number;
  to: number;
}

/** A receipt with everything that proves it. `key` is the statement key, which signed the certificate. */
export interface SignedReceipt extends Receipt {
  batch: Batch;
  certificate: Certificate;
  key: string;
  index: number;
  path: string[];
}

interface Hashes {
  leaf: string;
  batch: string;
  batchSignature: string;
  certificate: string;
  certificateSignature: string;
}

/**
 * Reads one signed receipt or an array of them, and verifies each. Throws DocumentError unless all are valid. The
 * caller compares the keys with the one that the community publishes.
 */
export function readReceipts(text: string): SignedReceipt[] {
  const r = new Reader(text);
  const read = (): [SignedReceipt, Hashes] => readSignedReceipt(r);
  const all = text.startsWith("[") ? r.list(read) : [read()];
  r.end();
  return all.map(([receipt, hashes]) => {
    verifyReceipt(receipt, hashes);
    return receipt;
  });
}

function readSignedReceipt(r: Reader): [SignedReceipt, Hashes] {
  const hashes = {} as Hashes;
  const part = <T>(tag: string, name: keyof Hashes, read: (r: Reader) => T): T => {
    const from = r.at;
    const value = read(r);
    hashes[name] = tagged(tag, r.text.slice(from, r.at));
    return value;
  };
  r.token(`{"batch":`);
  const batch = part("moonfund/receipt-batch", "batch", readBatch);
  r.token(`,"batch_signature":`);
  hashes.batchSignature = r.signature();
  r.token(`,"certificate":`);
  const certificate = part("moonfund/receipt-key", "certificate", readCertificate);
  r.token(`,"certificate_signature":`);
  hashes.certificateSignature = r.signature();
  r.token(`,"format":"moonfund/signed-receipt/1","index":`);
  const index = r.integer();
  r.token(`,"key":`);
  const key = r.hash();
  r.token(`,"path":`);
  const path = r.list(() => r.hash());
  r.token(`,"receipt":`);
  const receipt = part("moonfund/receipt", "leaf", readReceipt);
  r.token("}");
  return [{ ...receipt, batch, certificate, key, index, path }, hashes];
}

function readBatch(r: Reader): Batch {
  const b = {} as Batch;
  r.token(`{"community":`);
  b.community = r.name();
  r.token(`,"count":`);
  b.count = r.integer();
  r.token(`,"format":"moonfund/receipt-batch/1","key":`);
  b.key = r.hash();
  r.token(`,"network":`);
  b.network = r.network();
  r.token(`,"root":`);
  b.root = r.hash();
  r.token(`,"sequence":`);
  b.sequence = r.integer();
  r.token(`,"time":`);
  b.time = r.integer();
  r.token("}");
  return b;
}

function readCertificate(r: Reader): Certificate {
  const c = {} as Certificate;
  r.token(`{"community":`);
  c.community = r.name();
  r.token(`,"format":"moonfund/receipt-key/1","from":`);
  c.from = r.integer();
  r.token(`,"key":`);
  c.key = r.hash();
  r.token(`,"network":`);
  c.network = r.network();
  r.token(`,"to":`);
  c.to = r.integer();
  r.token("}");
  return c;
}

function readReceipt(r: Reader): Receipt {
  const c = {} as Receipt;
  r.token(`{"action":`);
  c.action = r.str();
  r.token(`,"address":`);
  c.address = r.str();
  r.token(`,"community":`);
  c.community = r.name();
  r.token(`,"format":"moonfund/receipt/1","height":`);
  c.height = r.integer();
  r.token(`,"kind":`);
  c.kind = r.name();
  r.token(`,"message":`);
  c.message = r.hash();
  r.token(`,"network":`);
  c.network = r.network();
  r.token(`,"order":`);
  c.order = r.str();
  r.token(`,"owner":`);
  c.owner = r.owner();
  r.token(`,"runes":`);
  c.runes = r.amount();
  r.token(`,"sats":`);
  c.sats = r.amount();
  r.token(`,"signature":`);
  c.signature = r.hash();
  r.token(`,"time":`);
  c.time = r.integer();
  r.token(`,"txid":`);
  c.txid = r.hash();
  r.token(`,"units":`);
  c.units = r.integer();
  r.token(`,"vout":`);
  c.vout = r.integer();
  r.token("}");
  return c;
}

/** Throws DocumentError unless the receipt follows from the statement key in it. */
function verifyReceipt(s: SignedReceipt, hashes: Hashes): void {
  const { batch, certificate } = s;
  for (const { network, community } of [batch, certificate]) {
    if (network !== s.network || community !== s.community) {
      throw new DocumentError(`a receipt of ${s.community} on ${s.network} with a part of ${community} on ${network}`);
    }
  }
  if (certificate.key !== batch.key) throw new DocumentError("the certificate is of another key than the batch");
  const { from, to } = certificate;
  if (from >= to || batch.time < from || batch.time > to) {
    throw new DocumentError(`a batch of ${batch.time}, and a certificate that is valid from ${from} to ${to}`);
  }
  if (!isSignature(hashes.certificateSignature, hashes.certificate, s.key)) {
    throw new DocumentError(`the certificate is not signed by the key ${s.key}`);
  }
  if (!isSignature(hashes.batchSignature, hashes.batch, batch.key)) {
    throw new DocumentError(`the batch is not signed by the key ${batch.key}`);
  }
  verifyPath(s, hashes.leaf);
}

/** Throws DocumentError unless the path leads from a leaf to the root of the batch. */
function verifyPath({ index, path, batch }: SignedReceipt, leaf: string): void {
  if (index >= batch.count) throw new DocumentError(`receipt ${index} of a batch of ${batch.count}`);
  const siblings = [...path];
  let hash = leaf;
  for (let i = index, n = batch.count; n > 1; i = Math.floor(i / 2), n = Math.ceil(n / 2)) {
    if (i % 2 === 0 && i === n - 1) continue;
    const sibling = siblings.shift();
    if (sibling === undefined) throw new DocumentError("the path has too few hashes");
    const [left, right] = i % 2 === 0 ? [hash, sibling] : [sibling, hash];
    hash = tagged("moonfund/receipt-node", concatBytes(hexToBytes(left), hexToBytes(right)));
  }
  if (siblings.length > 0) throw new DocumentError("the path has too many hashes");
  if (hash !== batch.root) throw new DocumentError("the path does not lead to the root of the batch");
}
