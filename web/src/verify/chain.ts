import { DocumentError, ForkError } from "./errors.ts";
import type { Signed } from "./statement.ts";

/** Throws DocumentError unless a statement is the successor of another one, ForkError if both have the same place. */
export function verifySuccessor(s: Signed, before: Signed): void {
  const here = `statement ${s.sequence}`;
  if (s.key !== before.key) {
    throw new DocumentError(`${here} is signed by the key ${s.key}, the one before by ${before.key}`);
  }
  if (s.network !== before.network || s.community !== before.community || s.rune !== before.rune) {
    throw new DocumentError(
      `${here} is of ${s.community} (${s.network}, rune ${s.rune}), ` +
        `the one before of ${before.community} (${before.network}, rune ${before.rune})`,
    );
  }
  if (s.sequence === before.sequence && s.id !== before.id) {
    throw new ForkError(`${here}: two different statements have the same sequence, ${before.id} and ${s.id}`);
  }
  const broken = [
    s.sequence !== before.sequence + 1 &&
      `statement ${before.sequence + 1} is missing: ${here} comes after statement ${before.sequence}`,
    s.previous !== before.id &&
      `${here} names ${s.previous} as the one before, not ${before.id}: it continues another history`,
    s.epoch !== before.epoch + 1 && `${here} is of epoch ${s.epoch}, the one before of epoch ${before.epoch}`,
    s.start !== before.end && `${here}: its epoch does not start when the one before ends`,
    (s.cut.height < before.cut.height || (s.cut.height === before.cut.height && s.cut.hash !== before.cut.hash)) &&
      `${here}: its epoch's last block ${s.cut.height} (${s.cut.hash}) can't be after block ` +
        `${before.cut.height} (${before.cut.hash})`,
  ].find((message) => message !== false);
  if (broken) throw new DocumentError(broken);
}
