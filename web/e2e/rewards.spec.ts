import { alter } from "./alter.ts";
import { expect, test } from "./test.ts";
import { text } from "../src/lib/text/en.ts";
import { later } from "../src/lib/text/en.later.ts";

test("check 26: Stake Rewards and Claim are off at 0; Claim is off beside an active order", async ({
  activeStaker,
  network,
}) => {
  await activeStaker.openClaim();
  await activeStaker.order.close();
  const tab = await activeStaker.tab("Rewards");
  const claim = tab.getByRole("button", { name: "Claim", exact: true });
  const compound = tab.getByRole("button", { name: text.rewards.compound });
  await expect(claim).toBeDisabled();
  await expect(tab.getByText(text.rewards.activeOrder)).toBeVisible();
  await tab.getByRole("button", { name: text.rewards.openOrder }).click();
  await expect(activeStaker.order.dialog).toBeVisible();
  await activeStaker.order.close();

  await network.settle();
  await network.advanceEpoch();
  await expect(claim).toBeEnabled();
  await compound.click();
  await expect(tab.getByText(/will earn rewards from the next epoch/)).toBeVisible();
  await expect(activeStaker.figure("Claimable rewards")).toHaveText("0 LOBO");
  await expect(claim).toBeDisabled();
  await expect(compound).toBeDisabled();
  const { use, uses, used } = later.history;
  const states = tab.getByRole("list", { name: use }).getByRole("listitem");
  await expect(states.filter({ hasText: used(uses.COMPOUNDED, "") })).toHaveText(/[1-9]/);
  await tab.getByRole("region", { name: later.history.earnings }).scrollIntoViewIfNeeded();
  await expect(tab.getByRole("slider", { name: later.history.earnings })).toHaveAttribute(
    "aria-valuetext",
    new RegExp(` · ${use} ${uses.COMPOUNDED} · `),
  );
});

test("check 27: orders are found by their status and sorted; payments are found by their transaction", async ({
  activeStaker,
  network,
}) => {
  const { page } = activeStaker;
  const order = await activeStaker.openClaim();
  const address = await order.address();
  const first = await network.pay(address, 600);
  const second = await network.pay(address, 700);
  const rows = order.dialog.getByRole("region", { name: "Payment history" }).getByRole("listitem");
  await expect(rows).toHaveCount(2);
  await order.dialog
    .getByRole("searchbox", { name: later.order.searchTx })
    .fill(first.slice(10, 30).toUpperCase());
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("600 sats");
  await expect(rows.getByText(`${first.slice(0, 20)}…`)).toBeVisible();
  await order.dialog.getByRole("searchbox").fill(second);
  await expect(rows).toContainText("700 sats");
  await order.dialog.getByRole("searchbox").fill("no such id");
  await expect(order.dialog.getByText(text.common.noMatch)).toBeVisible();
  await order.close();

  // Adds orders in other states and sizes, copied from the real one.
  const others = [
    ["DELIVERED", 2],
    ["PENDING_RERATE", 9],
    ["CANCELED", 5],
  ] as const;
  await alter(page, "fetchClientPOs", ({ orders }) => {
    const copy = orders.find((one: any) => one.po_payment_address === address);
    return {
      orders: [
        copy,
        ...others.map(([po_status, tokens], i) => ({
          ...copy,
          po_order_id: `other-${i}`,
          po_status,
          wa_amount: `${tokens}00000000`,
        })),
      ],
    };
  });
  await page.reload();
  const tab = await activeStaker.tab("Rewards");
  const claims = tab.getByRole("region", { name: text.rewards.orders });
  const list = claims.getByRole("listitem");
  // At first only the orders that are not finished.
  await expect(list).toHaveCount(2);
  await expect(list.last()).toContainText("Rerate needed");
  await claims.getByRole("button", { name: later.history.showAll(4) }).click();
  await expect(list).toHaveCount(4);
  await tab.getByLabel("Sort by").selectOption(text.common.sortRunes);
  const sizes = (await list.allTextContents()).map((row) => Number(/^[\d,.]+/.exec(row)![0].replaceAll(",", "")));
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
  await tab.getByRole("searchbox", { name: "Search by status" }).fill("rerate");
  await expect(list).toHaveCount(1);
  await expect(list).toContainText("Rerate needed");
  // The search text is part of the URL, so it survives a reload.
  await page.reload();
  await expect(list).toHaveCount(1);
  await expect(list).toContainText("9 LOBO");
});
