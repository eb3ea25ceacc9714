import { lazy, Suspense, useState } from "react";
import { useEpochs } from "../api/globals.ts";
import { EpochHero } from "../epoch/EpochHero.tsx";
import { EpochPanel } from "../epoch/EpochPanel.tsx";
import { KeyFigures } from "../epoch/KeyFigures.tsx";
import { Notices } from "../epoch/Notices.tsx";
import { cx } from "../lib/cx.ts";
import { formatDuration } from "../lib/format.ts";
import { useQueryDialog, useQueryState } from "../lib/query.ts";
import { served, servedOr } from "../lib/served.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { RewardPanel } from "../reward/RewardPanel.tsx";
import { fieldsOf, useSession } from "../session/session.ts";
import { Lines } from "../ui/Loaded.tsx";
import { Maybe } from "../ui/Maybe.tsx";
import { Near } from "../ui/Near.tsx";
import { Tabs } from "../ui/Tabs.tsx";
import type { Session } from "../wallet/index.ts";
import { ConnectPrompt } from "./ConnectPrompt.tsx";
import { Dialogs } from "./Dialogs.tsx";
import { FirstVisit } from "./FirstVisit.tsx";
import { Panel } from "./Panel.tsx";
import { Shell } from "./Shell.tsx";
import type { TabId } from "./TabContent.tsx";
import { useTitle } from "./useTitle.ts";
import { WalletTrouble } from "./WalletTrouble.tsx";

const AutoStakingNote = lazy(() => import("../reward/AutoStakingNote.tsx"));
/** Only while a wallet is connected. */
const Balances = lazy(() => import("../balances/Balances.tsx").then((file) => ({ default: file.Balances })));
const Calculator = lazy(() => import("../stake/Calculator.tsx"));
const TabContent = lazy(() => import("./TabContent.tsx"));

const tabs: readonly { id: TabId; label: string }[] = [
  { id: "stake", label: text.tabs.stake },
  { id: "rewards", label: text.tabs.rewards },
  { id: "unstake", label: text.tabs.unstake },
  { id: "withdraw", label: text.tabs.withdraw },
];

/** The dashboard of a community. */
export function DashboardPage() {
  const session = useSession();
  const [choosing, setChoosing] = useState(false);
  const [order, openOrder] = useQueryDialog("order");
  const connect = (): void => setChoosing(true);
  useTitle();
  return (
    <Shell onConnect={connect} sky={session === null}>
      <Hero connected={session !== null} />
      <Notices />
      <WalletTrouble onConnect={connect} />
      <div className="flex flex-col gap-3 sm:gap-5">
        {session ? <StakerFigures session={session} /> : <VisitorFigures />}
        {/* So that both columns end together, a wallet's card grows, and the chart of rewards up to a limit. */}
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3 sm:gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <div className={cx("grid grid-cols-[minmax(0,1fr)] gap-3 sm:gap-5", session === null && "content-start")}>
            <div className={`card sm:p-5 ${session ? "min-h-96 p-4" : "p-3"}`}>
              <DashboardTabs session={session} onConnect={connect} onOpenOrder={openOrder} />
            </div>
            {session === null && <FirstVisit />}
            {session === null && (
              <Panel>
                <Estimate withRewards />
              </Panel>
            )}
          </div>
          <div className="flex flex-col gap-3 sm:gap-5">
            <Panel>
              <EpochPanel />
            </Panel>
            <Panel>
              <Rewards session={session} />
            </Panel>
            {session === null && (
              <Panel>
                <Estimate withRewards={false} />
              </Panel>
            )}
          </div>
        </div>
      </div>
      <Dialogs
        choosing={choosing}
        onChosen={() => setChoosing(false)}
        session={session}
        order={order}
        onCloseOrder={() => openOrder(null)}
      />
    </Shell>
  );
}

const VisitorFigures = () => (
  <Panel>
    <KeyFigures />
  </Panel>
);

