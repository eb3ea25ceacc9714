import { resolve } from "node:path";
import { expect, test as base, type Page } from "@playwright/test";
import { withRecoveryDelay } from "../manifests.ts";
import { Network } from "../network.ts";
import { Staker, whole, type Tab } from "../staker.ts";
import { Backend } from "./backend.ts";
import { Extension } from "./extension.ts";
import { later } from "../../src/lib/text/en.later.ts";

/** UNISAT_EXTENSION is the folder of an unpacked Unisat extension that uses regtest. */
const folder = process.env["UNISAT_EXTENSION"];
/** The patched extension's name of its regtest. */
const CHAIN = "BITCOIN_SIGNET";
/** The recovery delay of a dev network's community, in blocks. */
const DELAY = 26_280;

/** A staker whose wallet is the real Unisat. All signatures and payments are answered in its popups. */
export class UnisatStaker extends Staker {
  constructor(
    page: Page,
    network: Network,
    readonly wallet: Extension,
  ) {
    super(page, network);
  }

  /** The addresses that the wallet returns to the page. */
  accounts(): Promise<string[]> {
    return this.page.evaluate(() => (window as any).unisat.getAccounts());
  }

  /** The first of them, or "". */
  async account(): Promise<string> {
    return (await this.accounts())[0] ?? "";
  }

  /** Connects the page, which takes one popup. */
  override async connect(): Promise<void> {
    await this.page.getByRole("button", { name: "Connect", exact: true }).click();
    await this.page
      .getByRole("dialog", { name: later.wallets.title })
      .getByRole("button", { name: /Unisat/i })
      .click();
    const popups = await this.wallet.answer(/^Connect$/);
    expect(popups.length).toBe(1);
    await this.expectConnected();
  }

  async expectConnected(): Promise<void> {
    await expect(this.page.getByRole("button", { name: `Connected as ${await this.account()}` })).toBeVisible();
  }

  /** Sends two outputs of sats and 5,000 whole runes to the wallet's account, in a block. */
  override async faucet(): Promise<void> {
    const address = await this.account();
    for (let i = 0; i < 2; i++) await this.network.pay(address, 500_000);
    await this.network.sendRunes(address, whole(5_000));
    await this.network.mine();
  }

  async expectFigure(name: string, amount: string): Promise<void> {
    await expect(this.figure(name), name).toHaveText(`${amount} LOBO`);
  }

  /**
   * Stakes an amount like "1,000", and presses this button in the wallet's popups: the transfer, and before the first
   * stake of an account the rehearsal.
   */
  async stake(amount: string, answer = /^Sign$/) {
    const tab = await this.tab("Stake");
    const again = tab.getByRole("button", { name: "Stake more" });
    if (await again.isVisible()) await again.click();
    await tab.getByLabel("Amount to stake").fill(amount.replace(",", ""));
    await tab.getByRole("button", { name: `Stake ${amount} LOBO` }).click();
    await this.wallet.answer(answer);
    return tab;
  }

  /** Stakes units of 1,000 LOBO each, and unstakes them: afterwards they can be withdrawn. */
  override async unlock(units: number): Promise<void> {
    for (let i = 1; i <= units; i++) {
      await this.stake("1,000");
      await this.expectFigure("Pending stake", (1_000 * i).toLocaleString("en"));
      await this.network.mine(); // the wallet spends confirmed outputs only
    }
    await this.network.mine(5);
    await this.network.advanceEpoch();
    await this.expectFigure("Your stake", (1_000 * units).toLocaleString("en"));
    const list = await this.tab("Unstake");
    for (const box of await list.getByRole("checkbox", { name: "1,000 LOBO Self-custody" }).all()) await box.check();
    await this.unstake(list);
    await this.wallet.answer(/^Sign$/);
    await expect(this.figure("Pending unstake")).toHaveText(/[1-9],000 LOBO/);
    await this.network.advanceEpoch();
    await this.network.advanceEpoch();
  }

  /** Opens the costs of a withdrawal of the first unlocked unit of 1,000 LOBO; returns the dialog. */
  async openWithdrawal() {
    const list = await this.tab("Withdraw" satisfies Tab);
    await list.getByRole("checkbox", { name: "1,000 LOBO" }).first().check();
    await list.getByRole("button", { name: "Withdraw", exact: true }).click();
    return this.page.getByRole("dialog", { name: "Withdraw" });
  }

  /** Pays the open order with the wallet, and waits until its delivery is final. */
  async pay(): Promise<void> {
    const { network, order } = this;
    await order.button(later.order.payWallet).click();
    await this.wallet.answer(/^Sign$/);
    await expect(order.dialog.getByText(later.order.completeUnconfirmed)).toBeVisible();
    await network.mine();
    await network.advanceClock(10);
    await expect(order.step).toHaveText(later.order.status.SENT);
    await network.mine(3);
    await expect(order.step).toHaveText(later.order.status.DELIVERED);
    await order.close();
  }
}

interface Tests {
  /** In blocks. */
  recoveryDelay: number;
  /** A dev network of the test's own, the wallet's servers, a restored wallet, and a page that it is connected to. */
  unisat: UnisatStaker;
}

export const test = base.extend<Tests>({
  recoveryDelay: [DELAY, { option: true }],
  unisat: [
    async ({ recoveryDelay }, provide) => {
      if (!folder) throw new Error("UNISAT_EXTENSION must name the folder of an unpacked Unisat extension.");
      const manifests = await withRecoveryDelay(recoveryDelay);
      try {
        await onNetwork(manifests.folder, provide);
      } finally {
        await manifests.remove();
      }
    },
    { timeout: 180_000 },
  ],
});

/** Provides the staker on a new dev network with these communities. Its audit must pass afterwards. */
async function onNetwork(communities: string, provide: (staker: UnisatStaker) => Promise<void>): Promise<void> {
  const network = await Network.start("real-unisat", ["--communities", communities]);
  try {
    const backend = await Backend.start(network);
    try {
      await withWallet(network, backend, provide);
    } finally {
      await backend.stop();
    }
    const { code, output } = await network.audit();
    expect(code, output).toBe(0);
  } finally {
    await network.stop();
  }
}

async function withWallet(
  network: Network,
  backend: Backend,
  provide: (staker: UnisatStaker) => Promise<void>,
): Promise<void> {
  const browser = test.info().project.use.launchOptions?.executablePath;
  const wallet = await Extension.open(resolve(folder!), backend.port, browser);
  try {
    await provide(await arrive(network, backend, wallet));
  } finally {
    await wallet.close();
  }
}

/** Restores the wallet, switches it to the dev network, connects it, and fills it. */
async function arrive(network: Network, backend: Backend, wallet: Extension): Promise<UnisatStaker> {
  await wallet.onboard(() =>
    expect.poll(() => backend.asked.has("/address/multi-assets"), { timeout: 20_000 }).toBe(true),
  );
  const page = await wallet.context.newPage();
  const staker = new UnisatStaker(page, network, wallet);
  await page.goto(network.url("lobo") + "/robots.txt"); // a page of the site without scripts
  await page.waitForFunction(() => "unisat" in window); // the extension adds it after the page is loaded
  const switching = page.evaluate(
    (to) => (window as any).unisat.switchChain(to).then((chain: any) => chain.enum),
    CHAIN,
  );
  await wallet.answer(/^Switch Chain$/);
  expect(await switching).toBe(CHAIN);
  await staker.open();
  await staker.connect();
  expect(await staker.account()).toMatch(/^bcrt1p/);
  await staker.faucet();
  return staker;
}

export { expect } from "@playwright/test";
