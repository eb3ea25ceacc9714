import { resolve } from "node:path";
import { expect, test, type Page } from "@playwright/test";
import { withRecoveryDelay } from "../manifests.ts";
import { Network } from "../network.ts";
import { Staker, whole } from "../staker.ts";
import { Backend } from "./backend.ts";
import { Extension } from "./extension.ts";
import { text } from "../../src/lib/text/en.ts";

// The life cycle of a stake with the real Unisat extension: UNISAT_EXTENSION is the folder of one that uses regtest.
const folder = process.env["UNISAT_EXTENSION"];
/** The patched extension's name of its regtest. */
const CHAIN = "BITCOIN_SIGNET";
/** Blocks. */
const DELAY = 30;

let manifests: Awaited<ReturnType<typeof withRecoveryDelay>>;
let network: Network;
let backend: Backend;
let wallet: Extension;

test.beforeAll(async () => {
  test.setTimeout(120_000);
  if (!folder) throw new Error("UNISAT_EXTENSION must name the folder of an unpacked Unisat extension.");
  manifests = await withRecoveryDelay(DELAY);
  network = await Network.start("real-unisat", ["--communities", manifests.folder]);
  backend = await Backend.start(network);
  wallet = await Extension.open(resolve(folder), backend.port, test.info().project.use.launchOptions?.executablePath);
});

test.afterAll(async () => {
  await wallet?.close();
  await backend?.stop();
  const audit = await network?.audit();
  await network?.stop();
  await manifests?.remove();
  expect(audit?.code, audit?.output).toBe(0);
});

