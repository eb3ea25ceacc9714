import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, type FormEvent, type ReactNode } from "react";
import { useCommunity } from "../api/globals.ts";
import { keys } from "../api/keys.ts";
import { lastLockedOf, useExpectation, type Expectation } from "../api/running.ts";
import { unitsQuery, useUnits, type Unit } from "../api/wallet.ts";
import { fromWire, UNIT } from "../lib/amount.ts";
import { formatDate, formatNumber, formatRunesExact } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { explorerLink } from "../lib/link.ts";
import { useObservable } from "../lib/observable.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { useCan, walletName } from "../session/capability.ts";
import { fieldsOf } from "../session/session.ts";
import { Button } from "../ui/Button.tsx";
import { Notice } from "../ui/Notice.tsx";
import { WalletError, type Session } from "../wallet/index.ts";
import { readAmount, writeAmount, type Reading } from "../lib/typedAmount.ts";
import { AmountField } from "./AmountField.tsx";
import { readHolding, type Holding } from "./balance.ts";
import { KitButtons } from "./KitButtons.tsx";
import { NoBalance } from "./NoBalance.tsx";
import { ProvePanel } from "./ProvePanel.tsx";
import { RehearsalPanel } from "./RehearsalPanel.tsx";
import { isFinished, searchStake, StakeFlow, unitOf } from "./run.ts";
import { runs, type Run } from "./runs.ts";
import { StakeSteps } from "./StakeSteps.tsx";
import { WouldEarn } from "./WouldEarn.tsx";

const NO_UNITS: Unit[] = [];
/** Interval at which the balance is read again while the wallet is not on the page. */
const NO_WALLET_MS = 2_000;
/** At one block every ten minutes. */
const BLOCKS_PER_DAY = 144;

/** What is shown before the first stake of a wallet. */
const firstPanels: Partial<Record<Run["phase"], typeof ProvePanel>> = {
  prove: ProvePanel,
  unproven: ProvePanel,
  rehearse: RehearsalPanel,
  unrehearsed: RehearsalPanel,
};

export function StakeTab({ session }: { session: Session }) {
  const client = useQueryClient();
  const { data: community } = useCommunity();
  const wallet = fieldsOf(session);
  const data = useUnits(wallet).data;
  const units = data ?? NO_UNITS;
  const runeName = community?.rune_name || site.runeName;
  const owner = session.ordinals.address;
  const fetchUnits = (): Promise<Unit[]> => client.fetchQuery({ ...unitsQuery(wallet), staleTime: 0, retry: false });
  const { current, others } = useRuns(owner, data, fetchUnits, () =>
    void client.invalidateQueries({ queryKey: keys.balance(owner, runeName) }),
  );
  const recovery = community
    ? text.stake.recovery(
        formatNumber(community.recovery_delay, 0),
        text.stake.days(community.recovery_delay / BLOCKS_PER_DAY),
      )
    : null;
  // Kept during a stake, for when it fails and the form returns.
  const [typed, setTyped] = useState("");
  const kit = units.some((unit) => !unit.virtual) && <KitButtons session={session} />;

  function reset(): void {
    if (current) runs.drop(current.id);
    void client.invalidateQueries({ queryKey: keys.balance(owner, runeName) });
  }

  const FirstPanel = current && firstPanels[current.phase];
  if (FirstPanel) return <FirstPanel stake={current} onStop={reset} />;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {others.map((one) => (
        <Notice key={one.id}>{later.stake.onTheWay(formatRunesExact(one.amount), site.token, one.txid!)}</Notice>
      ))}
      {current ? (
        <StakeSteps
          stake={current}
          units={units}
          recovery={recovery}
          kit={kit}
          link={(txid) => explorerLink(community?.explorer_tx, txid)}
          onMore={() => {
            setTyped("");
            const done = unitOf(current, units) !== undefined || current.txid === null;
            if (done) return reset();
            runs.update(current.id, { inBackground: true });
            void client.invalidateQueries({ queryKey: keys.balance(owner, runeName) });
          }}
          onAgain={() => {
            // A stake that may still have been sent stays tracked; a refused stake is removed.
            if (current.phase === "failed" && current.search === "notFound") return reset();
            runs.update(current.id, { inBackground: true });
          }}
          onSearch={() => void searchStake(current.id, fetchUnits)}
        />
      ) : (
        <StakeForm {...{ session, runeName, units, fetchUnits, typed }} onType={setTyped}>
          <p className="mt-4 text-sm text-mist">{[later.stake.custody, recovery].join(" ")}</p>
          {kit}
        </StakeForm>
      )}
    </div>
  );
}

/** Returns an owner's pending stakes: the one shown step by step, and those in the background. */
function useRuns(
  owner: string,
  units: readonly Unit[] | undefined,
  fetchUnits: () => Promise<Unit[]>,
  onFinished: () => void,
) {
  const all = useObservable(runs);
  useEffect(() => {
    if (!units) return;
    for (const one of all.filter((one) => one.owner === owner)) {
      const unit = unitOf(one, units);
      if (unit) runs.unstore(one.id);
      // The page shows no steps for these any more.
      if (unit && (one.inBackground || one.flow === null || isFinished(unit))) runs.drop(one.id);
      if (isFinished(unit)) onFinished();
    }
  });
  useEffect(() => {
    for (const one of all)
      if (one.owner === owner && one.flow === null && one.phase === "unclear" && one.search === null)
        void searchStake(one.id, fetchUnits);
  });
  const pending = all.filter((one) => one.owner === owner && !isFinished(unitOf(one, units ?? NO_UNITS)));
  const current: Run | undefined = pending.findLast((one) => !one.inBackground);
  return { current, others: pending.filter((one) => one !== current && one.txid !== null) };
}

