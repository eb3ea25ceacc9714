import { lazy, Suspense, useMemo, useState } from "react";
import { ActionNotice } from "../action/ActionNotice.tsx";
import { CostDialog } from "../action/CostDialog.tsx";
import { useAction } from "../action/useAction.ts";
import { useFeeRates } from "../api/feeRates.ts";
import { useCommunity } from "../api/globals.ts";
import { isActive, useOrders } from "../api/orders.ts";
import { useTotals, useUnits, type Unit } from "../api/wallet.ts";
import type { WalletFields } from "../api/client.ts";
import { sum } from "../lib/amount.ts";
import { earn } from "../lib/earnText.ts";
import { formatRunesExact, formatRunesUp, formatSats } from "../lib/format.ts";
import { costPerToken } from "../lib/rewards.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { Button } from "../ui/Button.tsx";
import { Lines, Loaded } from "../ui/Loaded.tsx";
import { ClaimOrders } from "./ClaimOrders.tsx";

// Loaded later: it is below the fold.
const History = lazy(() => import("./History.tsx"));
const AutoCompound = lazy(() => import("./AutoCompound.tsx").then((module) => ({ default: module.AutoCompound })));

const NONE: Unit[] = [];
const ALL: string[] = [];

// The server compounds at most this many rewards at once, the oldest.
const MOST_COMPOUNDED = 1000;

export function RewardTab({ wallet, onOpenOrder }: { wallet: WalletFields; onOpenOrder: (id: string) => void }) {
  const totals = useTotals(wallet);
  const orders = useOrders(wallet);
  const { claimable, claimed, limit } = useClaimable(wallet);
  const action = useAction();
  const [done, setDone] = useState<string | null>(null);
  const [claiming, setClaiming] = useState(false);

  const active = orders.data?.find((order) => order.type === "CLAIM" && isActive(order.status));
  const nothingToClaim = totals.data?.claimable === 0n && !active;

  async function compound(amount: bigint): Promise<void> {
    setDone(null);
    const compounded = compoundedOf(claimable, amount);
    if (await action.run("COMPOUND", ALL)) setDone(text.rewards.compounded(formatRunesExact(compounded), site.token));
  }

  function claim(): void {
    setDone(null);
    setClaiming(true);
  }

  return (
    <div className="grid gap-4 sm:gap-5">
      <Loaded query={totals} skeleton={<Lines count={2} />}>
        {({ claimable: amount }) => (
          <>
            <ClaimableAmount amount={amount} />
            <RewardButtons
              amount={amount}
              busy={action.step !== null}
              hasActiveOrder={active !== undefined}
              onCompound={() => void compound(amount)}
              onClaim={claim}
            />
            {claimed > 0n && <ClaimCost runes={claimed} />}
            {claimable.length > limit && <p className="text-sm text-mist">{text.rewards.claimLimit(limit)}</p>}
          </>
        )}
      </Loaded>
      {active && <ActiveOrder onOpen={() => onOpenOrder(active.id)} />}
      <ActionNotice
        action={action}
        done={done}
        onDismiss={() => setDone(null)}
        onRetry={() => void compound(totals.data?.claimable ?? 0n)}
      />
      <Sections wallet={wallet} nothingToClaim={nothingToClaim} onOpenOrder={onOpenOrder} />
      {claiming && (
        <CostDialog
          type="CLAIM"
          title={text.rewards.claimTitle}
          units={ALL}
          runes={claimed}
          onClose={() => setClaiming(false)}
          onOrder={(order) => {
            setClaiming(false);
            onOpenOrder(order.id);
          }}
        />
      )}
    </div>
  );
}

interface SectionsProps {
  wallet: WalletFields;
  nothingToClaim: boolean;
  onOpenOrder(id: string): void;
}

/** Automatic compounding, the claim orders and the history. */
function Sections({ wallet, nothingToClaim, onOpenOrder }: SectionsProps) {
  return (
    <>
      <Suspense fallback={<Lines count={3} />}>
        <AutoCompound wallet={wallet} nothingToClaim={nothingToClaim} />
      </Suspense>
      <ClaimOrders wallet={wallet} onOpen={onOpenOrder} />
      <Suspense fallback={<Lines count={3} />}>
        <History wallet={wallet} />
      </Suspense>
    </>
  );
}

/** Returns the claimable rewards, and the sum that one claim takes: the oldest rewards, up to the limit. */
function useClaimable(wallet: WalletFields) {
  const units = useUnits(wallet).data ?? NONE;
  const limit = useCommunity().data?.max_units_per_order ?? 150;
  const claimable = useMemo(() => units.filter((unit) => unit.stage === "CLAIMABLE"), [units]);
  // Units are sorted newest first.
  const claimed = useMemo(() => sum(claimable.slice(-limit).map((unit) => unit.runes)), [claimable, limit]);
  return { claimable, claimed, limit };
}

/** Returns the part of the claimable amount that one compound takes. Units are sorted newest first. */
function compoundedOf(claimable: Unit[], amount: bigint): bigint {
  if (claimable.length <= MOST_COMPOUNDED) return amount;
  return sum(claimable.slice(-MOST_COMPOUNDED).map((unit) => unit.runes));
}

interface RewardButtonsProps {
  amount: bigint;
  busy: boolean;
  hasActiveOrder: boolean;
  onCompound(): void;
  onClaim(): void;
}

function RewardButtons({ amount, busy, hasActiveOrder, onCompound, onClaim }: RewardButtonsProps) {
  return (
    <div className="grid grid-cols-2 gap-3">
      <Button kind="primary" disabled={amount === 0n} busy={busy} onClick={onCompound}>
        {text.rewards.compound}
      </Button>
      <Button disabled={amount === 0n || hasActiveOrder || busy} onClick={onClaim}>
        {text.rewards.claim}
      </Button>
    </div>
  );
}

function ClaimableAmount({ amount }: { amount: bigint }) {
  return (
    <div>
      <p className="text-mist">{text.rewards.claimable}</p>
      <p className="font-display text-3xl font-bold wrap-anywhere text-moon sm:mt-1 sm:text-4xl">
        {formatRunesExact(amount)} <span className="text-lg font-medium text-mist sm:text-xl">{site.token}</span>
      </p>
    </div>
  );
}

/** The cost of claiming these runes at the current fee rate. */
function ClaimCost({ runes }: { runes: bigint }) {
  const cost = useFeeRates().data?.claim;
  if (cost === undefined) return null;
  return (
    <p className="text-sm text-mist">
      {earn.claimNow(formatSats(cost), site.token, formatRunesUp(costPerToken(cost, runes)))}
    </p>
  );
}

/** A wallet has at most one open claim order: it must end before the next claim. */
function ActiveOrder({ onOpen }: { onOpen: () => void }) {
  return (
    <p className="text-mist">
      <button type="button" className="inline-flex min-h-6 items-center text-ice underline" onClick={onOpen}>
        {text.rewards.openOrder}
      </button>{" "}
      {text.rewards.activeOrder}
    </p>
  );
}
