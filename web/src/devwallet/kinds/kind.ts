import type { PaymentType } from "../keys";
import type { DevWallet } from "../wallet";

/**
 * A kind of wallet: the place of its object on the page, and an object that responds as the real wallet does. All kinds
 * use the keys and the node of the dev wallet, so their signatures are valid and their transactions reach the node.
 */
export interface Kind {
  /** The wallet's name, with the version of the captured responses. */
  label: string;
  /** The source of the responses, shown in the panel. */
  source: string;
  /** Dotted path of its object below `window`. */
  path: string;
  /** The type of its payment address. p2tr: one address for both purposes. */
  paymentType: PaymentType;
  /** Its entry in `window.btc_providers`; omitted for a wallet that does not register itself there. */
  registers?: { name: string; webUrl: string; methods: string[] };
  /** DOM event that announces it to pages that are already loaded. */
  event?: string;
  create(opening: Promise<DevWallet>): object;
}
