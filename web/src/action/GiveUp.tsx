import { later } from "../lib/laterText.ts";
import { Button } from "../ui/Button.tsx";
import type { Action } from "./useAction.ts";

/** Lets the user stop waiting for a wallet that shows no prompt or never answers. */
export function GiveUp({ action }: { action: Action }) {
  return (
    <Button kind="quiet" className="px-0!" onClick={action.stop}>
      {later.payment.giveUp}
    </Button>
  );
}
