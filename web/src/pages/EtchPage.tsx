import { useEffect, useState } from "react";
import { EtchForm } from "../etching/EtchForm.tsx";
import { MintForm } from "../etching/MintForm.tsx";
import { OrderPanel } from "../etching/OrderPanel.tsx";
import { etchingText } from "../lib/etchingText.ts";
import { useQueryState } from "../lib/query.ts";
import { site } from "../lib/site.ts";
import { listen, useSession } from "../session/session.ts";
import { Tabs } from "../ui/Tabs.tsx";
import { Dialogs } from "./Dialogs.tsx";
import { Panel } from "./Panel.tsx";
import { Shell } from "./Shell.tsx";
import { useTitle } from "./useTitle.ts";

const all = [
  { id: "etch", label: etchingText.etch },
  { id: "mint", label: etchingText.mint },
];

/** "Etch and mint", for wallets with and without methods of their own for it. */
export default function EtchPage() {
  useTitle("etch");
  const session = useSession();
  const [choosing, setChoosing] = useState(false);
  const [order, showOrder] = useQueryState("order");
  const [saved, save] = useQueryState("kind");
  const tabs = all.filter(({ id }) => site.orderKinds.includes(id));
  const active = tabs.find(({ id }) => id === saved)?.id ?? tabs[0]!.id;
  const connect = (): void => setChoosing(true);
  useEffect(() => {
    if (session) void listen();
  }, [session]);
  const Form = active === "etch" ? EtchForm : MintForm;
  return (
    <Shell onConnect={connect}>
      <div className="pt-36 pb-6 md:grid md:min-h-72 md:content-center md:py-8">
        <h1 className="text-4xl font-bold sm:text-5xl">{etchingText.title}</h1>
        <p className="mt-3 max-w-2xl text-fur md:max-w-md lg:max-w-130 xl:max-w-2xl">{etchingText.intro}</p>
      </div>
      <div className="card p-4 sm:p-5">
        <Panel key={`${active} ${order}`}>
          {order ? (
            <OrderPanel id={order} onClose={() => showOrder(null)} />
          ) : (
            <Tabs label={etchingText.title} tabs={tabs} active={active} onChange={(id) => save(id)}>
              <Form key={session?.ordinals.address} session={session} onConnect={connect} onOrder={showOrder} />
            </Tabs>
          )}
        </Panel>
      </div>
      <Dialogs
        choosing={choosing}
        onChosen={() => setChoosing(false)}
        session={null}
        order={null}
        onCloseOrder={() => {}}
      />
    </Shell>
  );
}
