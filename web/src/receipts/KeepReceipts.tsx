import type { WalletFields } from "../api/client.ts";
import { useFollow, useSync } from "./useReceipts.ts";

/** Fetches and keeps the receipts of the connected wallet while the page is open. Shows nothing. */
export default function KeepReceipts({ wallet }: { wallet: WalletFields }) {
  useSync(wallet);
  useFollow(wallet);
  return null;
}
