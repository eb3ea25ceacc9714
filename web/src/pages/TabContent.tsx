import { CheckReward } from "../reward/CheckReward.tsx";
import { RewardTab } from "../reward/RewardTab.tsx";
import { fieldsOf } from "../session/session.ts";
import { StakeTab } from "../stake/StakeTab.tsx";
import { UnstakeTab } from "../unstake/UnstakeTab.tsx";
import type { Session } from "../wallet/index.ts";
import { WithdrawTab } from "../withdraw/WithdrawTab.tsx";

export type TabId = "stake" | "rewards" | "unstake" | "withdraw";

export interface TabContentProps {
  id: TabId;
  session: Session;
  onOpenOrder(id: string): void;
}

/** The content of each tab. Loaded only while a wallet is connected. */
export default function TabContent({ id, session, onOpenOrder }: TabContentProps) {
  const wallet = fieldsOf(session);
  switch (id) {
    case "stake":
      return (
        <>
          <StakeTab session={session} />
          <CheckReward wallet={wallet} />
        </>
      );
    case "rewards":
      return (
        <>
          <RewardTab wallet={wallet} onOpenOrder={onOpenOrder} />
          <CheckReward wallet={wallet} />
        </>
      );
    case "unstake":
      return <UnstakeTab wallet={wallet} />;
    case "withdraw":
      return <WithdrawTab wallet={wallet} onOpenOrder={onOpenOrder} />;
  }
}
