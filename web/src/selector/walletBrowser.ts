import { XVERSE } from "../wallet/providers.ts";

/**
 * The documented links that open a page in the browser of a wallet's app, by provider id. docs/wallets.md has the
 * source of each, and why the other wallets have none.
 */
const LINKS: Record<string, (page: URL) => string> = {
  [XVERSE]: ({ href }) => `https://connect.xverse.app/browser?url=${encodeURIComponent(href)}`,
  "okxwallet.bitcoin": ({ href }) => {
    const inApp = `okx://wallet/dapp/url?dappUrl=${encodeURIComponent(href)}`;
    return `https://web3.okx.com/download?deeplink=${encodeURIComponent(inApp)}`;
  },
  "phantom.bitcoin": ({ href, origin }) =>
    `https://phantom.app/ul/browse/${encodeURIComponent(href)}?ref=${encodeURIComponent(origin)}`,
};

/** Returns the link that opens `page` in the wallet's own browser, or null if the wallet documents none. */
export function walletBrowserLink(wallet: string, page: string): string | null {
  return Object.hasOwn(LINKS, wallet) ? LINKS[wallet]!(new URL(page)) : null;
}
