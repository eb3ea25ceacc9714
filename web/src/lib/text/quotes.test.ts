// @vitest-environment node
import { expect, it } from "vitest";
import { callTexts } from "../../api/callTexts.ts";
import { RpcCode } from "../../wallet/errors.ts";
import { walletTexts } from "../../wallet/texts.ts";
import { landing } from "./en.landing.ts";
import { later } from "./en.later.ts";
import { text } from "./en.ts";
import { walletErrors } from "./en.wallet.ts";

const { action, epoch, figures, pages, rewards, tabs, withdraw } = text;
const { order, wallets } = later;

/**
 * What the specification quotes for a screen, and the text that the page shows there. Errors of spelling are corrected;
 * a text may continue after the quote.
 */
const screens: readonly [section: number, quote: string, shown: string][] = [
  [1, "Together Moon Fund", landing.together("Moon Fund")],
  [1, "What is Moon Fund?", landing.about.title("Moon Fund")],
  [1, "Learn More", landing.learnMore],
  [2, "Sorry, the page was not found", pages.notFound],
  [2, "Looks like something went wrong. Hang tight while we look into this!", pages.error],
  [2, "Connect Wallet to start staking!", tabs.connect],
  [2, "Stake Rewards", rewards.compound],
  [2, "Claim", rewards.claim],
  [2, "Half", text.stake.half],
  [2, "Max", text.stake.max],
  [2, "1,000 sats out of 0.00004589 BTC", order.paidOf("1,000", "0.00004589", "4,589")],
  [2, "Confirmed", order.confirmed],
  [2, "Unconfirmed", order.unconfirmed],
  [2, "Getting transaction costs ...", action.gettingCosts],
  [2, "Requesting payment information.", order.requesting],
  [2, "Requesting payment information.", action.requesting],
  [2, "Continue to payment", action.continue],
  [2, "Continue to payment", order.continue],
  [2, "Choose wallet to connect", wallets.title],
  [2, "Don't have a wallet?", wallets.titleNone],
  [2, "Wallets let you send, receive, store and display digital assets", wallets.explainer],
  [2, "Don't have X? Download it on the Chrome web store", wallets.prompt("X", wallets.stores.chrome)],
  [2, "Get", wallets.install],
  [2, "Opening X...", wallets.opening("X")],
  [2, "Confirm the operation in X", wallets.confirm("X")],
  [3, "Site unreachable for the moment. Refresh or try later.", epoch.unreachable],
  [4, "Pending unlock", withdraw.pendingUnlock],
  [4, "Locked in pending payment order", withdraw.poLocked],
  [4, "Paid and ready to send", withdraw.batchLocked],
  [4, "Please complete payment", withdraw.pendingWithdraw],
  [
    4,
    "Selected rune will become locked in preparation to be sent. If payment order expires or is cancelled, they will " +
      "be unlocked again.",
    withdraw.warning,
  ],
  [4, "Rerate needed", order.status.PENDING_RERATE],
  [4, "Order Expired", order.status.EXPIRED],
  [4, "Pay with Wallet", order.payWallet],
  [4, "Rerate order", order.rerate],
  [4, "Cancel", order.cancel],
  [4, "Transaction paid via wallet.", order.paidWallet],
  [8, "User cancelled action. Please complete action for payment.", walletErrors.paymentCancelled],
  [8, "Broadcasted tx id : abc", text.stake.broadcasted("abc")],
  [8, "Please note this request's fees have expired. Please rerate to continue with payment", order.expiredFees],
];

it.each(screens)("a screen of section %d shows: %s", (_, quote, shown) => {
  expect(shown.startsWith(quote), shown).toBe(true);
});

it("names the tabs and the figures as section 2 does", () => {
  expect([tabs.stake, tabs.rewards, tabs.unstake, tabs.withdraw]).toEqual(["Stake", "Rewards", "Unstake", "Withdraw"]);
  expect([
    figures.totalStaked,
    figures.pendingStake,
    figures.pendingUnstake,
    figures.yourStake,
    figures.claimable,
    figures.share,
    figures.unlocked,
  ]).toEqual([
    "Total staked",
    "Pending stake",
    "Pending unstake",
    "Your stake",
    "Claimable rewards",
    "Your share",
    "Unlocked",
  ]);
});

/**
 * The errors that the specification quotes, and what the wallet library or the client throws: verbatim, including the
 * spelling. The page has its own sentences, and these in the details of a failure (lib/failure.ts).
 */
const errors: readonly [section: number, quote: string, thrown: string][] = [
  [5, "Did not find compatible addresses", walletTexts.incompatible],
  [5, "The message must not exceed 80 characters.", walletTexts.messageTooLong],
  [5, "Invalid address", walletTexts.invalidAddress],
  [5, "Only one recipient is supported by this wallet provider", walletTexts.oneRecipient],
  [5, "Only bitcoin addresses are supported", walletTexts.onlyBitcoin],
  [5, "Ordinals API does not support Regtest network", walletTexts.noOrders("Regtest")],
  [5, "A wallet method is required", walletTexts.noMethod],
  [8, "404, Not Found", callTexts.status(404, "")],
  [8, "500, Internal Server Error", callTexts.status(500, "")],
  [8, "Bad Gateway", callTexts.status(502, "Bad Gateway")],
  [8, "Null APIResponse", callTexts.noBody],
  [8, "postAction went wrong in a strange way", callTexts.unexpected("/postAction")],
  [8, "Failed to select the provider. User may have cancelled the selection prompt.", walletTexts.notSelected],
  [8, "No wallets detected, may want to prompt user to install a wallet.", walletTexts.noWallets],
  [8, "no wallet provider was found", walletTexts.noProvider],
  [8, "connection to wallet failed", walletTexts.connectionFailed],
  [8, "User refused connection.", walletTexts.connectionRefused],
  [8, "Null result from xverse", walletTexts.nullResult],
  [8, "User rejected rune transfer", walletTexts.runesRejected],
  [8, "Error while rune transfer: no coins", walletTexts.runesFailed("no coins")],
  [8, "User cancelled action. Please complete acyion for payment.", walletTexts.paymentCancelled],
  [8, "Failed to sign CLAIM action message by Xverse", walletTexts.signFailed("CLAIM")],
  [8, "Wallet Error processing the request", walletTexts.walletError],
  [8, "No wallet addresses", walletTexts.noAddresses],
  [8, "Wallet no connected", walletTexts.notConnected],
  [8, "Method not supported by the selected wallet", walletTexts.notSupported],
  [8, "Wallet method call error", walletTexts.callFailed],
  [8, "Received unknown response from provider.", walletTexts.unknownResponse],
];

it.each(errors)("an error of section %d is thrown as: %s", (_, quote, thrown) => {
  expect(thrown).toBe(quote);
});

it("has the codes of section 8", () => {
  expect(RpcCode).toEqual({
    parseError: -32700,
    invalidRequest: -32600,
    methodNotFound: -32601,
    invalidParams: -32602,
    internalError: -32603,
    userRejection: -32000,
    methodNotSupported: -32001,
    accessDenied: -32002,
  });
});
