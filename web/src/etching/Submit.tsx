import { useState } from "react";
import { etchingText } from "../lib/etchingText.ts";
import { Button } from "../ui/Button.tsx";
import { Notice } from "../ui/Notice.tsx";
import { etchRunes, findOrder, mintRunes } from "../wallet/index.ts";
import { network } from "./etch.ts";
import { orderIn, reasonOf, type Wish } from "./orders.ts";

interface SubmitProps {
  wish: Wish | null;
  label: string;
  /** Why there is no wish yet. */
  missing: string;
  connected: boolean;
  onConnect(): void;
  onOrder(id: string): void;
}

/** Has the wallet mint or etch: by its own method, or by paying an order. An order that was made is shown, whatever went wrong after. */
export function Submit({ wish, label, missing, connected, onConnect, onOrder }: SubmitProps) {
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState<string | null>(null);
  const [failure, setFailure] = useState<{ reason: string; order: string | null } | null>(null);

  async function submit(wish: Wish): Promise<void> {
    setBusy(true);
    setFailure(null);
    setSent(null);
    try {
      const done = wish.kind === "etch" ? await etchRunes(wish.params) : await mintRunes(wish.params);
      // A wallet's own method may have ordered elsewhere: then it follows the order itself.
      const ours = await findOrder({ id: done.orderId, network }).then(() => true, () => false);
      if (ours) onOrder(done.orderId);
      else setSent(done.fundTransactionId);
    } catch (fault) {
      setFailure({ reason: reasonOf(fault), order: orderIn(fault) });
    } finally {
      setBusy(false);
    }
  }

  if (!connected) {
    return (
      <Button kind="primary" className="w-full py-2 text-lg" onClick={onConnect}>
        {etchingText.connect}
      </Button>
    );
  }
  return (
    <div className="grid gap-3">
      <Button kind="primary" className="w-full py-2 text-lg" busy={busy} disabled={wish === null} onClick={() => wish && void submit(wish)}>
        {busy ? etchingText.confirm : label}
      </Button>
      {wish === null && <p className="text-sm text-mist">{missing}</p>}
      {sent && <Notice tone="good">{etchingText.sentByWallet(sent)}</Notice>}
      {failure && (
        <Notice tone="bad" onDismiss={() => setFailure(null)}>
          <p>{failure.reason}</p>
          {failure.order && (
            <Button kind="quiet" className="px-0" onClick={() => onOrder(failure.order!)}>
              {etchingText.showOrder}
            </Button>
          )}
        </Notice>
      )}
    </div>
  );
}
