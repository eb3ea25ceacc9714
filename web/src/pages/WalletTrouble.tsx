import { useState } from "react";
import { text } from "../lib/text.ts";
import { reconnectWallet, useWalletTrouble } from "../session/session.ts";
import { Button } from "../ui/Button.tsx";
import { Notice } from "../ui/Notice.tsx";

/**
 * Why the wallet can't be used: it ended the session, or was switched to something that does not fit this community.
 * Asking it again is one press; `onConnect` offers all wallets when it is not known which one that was.
 */
export function WalletTrouble({ onConnect }: { onConnect: () => void }) {
  const trouble = useWalletTrouble();
  const [asking, setAsking] = useState(false);
  if (trouble === null) return null;
  async function reconnect(): Promise<void> {
    setAsking(true);
    if (!(await reconnectWallet())) onConnect();
    setAsking(false);
  }
  return (
    <div className="mb-5">
      <Notice tone="bad">
        <p>{trouble}</p>
        <Button className="mt-3" busy={asking} onClick={() => void reconnect()}>
          {text.header.reconnect}
        </Button>
      </Notice>
    </div>
  );
}
