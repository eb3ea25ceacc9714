import type { Route } from "@playwright/test";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { base64 } from "@scure/base";
import { p2wpkh, TEST_NETWORK, Transaction } from "@scure/btc-signer";
import { withRecoveryDelay } from "./manifests.ts";
import { Network } from "./network.ts";
import { checkLayout } from "./layout.ts";
import { Staker, whole } from "./staker.ts";
import { expect, test } from "./test.ts";
import { text } from "../src/lib/text/en.ts";
import { later } from "../src/lib/text/en.later.ts";

/** Blocks; short, so that a test can wait for it. */
const DELAY = 30;
const REGTEST = { ...TEST_NETWORK, bech32: "bcrt" };

let network: Network;
let manifests: Awaited<ReturnType<typeof withRecoveryDelay>>;

test.beforeAll(async () => {
  manifests = await withRecoveryDelay(DELAY);
  network = await Network.start("recovery", ["--communities", manifests.folder]);
});

test.afterAll(async () => {
  const { code, output } = await network.audit();
  await network.stop();
  await manifests.remove();
  expect(code, output).toBe(0);
});

test("recovers stakes with the dev wallet", async ({ page }) => {
  const staker = new Staker(page, network);
  await staker.open();
  await staker.connect();
  await staker.faucet();
  const { ordinals } = await staker.addresses();

  const stake = await staker.tab("Stake");
  /** Before the first stake, the wallet signs a test message and the rehearsal, after it declined the latter once. */
  const rehearse = async () => {
    await staker.answer("Sign this message?", "Sign");
    await staker.answer("Sign this transaction?", "Reject");
    await expect(stake.getByText(later.rehearsal.declined)).toBeVisible();
    await checkLayout(page, "rehearsal-declined");
    await stake.getByRole("button", { name: "Try again" }).click();
    await staker.answer("Sign this transaction?", "Sign");
  };

  for (const amount of ["1000", "2000"]) {
    const again = stake.getByRole("button", { name: "Stake more" });
    if (await again.isVisible()) await again.click();
    await stake.getByLabel("Amount to stake").fill(amount);
    await stake.getByRole("button", { name: /^Stake [12],000 LOBO$/ }).click();
    if (amount === "1000") await rehearse();
    await staker.answer("Send runes?", "Send");
    await expect(stake.getByText(/^Received\./)).toBeVisible();
    await network.mine();
  }
  await stake.getByRole("button", { name: "Stake more" }).click();
  const before = await network.runes(ordinals, 1);

  const open = async () => {
    await stake.getByRole("button", { name: "Recover without the operator" }).click();
    return page.getByRole("dialog", { name: "Recover without the operator" });
  };
  const item = (amount: string) =>
    page
      .getByRole("list", { name: later.recover.list })
      .getByRole("listitem")
      .filter({ hasText: `${amount} LOBO` });

  const signFor = async (amount: string) => {
    const dialog = await open();
    await expect(item(amount)).toContainText(/from block [\d,]+, \d+ blocks from now/);
    await expect(item(amount).getByRole("button", { name: "Sign and send" })).toHaveCount(0);
    await item(amount).getByRole("button", { name: "Sign only" }).click();
    await staker.answer("Sign this transaction?", "Sign");
    const signed = await dialog.getByTestId("recovery").textContent();
    const message = await dialog.getByText(/^Signed[.,]/).textContent();
    if (amount === "1,000") await checkLayout(page, "recovery-signed");
    await dialog.getByRole("button", { name: "Close" }).click();
    return { signed: signed!, said: message! };
  };

  await test.step("a rejection in the wallet changes nothing", async () => {
    const dialog = await open();
    await item("1,000").getByRole("button", { name: "Sign only" }).click();
    await staker.answer("Sign this transaction?", "Reject");
    await expect(dialog.getByRole("alert")).toHaveText("You declined this in your wallet.");
    await dialog.getByRole("button", { name: "Close" }).click();
  });

  let withoutFee = "";
  await test.step("a signature of a small output allows more inputs, but no more outputs", async () => {
    await network.feeRate(20);
    const { signed, said } = await signFor("1,000");
    expect(said).toContain("this output can't pay its own network fee");
    withoutFee = await withFee(signed);
  });

  await test.step("a recovery can be signed before the delay is over", async () => {
    await network.feeRate(1);
    const { signed, said } = await signFor("2,000");
    expect(said).toContain("Keep this transaction");
    for (const tx of [signed, withoutFee]) await expect(network.broadcast(tx)).rejects.toThrow(/sequence lock|BIP68/i);
    await network.mine(DELAY);
    await network.broadcast(withoutFee);
    await network.mine();
    expect((await network.runes(ordinals, 1)) - before).toBe(whole(1_000));
  });

  await test.step("after the delay the wallet signs; if the server refuses it, the page shows why", async () => {
    const dialog = await open();
    await expect(item("2,000")).toContainText(later.recover.isOpen);
    const why =
      "The server is catching up with the Bitcoin blockchain. Please try again in a few minutes. Your funds are safe.";
    const call = "**/sendRecovery";
    await page.route(call, (route) => route.fulfill({ json: { success: false, message: why, data: null } }), {
      times: 1,
    });
    await item("2,000").getByRole("button", { name: "Sign and send" }).click();
    await staker.answer("Sign this transaction?", "Sign");
    await expect(dialog.getByRole("alert")).toHaveText(`Not sent: ${why}`);
    await expect(dialog.getByTestId("recovery")).toHaveText(/^[0-9a-f]{200,}$/);
    await checkLayout(page, "recovery-not-sent");
  });

  await test.step("sending the same transaction again succeeds, also after a lost response", async () => {
    const dialog = page.getByRole("dialog", { name: "Recover without the operator" });
    const loseAnswer = async (route: Route) => {
      await network.broadcast((route.request().postDataJSON() as { tx: string }).tx);
      await route.abort();
    };
    await page.route("**/sendRecovery", loseAnswer, { times: 1 });
    const again = dialog.getByRole("button", { name: "Send transaction" });
    await again.click();
    await expect(dialog.getByRole("alert")).toContainText(text.http.unreachable);
    await again.click();
    await expect(dialog.getByText(/^Sent: [0-9a-f]{64}$/)).toBeVisible();
    await checkLayout(page, "recovery-sent");
    await network.mine();
    expect((await network.runes(ordinals, 1)) - before).toBe(whole(3_000));
    await dialog.getByRole("button", { name: "Close" }).click();
  });

  await test.step("the server follows the recovery: nothing is staked any more", async () => {
    await network.mine(3);
    await expect(staker.figure("Pending stake")).toHaveText("0 LOBO");
    await expect(staker.figure("Your stake")).toHaveText("0 LOBO");
  });
});

