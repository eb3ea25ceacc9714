import type { WalletFields } from "../api/client.ts";
import { useOrders, voidedText } from "../api/orders.ts";
import { formatDate, formatRunesExact } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { site } from "../lib/site.ts";
import { Button } from "../ui/Button.tsx";
import { Notice } from "../ui/Notice.tsx";

/** Asks for the signatures of the paid orders that wait for them. */
export function DeliveriesToSign({ wallet, onOpen }: { wallet: WalletFields; onOpen: (order: string) => void }) {
  const orders = useOrders(wallet).data ?? [];
  const words = later.oneTx;
  return orders.map((order) => {
    const { id, runes, signUntil } = order;
    const voided = voidedText(order);
    return (
      signUntil !== null && (
        <div key={id} className="mb-4">
          <Notice tone="warn">
            <p>{words.toSign(formatRunesExact(runes), site.token, formatDate(signUntil))}</p>
            {voided && <p className="mt-2">{voided}</p>}
            <Button className="mt-3" onClick={() => onOpen(id)}>
              {words.signDelivery}
            </Button>
          </Notice>
        </div>
      )
    );
  });
}
