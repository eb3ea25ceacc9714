import { later } from "../lib/laterText.ts";
import { Button } from "../ui/Button.tsx";
import type { Action } from "./useAction.ts";

/** The way on when the wallet shows no question, or never answers. */
export function GiveUp({ action }: { action: Action }) {
  return (
    <Button kind="quiet" className="px-0!" onClick={action.stop}>
      {later.payment.giveUp}
    </Button>
  );
}
