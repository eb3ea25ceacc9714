import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { Wire } from "../api/client.ts";
import { proofs } from "../lib/proofsText.ts";
import { serve, show } from "../testing/page.tsx";
import { catchFiles } from "../testing/saved.ts";
import { community } from "../testing/wire.ts";
import { Reserves } from "./Reserves.tsx";

const words = proofs.reserves;

/** An output with whole tokens. */
const output = (custody_kind: "self" | "operator" | "", tokens: string): Wire["ReserveOutput"] => ({
  outpoint: `${tokens.padStart(64, "0")}:0`,
  kind: custody_kind === "" ? "treasury" : "stake",
  custody_kind,
  address: `bcrt1q${custody_kind}`,
  value: 546,
  amount: `${tokens}00000000`,
  height: 7,
});

async function open(): Promise<void> {
  const reserves: Wire["Reserves"] = {
    height: 8,
    block_hash: "ff",
    time: "2026-11-20T10:00:00Z",
    rune_id: "1:1",
    staked_units: "1000",
    virtual_units: "50",
    stake_outputs: "1000",
    self_outputs: "669",
    treasury_outputs: "60",
    covered: true,
    outputs: [output("self", "669"), output("operator", "331"), output("", "60")],
  };
  serve({ reserves: () => reserves, community: () => community() });
  show(<Reserves />);
  await screen.findByRole("table");
}

const rows = () => screen.getAllByRole("row").slice(1).map((row) => row.textContent);

it("says which share only owners can move, and the kind of each output", async () => {
  await open();
  expect(screen.getByText(words.self(66))).toBeTruthy();
  for (const kind of [words.selfStake, words.stake, words.treasury]) expect(screen.getByText(kind)).toBeTruthy();
});

it("lists the outputs with links, largest first, and finds them by their id and their address", async () => {
  await open();
  expect(screen.getAllByRole("columnheader").map((head) => head.textContent)).toEqual([words.output, words.amount("")]);
  expect(rows().map((row) => /[1-9]\d*$/.exec(row)![0])).toEqual(["669", "331", "60"]);
  const links = () => screen.getAllByRole("link").map((link) => link.getAttribute("href"));
  await waitFor(() => expect(links()).toContain(`https://explorer.example.org/tx/${"669".padStart(64, "0")}`));
  const search = screen.getByRole("searchbox");
  await userEvent.type(search, " 0331:0 ");
  expect(rows()).toEqual([expect.stringContaining(words.stake)]);
  await userEvent.clear(search);
  await userEvent.type(search, "BCRT1QSELF");
  expect(rows()).toEqual([expect.stringContaining(words.selfStake)]);
  await userEvent.clear(search);
  await userEvent.type(search, "nothing");
  expect(screen.getByText(words.nothing)).toBeTruthy();
});

it("has all outputs as CSV beside the link to the JSON, whatever is searched", async () => {
  await open();
  const { texts } = catchFiles();
  await userEvent.type(screen.getByRole("searchbox"), "nothing");
  const save = screen.getByRole("button", { name: words.csv });
  expect(save.previousElementSibling!.getAttribute("href")).toMatch(/\/reserves$/);
  await userEvent.click(save);
  const line = (kind: string, address: string, tokens: string) =>
    `${tokens.padStart(64, "0")}:0,${kind},${address},546,${tokens},7`;
  expect((await texts[0])!.split("\r\n")).toEqual([
    "outpoint,kind,address,sats,,height",
    line("stake", "bcrt1qself", "669"),
    line("stake", "bcrt1qoperator", "331"),
    line("treasury", "bcrt1q", "60"),
    "",
  ]);
});
