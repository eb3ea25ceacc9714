import { useMemo, useState } from "react";
import { ActionNotice } from "../action/ActionNotice.tsx";
import { CostDialog } from "../action/CostDialog.tsx";
import { MAX_PER_SIGNATURE, TooManyToSign } from "../action/TooMany.tsx";
import { useAction } from "../action/useAction.ts";
import type { WalletFields } from "../api/client.ts";
import { useCommunity } from "../api/globals.ts";
import { useOrders, type Order } from "../api/orders.ts";
import { useUnits, type Unit } from "../api/wallet.ts";
import { formatRunesExact } from "../lib/format.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { CustodyNote } from "../action/CustodyNote.tsx";
import { Button } from "../ui/Button.tsx";
import { Empty } from "../ui/Empty.tsx";
import { Lines, Loaded } from "../ui/Loaded.tsx";
import { useRowSelection } from "../ui/rowSelection.ts";
import { SelectList } from "../ui/SelectList.tsx";
import { limitsOf, OrderLimits } from "./OrderLimits.tsx";
import { withdrawRows } from "./rows.ts";
import { UnlockTimeline } from "./UnlockTimeline.tsx";

const NO_ORDERS: Order[] = [];

export function WithdrawTab({ wallet, onOpenOrder }: { wallet: WalletFields; onOpenOrder: (id: string) => void }) {
  const units = useUnits(wallet);
  const orders = useOrders(wallet).data ?? NO_ORDERS;
  return (
    <Loaded query={units} skeleton={<Lines count={4} />}>
      {(all) => <WithdrawList units={all} orders={orders} onOpenOrder={onOpenOrder} />}
    </Loaded>
  );
}

interface WithdrawListProps {
  units: readonly Unit[];
  orders: readonly Order[];
  onOpenOrder(id: string): void;
}

function WithdrawList({ units, orders, onOpenOrder }: WithdrawListProps) {
  const limit = useCommunity().data?.max_units_per_order ?? 150;
  const rows = useMemo(() => withdrawRows(units, orders, site.token), [units, orders]);
  const { selection, total } = useRowSelection(rows);
  const action = useAction();
  const [done, setDone] = useState<string | null>(null);
  // The units at the time Withdraw was pressed: the list may change behind the dialog.
  const [withdrawal, setWithdrawal] = useState<{ units: string[]; runes: bigint } | null>(null);
  const amount = formatRunesExact(total);

  async function restake(): Promise<void> {
    setDone(null);
    if (!(await action.run("RESTAKE", selection.ids))) return;
    setDone(text.withdraw.restaked(amount, site.token));
    selection.setAll(false);
  }

  const count = selection.ids.length;
  const limits = limitsOf(units, selection, limit);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <ActionNotice action={action} done={done} onDismiss={() => setDone(null)} onRetry={() => void restake()} />
      {rows.length === 0 ? (
        <Empty>{text.withdraw.empty}</Empty>
      ) : (
        <>
          <UnlockTimeline units={units} />
          <SelectList
            title={text.withdraw.title}
            rows={rows}
            selection={selection}
            summary={count === 0 ? text.common.noneSelected : text.common.selected(count, `${amount} ${site.token}`)}
            openLabel={text.withdraw.openOrder}
            onOpen={onOpenOrder}
          />
          <CustodyNote chips={rows.map(({ chip }) => chip)} />
          <OrderLimits limits={limits} rows={rows} selection={selection} />
          <TooManyToSign rows={rows} selection={selection} />
          <WithdrawButtons
            count={count}
            busy={action.step !== null}
            tooMany={limits.exceeded}
            onRestake={() => void restake()}
            onWithdraw={() => setWithdrawal({ units: selection.ids, runes: total })}
          />
        </>
      )}
      {withdrawal && (
        <CostDialog
          type="WITHDRAW"
          title={text.withdraw.dialogTitle}
          units={withdrawal.units}
          runes={withdrawal.runes}
          warning={text.withdraw.warning}
          onClose={() => setWithdrawal(null)}
          onOrder={({ id }) => (setWithdrawal(null), onOpenOrder(id))}
        />
      )}
    </div>
  );
}

interface WithdrawButtonsProps {
  /** Number of selected units. */
  count: number;
  busy: boolean;
  tooMany: boolean;
  onRestake(): void;
  onWithdraw(): void;
}

function WithdrawButtons({ count, busy, tooMany, onRestake, onWithdraw }: WithdrawButtonsProps) {
  return (
    <div className="action-bar grid gap-3 sm:grid-cols-2">
      <Button disabled={count === 0 || count > MAX_PER_SIGNATURE} busy={busy} onClick={onRestake}>
        {text.withdraw.restake}
      </Button>
      <Button kind="primary" disabled={count === 0 || busy || tooMany} onClick={onWithdraw}>
        {text.withdraw.submit}
      </Button>
    </div>
  );
}
