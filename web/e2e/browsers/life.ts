import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "../../src/lib/text/en.ts";
import { later } from "../../src/lib/text/en.later.ts";
import type { Network } from "../network.ts";
import { whole } from "../staker.ts";
import { expect, test } from "../test.ts";
import type { Driver } from "./driver.ts";
import { Firefox } from "./firefox.ts";
import { WebKit } from "./webkit.ts";

for (const [name, browser] of [["Firefox", Firefox], ["WebKit", WebKit]] as const) {
  test(`a stake's life in ${name}: connect, stake, claim, pay, unstake, withdraw`, async ({ network }) => {
    const driver = await browser.start();
    try {
      const ordinals = await connect(driver, network);
      await stake(driver, network);
      await claim(driver, network);
      await unstake(driver, network);
      await withdraw(driver, network);
      expect(await network.runes(ordinals, 1)).toBeGreaterThan(whole(1_000_000));
    } finally {
      driver.stop();
    }
  });
}

test("in a Firefox whose profile is damaged the page works, and says that it may forget", async ({ network }) => {
  // Where Firefox keeps its folder of storage is a file: every call of localStorage throws, and IndexedDB fails.
  const driver = await Firefox.start((profile) => writeFileSync(join(profile, "storage"), "damaged"));
  try {
    await driver.open(network.url("lobo"));
    for (const call of ["length", "getItem('a')", "setItem('a', 'b')", "removeItem('a')", "key(0)", "clear()"]) {
      const thrown = `try { return String(localStorage.${call}) } catch (error) { return error.name }`;
      expect(await driver.run(thrown), call).toMatch(/^NS_ERROR/);
    }
    await load(driver, network);
    await driver.press("button", text.header.connect);
    await driver.press("button", "Moon Dev Wallet");
    await driver.see(/Disconnect/);
    await driver.press("[role=tab]", text.tabs.rewards);
    await driver.see(matching(text.rewards.claimable));
    await driver.see(matching(later.session.notRemembered));
    await driver.press("button", "Disconnect");
    await driver.see(matching(text.tabs.connect));
  } finally {
    driver.stop();
  }
});

const matching = (words: string) => new RegExp(words.replaceAll(/[.?()]/g, String.raw`\$&`));

/** Opens the page again, with a wallet that asks nothing: its questions are in a shadow tree. */
async function load(driver: Driver, network: Network): Promise<void> {
  await driver.open(network.url("lobo"));
  await driver.run(`
    while (!document.querySelector("#root[data-app]") || !window.MoonDevWallet)
      await new Promise((next) => setTimeout(next, 50));
    await MoonDevWallet.control.autoConfirm(true);`);
}

/** Connects the wallet and fills it. Returns its ordinals address. */
async function connect(driver: Driver, network: Network): Promise<string> {
  await load(driver, network);
  await driver.press("button", text.header.connect);
  await driver.press("button", "Moon Dev Wallet");
  await driver.see(/Disconnect/);
  const addresses = await driver.run<{ purpose: string; address: string }[]>(
    "return (await MoonDevWallet.control.status()).addresses",
  );
  const addressOf = (purpose: string) => addresses.find((one) => one.purpose === purpose)!.address;
  await network.pay(addressOf("payment"), 1_000_000);
  await network.sendRunes(addressOf("ordinals"), whole(1_000_000));
  await network.mine();
  await load(driver, network);
  return addressOf("ordinals");
}

async function stake(driver: Driver, network: Network): Promise<void> {
  await driver.press("button", "Half");
  await driver.press("button", "Stake 500,000");
  await driver.see(/Broadcasted tx id : [0-9a-f]{64}/);
  await network.mine(3);
  await network.advanceEpoch();
  await driver.see(/Your stake\s+500,000/);
}

async function claim(driver: Driver, network: Network): Promise<void> {
  await network.advanceEpoch();
  await driver.press("[role=tab]", text.tabs.rewards);
  await driver.press("button", "Claim");
  await driver.press("button", "Continue to payment");
  await pay(driver, network);
}

async function unstake(driver: Driver, network: Network): Promise<void> {
  await driver.press("[role=tab]", text.tabs.unstake);
  await driver.press("[role=tabpanel] input[type=checkbox]", "");
  await driver.press("button", "Unstake 500,000");
  await driver.press("button", "Unstake");
  await driver.see(/Pending unstake\s+500,000/);
  await network.advanceEpoch();
  await network.advanceEpoch();
  await driver.see(/Unlocked\s+500,000/);
}

async function withdraw(driver: Driver, network: Network): Promise<void> {
  await driver.press("[role=tab]", text.tabs.withdraw);
  await driver.press("[role=tabpanel] input[type=checkbox]", "");
  await driver.press("[role=tabpanel] button", text.withdraw.submit);
  await driver.press("label", later.oneTx.order);
  await driver.press("button", text.action.continue);
  await pay(driver, network, true);
}

/** Pays the open order with the wallet, signs the delivery of a withdrawal, and waits for it. */
async function pay(driver: Driver, network: Network, withdraws = false): Promise<void> {
  await driver.press("button", later.order.payWallet);
  await driver.see(/([\d,]+) sats out of [\d.]+ BTC \(\1 sats\)/);
  await network.mine();
  await network.advanceClock(10);
  if (withdraws) await driver.press("dialog button", later.oneTx.signDelivery);
  await driver.see(/0 of 3 confirmations/); // "Sent" stands in the timeline before it is
  await network.mine(3);
  await driver.see(/Delivered\. Your runes are in your wallet\./);
  await load(driver, network);
}
