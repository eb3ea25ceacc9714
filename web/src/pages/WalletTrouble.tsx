import { useState } from "react";
import { text } from "../lib/text.ts";
import { reconnectWallet, useWalletTrouble } from "../session/session.ts";
import { Button } from "../ui/Button.tsx";
import { FailureText } from "../ui/FailureText.tsx";
import { Notice } from "../ui/Notice.tsx";

/**
 * Says why the wallet can't be used: it ended the session, or its account or network does not fit this community. One
 * click asks the same wallet again; if the wallet is not known, `onConnect` offers all wallets.
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
        <FailureText failure={trouble} />
        <Button className="mt-3" busy={asking} onClick={() => void reconnect()}>
          {text.header.reconnect}
        </Button>
      </Notice>
    </div>
  );
}
