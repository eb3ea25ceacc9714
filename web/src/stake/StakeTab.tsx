import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useState, type FormEvent } from "react";
import { useCommunity, useGlobals } from "../api/globals.ts";
import { keys } from "../api/keys.ts";
import { fetchRecoveryKit, useUnits, type Unit } from "../api/wallet.ts";
import { fromWire } from "../lib/amount.ts";
import { saveFile } from "../lib/file.ts";
import { formatNumber, formatRunesExact } from "../lib/format.ts";
import { explorerLink } from "../lib/link.ts";
import { useObservable } from "../lib/observable.ts";
import { site } from "../lib/site.ts";
import { say, text } from "../lib/text.ts";
import { useCan, walletName } from "../session/capability.ts";
import { fieldsOf } from "../session/session.ts";
import { Button } from "../ui/Button.tsx";
import { Notice } from "../ui/Notice.tsx";
import { runeBalance, type Session } from "../wallet/index.ts";
import { amountOf, decimalMark } from "./amount.ts";
import { AmountField } from "./AmountField.tsx";
import { isOver, run, startStake, unitOf } from "./run.ts";
import { StakeSteps } from "./StakeSteps.tsx";

const RecoverDialog = lazy(() => import("./RecoverDialog.tsx"));

const NO_UNITS: Unit[] = [];
/** Blocks come every ten minutes. */
const BLOCKS_PER_DAY = 144;

export function StakeTab({ session }: { session: Session }) {
  const client = useQueryClient();
  const { data: globals } = useGlobals();
  const { data: community } = useCommunity();
  const units = useUnits(fieldsOf(session)).data ?? NO_UNITS;
  const runeName = community?.rune_name || site.runeName;
  const owner = session.ordinals.address;
  const byHand = useCan("runes_transfer") === false;
  const untold = useCan("runes_getBalance") === false;
  const balance = useQuery({
    queryKey: keys.balance(owner, runeName),
    queryFn: () => runeBalance(runeName),
    enabled: runeName !== "" && !untold,
  });
  const running = useObservable(run);
  const own = running?.owner === owner ? running : null;
  const over = own !== null && isOver(unitOf(own, units));
  const stake = over ? null : own;
  const [typed, setTyped] = useState("");
  const [unclear, setUnclear] = useState(false);

  useEffect(() => {
    if (!over) return;
    run.set(null);
    void client.invalidateQueries({ queryKey: keys.balance(owner, runeName) });
  }, [over, client, owner, runeName]);

  const recovery = community
    ? text.stake.recovery(formatNumber(community.recovery_delay, 0), text.stake.days(community.recovery_delay / BLOCKS_PER_DAY))
    : null;

  if (stake) {
    return (
      <StakeSteps
        stake={stake}
        units={units}
        recovery={recovery}
        kit={<KitButton session={session} staked={units.some((unit) => !unit.virtual)} />}
        link={(txid) => explorerLink(community?.explorer_tx, txid)}
        onAgain={() => {
          run.set(null);
          void client.invalidateQueries({ queryKey: keys.balance(owner, runeName) });
        }}
      />
    );
  }

  const amount = amountOf(typed);
  const minimum = fromWire(community?.minimum_stake);
  const reason = unclear ? text.stake.unclear(`1234${decimalMark()}5`) : whyNot(amount, untold ? null : balance.data, balance.error, minimum);

  function change(value: string, isUnclear: boolean): void {
    setTyped(value);
    setUnclear(isUnclear);
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (reason !== null) return;
    void startStake(session, { runeName, runeId: community?.rune_id, amount, byHand }, units).finally(() => {
      if (run.get()?.phase !== "failed") setTyped("");
      void client.invalidateQueries({ queryKey: keys.wallets });
    });
  }

  return (
    <form noValidate onSubmit={submit}>
      {(byHand || untold) && (
        <div className="mb-4">
          <Notice>{byHand ? text.stake.byHand(walletName()) : text.stake.untold(walletName())}</Notice>
        </div>
      )}
      <AmountField value={typed} unclear={unclear} onChange={change} balance={balance.data ?? null} describedBy="stake-note" />
      <p id="stake-note" role="status" className={`mt-2 min-h-6 ${unclear ? "text-amber" : "text-mist"}`}>
        {reason ?? (globals && globals.epoch >= 0 ? text.stake.counts(globals.epoch + 1) : text.stake.countsSoon)}
      </p>
      {balance.error && (
        <div className="mt-3">
          <Notice tone="bad">{say(balance.error.message)}</Notice>
        </div>
      )}
      <Button kind="primary" type="submit" className="mt-4 w-full text-lg" disabled={reason !== null}>
        {reason !== null ? text.stake.submit : byHand ? text.stake.getAddress : text.stake.submitAmount(formatRunesExact(amount), site.token)}
      </Button>
      {recovery && <p className="mt-4 text-sm text-mist">{recovery}</p>}
      <KitButton session={session} staked={units.some((unit) => !unit.virtual)} />
    </form>
  );
}

/** Why nothing can be staked now; null when it can. A balance of null: this wallet tells none. */
function whyNot(amount: bigint, balance: bigint | null | undefined, error: Error | null, minimum: bigint): string | null {
  if (balance === undefined) return error ? text.stake.noBalance : text.common.loading;
  if (balance === 0n) return text.stake.nothing(site.token);
  if (amount === 0n) return text.stake.enter;
  if (amount < minimum) return text.stake.minimum(formatRunesExact(minimum), site.token);
  return null;
}

function KitButton({ session, staked }: { session: Session; staked: boolean }) {
  const [error, setError] = useState(false);
  const [recovering, setRecovering] = useState(false);
  if (!staked) return null;
  async function download(): Promise<void> {
    try {
      const kit = await fetchRecoveryKit(fieldsOf(session));
      setError(false);
      saveFile(`${site.prefix}-recovery-kit.json`, "application/json", JSON.stringify(kit, null, 2));
    } catch {
      setError(true);
    }
  }
  return (
    <>
      <p className="mt-1 flex flex-wrap gap-x-6">
        <Button kind="quiet" className="px-0!" onClick={() => void download()}>
          {text.stake.kit}
        </Button>
        <Button kind="quiet" className="px-0!" onClick={() => setRecovering(true)}>
          {text.recover.open}
        </Button>
        {error && (
          <span role="alert" className="text-ember">
            {text.stake.kitFailed}
          </span>
        )}
      </p>
      <Suspense fallback={null}>
        {recovering && <RecoverDialog session={session} onClose={() => setRecovering(false)} />}
      </Suspense>
    </>
  );
}
