import type { WalletFields } from "../api/client.ts";
import { receiptsText as words } from "../lib/receiptsText.ts";
import { Button } from "../ui/Button.tsx";
import { saveReceipts } from "./file.ts";
import { useKept } from "./useReceipts.ts";

/** The kept receipts of an order, oldest first; nothing if there are none. */
export default function OrderReceipts({ wallet, order }: { wallet: WalletFields; order: string }) {
  const receipts = useKept(wallet)?.receipts.filter((one) => one.order === order).toReversed();
  if (!receipts?.length) return null;
  const save = (): void => saveReceipts(receipts.map((one) => one.text), `order-${order}`);
  const kinds = [...new Set(receipts.map((one) => words.kind(one.kind)))];
  return (
    <div className="text-sm text-mist">
      <p>{words.ofOrder(kinds.join(", "))}</p>
      <Button kind="quiet" className="px-0!" onClick={save}>
        {words.saveOrder}
      </Button>
    </div>
  );
}
