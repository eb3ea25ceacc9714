import { expect, type Locator, type Page } from "@playwright/test";
import type { PaymentType } from "../src/devwallet/keys.ts";
import type { Network } from "./network.ts";
import { text } from "../src/lib/text/en.ts";
import { later } from "../src/lib/text/en.later.ts";

export type Tab = "Stake" | "Rewards" | "Unstake" | "Withdraw";

/** Base units of one whole token. */
const WHOLE = 100_000_000n;

/** The text beside an order's progress bar, with the sats that were paid. */
export function paidSoFar(sats: string): RegExp {
  return new RegExp(String.raw`^${sats} sats out of [\d.]+ BTC \([\d,]+ sats\)$`);
}

/** A staker at the dashboard with the dev wallet. All actions use the visible page. */
export class Staker {
  constructor(
    readonly page: Page,
    readonly network: Network,
    /** URL of the dashboard if it is not the network's own. */
    readonly address = network.url("lobo"),
  ) {}

  // The dev wallet

  /** Answers the wallet's open question. `title` is the question, `yes` the button that confirms. */
  async answer(title: string, yes: string): Promise<void> {
    const question = this.page.getByRole("dialog", { name: title });
    await question.getByRole("button", { name: yes, exact: true }).click();
    await expect(question).toBeHidden();
  }

  /** Makes the wallet confirm everything from now on, without a question. */
  async trustPage(): Promise<void> {
    await this.page.evaluate(() => (window as any).MoonDevWallet.control.autoConfirm(true));
  }

  /** Switches a misbehaviour of the wallet in its panel. */
  async misbehave(label: string, on: boolean): Promise<void> {
    await this.#panel(async (panel) => {
      await panel.getByRole("checkbox", { name: label }).setChecked(on);
    });
  }

  /** The same without the panel, for modes that it does not offer or while a dialog covers it. */
  async misbehaves(change: Record<string, boolean | number>): Promise<void> {
    await this.page.evaluate((change) => (window as any).MoonDevWallet.control.misbehave(change), change);
  }

  /** Fills the wallet from its panel: 1,000,000 sats and 1,000,000 whole runes, in a block. */
  async faucet(): Promise<void> {
    await this.#panel(async (panel) => {
      await panel.getByRole("button", { name: "Faucet: sats and runes" }).click();
      await expect(panel.getByRole("status")).toHaveText("The faucet has sent.");
    });
    await this.network.mine();
    // The field limits what is typed to the balance that the page has read.
    await expect(this.page.locator('#stake-amount[aria-valuemax="0"]')).toHaveCount(0);
  }

  /** Selects the type of the payment address. With "p2tr" it is also the ordinals address. */
  async usePaymentType(type: PaymentType): Promise<void> {
    await this.page.evaluate((type) => (window as any).MoonDevWallet.control.usePaymentType(type), type);
  }

  /** The wallet's full addresses. */
  async addresses(): Promise<{ payment: string; ordinals: string }> {
    const all: { purpose: string; address: string }[] = await this.page.evaluate(
      async () => (await (window as any).MoonDevWallet.control.status()).addresses,
    );
    const of = (purpose: string) => all.find((one) => one.purpose === purpose)!.address;
    return { payment: of("payment"), ordinals: of("ordinals") };
  }

  /** Sends sats from the wallet, outside of the dashboard, and confirms the wallet's question. */
  async sendFromWallet(address: string, amount: number): Promise<void> {
    const sent = this.page.evaluate(
      (recipient) => (window as any).MoonDevWallet.BitcoinProvider.request("sendTransfer", { recipients: [recipient] }),
      { address, amount },
    );
    await this.answer("Send bitcoin?", "Send");
    expect(await sent).toHaveProperty("result.txid");
  }

  async #panel(action: (panel: Locator) => Promise<void>): Promise<void> {
    const toggle = this.page.getByRole("button", { name: "Dev wallet", exact: true });
    await toggle.click();
    await action(this.page.getByRole("region", { name: "Dev wallet" }));
    await toggle.click();
  }

  // The dashboard

  async open(): Promise<void> {
    await this.page.goto(this.address);
    await this.started();
  }

  /** Waits until the app has replaced the server's first paint, which handles neither clicks nor key presses. */
  async started(): Promise<void> {
    await expect(this.page.locator("#root[data-app]")).toBeAttached();
  }

  /** Presses Connect and chooses the dev wallet. */
  async chooseWallet(): Promise<void> {
    await this.page.getByRole("button", { name: "Connect", exact: true }).click();
    await this.page
      .getByRole("dialog", { name: later.wallets.title })
      .getByRole("button", { name: "Moon Dev Wallet" })
      .click();
  }

  async connect(): Promise<void> {
    await this.started();
    await this.chooseWallet();
    await this.answer("Let this site see your account?", "Connect");
    await expect(this.page.getByRole("button", { name: "Disconnect" })).toBeVisible();
  }

  /** Opens the page with a filled wallet that confirms everything. */
  async arrive(): Promise<void> {
    await this.open();
    await this.connect();
    await this.trustPage();
    await this.faucet();
  }

  async tab(name: Tab): Promise<Locator> {
    await this.started();
    await this.page.getByRole("tab", { name, exact: true }).click();
    return this.page.getByRole("tabpanel", { name, exact: true });
  }

  /** The full value of one of the top figures, as screen readers announce it. */
  figure(name: string): Locator {
    return this.page
      .getByTestId("figures")
      .locator("div")
      .filter({ has: this.page.getByRole("term").filter({ hasText: name }) })
      .getByRole("definition");
  }

  /** Stakes half of the wallet's balance; leaves the Stake tab at its steps. */
  async stakeHalf(): Promise<Locator> {
    const stake = await this.tab("Stake");
    await stake.getByRole("button", { name: "Half" }).click();
    await stake.getByRole("button", { name: /^Stake / }).click();
    return stake;
  }

  /** Goes from a filled wallet to a stake that earns rewards. */
  async becomeStaker(): Promise<void> {
    const stake = await this.stakeHalf();
    await expect(stake.getByText(/^Broadcasted tx id : [0-9a-f]{64}$/)).toBeVisible();
    await this.network.mine(3);
    await this.network.advanceEpoch();
    await expect(this.figure("Your stake")).toHaveText(/500,000 LOBO/);
  }

  /** Fills a new wallet and gets it unlocked units of 1,000 LOBO each. */
  async unlock(units: number): Promise<void> {
    await this.arrive();
    const stake = await this.tab("Stake");
    for (let i = 1; i <= units; i++) {
      await stake.getByLabel("Amount to stake").fill("1000");
      await stake.getByRole("button", { name: "Stake 1,000 LOBO" }).click();
      await expect(this.figure("Pending stake")).toHaveText(`${(1_000 * i).toLocaleString("en")} LOBO`);
      if (i < units) await stake.getByRole("button", { name: text.stake.again }).click();
    }
    await this.network.mine(3);
    await this.network.advanceEpoch();
    await expect(this.figure("Your stake")).toHaveText(`${(1_000 * units).toLocaleString("en")} LOBO`);
    const list = await this.tab("Unstake");
    for (const box of await list.getByRole("checkbox", { name: "1,000 LOBO" }).all()) await box.check();
    await this.unstake(list);
    await expect(this.figure("Pending unstake")).not.toHaveText(/^0 LOBO/);
    await this.network.advanceEpoch();
    await this.network.advanceEpoch();
    await this.page.reload();
  }

  /** Opens the page with a connected wallet, a stake and a reward to claim, and no open order. */
  async openWithReward(): Promise<void> {
    await this.network.settle();
    await this.network.advanceEpoch();
    await this.open();
    await expect(this.figure("Claimable rewards")).toHaveText(/[1-9]/);
  }

  /** Opens the page and a claim order, which waits for its payment. */
  async openClaim(): Promise<OrderDialog> {
    await this.openWithReward();
    await this.claim();
    await expect(this.order.dialog.getByText(/^Delivers /)).toBeVisible();
    return this.order;
  }

  /** Unstakes the selection of a list and confirms the cost. */
  async unstake(list: Locator): Promise<void> {
    await list.getByRole("button", { name: /^Unstake \d/ }).click();
    const question = this.page.getByRole("dialog", { name: /^Unstake \d.*\?$/ });
    await question.getByRole("button", { name: "Unstake", exact: true }).click();
  }

  /** Makes the wallet ask before every action from now on. */
  async distrustPage(): Promise<void> {
    await this.page.evaluate(() => (window as any).MoonDevWallet.control.autoConfirm(false));
  }

  /** Requests a claim order; the wallet still has to sign. */
  async claim(): Promise<void> {
    const rewards = await this.tab("Rewards");
    await rewards.getByRole("button", { name: "Claim", exact: true }).click();
    await this.page
      .getByRole("dialog", { name: "Claim rewards" })
      .getByRole("button", { name: "Continue to payment" })
      .click();
  }

  get order(): OrderDialog {
    return new OrderDialog(this.page.getByRole("dialog", { name: "Payment order" }));
  }
}

