import type { ReactNode } from "react";
import { useGlobals } from "../api/globals.ts";
import { useTotals, type Totals } from "../api/wallet.ts";
import type { WalletFields } from "../api/client.ts";
import { cx } from "../lib/cx.ts";
import { formatRunesExact, formatRunesShort, formatShare, NOT_AVAILABLE } from "../lib/format.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { Announce } from "../ui/Announce.tsx";
import { Stale } from "../ui/Loaded.tsx";
import { Ring } from "../ui/Ring.tsx";

/**
 * The balances of the connected wallet, after the total stake. On a phone, `main` are the three above the form, and
 * `rest` the others. The figures that everybody sees are in epoch/EpochPanel.tsx. api.Globals in
 * internal/api/service.go says where a new one comes from.
 */
export function Balances({ wallet, part = "all" }: { wallet: WalletFields; part?: "all" | "main" | "rest" }) {
  const globals = useGlobals();
  const totals = useTotals(wallet);
  const total = globals.shown?.totalStaked;
  const mine = (pick: (totals: Totals) => bigint): ReactNode => {
    if (totals.errorUpdateCount > 0 && !totals.data) return NOT_AVAILABLE;
    return <Amount amount={totals.data && pick(totals.data)} />;
  };
  const share = totals.data ? (
    <Share share={totals.data.share} />
  ) : totals.errorUpdateCount > 0 ? (
    NOT_AVAILABLE
  ) : (
    <Blank />
  );
  if (part === "main") {
    return (
      <div data-testid="figures" className="card px-3 py-2">
        <dl
          className={cx(
            "grid grid-cols-[auto_auto_auto] items-end justify-between gap-x-2",
            "min-[380px]:[&_dd]:mt-0 min-[380px]:[&_dd]:text-base min-[380px]:[&_dd]:leading-5",
            "min-[380px]:[&_dt]:leading-4",
          )}
        >
          <Figure name={text.figures.yourStake}>{mine((all) => all.staked)}</Figure>
          <Figure name={text.figures.claimable}>{mine((all) => all.claimable)}</Figure>
          <Figure name={text.figures.share}>{share}</Figure>
        </dl>
      </div>
    );
  }
  const inMain = part === "rest" ? "max-md:hidden" : "";
  const stale = [globals, totals].find((query) => query.error && query.data);
  return (
    <section aria-label={text.figures.title} data-testid="figures" className="card p-5 sm:px-6">
      {stale && <Stale since={stale.dataUpdatedAt} />}
      <Announce key={wallet.w_wallet_code_ord} sentence={totals.data ? summaryOf(totals.data) : null} />
      <dl
        className={cx(
          "grid grid-cols-2 items-end gap-x-4 gap-y-5 sm:grid-cols-4",
          // One line for the longest German name.
          "xl:grid-cols-[1fr_1fr_1.15fr_1fr_1fr_1fr_0.85fr]",
        )}
      >
        <Figure name={text.figures.totalStaked}>
          <Amount amount={total} />
        </Figure>
        <Figure name={text.figures.pendingStake}>{mine((all) => all.pendingStake)}</Figure>
        <Figure name={text.figures.pendingUnstake}>{mine((all) => all.pendingUnlocked)}</Figure>
        <Figure name={text.figures.yourStake} className={inMain}>{mine((all) => all.staked)}</Figure>
        <Figure name={text.figures.claimable} className={inMain}>{mine((all) => all.claimable)}</Figure>
        <Figure name={text.figures.share} className={inMain}>{share}</Figure>
        <Figure name={text.figures.unlocked}>{mine((all) => all.unlocked)}</Figure>
      </dl>
    </section>
  );
}

function Figure({ name, className = "", children }: { name: string; className?: string; children: ReactNode }) {
  return (
    <div className={`min-w-0 ${className}`}>
      <dt className="text-sm text-mist">{name}</dt>
      <dd translate="no" className="num mt-1 min-h-7 text-lg wrap-anywhere">{children}</dd>
    </div>
  );
}

/** Shows a short amount. Its title and screen reader text are exact. */
function Amount({ amount }: { amount: bigint | undefined }) {
  if (amount === undefined) return <Blank />;
  const [short, exact] = [formatRunesShort(amount), formatRunesExact(amount)];
  return (
    <span title={`${exact} ${site.token}`}>
      {short === exact ? (
        short
      ) : (
        <>
          <span aria-hidden="true">{short}</span>
          <span className="sr-only">{exact}</span>
        </>
      )}{" "}
      <span className="text-sm font-normal text-mist">{site.token}</span>
    </span>
  );
}

/** Returns the wallet's balances as one sentence, announced when one of them changes. */
function summaryOf(totals: Totals): string {
  const figures: [name: string, amount: bigint][] = [
    [text.figures.yourStake, totals.staked],
    [text.figures.pendingStake, totals.pendingStake],
    [text.figures.claimable, totals.claimable],
    [text.figures.pendingUnstake, totals.pendingUnlocked],
    [text.figures.unlocked, totals.unlocked],
  ];
  const positive = figures.filter(([, amount]) => amount > 0n);
  const tokens = (amount: bigint): string => `${formatRunesExact(amount)} ${site.token}`;
  return positive.map(([name, amount]) => text.figures.now(name, tokens(amount))).join(" ");
}

/** The share as a number, and as a part of a ring that stands for the total stake. */
function Share({ share }: { share: string }) {
  return (
    <span className="flex items-center gap-1 sm:gap-2">
      {formatShare(share)}
      <Ring part={Number(share)} className="size-5 sm:size-6" />
    </span>
  );
}

function Blank() {
  return (
    <span aria-hidden="true" className="skeleton inline-block w-20">
      0
    </span>
  );
}
