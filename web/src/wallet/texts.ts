/**
 * The sentences of the wallet library. Sentences of the specification (sections 5 and 8) are verbatim, including the
 * spelling; src/lib/text/quotes.test.ts compares them.
 */
export const walletTexts = {
  noMethod: "A wallet method is required",
  noProvider: "no wallet provider was found",
  noWallets: "No wallets detected, may want to prompt user to install a wallet.",
  notSelected: "Failed to select the provider. User may have cancelled the selection prompt.",
  connectionFailed: "connection to wallet failed",
  connectionRefused: "User refused connection.",
  incompatible: "Did not find compatible addresses",
  nullResult: "Null result from xverse",
  runesRejected: "User rejected rune transfer",
  runesFailed: (why: string) => `Error while rune transfer: ${why}`,
  paymentCancelled: "User cancelled action. Please complete acyion for payment.",
  signFailed: (action: string) => `Failed to sign ${action} action message by Xverse`,
  walletError: "Wallet Error processing the request",
  noAddresses: "No wallet addresses",
  notConnected: "Wallet no connected",
  unknownResponse: "Received unknown response from provider.",
  callFailed: "Wallet method call error",
  notSupported: "Method not supported by the selected wallet",
  messageTooLong: "The message must not exceed 80 characters.",
  noListener:
    "The wallet provider you are using does not support the addListener method. Please update your wallet provider.",
  noAnswer: (method: string) => `The wallet did not respond to ${method}.`,
  aborted: "The request was canceled.",
  noKey: (address: string) =>
    `The wallet returned no public key for ${address}. Update the wallet, or use another one.`,
  ended: "Your wallet no longer shares an account with this page. Unlock it if it is locked, then connect again.",
  locked: "Your wallet is locked. Unlock it, then try again.",
  busy: "Your wallet has another request open. Finish or close it there, then try again.",
  balanceUnreadable: "Couldn't read your balance from the wallet. You can still enter an amount.",
  noPsbt: "This is not a valid PSBT.",
  otherTransaction: "The wallet returned a different transaction. Try again or use another wallet.",
  badSignature:
    "The wallet's signature does not match this transaction. Check that the right account is active, then sign again.",
  invalidAddress: "Invalid address",
  badRuneId: "A rune id has exactly two parts, block:tx",
  needsRuneId: "This wallet needs the rune's id",
  notBitcoin: (chain: string) => `The wallet is on ${chain}, not on Bitcoin.`,
  declined: "The user declined in the wallet.",
  foreign: "The wallet failed.",
  networkIs: (network: string, needed: string) => `The wallet is on ${network}. Switch it to ${needed}.`,
  wrongNetwork: (network: string) => `The wallet is on another network. Switch it to ${network}.`,
  otherAccount: (address: string) => `The wallet is on another account. Switch it back to ${address}.`,
  oneRecipient: "Only one recipient is supported by this wallet provider",
  onlyBitcoin: "Only bitcoin addresses are supported",
  notSigned: "The wallet returned the transaction without a signature.",
  noOrders: (network: string) => `Ordinals API does not support ${network} network`,
  ordersAway: "The orders service does not respond.",
  badParams: (method: string, why: string) => `${method}: ${why}`,
} as const;

export type WalletTextCode = keyof typeof walletTexts;

/**
 * A sentence of this library with the code that selects a translation. The codes "declined" and "foreign" may have the
 * wallet's own words as their message, which a page should not show: they may be in any language and about anything.
 */
export interface WalletSentence {
  code: WalletTextCode | "";
  /** The values in the sentence, in order: a text, or another sentence. */
  values: readonly (string | WalletSentence)[];
  /** The sentence in English. */
  message: string;
}

export function sentence(code: WalletTextCode, ...values: (string | WalletSentence)[]): WalletSentence {
  const text: string | ((...values: string[]) => string) = walletTexts[code];
  const named = values.map((value) => (typeof value === "string" ? value : value.message));
  return { code, values, message: typeof text === "string" ? text : text(...named) };
}
