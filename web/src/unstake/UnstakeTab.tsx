import { useMemo, useState } from "react";
import { ActionNotice } from "../action/ActionNotice.tsx";
import { SignWith } from "../action/SignWith.tsx";
import { MOST_PER_SIGNATURE, TooMany } from "../action/TooMany.tsx";
import { useAction } from "../action/useAction.ts";
import type { WalletFields } from "../api/client.ts";
import { useGlobals } from "../api/globals.ts";
import { useUnits, type Unit } from "../api/wallet.ts";
import { sum } from "../lib/amount.ts";
import { useNow } from "../lib/clock.ts";
import { formatRunesExact } from "../lib/format.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { Button } from "../ui/Button.tsx";
import { Empty } from "../ui/Empty.tsx";
import { Lines, Loaded } from "../ui/Loaded.tsx";
import { useSelection } from "../ui/selection.ts";
import { SelectList } from "../ui/SelectList.tsx";
import { unstakeRows } from "./rows.ts";

export function UnstakeTab({ wallet }: { wallet: WalletFields }) {
  const units = useUnits(wallet);
  return (
    <Loaded query={units} skeleton={<Lines count={4} />}>
      {(all) => <UnstakeList units={all} />}
    </Loaded>
  );
}

function UnstakeList({ units }: { units: readonly Unit[] }) {
  const { data: globals } = useGlobals();
  const end = globals?.end ?? Number.NaN;
  const rows = useMemo(() => unstakeRows(units, site.token, end), [units, end]);
  const selectable = useMemo(() => rows.filter((row) => row.selectable).map((row) => row.id), [rows]);
  const selection = useSelection(selectable);
  const chosen = useMemo(
    () => sum(rows.filter((row) => row.selectable && selection.has(row.id)).map((row) => row.weight)),
    [rows, selection],
  );
  const action = useAction();
  const [done, setDone] = useState<string | null>(null);
  const amount = formatRunesExact(chosen);

  async function unstake(): Promise<void> {
    setDone(null);
    if (!(await action.run("UNSTAKE", selection.ids))) return;
    setDone(text.unstake.done(amount, site.token));
    selection.setAll(false);
  }

  const nothing = selection.ids.length === 0;
  const tooMany = selection.ids.length > MOST_PER_SIGNATURE;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <ActionNotice action={action} done={done} onDismiss={() => setDone(null)} onRetry={() => void unstake()} />
      {rows.length === 0 ? (
        <Empty>{text.unstake.empty}</Empty>
      ) : (
        <>
          <SelectList
            title={text.unstake.title}
            rows={rows}
            selection={selection}
            summary={
              nothing ? text.common.noneSelected : text.common.selected(selection.ids.length, `${amount} ${site.token}`)
            }
          />
          <p className="text-sm text-mist">
            {text.unstake.note}{" "}
            {globals && selectable.length > 0 && <EndsSoon end={globals.end} epoch={globals.epoch} />}
          </p>
          <SignWith />
          {tooMany && (
            <TooMany
              sentence={text.common.tooManyToSign(MOST_PER_SIGNATURE)}
              limit={MOST_PER_SIGNATURE}
              rows={rows}
              selection={selection}
            />
          )}
          <Button
            kind="primary"
            disabled={nothing || tooMany}
            busy={action.step !== null}
            onClick={() => void unstake()}
          >
            {nothing ? text.unstake.submit : text.unstake.submitAmount(amount, site.token)}
          </Button>
        </>
      )}
    </div>
  );
}

const SOON_MS = 12 * 3_600_000;

/** Waiting a few hours saves the running epoch's reward. */
function EndsSoon({ end, epoch }: { end: number; epoch: number }) {
  const left = end - useNow();
  return left > 0 && left < SOON_MS ? <span className="text-amber">{text.unstake.saveWeek(epoch)}</span> : null;
}
