import { useState } from "react";
import type { WalletFields } from "../api/client.ts";
import { receiptsText as words } from "../lib/receiptsText.ts";
import { Button } from "../ui/Button.tsx";
import { Notice } from "../ui/Notice.tsx";
import { ReceiptsDialog } from "./ReceiptsDialog.tsx";
import { useKept, useSync } from "./useReceipts.ts";

/** The button for the wallet's receipts, and a warning if they show that something is wrong. */
export default function ReceiptsButton({ wallet }: { wallet: WalletFields }) {
  const [open, setOpen] = useState(false);
  const sync = useSync(wallet);
  const kept = useKept(wallet);
  const invalid = sync.data?.invalid.length ?? 0;
  const isContradicting = (kept?.contradicting.length ?? 0) > 0;
  // Receipts that were kept before remain of use if the server no longer signs any.
  if (sync.signs !== true && !kept?.receipts.length) return null;
  return (
    <>
      {(invalid > 0 || isContradicting) && (
        <div className="order-first w-full">
          <Notice tone="bad">
            <p>{isContradicting ? words.contradicting : words.invalid(invalid)}</p>
            <Button kind="quiet" className="px-0!" onClick={() => setOpen(true)}>
              {words.show}
            </Button>
          </Notice>
        </div>
      )}
      <Button className="flex-1 px-2!" onClick={() => setOpen(true)}>
        {words.open}
      </Button>
      {open && <ReceiptsDialog wallet={wallet} onClose={() => setOpen(false)} />}
    </>
  );
}
