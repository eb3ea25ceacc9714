import { expect, test } from "./test.ts";

// Unisat's types of address. With each of them, an account has one address for payments and for runes.

/** The start of a type's name in the wallet, and of its addresses. The other tests use Taproot. */
const types = [
  ["Native Segwit", /^bcrt1q/],
  ["Nested Segwit", /^2/],
  ["Legacy", /^[mn]/],
] as const;

test("stakes with each type of address of the real Unisat", async ({ unisat }) => {
  test.setTimeout(300_000);
  const { page, wallet } = unisat;
  for (const [type, prefix] of types) {
    await test.step(type, async () => {
      await wallet.addressType(type);
      await expect.poll(() => unisat.account()).toMatch(prefix);
      expect(await unisat.accounts()).toHaveLength(1);
      await unisat.expectConnected();
      await unisat.faucet();
      await page.reload();
      const tab = await unisat.stake("1,000");
      await expect(tab.getByText(/^Received\./)).toBeVisible();
      await unisat.expectFigure("Pending stake", "1,000");
    });
  }
});
