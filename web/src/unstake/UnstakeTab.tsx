import { useMemo, useState } from "react";
import { ActionNotice } from "../action/ActionNotice.tsx";
import { SignWith } from "../action/SignWith.tsx";
import { MAX_PER_SIGNATURE, TooManyToSign } from "../action/TooMany.tsx";
import { useAction } from "../action/useAction.ts";
import type { WalletFields } from "../api/client.ts";
import { useExpectation, useRunningEpoch } from "../api/running.ts";
import { useUnits, type Unit } from "../api/wallet.ts";
import { formatRunesExact } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { CustodyNote } from "../action/CustodyNote.tsx";
import { Button } from "../ui/Button.tsx";
import { Empty } from "../ui/Empty.tsx";
import { Lines, Loaded } from "../ui/Loaded.tsx";
import { useRowSelection } from "../ui/rowSelection.ts";
import { SelectList, type Row } from "../ui/SelectList.tsx";
import { unstakeRows } from "./rows.ts";
import { UnstakeCost, UnstakeDialog, unlockSentence } from "./UnstakeCost.tsx";

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
  const { selection, total } = useRowSelection(rows);
  const action = useAction();
  const [done, setDone] = useState<string | null>(null);
  const [confirming, setConfirming] = useState(false);
  const amount = formatRunesExact(total);
  const unlocks = unlockSentence(useRunningEpoch());

  async function unstake(): Promise<void> {
    setDone(null);
    if (!(await action.run("UNSTAKE", selection.ids))) return;
    setDone(`${text.unstake.done(amount, site.token)} ${unlocks}`);
    selection.setAll(false);
  }

  const count = selection.ids.length;
  const isEmpty = count === 0;
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
            summary={isEmpty ? text.common.noneSelected : text.common.selected(count, `${amount} ${site.token}`)}
          />
          <CustodyNote chips={rows.map(({ chip }) => chip)} />
          <Consequences rows={rows} runes={total} />
          <TooManyToSign rows={rows} selection={selection} />
          <div className="action-bar">
            <Button
              kind="primary"
              className="w-full"
              disabled={isEmpty || count > MAX_PER_SIGNATURE}
              busy={action.step !== null}
              onClick={() => setConfirming(true)}
            >
              {isEmpty ? text.unstake.submit : text.unstake.submitAmount(amount, site.token)}
            </Button>
          </div>
        </>
      )}
      {confirming && !isEmpty && (
        <UnstakeDialog
          amount={`${amount} ${site.token}`}
          runes={total}
          onClose={() => setConfirming(false)}
          onConfirm={() => {
            setConfirming(false);
            void unstake();
          }}
        />
      )}
    </div>
  );
}

/** What unstaking costs and how it is signed; for pending stakes only, when they can be unstaked. */
function Consequences({ rows, runes }: { rows: readonly Row[]; runes: bigint }) {
  if (!rows.some((row) => row.selectable)) return <p className="text-fur">{later.unstake.notYet}</p>;
  return (
    <>
      <UnstakeCost runes={runes} />
      <SignWith />
    </>
  );
}
