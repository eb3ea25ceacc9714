import type { WalletFields } from "../api/client.ts";
import { ActivityList } from "./ActivityList.tsx";
import { Earnings } from "./Earnings.tsx";

/** A wallet's earnings and activity. */
export default function History({ wallet }: { wallet: WalletFields }) {
  return (
    <div className="grid gap-4 sm:gap-5">
      <Earnings wallet={wallet} />
      <ActivityList wallet={wallet} />
    </div>
  );
}