/** The payment order dialog. */
export class OrderDialog {
  constructor(readonly dialog: Locator) {}

  get due(): Locator {
    return this.dialog.getByTestId("due");
  }

  get progress(): Locator {
    return this.dialog.getByRole("progressbar", { name: "Paid so far" });
  }

  /** The current step of the order's timeline. */
  get step(): Locator {
    return this.dialog.getByRole("list", { name: "Order timeline" }).locator("[aria-current=step]");
  }

  button(name: string): Locator {
    return this.dialog.getByRole("button", { name, exact: true });
  }

  async address(): Promise<string> {
    return (await this.dialog.getByTestId("payment-address").textContent())!.trim();
  }

  /** Presses the button that has the wallet sign the delivery of a paid withdrawal. */
  async signDelivery(): Promise<void> {
    await this.button(later.oneTx.signDelivery).click();
  }

  async close(): Promise<void> {
    await this.button("Close").click();
    await expect(this.dialog).toBeHidden();
  }

  /** The total in sats, after checking that it is the sum of the items above it. */
  async total(): Promise<number> {
    const costs = this.dialog.locator("details").filter({ has: this.dialog.page().getByLabel(later.fees.title) });
    await costs.evaluate((details: HTMLDetailsElement) => (details.open = true));
    const items = await satsOf(this.dialog.getByLabel(later.fees.title).getByRole("definition"));
    const total = items.pop()!;
    expect(items.reduce((sum, item) => sum + item, 0)).toBe(total);
    return total;
  }
}

/** Chooses the payment order in the costs of a withdrawal, whose default is one transaction. */
export async function chooseOrder(costs: Locator): Promise<void> {
  await costs.getByRole("radio", { name: new RegExp(`^${later.oneTx.order}`) }).check();
}

/** Every number of a cost dialog, in sats; the last is the total, which is in its footer. */
export async function itemsOf(costs: Locator): Promise<number[]> {
  return satsOf(costs.getByLabel(later.fees.title).getByRole("definition").or(costs.getByTestId("footer-total")));
}

async function satsOf(parts: Locator): Promise<number[]> {
  await expect(parts.last()).toBeVisible();
  return (await parts.allTextContents()).map((text) => Number(text.replace(/\D/g, "")));
}

/** Whole tokens in base units. */
export const whole = (tokens: number): bigint => BigInt(tokens) * WHOLE;
