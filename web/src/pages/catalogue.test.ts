import { describe, expect, it } from "vitest";
import { text } from "../lib/text.ts";
import { walletTexts } from "../wallet/texts.ts";

/**
 * The error catalogue of the specification (section 8), word for word; "acyion" and "Expured" are spelled right, and
 * "Broadcasted tx id : …" is "Transaction sent: …".
 */
const catalogue: Record<string, string> = {
  "404, Not Found": text.http.notFound,
  "500, Internal Server Error": text.http.internal,
  "Null APIResponse": text.http.nullBody,
  "fetchClientPOs went wrong in a strange way": text.action.strange("fetchClientPOs"),
  "Failed to select the provider. User may have cancelled the selection prompt.": walletTexts.notSelected,
  "No wallets detected, may want to prompt user to install a wallet.": walletTexts.noWallets,
  "no wallet provider was found": walletTexts.noProvider,
  "connection to wallet failed": walletTexts.connectionFailed,
  "User refused connection.": walletTexts.connectionRefused,
  "Did not find compatible addresses": walletTexts.incompatible,
  "Null result from xverse": walletTexts.nullResult,
  "User rejected rune transfer": walletTexts.runesRejected,
  "Error while rune transfer: no coins": walletTexts.runesFailed("no coins"),
  "User cancelled action. Please complete action for payment.": text.order.userCancelled,
  "Failed to sign CLAIM action message by Xverse": text.action.failedToSign("CLAIM", "Xverse"),
  "Wallet Error processing the request": walletTexts.walletError,
  "No wallet addresses": walletTexts.noAddresses,
  "Wallet no connected": text.action.notConnected,
  "Transaction sent: ab": text.stake.broadcasted("ab"),
  "Please note this request's fees have expired. Please rerate to continue with payment": text.order.expiredFees,
  "Looks like something went wrong. Hang tight while we look into this!": text.pages.error,
  "Sorry, the page was not found": text.pages.notFound,
  "Site unreachable for the moment. Refresh or try later.": text.epoch.unreachable,
  "Method not supported by the selected wallet": walletTexts.notSupported,
  "Wallet method call error": walletTexts.callFailed,
  "Received unknown response from provider.": walletTexts.unknownResponse,
  "A wallet method is required": walletTexts.noMethod,
  "The message must not exceed 80 characters.": walletTexts.messageTooLong,
  "Only one recipient is supported by this wallet provider": walletTexts.oneRecipient,
  "Only bitcoin addresses are supported": walletTexts.onlyBitcoin,
  "Ordinals API does not support Regtest network": walletTexts.noOrders("Regtest"),
};

describe("error catalogue", () => {
  it.each(Object.entries(catalogue))("%s", (words, shown) => expect(shown).toBe(words));
});

/** Labels and warnings of the specification (sections 2 and 4). */
const labels: Record<string, string> = {
  "Connect Wallet to start staking!": text.tabs.connect,
  "Getting transaction costs ...": text.action.gettingCosts,
  "Requesting payment information.": text.action.requesting,
  "Continue to payment": text.action.continue,
  "Stake Rewards": text.rewards.compound,
  Claim: text.rewards.claim,
  "Pending unlock": text.withdraw.pendingUnlock,
  "Locked in pending payment order": text.withdraw.poLocked,
  "Paid and ready to send": text.withdraw.batchLocked,
  "Please complete payment": text.withdraw.pendingWithdraw,
  "Selected rune will become locked in preparation to be sent. If payment order expires or is cancelled, they will be unlocked again.":
    text.withdraw.warning,
  "Pay with Wallet": text.order.payWallet,
  "Rerate order": text.order.rerate,
  "Rerate needed": text.order.status.PENDING_RERATE,
  "Transaction paid via wallet.": text.order.paidWallet,
  Confirmed: text.order.confirmed,
  Unconfirmed: text.order.unconfirmed,
};

describe("labels", () => {
  it.each(Object.entries(labels))("%s", (words, shown) => expect(shown).toBe(words));
});
