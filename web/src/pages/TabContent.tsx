import { lazy, Suspense, type ReactNode } from "react";
import type { WalletFields } from "../api/client.ts";
import { useTotals } from "../api/wallet.ts";
import { DeliveriesToSign } from "../order/DeliveriesToSign.tsx";
import { canPush } from "../push/browser.ts";
import { CheckReward } from "../reward/CheckReward.tsx";
import { WithdrawalOrders } from "../reward/ClaimOrders.tsx";
import { RewardTab } from "../reward/RewardTab.tsx";
import { fieldsOf } from "../session/session.ts";
import { StakeTab } from "../stake/StakeTab.tsx";
import { UnstakeTab } from "../unstake/UnstakeTab.tsx";
import { Catch } from "../ui/Catch.tsx";
import type { Session } from "../wallet/index.ts";
import { WithdrawTab } from "../withdraw/WithdrawTab.tsx";
import { NotRemembered } from "./NotRemembered.tsx";

// Loaded later: they contain the verification of signatures.
const KeepReceipts = lazy(() => import("../receipts/KeepReceipts.tsx"));
const ReceiptsButton = lazy(() => import("../receipts/ReceiptsButton.tsx"));
// Loaded only where the browser can show messages.
const PushMessages = lazy(() => import("../push/PushMessages.tsx"));

export type TabId = "stake" | "rewards" | "unstake" | "withdraw";

export interface TabContentProps {
  id: TabId;
  session: Session;
  onOpenOrder(id: string): void;
}

/** The content of each tab. Loaded only while a wallet is connected. */
export default function TabContent(props: TabContentProps) {
  return (
    <>
      <NotRemembered />
      <DeliveriesToSign wallet={fieldsOf(props.session)} onOpen={props.onOpenOrder} />
      <Tab {...props} />
      <Optional>{canPush() && <PushMessages wallet={fieldsOf(props.session)} />}</Optional>
      <Optional>
        <KeepReceipts wallet={fieldsOf(props.session)} />
      </Optional>
    </>
  );
}

/** Loads a part that the tab works without. If that fails, the tab stays. */
function Optional({ children }: { children: ReactNode }) {
  return (
    <Catch fallback={() => null}>
      <Suspense>{children}</Suspense>
    </Catch>
  );
}

function Tab({ id, session, onOpenOrder }: TabContentProps) {
  const wallet = fieldsOf(session);
  switch (id) {
    case "stake":
      return (
        <>
          <StakeTab session={session} />
          <CheckStake wallet={wallet} />
        </>
      );
    case "rewards":
      return (
        <>
          <RewardTab wallet={wallet} onOpenOrder={onOpenOrder} />
          <Checks wallet={wallet} />
        </>
      );
    case "unstake":
      return <UnstakeTab wallet={wallet} />;
    case "withdraw":
      return (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <WithdrawTab wallet={wallet} onOpenOrder={onOpenOrder} />
          <WithdrawalOrders wallet={wallet} onOpen={onOpenOrder} />
        </div>
      );
  }
}

/** Only for a staker: below a first stake, the button would look like its next step. */
function CheckStake({ wallet }: { wallet: WalletFields }) {
  const { data } = useTotals(wallet);
  if (!data || data.staked === 0n) return null;
  return (
    <div className="mt-3 flex">
      <CheckReward wallet={wallet} />
    </div>
  );
}

/** What a staker can check: the reward, and what the server has signed. */
function Checks({ wallet }: { wallet: WalletFields }) {
  return (
    <div className="mt-3 flex flex-wrap gap-3">
      <CheckReward wallet={wallet} />
      <Optional>
        <ReceiptsButton wallet={wallet} />
      </Optional>
    </div>
  );
}
