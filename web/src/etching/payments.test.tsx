import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { attempts } from "../action/attempts.ts";
import { show } from "../testing/page.tsx";
import * as wallet from "../wallet/index.ts";
import { isFunded } from "./payments.ts";
import { Submit } from "./Submit.tsx";
import { later } from "../lib/laterText.ts";

vi.mock("../wallet/index.ts", { spy: true });

const ORDER = { orderId: "o-1", fundAddress: "bcrt1qfund", fundAmount: 5_000 };
const TXID = "cd".repeat(32);
const request = { kind: "mint", params: {} } as never;

/** Sats that the service has received for the order; "away" if it can't be reached. */
let received: number | "away" = 0;
let pay: () => Promise<string>;

beforeEach(() => {
  received = 0;
  for (const { id } of attempts.get()) attempts.drop(id);
  vi.mocked(wallet.findOrder).mockImplementation(async () => {
    if (received === "away") throw new wallet.WalletError(-32603, "away");
    return { id: "o-1", state: "new", received } as never;
  });
  vi.mocked(wallet.mintRunes).mockImplementation(async (_, options) => {
    options?.onOrder?.(ORDER);
    return { orderId: "o-1", fundTransactionId: await pay(), fundingAddress: ORDER.fundAddress };
  });
  const realTimeout = setTimeout;
  vi.stubGlobal("setTimeout", (act: () => void, ms = 0) => realTimeout(act, ms >= 1_000 && ms <= 3_000 ? 1 : ms));
});

function open() {
  const onOrder = vi.fn<(id: string) => void>();
  show(<Submit request={request} label="Mint" missing="" connected onConnect={() => {}} onOrder={onOrder} />);
  return onOrder;
}

const refuse = async (): Promise<string> => {
  throw new wallet.WalletError(-32000, "User rejected", ORDER);
};

describe("minting by an order", () => {
  it("shows an order that the wallet pays", async () => {
    const onOrder = open();
    pay = async () => TXID;
    await userEvent.click(screen.getByRole("button", { name: "Mint" }));
    await vi.waitFor(() => expect(onOrder).toHaveBeenCalledWith("o-1"));
    expect(attempts.get()).toMatchObject([{ order: "etching:o-1", txid: TXID, state: "sent" }]);
  });

  it("shows an order that the wallet pays and then reports as rejected", async () => {
    const onOrder = open();
    pay = () => {
      received = 5_000;
      return refuse();
    };
    await userEvent.click(screen.getByRole("button", { name: "Mint" }));
    await vi.waitFor(() => expect(onOrder).toHaveBeenCalledWith("o-1"));
  });

  it("allows a retry after a rejection if the service has no payment", async () => {
    const onOrder = open();
    pay = refuse;
    await userEvent.click(screen.getByRole("button", { name: "Mint" }));
    await screen.findByText("No payment has arrived. You can try again.");
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Mint" }).disabled).toBe(false);
    expect(onOrder).not.toHaveBeenCalled();
  });

  it("warns before a retry if the payment is unclear", async () => {
    open();
    pay = () => {
      received = "away";
      return refuse();
    };
    await userEvent.click(screen.getByRole("button", { name: "Mint" }));
    await screen.findByText(/^We can't reach the server to check/);
    expect(screen.queryByRole("button", { name: "Mint" })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Pay again" }));
    await screen.findByText(later.payment.riskOrder);
    expect(vi.mocked(wallet.mintRunes).mock.calls.length).toBeGreaterThan(0);
  });
});

it.each([
  [0, { state: "new", received: 0 }, false],
  [0, { state: "new", received: 1 }, true],
  [0, { state: "pending" }, true],
  [700, { state: "executing", received: 700 }, false],
  [700, { state: "executing", received: 900 }, true],
] as const)("an order that had %d sats and is %j is funded: %s", (alike, order, funded) =>
  expect(isFunded({ alike }, order as never)).toBe(funded),
);