test("the wallet signs a recovery, the page finalizes it, and the server sends it", async ({ page }) => {
  const staker = new Staker(page, network);
  await network.feeRate(1);
  await staker.arrive();
  const { ordinals } = await staker.addresses();
  const before = await network.runes(ordinals, 1);

  const stake = await staker.tab("Stake");
  await stake.getByLabel("Amount to stake").fill("1000");
  await stake.getByRole("button", { name: "Stake 1,000 LOBO" }).click();
  await expect(stake.getByText(/^Received\./)).toBeVisible();
  await network.mine(DELAY + 1);
  await stake.getByRole("button", { name: "Stake more" }).click();
  await stake.getByRole("button", { name: "Recover without the operator" }).click();
  const dialog = page.getByRole("dialog", { name: "Recover without the operator" });
  const sent = page.waitForRequest("**/sendRecovery");
  await dialog.getByRole("button", { name: "Sign and send" }).click();
  expect((await sent).postDataJSON()).toMatchObject({ tx: expect.stringMatching(/^[0-9a-f]{200,}$/) });
  await expect(dialog.getByText(/^Sent: [0-9a-f]{64}$/)).toBeVisible();
  await network.mine();
  expect(await network.runes(ordinals, 1)).toBe(before);
});

/** Adds an input as the fee, as a wallet that edits PSBTs does. Returns the whole transaction in hex. */
async function withFee(psbt: string): Promise<string> {
  const key = secp256k1.utils.randomSecretKey();
  const { address, script } = p2wpkh(secp256k1.getPublicKey(key), REGTEST);
  const txid = await network.pay(address!, 5_000);
  await network.mine();
  const vout = (await network.utxos(address!)).find((utxo) => utxo.txid === txid)!.vout;
  const tx = Transaction.fromPSBT(base64.decode(psbt), { allowUnknownInputs: true, allowUnknownOutputs: true });
  tx.addInput({ txid, index: vout, witnessUtxo: { script, amount: 5_000n } });
  expect(() => tx.addOutput({ script, amount: 546n })).toThrow(/signed outputs/);
  tx.signIdx(key, 1);
  tx.finalize();
  return tx.hex;
}
