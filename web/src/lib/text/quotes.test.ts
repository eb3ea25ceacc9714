// @vitest-environment node
import { expect, it } from "vitest";
import { landing } from "./en.landing.ts";
import { later } from "./en.later.ts";
import { text } from "./en.ts";

const { action, epoch, figures, order, pages, rewards, tabs, wallets, withdraw } = text;

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
  [2, "1,000 sats out of 0.00004589 BTC", later.order.paidOf("1,000", "0.00004589", "4,589")],
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
