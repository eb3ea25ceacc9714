/**
 * Every sentence of the wallet room, word for word as the specification (section 8) has them,
 * spelling included. Nothing here is put together anywhere else.
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
  paymentCancelled: "User cancelled action. Please complete action for payment.",
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
  noAnswer: (method: string) => `The wallet did not answer ${method}.`,
  aborted: "The request was given up.",
  badParams: (method: string, why: string) => `${method}: ${why}`,
} as const;
