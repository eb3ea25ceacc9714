import type { MouseEvent } from "react";
import { useCompounding } from "../api/compounding.ts";
import type { WalletFields } from "../api/client.ts";
import { later } from "../lib/laterText.ts";
import { useQueryState } from "../lib/query.ts";

/**
 * Says until when rewards are staked automatically, with a link to the Rewards tab. The note is on the other tabs only,
 * because the Rewards tab says the same.
 */
export default function AutoStakingNote({ wallet }: { wallet: WalletFields }) {
  const [tab, setTab] = useQueryState("tab");
  const { data } = useCompounding(wallet);
  if (tab === "rewards" || data?.state !== "ACTIVE" || data.lastEpoch === null) return null;

  function open(event: MouseEvent): void {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return; // the browser opens another tab or window
    event.preventDefault();
    setTab("rewards");
    document.querySelector<HTMLElement>('[role="tablist"]')?.focus(); // also scrolls to the tabs on a phone
  }

  return (
    <p className="mt-3 border-t border-line pt-3 text-sm">
      {later.compounding.note(data.lastEpoch)}{" "}
      <a href="?tab=rewards" onClick={open} className="underline">
        {later.compounding.noteLink}
      </a>
    </p>
  );
}