test("stakes, claims, unstakes, withdraws and recovers with the real Unisat", async () => {
  test.setTimeout(900_000);
  await test.step("onboarding", () =>
    wallet.onboard(() =>
      expect.poll(() => backend.asked.has("/address/multi-assets"), { timeout: 20_000 }).toBe(true),
    ));
  const page = await wallet.context.newPage();
  const staker = new Staker(page, network);
  const { order } = staker;

  await test.step("switch the wallet to the dev network", async () => {
    await page.goto(network.url("lobo") + "/robots.txt"); // a page of the site without scripts
    const switching = page.evaluate(
      (to) => (window as any).unisat.switchChain(to).then((chain: any) => chain.enum),
      CHAIN,
    );
    await wallet.answer(/^Switch Chain$/);
    expect(await switching).toBe(CHAIN);
  });

  let address = "";
  await test.step("connect with one popup", async () => {
    await staker.open();
    await connect();
    address = await accountOf(page);
    expect(address).toMatch(/^bcrt1p/);
    for (let i = 0; i < 2; i++) await network.pay(address, 500_000);
    await network.sendRunes(address, whole(5_000));
    await network.mine();
  });

  const figure = (name: string, amount: string) => expect(staker.figure(name), name).toHaveText(`${amount} LOBO`);
  const stake = async (amount: string, answer: RegExp) => {
    const tab = await staker.tab("Stake");
    const again = tab.getByRole("button", { name: "Stake more" });
    if (await again.isVisible()) await again.click();
    await tab.getByLabel("Amount to stake").fill(amount.replace(",", ""));
    await tab.getByRole("button", { name: `Stake ${amount} LOBO` }).click();
    await wallet.answer(answer);
    return tab;
  };

  await test.step("stake after the wallet proved that it can sign", async () => {
    await stake("1,000", /^Sign$/);
    await figure("Pending stake", "1,000");
    expect(await network.runes(address)).toBe(whole(4_000));
    await network.mine(6);
    await network.advanceEpoch();
    await figure("Your stake", "1,000");
    await network.advanceEpoch();
    await expect(staker.figure("Claimable rewards")).toHaveText(/[1-9]/);
  });

  await test.step("a rejected stake sends nothing", async () => {
    const before = await network.runes(address);
    const tab = await stake("500", /^Reject$/);
    await tab.getByRole("button", { name: "Try again" }).click();
    expect(await network.runes(address)).toBe(before);
  });

  await test.step("compound", async () => {
    const rewards = await staker.tab("Rewards");
    await rewards.getByRole("button", { name: text.rewards.compound }).click();
    await wallet.answer(/^Sign$/);
    await expect(rewards.getByText(/will earn rewards from the next epoch/)).toBeVisible();
    await network.advanceEpoch();
    await expect(staker.figure("Claimable rewards")).toHaveText(/[1-9]/);
  });

  await test.step("claim and pay", async () => {
    const before = await network.runes(address);
    await staker.claim();
    await wallet.answer(/^Sign$/);
    await pay();
    expect(await network.runes(address)).toBeGreaterThan(before);
  });

  await test.step("unstake, withdraw and pay", async () => {
    const unstake = await staker.tab("Unstake");
    await unstake.getByRole("checkbox", { name: "1,000 LOBO Stake" }).check();
    await staker.unstake(unstake);
    await wallet.answer(/^Sign$/);
    await expect(staker.figure("Pending unstake")).toHaveText(/1,000 LOBO/);
    await network.advanceEpoch();
    await network.advanceEpoch();
    const before = await network.runes(address);
    const withdraw = await staker.tab("Withdraw");
    await withdraw.getByRole("checkbox", { name: "1,000 LOBO" }).check();
    await withdraw.getByRole("button", { name: "Withdraw", exact: true }).click();
    await page.getByRole("dialog", { name: "Withdraw" }).getByRole("button", { name: "Continue to payment" }).click();
    await wallet.answer(/^Sign$/);
    await pay();
    expect((await network.runes(address)) - before).toBe(whole(1_000));
  });

  await test.step("sign a recovery before the delay is over, and send it afterwards", async () => {
    // At a higher rate the output of 546 sats is less than its own fee, and the page does not offer to send.
    await network.feeRate(1);
    const tab = await stake("2,000", /^Sign$/);
    await expect(tab.getByText(/^Received\./)).toBeVisible();
    await network.mine();
    await tab.getByRole("button", { name: "Stake more" }).click();
    await tab.getByRole("button", { name: "Recover without the operator" }).click();
    const dialog = page.getByRole("dialog", { name: "Recover without the operator" });
    await dialog.getByRole("button", { name: "Sign only" }).click();
    await wallet.answer(/^Sign$/);
    await expect(dialog.getByTestId("recovery")).toBeVisible();
    await dialog.getByRole("button", { name: "Close" }).click();
    const before = await network.runes(address);
    await network.mine(DELAY);
    await tab.getByRole("button", { name: "Recover without the operator" }).click();
    await dialog.getByRole("button", { name: "Sign and send" }).click();
    await wallet.answer(/^Sign$/);
    await expect(dialog.getByText(/^Sent: [0-9a-f]{64}$/)).toBeVisible();
    expect((await network.runes(address)) - before).toBe(whole(2_000));
    await dialog.getByRole("button", { name: "Close" }).click();
  });

  await test.step("another account of the wallet is another session", async () => {
    await wallet.addAccount();
    await expect.poll(() => accountOf(page)).not.toBe(address);
    await expect(page.getByRole("button", { name: `Connected as ${await accountOf(page)}` })).toBeVisible();
  });

  await test.step("with a locked wallet the page opens no popup, and reconnects after it is unlocked", async () => {
    await wallet.lock();
    await page.reload();
    await expectNoPopup();
    await connect();
  });

  await test.step("after a revocation in the wallet the page is disconnected and opens no popup", async () => {
    await wallet.revoke(new URL(page.url()).origin);
    await page.reload();
    await expectNoPopup();
    await expect(page.getByRole("button", { name: "Connect", exact: true })).toBeVisible();
    await expect(page.getByRole("button", { name: /Connected as/ })).toHaveCount(0);
  });

  async function connect(): Promise<void> {
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await page
      .getByRole("dialog", { name: text.wallets.title })
      .getByRole("button", { name: /Unisat/i })
      .click();
    const popups = await wallet.answer(/^Connect$/);
    expect(popups.length).toBe(1);
    await expect(page.getByRole("button", { name: /Connected as/ })).toBeVisible();
  }

  async function pay(): Promise<void> {
    await order.button(text.order.payWallet).click();
    await wallet.answer(/^Sign$/);
    await expect(order.dialog.getByText(text.order.completeUnconfirmed)).toBeVisible();
    await network.mine();
    await network.advanceClock(10);
    await expect(order.step).toHaveText("Sent");
    await network.mine(3);
    await expect(order.step).toHaveText("Delivered");
    await order.close();
  }

  /** Waits until the page is loaded and has read from its wallet, which must not have opened a popup. */
  async function expectNoPopup(): Promise<void> {
    await expect(page.locator("#root[data-app]")).toBeAttached();
    await expect(page.getByRole("region", { name: "Epoch", exact: true })).toContainText("21M");
    const opened = await page
      .context()
      .waitForEvent("page", { timeout: 4_000 })
      .catch(() => null);
    expect(opened?.url() ?? wallet.popup()?.url(), "a popup opened by itself").toBeUndefined();
  }
});

/** The address that the wallet returns to the page. */
function accountOf(page: Page): Promise<string> {
  return page.evaluate(async () => (await (window as any).unisat.getAccounts())[0] ?? "");
}
