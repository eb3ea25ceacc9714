import type { PaymentType } from "../keys";
import type { DevWallet } from "../wallet";

/**
 * One kind of wallet: where a page finds it, and an object that answers as the real wallet does. All kinds use the
 * keys and the chain of the one dev wallet, so what they sign is valid and what they send reaches the node.
 */
export interface Kind {
  /** The wallet's name, with the version that the answers were captured from. */
  label: string;
  /** Where the answers come from, as a person reads it in the panel. */
  source: string;
  /** Dotted path of its object below `window`. */
  path: string;
  /** Its payment address. p2tr: one address for both purposes. */
  paymentType: PaymentType;
  /** Its entry in `window.btc_providers`; left out for a wallet that does not register itself there. */
  registers?: { name: string; webUrl: string; methods: string[] };
  /** DOM event that announces it to pages that are already loaded. */
  event?: string;
  create(opening: Promise<DevWallet>): object;
}