interface StakeFormProps {
  session: Session;
  runeName: string;
  units: readonly Unit[];
  fetchUnits(): Promise<Unit[]>;
  typed: string;
  onType(typed: string): void;
  children: ReactNode;
}

function StakeForm({ session, runeName, units, fetchUnits, typed, onType, children }: StakeFormProps) {
  const client = useQueryClient();
  const expected = useExpectation();
  const { data: community } = useCommunity();
  const byHand = useCan("runes_transfer") === false;
  const { holding, hasNoBalanceMethod, failed } = useHolding(session.ordinals.address, runeName);
  const reading = readAmount(typed);
  const amount = reading.kind === "amount" ? reading.amount : 0n;
  const question = amountQuestion(reading);
  const reason = question ?? blockingReason(amount, holding, fromWire(community?.minimum_stake));

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (reason !== null || !community) return;
    const { rune_id: runeId, recovery_delay: delay } = community;
    const flow = new StakeFlow(session, { runeName, runeId, amount, delay, byHand }, units, fetchUnits);
    void flow.start().finally(() => void client.invalidateQueries({ queryKey: keys.wallets }));
  }

  return (
    <form noValidate onSubmit={submit}>
      <div className="mb-4 grid grid-cols-[minmax(0,1fr)] gap-4 empty:hidden">
        {byHand && <Notice>{text.stake.byHand(walletName())}</Notice>}
        {!byHand && hasNoBalanceMethod && <Notice>{text.stake.noBalanceMethod(walletName())}</Notice>}
        {failed && <Notice tone="warn">{text.stake.noBalance}</Notice>}
        {holding?.total === 0n && <NoBalance session={session} />}
      </div>
      <AmountField
        value={typed}
        reading={reading}
        onChange={onType}
        balance={holding?.total ?? null}
        spendable={holding?.spendable ?? null}
        describedBy="stake-note"
      />
      <p id="stake-note" role="status" className={`mt-2 min-h-6 ${question ? "text-amber" : "text-mist"}`}>
        {reason ?? (expected ? startSentence(expected) : text.stake.countsSoon)}{" "}
        {holding === null && <span className="block text-sm">{later.stake.offShares}</span>}
      </p>
      <WouldEarn amount={amount} />
      <Button kind="primary" type="submit" className="mt-4 w-full text-lg" disabled={reason !== null || !community}>
        {reason === null ? submitLabel(amount, byHand) : text.stake.submit}
      </Button>
      {children}
    </form>
  );
}

/** Returns the wallet's balance of the rune: undefined while loading; null if it is unavailable. */
function useHolding(owner: string, runeName: string) {
  const { data: community } = useCommunity();
  const hasNoBalanceMethod = useCan("runes_getBalance") === false;
  const balance = useQuery({
    queryKey: keys.balance(owner, runeName),
    queryFn: () => readHolding({ name: runeName, id: community?.rune_id }),
    enabled: runeName !== "" && !hasNoBalanceMethod,
    retry: false,
    gcTime: 0, // a balance from before a stake is not shown when the form returns: Max would exceed it
    // The wallet may inject its object late.
    refetchInterval: ({ state: { error } }) =>
      error instanceof WalletError && error.kind === "noWallet" ? NO_WALLET_MS : false,
  });
  const failed = balance.error !== null && !hasNoBalanceMethod;
  return { holding: hasNoBalanceMethod || failed ? null : balance.data, hasNoBalanceMethod, failed };
}

function submitLabel(amount: bigint, byHand: boolean): string {
  return byHand ? text.stake.getAddress : text.stake.submitAmount(formatRunesExact(amount), site.token);
}

/** Says in which epoch a deposit that is sent now is likely to start earning. */
function startSentence(expected: Expectation): string {
  const epoch = expected.epochOf(null);
  const last = lastLockedOf(epoch);
  return later.start.likely(epoch, formatDate(expected.startOf(epoch)), last, formatDate(expected.startOf(last + 1)));
}

const EXAMPLE = (12_345n * UNIT) / 10n;

/** Returns the question about an ambiguous or unreadable amount; null if the field holds an amount. */
function amountQuestion(reading: Reading): string | null {
  if (reading.kind === "amount") return null;
  if (reading.kind === "unreadable") return later.stake.unreadable(writeAmount(EXAMPLE));
  const { large, small } = reading;
  const isWhole = small % UNIT === 0n;
  const example = isWhole ? writeAmount(large) : later.stake.either(writeAmount(large), writeAmount(small));
  return later.stake.ambiguous(formatRunesExact(large), formatRunesExact(small), example);
}

/**
 * Returns why nothing can be staked now; null if staking is possible. A holding of null is unavailable, undefined is
 * not loaded yet.
 */
function blockingReason(amount: bigint, holding: Holding | null | undefined, minimum: bigint): string | null {
  if (holding?.total === 0n) return ""; // NoBalance shows the reason
  if (amount === 0n) return holding === undefined ? later.stake.reading : text.stake.enter;
  if (amount < minimum) return text.stake.minimum(formatRunesExact(minimum), site.token);
  if (holding && amount > holding.spendable)
    return later.stake.tooMuch(formatRunesExact(holding.spendable), site.token);
  return null;
}
