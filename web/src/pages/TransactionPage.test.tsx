import { screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { Route } from "wouter";
import { show } from "../testing/page.tsx";
import { showing } from "../testing/showing.ts";
import TransactionPage from "./TransactionPage.tsx";
import { text } from "../lib/text.ts";
import { later } from "../lib/laterText.ts";

const txid = "ab".repeat(32);
const rune = { id: "110:1", name: "LOBO•PUP", divisibility: 8, amount: "150000000" };
const transaction = {
  txid, confirmations: 0, height: null, time: null, vbytes: 200, fee: 500,
  inputs: [{ txid: "cd".repeat(32), vout: 1, value: 10_000, address: "bcrt1qin" }],
  outputs: [
    { value: 546, address: "bcrt1pout", spent: false, runes: [rune] },
    { value: 0, address: null, spent: false, runes: [] },
  ],
  runestone: { cenotaph: false, etches: false, mints: null, pointer: 0, edicts: [{ ...rune, output: 0 }] },
};

function open(answer: () => Response): void {
  vi.stubGlobal("fetch", () => Promise.resolve(answer()));
  window.history.replaceState(null, "", `/dev/explorer/tx/${txid}`);
  show(<Route path="/dev/explorer/tx/:txid" component={TransactionPage} />);
}

it("shows what a transaction moves", async () => {
  open(() => Response.json(transaction));
  expect(await screen.findByText(later.transaction.waiting)).toBeTruthy();
  expect(screen.getByText(showing(/^500 sats.*2\.5 sat\/vB/))).toBeTruthy();
  expect(screen.getByText("1.5 LOBO•PUP")).toBeTruthy();
  expect(screen.getByText("1.5 LOBO•PUP to output 0")).toBeTruthy();
  expect(screen.getByRole("link", { name: /cdcdcd/ }).getAttribute("href")).toBe(`/dev/explorer/tx/${"cd".repeat(32)}`);
});

it("reports a missing transaction and a malformed response", async () => {
  open(() => Response.json({ message: "unknown" }, { status: 404 }));
  expect(await screen.findByText(later.transaction.unknown)).toBeTruthy();
});

it("renders on malformed data", async () => {
  open(() => new Response("<html>"));
  expect(await screen.findByText(text.action.unexpected("transaction"))).toBeTruthy();
});
