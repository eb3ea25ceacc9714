import type { Locator } from "@playwright/test";
import { kindNames, type KindName } from "../src/devwallet/settings.ts";
import { expect, test } from "./test.ts";
import { text } from "../src/lib/text/en.ts";

// The stake's life cycle with each kind of wallet: its own API, the same keys and node. KINDS selects them: "all" or
// e.g. "xverse,okx". By default one kind of each group runs: of the standard, of Unisat's API, and of those with an API
// of their own. (unisat.spec.ts covers Unisat's.)
test.use({ world: "kinds" });

const selected = process.env["KINDS"] ?? "xverse,okx,leather";
const kinds = selected === "all" ? kindNames : selected.split(",").map(kindNamed);

function kindNamed(name: string): KindName {
  const kind = kindNames.find((one) => one === name.trim());
  if (!kind) throw new Error(`KINDS is "all" or names of ${kindNames.join(", ")}; "${name}" is none.`);
  return kind;
}

/** The wallet's tile in the selector, and its capabilities. */
const abilities: Record<KindName, { tile: RegExp; sendsRunes: boolean; sendsSats: boolean; hasEvents: boolean }> = {
  standard: { tile: /^Moon Dev Wallet/, sendsRunes: true, sendsSats: true, hasEvents: true },
  xverse: { tile: /^Xverse/, sendsRunes: true, sendsSats: true, hasEvents: true },
  unisat: { tile: /^Unisat/, sendsRunes: true, sendsSats: true, hasEvents: true },
  leather: { tile: /^Leather/, sendsRunes: false, sendsSats: true, hasEvents: false },
  okx: { tile: /^OKX/, sendsRunes: false, sendsSats: true, hasEvents: true },
  magicEden: { tile: /^Magic Eden/, sendsRunes: false, sendsSats: true, hasEvents: true },
  phantom: { tile: /^Phantom/, sendsRunes: false, sendsSats: false, hasEvents: true },
};

for (const kind of kinds) {
  const { tile, sendsRunes, sendsSats, hasEvents } = abilities[kind];
  test(`${kind} connects, stakes, claims, pays, signs a recovery and disconnects`, async ({
    page,
    staker,
    network,
  }) => {
    test.setTimeout(120_000);
    const { order } = staker;
    await test.step("connect, with one prompt", async () => {
      await staker.open();
      await page.evaluate((kind) => (window as any).MoonDevWallet.control.useKind(kind), kind);
      await page.getByRole("button", { name: "Connect", exact: true }).click();
      await page.getByRole("list", { name: "Wallets" }).getByRole("button", { name: tile }).click();
      await staker.answer("Let this site see your account?", "Connect");
      const { ordinals } = await staker.addresses();
      await expect(page.getByRole("button", { name: `Connected as ${ordinals}` })).toBeVisible();
      await staker.trustPage();
      await staker.faucet();
    });

    await test.step("stake", async () => {
      const stake = await staker.tab("Stake");
      await stake.getByLabel("Amount to stake").fill("500000");
      await (sendsRunes ? stake.getByRole("button", { name: "Stake 500,000 LOBO" }).click() : byHand(stake));
      await expect(staker.figure("Pending stake")).toHaveText("500,000 LOBO");
      await network.mine(3);
      await network.advanceEpoch();
      await network.advanceEpoch();
      await expect(staker.figure("Claimable rewards")).toHaveText(/[1-9]/);
    });

    await test.step("claim and pay", async () => {
      const { ordinals } = await staker.addresses();
      const before = await network.runes(ordinals);
      await staker.claim();
      await expect(order.dialog.getByText(/^Delivers /)).toBeVisible();
      if (sendsSats) await order.button(text.order.payWallet).click();
      else
        await network.pay(
          await order.address(),
          Math.round(Number((await order.due.textContent())!.replace(" BTC", "")) * 1e8),
        );
      await expect(order.dialog.getByText(text.order.completeUnconfirmed)).toBeVisible();
      await network.mine();
      await network.advanceClock(10);
      await expect(order.step).toHaveText("Sent");
      await network.mine(3);
      await expect(order.step).toHaveText("Delivered");
      await order.close();
      expect(await network.runes(ordinals)).toBeGreaterThan(before);
    });

    await test.step("compound the next rewards", async () => {
      await network.advanceEpoch();
      const rewards = await staker.tab("Rewards");
      await expect(staker.figure("Claimable rewards")).toHaveText(/[1-9]/);
      await rewards.getByRole("button", { name: text.rewards.compound }).click();
      await expect(rewards.getByText(/will earn rewards from the next epoch/)).toBeVisible();
    });

    await test.step("sign a recovery", async () => {
      const stake = await staker.tab("Stake");
      await stake.getByRole("button", { name: "Recover without the operator" }).click();
      const dialog = page.getByRole("dialog", { name: "Recover without the operator" });
      await dialog.getByRole("button", { name: "Sign only" }).click();
      await expect(dialog.getByTestId("recovery")).toHaveText(/^[0-9A-Za-z+/=]{200,}$/);
      await dialog.getByRole("button", { name: "Close" }).click();
    });

    await test.step("the wallet disconnects", async () => {
      if (hasEvents) await page.evaluate(() => (window as any).MoonDevWallet.control.disconnect());
      else await page.getByRole("button", { name: "Disconnect" }).click();
      await expect(page.getByRole("button", { name: "Connect", exact: true })).toBeVisible();
    });

    /** The page shows the address; the user sends the runes in the wallet. */
    async function byHand(stake: Locator): Promise<void> {
      await stake.getByRole("button", { name: "Get my stake address" }).click();
      const copy = stake.getByRole("button", { name: "Copy Your stake address" });
      const address = (await copy.textContent())!.match(/bcrt1p[a-z0-9]+/)![0];
      const { communities } = await network.info();
      const { rune_name: runeName } = communities.find(({ prefix }) => prefix === "lobo")!;
      const sent = await page.evaluate(
        (recipient) =>
          (window as any).MoonDevWallet.BitcoinProvider.request("runes_transfer", { recipients: [recipient] }),
        { runeName, amount: "50000000000000", address },
      );
      expect(sent).toHaveProperty("result.txid");
    }
  });
}
