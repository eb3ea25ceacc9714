import { lastLockedOf, unlockOf, useRunningEpoch, type RunningEpoch } from "../api/running.ts";
import { formatDate, formatRunesUp } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { lostRewardOf } from "../lib/rewards.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";

/** The reward that unstaking gives up now, and when the runes unlock. `runes` is 0 while nothing is selected. */
export function UnstakeCost({ runes }: { runes: bigint }) {
  const running = useRunningEpoch();
  return (
    <p className="text-fur">
      {running && `${costOf(running, runes)} ${unlockSentence(running)}`}
    </p>
  );
}

/** Says when runes unlock that are unstaked now. */
export function unlockSentence(running: RunningEpoch | null): string {
  if (!running) return later.unstake.unlocks();
  return later.unstake.unlocks(lastLockedOf(running.epoch), formatDate(unlockOf(running)));
}

interface UnstakeDialogProps {
  /** Formatted, with the token. */
  amount: string;
  runes: bigint;
  onClose(): void;
  onConfirm(): void;
}

/** Asks for confirmation before unstaking gives up a reward. */
export function UnstakeDialog({ amount, runes, onClose, onConfirm }: UnstakeDialogProps) {
  const running = useRunningEpoch();
  const words = later.unstake;
  return (
    <Dialog title={words.title(amount)} onClose={onClose}>
      <div className="grid gap-4">
        <div className="rounded-box border border-amber p-4 text-moon">
          <UnstakeCost runes={runes} />
        </div>
        {running && <p>{waitSentence(running)}</p>}
        <p className="text-sm text-mist">{words.after}</p>
        <div className="grid gap-3 sm:grid-cols-2">
          <Button kind="primary" onClick={onClose}>
            {words.keep}
          </Button>
          <Button onClick={onConfirm}>{text.unstake.submit}</Button>
        </div>
      </div>
    </Dialog>
  );
}

function costOf({ epoch, budget, totalStaked }: RunningEpoch, runes: bigint): string {
  const words = later.unstake;
  if (runes === 0n) return words.costsAll(epoch);
  if (budget === null) return words.costsReward(epoch);
  const reward = lostRewardOf(budget, runes, totalStaked);
  return reward === 0n ? words.costsNothing(epoch) : words.costs(formatRunesUp(reward), site.token, epoch);
}

/** Says when runes unlock that are unstaked in the next epoch. */
function waitSentence(running: RunningEpoch): string {
  const next = running.epoch + 1;
  const unlock = formatDate(unlockOf(running, next));
  return later.unstake.wait(running.epoch, formatDate(running.end), lastLockedOf(next), unlock);
}
