import { useMemo, useState } from "react";
import { ActionNotice } from "../action/ActionNotice.tsx";
import { SignWith } from "../action/SignWith.tsx";
import { MAX_PER_SIGNATURE, TooMany } from "../action/TooMany.tsx";
import { useAction } from "../action/useAction.ts";
import type { WalletFields } from "../api/client.ts";
import { useExpectation } from "../api/running.ts";
import { useUnits, type Unit } from "../api/wallet.ts";
import { sum } from "../lib/amount.ts";
import { formatRunesExact } from "../lib/format.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { Button } from "../ui/Button.tsx";
import { Empty } from "../ui/Empty.tsx";
import { Lines, Loaded } from "../ui/Loaded.tsx";
import { useSelection } from "../ui/selection.ts";
import { SelectList } from "../ui/SelectList.tsx";
import { unstakeRows } from "./rows.ts";
import { UnstakeCost, UnstakeDialog } from "./UnstakeCost.tsx";

export function UnstakeTab({ wallet }: { wallet: WalletFields }) {
  const units = useUnits(wallet);
  return (
    <Loaded query={units} skeleton={<Lines count={4} />}>
      {(all) => <UnstakeList units={all} />}
    </Loaded>
  );
}

function UnstakeList({ units }: { units: readonly Unit[] }) {
  const expected = useExpectation();
  const rows = useMemo(() => unstakeRows(units, site.token, expected), [units, expected]);
  const selectable = useMemo(() => rows.filter((row) => row.selectable).map((row) => row.id), [rows]);
  const selection = useSelection(selectable);
  const chosen = useMemo(
    () => sum(rows.filter((row) => row.selectable && selection.has(row.id)).map((row) => row.weight)),
    [rows, selection],
  );
  const action = useAction();
  const [done, setDone] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const amount = formatRunesExact(chosen);

  async function unstake(): Promise<void> {
    setDone(null);
    if (!(await action.run("UNSTAKE", selection.ids))) return;
    setDone(text.unstake.done(amount, site.token));
    selection.setAll(false);
  }

  const nothing = selection.ids.length === 0;
  const tooMany = selection.ids.length > MAX_PER_SIGNATURE;
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
          <UnstakeCost runes={chosen} />
          <SignWith />
          {tooMany && (
            <TooMany
              sentence={text.common.tooManyToSign(MAX_PER_SIGNATURE)}
              limit={MAX_PER_SIGNATURE}
              rows={rows}
              selection={selection}
            />
          )}
          <Button
            kind="primary"
            disabled={nothing || tooMany}
            busy={action.step !== null}
            onClick={() => setAsking(true)}
          >
            {nothing ? text.unstake.submit : text.unstake.submitAmount(amount, site.token)}
          </Button>
        </>
      )}
      {asking && !nothing && (
        <UnstakeDialog
          amount={`${amount} ${site.token}`}
          runes={chosen}
          onClose={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false);
            void unstake();
          }}
        />
      )}
    </div>
  );
}
