import type { ReactNode } from "react";
import { text } from "../lib/text.ts";
import { fieldsOf } from "../session/session.ts";
import { StakeTab } from "../stake/StakeTab.tsx";
import { UnstakeTab } from "../unstake/UnstakeTab.tsx";
import type { Session } from "../wallet/index.ts";
import { WithdrawTab } from "../withdraw/WithdrawTab.tsx";
import { NotRemembered } from "./NotRemembered.tsx";
import { Panel } from "./Panel.tsx";

/** The forms to stake, to unstake and to withdraw. All are visible, because a cooldown separates the last two. */
export default function TestForms({ session, onOpenOrder }: { session: Session; onOpenOrder: (id: string) => void }) {
  const wallet = fieldsOf(session);
  return (
    <div className="mt-5 grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[repeat(2,minmax(0,1fr))]">
      <Form title={text.tabs.stake}>
        <NotRemembered />
        <StakeTab session={session} />
      </Form>
      <Form title={text.tabs.withdraw}>
        <h3 className="mb-3 text-lg font-bold">{text.pages.firstUnstake}</h3>
        <Panel>
          <UnstakeTab wallet={wallet} />
        </Panel>
        <h3 className="mt-6 mb-3 text-lg font-bold">{text.pages.thenWithdraw}</h3>
        <Panel>
          <WithdrawTab wallet={wallet} onOpenOrder={onOpenOrder} />
        </Panel>
      </Form>
    </div>
  );
}

function Form({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="card p-4 sm:p-5">
      <h2 className="mb-4 text-2xl font-bold">{title}</h2>
      <Panel>{children}</Panel>
    </section>
  );
}
