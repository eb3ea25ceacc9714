import { sha256 } from "@noble/hashes/sha2.js";
import { base64, hex } from "@scure/base";
import { decodeAddress } from "./address.ts";
import { callWallet, type RequestOptions } from "./callWallet.ts";
import { RpcCode, WalletError } from "./errors.ts";
import type { Result } from "./methods/catalogue.ts";
import { entryOf, joined, PsbtType, readPsbtText, witnessOf, writePsbt, type PsbtEntry } from "./psbt.ts";
import { sentence } from "./texts.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const ZERO_32 = new Uint8Array(32);
const U32_0 = new Uint8Array(4);
const U64_0 = new Uint8Array(8);

/**
 * Returns a message's BIP-322 simple signature, made by signing a PSBT, for wallets that sign transactions but no
 * messages. The wallet signs BIP-322's virtual transaction, which spends an output that cannot exist and therefore can
 * never be broadcast. Supports p2wpkh and p2tr addresses. `publicKey` is the key of the address, as the wallet returned
 * it.
 *
 * Throws WalletError as signPsbt does, and −32001 for an address of another type.
 */
export async function proveByPsbt(
  { address, publicKey }: { address: string; publicKey: string },
  message: string,
  options?: RequestOptions,
): Promise<Result<"signMessage">> {
  const { type, program } = decodeAddress(address);
  if (type !== "p2tr" && type !== "p2wpkh") throw new WalletError(RpcCode.methodNotSupported, sentence("notSupported"));
  const script = joined(Uint8Array.of(type === "p2tr" ? 0x51 : 0x00, program.length), program);
  const hash = messageHash(message);
  const utxo = joined(U64_0, Uint8Array.of(script.length), script);
  const key = type === "p2tr" ? [entryOf(PsbtType.tapInternalKey, hex.decode(publicKey).slice(-32))] : [];
  const psbt = writePsbt(toSign(toSpendId(script, hash)), [entryOf(PsbtType.witnessUtxo, utxo), ...key]);
  const signed = await callWallet("signPsbt", { psbt, signInputs: { [address]: [0] }, broadcast: false }, options);
  const witness = witnessFrom(readPsbtText(signed.psbt)?.inputs[0] ?? []);
  if (!witness) throw new WalletError(RpcCode.internalError, sentence("notSigned"));
  return { signature: base64.encode(witness), messageHash: hex.encode(hash), address, protocol: "BIP322" };
}

/** Tagged hash (BIP-340) with BIP-322's tag. */
export function messageHash(message: string): Uint8Array {
  const tag = sha256(utf8("BIP0322-signed-message"));
  return sha256(joined(tag, tag, utf8(message)));
}

/** Id of BIP-322's "to_spend" in internal byte order: one output of 0 sats with the address's script. */
export function toSpendId(script: Uint8Array, hash: Uint8Array): Uint8Array {
  const scriptSig = joined(Uint8Array.of(0x00, 0x20), hash);
  const input = joined(ZERO_32, Uint8Array.of(0xff, 0xff, 0xff, 0xff, scriptSig.length), scriptSig, U32_0);
  const output = joined(U64_0, Uint8Array.of(script.length), script);
  return sha256(sha256(joined(U32_0, Uint8Array.of(1), input, Uint8Array.of(1), output, U32_0)));
}

/** BIP-322's "to_sign", unsigned: spends the output of to_spend into an OP_RETURN. */
function toSign(spends: Uint8Array): Uint8Array {
  const input = joined(spends, U32_0, Uint8Array.of(0), U32_0);
  const output = joined(U64_0, Uint8Array.of(1, 0x6a));
  return joined(U32_0, Uint8Array.of(1), input, Uint8Array.of(1), output, U32_0);
}

/** Returns the witness of a signed input, whether it is finalized or not. */
function witnessFrom(entries: PsbtEntry[]): Uint8Array | undefined {
  const of = (type: number) => entries.find((entry) => entry.type === type);
  const keySig = of(PsbtType.tapKeySig)?.value;
  const partial = of(PsbtType.partialSig);
  return (
    of(PsbtType.finalScriptWitness)?.value ??
    (keySig ? witnessOf(keySig) : partial && witnessOf(partial.value, partial.key))
  );
}
