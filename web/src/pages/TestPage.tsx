import { lazy, Suspense, useState, type ReactNode } from "react";
import { EpochHero } from "../epoch/EpochHero.tsx";
import { Notices } from "../epoch/Notices.tsx";
import { Figures } from "../figures/Figures.tsx";
import { useQueryState } from "../lib/query.ts";
import { servedOr } from "../lib/served.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { fieldsOf, useSession } from "../session/session.ts";
import { StakeTab } from "../stake/StakeTab.tsx";
import { Button } from "../ui/Button.tsx";
import { UnstakeTab } from "../unstake/UnstakeTab.tsx";
import type { Session } from "../wallet/index.ts";
import { WithdrawTab } from "../withdraw/WithdrawTab.tsx";
import { Panel } from "./Panel.tsx";
import { Shell } from "./Shell.tsx";

const OrderDialog = lazy(() => import("../order/OrderDialog.tsx"));
const WalletDialog = lazy(() => import("../selector/WalletDialog.tsx"));

/** The simplified dashboard of a test community: figures, countdown, and a plain form to stake and to withdraw. */
export function TestPage() {
  const session = useSession();
  const [choosing, setChoosing] = useState(false);
  const [order, openOrder] = useQueryState("order");
  const connect = (): void => setChoosing(true);
  return (
    <Shell onConnect={connect} terms={false}>
      <div className="grid gap-4 pt-32 pb-8 sm:pt-8">
        <h1 className="max-w-2xl text-3xl font-bold">{servedOr("Tagline", site.tagline, text.stake.headline(site.token))}</h1>
        <p className="max-w-md text-amber">{text.pages.testNote}</p>
        <EpochHero />
      </div>
      <Notices />
      <Panel>
        <Figures wallet={session && fieldsOf(session)} />
      </Panel>
      {session ? (
        // Another account is another person's form: nothing typed or chosen stays.
        <Forms key={session.ordinals.address} session={session} onOpenOrder={openOrder} />
      ) : (
        <Button kind="primary" className="mt-5 w-full text-lg" onClick={connect}>
          {text.tabs.connect}
        </Button>
      )}
      <Suspense fallback={null}>
        {choosing && <WalletDialog onClose={() => setChoosing(false)} />}
        {order && session && <OrderDialog id={order} session={session} onClose={() => openOrder(null)} />}
      </Suspense>
    </Shell>
  );
}

/** The way in and the way out. Leaving has two steps with a cooldown between them, so both stand there. */
function Forms({ session, onOpenOrder }: { session: Session; onOpenOrder: (id: string) => void }) {
  const wallet = fieldsOf(session);
  return (
    <div className="mt-5 grid items-start gap-5 lg:grid-cols-2">
      <Form title={text.tabs.stake}>
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
