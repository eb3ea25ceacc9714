import { expect, test } from "./test.ts";

/** A change is on the screen within this time: by the event stream; by asking, when the stream is cut. */
const STREAM_MS = 2_000;
const POLLING_MS = 5_000;

test("a payment that somebody else makes shows within two seconds", async ({ staker, network }) => {
  await staker.arrive();
  await staker.becomeStaker();
  await network.advanceEpoch();
  await staker.claim();
  const { order } = staker;
  const address = await order.address();

  await network.pay(address, 1000);
  const paid = performance.now();
  await expect(order.dialog.getByText(/^1,000 sats of /)).toBeVisible({ timeout: STREAM_MS });
  test.info().annotations.push({ type: "payment on screen", description: `${Math.round(performance.now() - paid)} ms` });

  await network.mine();
  await expect(order.dialog.getByText("Confirmed", { exact: true }).last()).toBeVisible({ timeout: STREAM_MS });
});

test("an epoch that ends shows within two seconds, to those without a wallet too", async ({ page, staker, network }) => {
  await staker.open();
  const epoch = page.getByRole("region", { name: "Epoch", exact: true });
  await expect(epoch.getByRole("definition").first()).toHaveText(/^\d+$/);
  const next = await network.advanceEpoch();
  await expect(epoch.getByRole("definition").first()).toHaveText(String(next), { timeout: STREAM_MS });
});

test("without the event stream the page asks by itself", async ({ page, staker, network }) => {
  await page.route("**/events*", (route) => route.abort());
  await staker.open();
  const epoch = page.getByRole("region", { name: "Epoch", exact: true });
  await expect(epoch.getByRole("definition").first()).toHaveText(/^\d+$/);
  const next = await network.advanceEpoch();
  await expect(epoch.getByRole("definition").first()).toHaveText(String(next), { timeout: POLLING_MS });
});

test("a reorg takes a deposit out of its block and the stake stays", async ({ staker, network }) => {
  await staker.arrive();
  await staker.stakeHalf();
  await expect(staker.figure("Pending stake")).toHaveText("500,000 LOBO");
  await network.mine(2);
  await network.reorg(2);
  await expect(staker.figure("Pending stake")).toHaveText("500,000 LOBO");
  await network.mine(3);
  await network.advanceEpoch();
  await expect(staker.figure("Your stake")).toHaveText("500,000 LOBO");
});
