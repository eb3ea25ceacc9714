import { lazy, Suspense, useState } from "react";
import { EpochHero } from "../epoch/EpochHero.tsx";
import { Notices } from "../epoch/Notices.tsx";
import { Balances } from "../balances/Balances.tsx";
import { useQueryDialog } from "../lib/query.ts";
import { servedOr } from "../lib/served.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { fieldsOf, useSession } from "../session/session.ts";
import { Lines } from "../ui/Loaded.tsx";
import { ConnectPrompt } from "./ConnectPrompt.tsx";
import { Dialogs } from "./Dialogs.tsx";
import { FirstVisit } from "./FirstVisit.tsx";
import { Panel } from "./Panel.tsx";
import { Shell } from "./Shell.tsx";
import { useTitle } from "./useTitle.ts";
import { WalletTrouble } from "./WalletTrouble.tsx";

const TestForms = lazy(() => import("./TestForms.tsx"));

/** The simplified dashboard of a test community: figures, countdown, and plain forms to stake and to withdraw. */
export default function TestPage() {
  const session = useSession();
  const [choosing, setChoosing] = useState(false);
  const [order, openOrder] = useQueryDialog("order");
  const connect = (): void => setChoosing(true);
  useTitle();
  return (
    <Shell onConnect={connect} terms={false} sky={session === null}>
      <div className={`grid gap-4 pb-8 md:pt-8 md:pb-16 ${session ? "" : "pt-32"}`}>
        <h1 className="max-w-2xl text-3xl font-bold md:max-w-md xl:max-w-2xl">
          {servedOr("Tagline", site.tagline, text.stake.headline(site.token))}
        </h1>
        <p className="max-w-md text-amber">{text.pages.testNote}</p>
        <EpochHero />
      </div>
      <Notices />
      <WalletTrouble onConnect={connect} />
      {session ? (
        <Panel>
          <Balances wallet={fieldsOf(session)} />
          <Suspense fallback={<Waiting />}>
            {/* Remount for another account, so that no input or selection is carried over. */}
            <TestForms key={session.ordinals.address} session={session} onOpenOrder={openOrder} />
          </Suspense>
        </Panel>
      ) : (
        <>
          <div className="mb-5">
            <ConnectPrompt onConnect={connect} />
          </div>
          <FirstVisit />
        </>
      )}
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

const Waiting = () => (
  <div className="mt-5">
    <Lines count={4} />
  </div>
);
