import { sized, u32, u64 } from "../action/digest.ts";
import { messageHash, toSpendId } from "../wallet/proof.ts";
import { entryOf, joined, PsbtType, writePsbt } from "../wallet/psbt.ts";
import { leafEntries, scriptOf, stakeOutput, xOnly, type Leaf } from "../wallet/stakeScript.ts";
import { tagged } from "../wallet/taproot.ts";

/** A key of nobody, in place of the community's: the hash of a text. */
const NOBODY = tagged("Moon Fund: nobody's key");
/** Sats of each nonexistent output, and the rest of both after a fee. */
const INPUT_SATS = 1_000n;
const RETURNED = 1_600n;
/** The messages of BIP-322's to_spend of the two inputs. */
const TEXTS = ["Moon Fund: rehearsal of a withdrawal", "Moon Fund: rehearsal of a recovery"] as const;
/** Sequence of a withdrawal's inputs (ADR 68). */
const REPLACEABLE = 0xfffffffd;

/**
 * Returns a PSBT (base64) like a withdrawal and a recovery of a stake in self-custody: input 0 is signed by the leaf
 * *together*, input 1 by the leaf *alone*, and all sats go to the owner. The key of the community is nobody's. The
 * inputs spend BIP-322's virtual to_spend, which no chain can contain, so it can never be sent. `delay` is in blocks.
 */
export function rehearsalPsbt({ address, publicKey }: { address: string; publicKey: string }, delay: number): string {
  const { script, root, together, alone } = stakeOutput({ owner: xOnly(publicKey), community: NOBODY, delay });
  const input = (text: string, sequence: number) =>
    joined(toSpendId(script, messageHash(text)), u32(0), Uint8Array.of(0), u32(sequence));
  const inputs = joined(Uint8Array.of(2), input(TEXTS[0], REPLACEABLE), input(TEXTS[1], delay));
  const output = joined(Uint8Array.of(1), u64(RETURNED), sized(scriptOf(address)));
  const spent = entryOf(PsbtType.witnessUtxo, joined(u64(INPUT_SATS), sized(script)));
  const entries = (leaf: Leaf) => [spent, ...leafEntries(leaf, root)];
  return writePsbt(joined(u32(2), inputs, output, u32(0)), entries(together), entries(alone));
}