/**
 * The calculator is loaded when it is nearly seen. A screen reader finds its section before, and scrolls to it. Nothing
 * while no rewards are reserved for the running epoch, or while that can't be read. It has another place while no epoch
 * has paid rewards; until the server has answered, it assumes that one has.
 */
function Estimate({ withRewards }: { withRewards: boolean }) {
  const { data, isError } = useEpochs();
  const hasRewards = data?.some(({ settled, amount }) => settled && amount > 0n) ?? true;
  if (import.meta.env.SSR || hasRewards !== withRewards) return null;
  if (data ? !data.some(({ settled, amount }) => !settled && amount > 0n) : isError) return null;
  return (
    <section aria-labelledby="would-earn" className="card p-4 sm:p-5 print:hidden">
      <h2 id="would-earn" className="text-lg font-bold">
        {text.visit.wouldEarn}
      </h2>
      <Near height="mt-3 min-h-96 sm:min-h-66">
        <Calculator />
      </Near>
    </section>
  );
}

/** On a phone the form comes after the main figures and before the others. */
function StakerFigures({ session }: { session: Session }) {
  return (
    <>
      <div className="md:hidden">
        <WalletBalances session={session} part="main" />
      </div>
      <div className="max-md:order-1">
        <WalletBalances session={session} part="rest" />
      </div>
    </>
  );
}

function Rewards({ session }: { session: Session | null }) {
  if (session === null) return <RewardPanel title={text.visit.earned.title} />;
  return (
    <RewardPanel>
      <Suspense fallback={null}>
        <AutoStakingNote wallet={fieldsOf(session)} />
      </Suspense>
    </RewardPanel>
  );
}

function WalletBalances({ session, part }: { session: Session; part: "main" | "rest" }) {
  return (
    <Panel>
      <Suspense fallback={<div className={`card ${part === "main" ? "h-22" : "h-36 sm:h-28"}`} />}>
        <Balances wallet={fieldsOf(session)} part={part} />
      </Suspense>
    </Panel>
  );
}

/** What this is, and the countdown. On a phone, once a wallet is connected, the form replaces them. */
function Hero({ connected }: { connected: boolean }) {
  return (
    <div
      className={
        connected
          ? "grid gap-3 max-md:sr-only md:min-h-68 md:content-center md:py-4"
          : "grid gap-1.5 pt-12 pb-3 sm:gap-3 sm:pt-36 sm:pb-6 md:min-h-70 md:content-center md:pt-0 md:pb-6"
      }
    >
      <h1 className="max-w-2xl text-3xl font-bold sm:text-5xl md:max-w-120 lg:max-w-130 lg:text-6xl xl:max-w-2xl">
        {servedOr("Tagline", site.tagline, text.stake.headline(site.token))}
      </h1>
      {!connected && (
        <p className="max-w-100 text-[0.9375rem] text-moon sm:text-lg">
          <Maybe
            name="EpochLength"
            value={formatDuration(site.epochSeconds)}
            no={text.visit.what(served("Token", site.token), "")}
          >
            {(length) => text.visit.what(served("Token", site.token), length)}
          </Maybe>
        </p>
      )}
      <EpochHero small={!connected} />
    </div>
  );
}

interface DashboardTabsProps {
  session: Session | null;
  onConnect(): void;
  onOpenOrder(id: string): void;
}

function DashboardTabs({ session, onConnect, onOpenOrder }: DashboardTabsProps) {
  const [saved, save] = useQueryState("tab");
  const active = tabs.find((tab) => tab.id === saved)?.id ?? "stake";
  return (
    <Tabs label={text.tabs.label} tabs={tabs} active={active} onChange={(id) => save(id === "stake" ? null : id)}>
      <Panel key={active}>
        {session === null ? (
          <ConnectPrompt onConnect={onConnect} />
        ) : (
          <Suspense fallback={<Lines count={4} />}>
            {/* Remount for another account, so that no input or selection is carried over. */}
            <TabContent key={session.ordinals.address} id={active} session={session} onOpenOrder={onOpenOrder} />
          </Suspense>
        )}
      </Panel>
    </Tabs>
  );
}
