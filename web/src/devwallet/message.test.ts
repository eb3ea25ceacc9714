// @vitest-environment node
import { readFileSync } from "node:fs";
import { schnorr, secp256k1 } from "@noble/curves/secp256k1.js";
import { base64, hex } from "@scure/base";
import { Address, NETWORK, OutScript, RawWitness, Transaction, WIF } from "@scure/btc-signer";
import { describe, expect, it } from "vitest";
import { Code } from "./fault";
import { deriveAccount, ownAddress, rootKey, type OwnAddress } from "./keys";
import { bip322Hash, signMessage, toSign, toSpendId } from "./message";

interface Vectors {
  tx_hashes: {
    message: string;
    address: string;
    message_hash: string;
    to_spend_tx_hash: string;
    to_sign_tx_hash: string;
  }[];
  simple: {
    message: string;
    private_keys: string[];
    address: string;
    type: "p2wpkh" | "p2tr";
    bip322_signatures: string[];
  }[];
}

/** From BIP-322's own vectors: the hashes, and the simple signatures of one key. */
const vectors: Vectors = JSON.parse(readFileSync(new URL("testdata/bip322.json", import.meta.url), "utf8"));

const MNEMONIC = "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about";

function ownOf(wif: string, type: "p2wpkh" | "p2tr"): OwnAddress {
  const privateKey = WIF(NETWORK).decode(wif);
  return ownAddress(
    privateKey,
    secp256k1.getPublicKey(privateKey),
    type === "p2tr" ? "ordinals" : "payment",
    type,
    "Mainnet",
  );
}

describe("BIP-322", () => {
  it.each(vectors.tx_hashes)(
    "hashes $message",
    ({ message, address, message_hash, to_spend_tx_hash, to_sign_tx_hash }) => {
      const script = OutScript.encode(Address(NETWORK).decode(address));
      expect(hex.encode(bip322Hash(message))).toBe(message_hash);
      expect(toSpendId(script, message)).toBe(to_spend_tx_hash);
      const unsigned = toSign({ script, type: "p2wpkh", publicKey: new Uint8Array(33) }, message).unsignedTx;
      expect(Transaction.fromRaw(unsigned, { allowUnknownOutputs: true, allowUnknownVersion: true }).id).toBe(
        to_sign_tx_hash,
      );
    },
  );

  it.each(vectors.simple.filter(({ type }) => type === "p2wpkh"))("signs for p2wpkh: $message", (vector) => {
    const own = ownOf(vector.private_keys[0]!, "p2wpkh");
    expect(own.address).toBe(vector.address);
    const { signature, protocol, messageHash } = signMessage(own, vector.message);
    expect(protocol).toBe("BIP322");
    expect(messageHash).toBe(hex.encode(bip322Hash(vector.message)));
    const known = vector.bip322_signatures.map((text) => text.replace(/^smp/, ""));
    expect(known).toContain(signature); // RFC 6979: the same nonce, the same bytes
    for (const text of [signature, ...known]) expect(verifyP2wpkh(own, vector.message, text)).toBe(true);
    expect(verifyP2wpkh(own, `${vector.message}!`, signature)).toBe(false);
  });

  it.each(vectors.simple.filter(({ type }) => type === "p2tr"))("signs for p2tr: $message", (vector) => {
    const own = ownOf(vector.private_keys[0]!, "p2tr");
    expect(own.address).toBe(vector.address);
    const { signature } = signMessage(own, vector.message);
    const known = vector.bip322_signatures.map((text) => text.replace(/^smp/, ""));
    // Schnorr nonces are free: the vector's and ours must verify under the same digest.
    for (const text of [signature, ...known]) expect(verifyP2tr(own, vector.message, text)).toBe(true);
    expect(verifyP2tr(own, `${vector.message}!`, signature)).toBe(false);
  });
});

function verifyP2wpkh(own: OwnAddress, message: string, text: string): boolean {
  const [signature, publicKey] = RawWitness.decode(base64.decode(text));
  const pkh = new Uint8Array([0x76, 0xa9, 0x14, ...own.script.slice(2), 0x88, 0xac]);
  const digest = toSign(own, message).preimageWitnessV0(0, pkh, 1, 0n);
  expect(hex.encode(publicKey!)).toBe(own.publicKeyHex);
  expect(signature!.at(-1)).toBe(1); // SIGHASH_ALL
  return secp256k1.verify(signature!.slice(0, -1), digest, publicKey!, { prehash: false, format: "der", lowS: true });
}

function verifyP2tr(own: OwnAddress, message: string, text: string): boolean {
  const [signature] = RawWitness.decode(base64.decode(text));
  const digest = toSign(own, message).preimageWitnessV1(0, [own.script], 0, [0n]);
  expect(signature).toHaveLength(64); // SIGHASH_DEFAULT
  return schnorr.verify(signature!, digest, own.script.slice(2));
}

describe("BIP-137", () => {
  const root = rootKey(MNEMONIC);

  it.each([
    ["p2pkh", 31],
    ["p2sh-p2wpkh", 35],
  ] as const)("is what %s signs with", (type, header) => {
    const own = deriveAccount(root, 0, type, "Regtest").payment;
    const signed = signMessage(own, "Moon");
    const bytes = base64.decode(signed.signature);
    expect(signed.protocol).toBe("ECDSA");
    expect(bytes).toHaveLength(65);
    const recovery = bytes[0]! - header;
    expect(recovery).toBeGreaterThanOrEqual(0);
    expect(recovery).toBeLessThan(4);
    const compact = new Uint8Array([recovery, ...bytes.slice(1)]);
    const publicKey = secp256k1.recoverPublicKey(compact, hex.decode(signed.messageHash), { prehash: false });
    expect(hex.encode(publicKey)).toBe(own.publicKeyHex);
  });

  it("signs for p2wpkh on request", () => {
    const own = deriveAccount(root, 0, "p2wpkh", "Regtest").payment;
    expect(base64.decode(signMessage(own, "Moon", "ECDSA").signature)[0]).toBeGreaterThanOrEqual(39);
  });

  it("is refused for taproot, and BIP-322 for legacy types", () => {
    const { ordinals, payment } = deriveAccount(root, 0, "p2pkh", "Regtest");
    expect(() => signMessage(ordinals, "Moon", "ECDSA")).toThrow(
      expect.objectContaining({ code: Code.methodNotSupported }),
    );
    expect(() => signMessage(payment, "Moon", "BIP322")).toThrow(
      expect.objectContaining({ code: Code.methodNotSupported }),
    );
  });
});

describe("keys", () => {
  it("agree with the BIPs' test vectors", () => {
    // First addresses of BIP-86's and BIP-84's mnemonic, on coin type 1 (public test wallets).
    const { payment, ordinals } = deriveAccount(rootKey(MNEMONIC), 0, "p2wpkh", "Testnet");
    expect(payment.address).toBe("tb1q6rz28mcfaxtmd6v789l9rrlrusdprr9pqcpvkl");
    expect(ordinals.address).toBe("tb1p8wpt9v4frpf3tkn0srd97pksgsxc5hs52lafxwru9kgeephvs7rqlqt9zj");
    const nested = deriveAccount(rootKey(MNEMONIC), 0, "p2sh-p2wpkh", "Testnet").payment;
    expect(nested.address).toBe("2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2"); // BIP-49's vector
  });

  it("require a valid mnemonic", () => {
    expect(() => rootKey("moon moon moon")).toThrow("These words are no BIP-39 mnemonic.");
  });
});
