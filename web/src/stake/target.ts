import { hex } from "@scure/base";
import type { CustodyKind, StakeTarget } from "../api/actions.ts";
import { PageError } from "../lib/failure.ts";
import { later } from "../lib/laterText.ts";
import type { Session } from "../wallet/index.ts";
import { stakeAddress, xOnly } from "../wallet/stakeScript.ts";

/** The server's stake address is not the one that was requested. Nothing was sent. */
export class TargetMismatch extends PageError {
  override readonly name = "TargetMismatch";
}

/**
 * Throws TargetMismatch unless the target has the requested custody and, in self-custody, its address is the script
 * that needs this owner's signature, with the community's recovery delay in blocks.
 */
export function requireTarget(
  { address, custody, communityKey, delay }: StakeTarget,
  wanted: { custody: CustodyKind; delay: number; owner: Session["ordinals"] },
): void {
  const words = later.stake;
  if (custody !== wanted.custody) throw new TargetMismatch(words.otherCustody);
  if (custody === "operator") return;
  if (delay !== wanted.delay) throw new TargetMismatch(words.otherDelay);
  if (address !== recomputed(communityKey, delay, wanted.owner)) throw new TargetMismatch(words.otherAddress);
}

/** The stake address of these keys; null if they or the delay are invalid. */
function recomputed(community: string, delay: number, owner: Session["ordinals"]): string | null {
  try {
    const keys = { owner: xOnly(owner.publicKey), community: hex.decode(community), delay };
    return stakeAddress(keys, owner.address);
  } catch {
    return null;
  }
}
