import { checkLayout } from "./layout.ts";
import { expect, test } from "./test.ts";
import { text } from "../src/lib/text/en.ts";
import { later } from "../src/lib/text/en.later.ts";

// A wallet that sends neither runes nor sats and signs no messages: the page says so beforehand and offers an
// alternative for each.
test.use({ networkName: "limited" });

test("a wallet that only signs transactions can stake, prove and pay", async ({
  page,
  staker,
  network,
}) => {
  // The dev wallet under another name, with fewer methods.
  await page.addInitScript(() => {
    const methods = [
      "getInfo",
      "getAccounts",
      "signPsbt",
      "wallet_getNetwork",
      "wallet_requestPermissions",
      "wallet_renouncePermissions",
    ];
    (window as any).PlainWallet = {
      request: async (method: string, params: unknown) => {
        if (!methods.includes(method)) return { jsonrpc: "2.0", id: "1", error: { code: -32601, message: "unknown" } };
        const answer = await (window as any).MoonDevWallet.BitcoinProvider.request(method, params);
        return method === "getInfo" ? { ...answer, result: { version: "1", methods: methods, supports: [] } } : answer;
      },
    };
    (window as any).btc_providers = [{ id: "PlainWallet", name: "Plain Wallet", icon: "" }];
  });
  await staker.open();
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await page
    .getByRole("dialog", { name: later.wallets.title })
    .getByRole("button", { name: "Plain Wallet" })
    .click();
  await staker.answer("Let this site see your account?", "Connect");
  await staker.trustPage();
  await staker.faucet();
  /** The user's actions in the wallet itself, outside of the page. */
  const inWallet = (method: string, recipient: object) =>
    page.evaluate(
      ([method, recipient]) =>
        (window as any).MoonDevWallet.BitcoinProvider.request(method, { recipients: [recipient] }),
      [method, recipient] as const,
    );

  await test.step("stake: copy the address, send the runes by hand, and see the deposit", async () => {
    const stake = await staker.tab("Stake");
    await expect(stake.getByText(text.stake.byHand("Plain Wallet"))).toBeVisible();
    await checkLayout(page, "stake-by-hand");
    await stake.getByLabel("Amount to stake").fill("500000");
    await stake.getByRole("button", { name: "Get my stake address" }).click();
    await expect(stake.getByText("Send exactly this amount to your stake address", { exact: false })).toBeVisible();
    const address = (await stake.getByRole("button", { name: "Copy Your stake address" }).textContent())!.match(
      /bcrt1p[a-z0-9]+/,
    )![0];
    const { communities } = await network.info();
    const runeName = communities.find(({ prefix }) => prefix === "lobo")!.rune_name;
    const named = new RegExp(`^The rune to send is ${runeName}, with the ID \\d+:\\d+\\.$`);
    await expect(stake.getByText(named)).toBeVisible();
    expect(await inWallet("runes_transfer", { runeName, amount: "50000000000000", address })).toHaveProperty(
      "result.txid",
    );
    await expect(stake.getByText(/^Received\. Your stake is likely to earn from epoch \d+/)).toBeVisible();
    await network.mine(3);
    await network.advanceEpoch();
    await network.advanceEpoch();
    await expect(staker.figure("Claimable rewards")).toHaveText("1,000 LOBO");
  });

  await test.step("claim: prove by a transaction that can't be sent, pay by hand", async () => {
    const rewards = await staker.tab("Rewards");
    await rewards.getByRole("button", { name: "Claim", exact: true }).click();
    const costs = page.getByRole("dialog", { name: "Claim rewards" });
    await expect(costs.getByText(/^Plain Wallet can't sign messages\./)).toBeVisible();
    await costs.locator("summary").click();
    await checkLayout(page, "claim-by-psbt");
    await costs.getByRole("button", { name: "Continue to payment" }).click();
    const { order } = staker;
    await expect(order.dialog.getByText(later.order.payByHand("Plain Wallet"))).toBeVisible();
    await expect(order.button(later.order.payWallet)).toHaveCount(0);
    const due = Math.round(Number((await order.due.textContent())!.replace(" BTC", "")) * 1e8);
    expect(await inWallet("sendTransfer", { address: await order.address(), amount: due })).toHaveProperty(
      "result.txid",
    );
    await expect(order.dialog.getByText(later.order.completeUnconfirmed)).toBeVisible();
    await network.mine();
    await network.advanceClock(10);
    await expect(order.step).toHaveText("Sent");
    await network.mine(3);
    await expect(order.step).toHaveText("Delivered");
    await order.close();
  });
});

test("an owner can link both addresses and then sign with the payment address alone", async ({ staker, network }) => {
  await staker.arrive();
  await staker.becomeStaker();
  await staker.distrustPage();
  const list = await staker.tab("Unstake");
  const choose = async (name: string) => {
    const radio = list.getByRole("radio", { name });
    if (!(await radio.isVisible())) await list.locator("summary").click();
    await radio.check();
  };
  const { payment, ordinals } = await staker.addresses();
  const signsWith = async (address: string) => {
    // Two questions may have the same title; their addresses distinguish them.
    const request = list
      .page()
      .getByRole("dialog", { name: "Sign this message?" })
      .filter({ has: list.page().getByText(address, { exact: true }) });
    await request.getByRole("button", { name: "Sign", exact: true }).click();
    await expect(request).toBeHidden();
  };

  await list.getByRole("checkbox", { name: "500,000 LOBO" }).check();
  await choose(later.signing.signers.both);
  await staker.unstake(list);
  await signsWith(ordinals);
  await signsWith(payment);
  await expect(list.getByText(text.unstake.done("500,000", "LOBO"))).toBeVisible();

  await network.advanceEpoch();
  await network.advanceEpoch();
  await staker.trustPage();
  const stake = await staker.tab("Stake");
  await stake.getByRole("button", { name: "Max" }).click();
  await stake.getByRole("button", { name: /^Stake / }).click();
  await expect(stake.getByText(/^Broadcasted tx id : /)).toBeVisible();
  await network.mine(3);
  await network.advanceEpoch();
  await staker.distrustPage();
  await staker.tab("Unstake");
  await list.getByRole("checkbox", { name: "500,000 LOBO" }).check();
  await choose(later.signing.signers.payment);
  await staker.unstake(list);
  await signsWith(payment);
  await expect(list.getByText(text.unstake.done("500,000", "LOBO"))).toBeVisible();
});
