import { readFile } from "node:fs/promises";
import { checkBothSizes } from "./layout.ts";
import { expect, test } from "./test.ts";
import { conflict } from "../src/lib/text/en.conflict.ts";
import { text } from "../src/lib/text/en.ts";
import { sign } from "../src/verify/testing/vectors.ts";

test.use({ networkName: "statements" });

test("a message names the newest statement, and nothing is signed while the server shows another history", async ({
  activeStaker: staker,
  network,
}) => {
  const { page } = staker;
  await staker.openWithReward();
  await network.published();
  const tab = await staker.tab("Rewards");
  const compound = tab.getByRole("button", { name: text.rewards.compound });
  const head = () => page.evaluate(() => fetch("/lobo/statements/head").then((response) => response.text()));
  const shown = JSON.parse(await head()) as { statement: { sequence: number } };
  const { sequence } = shown.statement;

  // Another history of the same length, with a valid signature: at first the browser has nothing to compare it with.
  const served = await head();
  const body = served.slice(served.indexOf('"statement":') + '"statement":'.length, -1);
  const other = sign(body, "11".repeat(32));
  const actions: string[] = [];
  page.on("request", (one) => one.url().endsWith("/postAction") && actions.push(one.postData()!));

  const posted = page.waitForResponse((response) => response.url().endsWith("/postAction"));
  await compound.click();
  const { data } = (await (await posted).json()) as { data: { messagetosign: string } };
  const id = (JSON.parse(actions[0]!) as { statement: string }).statement;
  expect(id).toMatch(/^[0-9a-f]{64}$/);
  expect(data.messagetosign.split("\n")).toContain(`Statement: ${id}`);
  await expect(compound).toBeDisabled();

  await page.route("**/lobo/statements/*", (route) => route.fulfill({ body: other }));
  const unstake = await staker.tab("Unstake");
  await unstake.getByRole("checkbox", { name: "500,000 LOBO" }).check();
  await staker.unstake(unstake);
  const alert = page.getByRole("alert").filter({ hasText: conflict.fork(sequence) });
  await expect(alert.getByText(conflict.meaning.fork)).toBeVisible();
  await expect(alert.getByText(conflict.id(sequence, id))).toBeVisible();
  await checkBothSizes(page, "statement-fork");
  expect(actions).toHaveLength(1);

  for (const [name, content] of [
    [conflict.saveSeen(sequence), served],
    [conflict.saveShown, other],
  ] as const) {
    const download = page.waitForEvent("download");
    await alert.getByRole("button", { name }).click();
    expect(await readFile(await (await download).path(), "utf8")).toBe(content);
  }

  // The server's own history again: the action works, without a decision of the user.
  await page.unroute("**/lobo/statements/*");
  await staker.unstake(unstake);
  await expect(staker.figure("Pending unstake")).toHaveText(/500,000 LOBO/);
  expect(actions).toHaveLength(2);
});
