import { lazy, Suspense, useState } from "react";
import type { WalletFields } from "../api/client.ts";
import { later } from "../lib/laterText.ts";
import { Button } from "../ui/Button.tsx";

const RewardDialog = lazy(() => import("./RewardDialog.tsx"));

/** The button "Check my reward". What it opens is loaded when it is pressed. */
export function CheckReward({ wallet }: { wallet: WalletFields }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button className="flex-1 px-2!" onClick={() => setOpen(true)}>
        {later.history.check}
      </Button>
      <Suspense>{open && <RewardDialog wallet={wallet} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
