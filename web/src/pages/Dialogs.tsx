import { lazy, Suspense } from "react";
import { text } from "../lib/text.ts";
import type { Session } from "../wallet/index.ts";
import { Panel } from "./Panel.tsx";

// Neither dialog is part of the first screen.
const loadOrder = () => import("../order/OrderDialog.tsx");
const loadWallets = () => import("../selector/WalletDialog.tsx");
const OrderDialog = lazy(loadOrder);
const WalletDialog = lazy(loadWallets);

/** Preloads the wallet selector when the pointer or the focus reaches its button. */
export function preloadWallets(): void {
  loadWallets().catch(() => {}); // a click on the button retries and shows the error
}

interface DialogsProps {
  choosing: boolean;
  onChosen(): void;
  session: Session | null;
  order: string | null;
  onCloseOrder(): void;
}

/** The dialogs of a dashboard, loaded when they are opened. */
export function Dialogs({ choosing, onChosen, session, order, onCloseOrder }: DialogsProps) {
  return (
    <Panel key={`${choosing} ${order}`}>
      <Suspense fallback={<Opening />}>
        {choosing && <WalletDialog onClose={onChosen} />}
        {order && session && <OrderDialog id={order} session={session} onClose={onCloseOrder} />}
      </Suspense>
    </Panel>
  );
}

function Opening() {
  return (
    <p role="status" className="card fixed inset-x-0 bottom-8 z-10 mx-auto w-fit px-5 py-3 text-moon shadow-lg">
      {text.common.opening}
    </p>
  );
}
