import { lazy, Suspense, useState } from "react";
import { EpochHero } from "../epoch/EpochHero.tsx";
import { EpochPanel } from "../epoch/EpochPanel.tsx";
import { Notices } from "../epoch/Notices.tsx";
import { useQueryDialog, useQueryState } from "../lib/query.ts";
import { servedOr } from "../lib/served.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { RewardPanel } from "../reward/RewardPanel.tsx";
import { fieldsOf, useSession } from "../session/session.ts";
import { Lines } from "../ui/Loaded.tsx";
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
      <div className="flex flex-col gap-4 sm:gap-5">
        {session ? (
          // On a phone the form comes before the figures.
          <div className="max-md:order-1">
            <WalletBalances session={session} />
          </div>
        ) : (
          <FirstVisit />
        )}
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 sm:gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:gap-5">
            <div className={`card p-4 sm:p-5 ${session ? "min-h-96" : ""}`}>
              <DashboardTabs session={session} onConnect={connect} onOpenOrder={openOrder} />
            </div>
            {session === null && !import.meta.env.SSR && (
              <Panel>
                <Suspense fallback={<Lines count={3} />}>
                  <Calculator />
                </Suspense>
              </Panel>
            )}
          </div>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:gap-5">
            <Panel>
              <EpochPanel />
            </Panel>
            {session && (
              <Panel>
                <RewardPanel>
                  <Suspense fallback={null}>
                    <AutoStakingNote wallet={fieldsOf(session)} />
                  </Suspense>
                </RewardPanel>
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

function WalletBalances({ session }: { session: Session }) {
  return (
    <Panel>
      <Suspense fallback={<div className="card h-48 sm:h-28" />}>
        <Balances wallet={fieldsOf(session)} />
      </Suspense>
    </Panel>
  );
}

/** The heading and the countdown. On a phone, once a wallet is connected, the form replaces them. */
function Hero({ connected }: { connected: boolean }) {
  return (
    <div
      className={
        connected
          ? "grid gap-3 max-md:sr-only md:min-h-68 md:content-center md:py-4"
          : "grid gap-1 pt-14 pb-3 sm:gap-4 sm:pt-36 sm:pb-6 md:min-h-80 md:content-center md:py-6"
      }
    >
      <h1 className="max-w-2xl text-3xl font-bold sm:text-5xl md:max-w-120 lg:max-w-130 lg:text-6xl xl:max-w-2xl">
        {servedOr("Tagline", site.tagline, text.stake.headline(site.token))}
      </h1>
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
