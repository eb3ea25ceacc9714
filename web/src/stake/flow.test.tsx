import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { chooseForm } from "../action/signer.ts";
import { bitcoinProvider } from "../devwallet/provider.ts";
import { memoryStore, MemoryChain, TEST_SETTINGS } from "../devwallet/testing/chain.ts";
import { DevWallet } from "../devwallet/wallet.ts";
import { Refusal, serve, show } from "../testing/page.tsx";
import { community, stakeTarget, unit } from "../testing/wire.ts";
import type { Session } from "../wallet/index.ts";
import { StakeTab } from "./StakeTab.tsx";
import { runs } from "./runs.ts";
import { text } from "../lib/text.ts";
import { later } from "../lib/laterText.ts";

const TXID = "cd".repeat(32);
const AMOUNT = 100_000_000_000n; // 1,000 tokens
const deposit = (txid = TXID) =>
  unit({ ru_rutxo_id: `${txid}:0`, ru_txid: txid, ru_rune_amount: AMOUNT.toString(), ru_stage: "PENDING_STAKE" });

type Answer = { result: unknown } | { error: { code: number; message: string } };
const failure = (code: number, message: string): Answer => ({ error: { code, message } });

let wallet: DevWallet;
let session: Session;
let units: ReturnType<typeof deposit>[] | Refusal = [];
/** Replaces the wallet's default answers, by method. */
let overrides: Record<string, () => Answer | Promise<Answer>> = {};
let methods: string[] = [];

beforeAll(async () => {
  wallet = await DevWallet.open(
    memoryStore({ ...TEST_SETTINGS, autoConfirm: true, connected: true }),
    new MemoryChain(),
    async () => true,
  );
  const key = (purpose: "payment" | "ordinals") => ({
    address: wallet.account[purpose].address,
    publicKey: wallet.account[purpose].publicKeyHex,
  });
  session = { payment: key("payment"), ordinals: key("ordinals") };
});

beforeEach(() => {
  units = [];
  methods = [];
  overrides = {
    runes_getBalance: () => ({
      result: {
        balances: [
          {
            runeName: "LOBOTHEWOLFPUP",
            amount: (AMOUNT * 10n).toString(),
            divisibility: 8,
            symbol: "L",
            inscriptionId: null,
            spendableBalance: (AMOUNT * 10n).toString(),
          },
        ],
      },
    }),
    runes_transfer: () => ({ result: { txid: TXID } }),
  };
  for (const { id } of runs.get()) runs.drop(id);
  chooseForm("message");
  const realTimeout = setTimeout;
  vi.stubGlobal("setTimeout", (act: () => void, ms = 0) => realTimeout(act, ms >= 1_000 && ms <= 3_000 ? 1 : ms));
  const provider = bitcoinProvider(Promise.resolve(wallet)) as {
    request(method: string, params: unknown): Promise<object>;
  };
  vi.stubGlobal("TestWallet", {
    addListener: () => () => {},
    request: async (method: string, params: unknown) => {
      methods.push(method);
      const other = overrides[method];
      return other ? { jsonrpc: "2.0", id: "1", ...(await other()) } : provider.request(method, params);
    },
  });
  vi.stubGlobal("btc_providers", [{ id: "TestWallet", name: "Test Wallet", icon: "" }]);
  localStorage.setItem("moonfund.wallet.provider", JSON.stringify("TestWallet"));
  localStorage.setItem("moonfund.wallet.session", JSON.stringify(session));
});

/** The server's answer to a request for a stake address. */
const target = (change: Parameters<typeof stakeTarget>[1] = {}) => stakeTarget(session.ordinals, change);

async function open(change: object = {}, answer: (body: Record<string, unknown>) => object = () => ({})) {
  const { calls } = serve({
    community: () => community(change),
    infoGlobals: () => new Refusal("not now"),
    fetchWalletUtxos: () => (units instanceof Refusal ? units : { utxos_list: units }),
    postDemoStake: (body) => ({ ...target({ custody_kind: body["custody_kind"] as "self" }), ...answer(body) }),
    signWalletAction: () => ({ transaction_created: true, payment_order: null }),
  });
  const page = show(<StakeTab session={session} />);
  return { ...page, calls };
}

async function stake() {
  const field = await screen.findByLabelText("Amount to stake");
  await userEvent.type(field, "1000");
  await userEvent.click(await screen.findByRole("button", { name: /^Stake 1,000/ }));
}

const signing = () => methods.filter((method) => method.startsWith("sign"));

describe("before its first stake", () => {
  it("a wallet signs a test message and the rehearsal, once", async () => {
    await open();
    await stake();
    await screen.findByText(new RegExp(`${TXID}$`));
    expect(signing()).toEqual(["signMessage", "signPsbt"]);
    expect(methods).toContain("runes_transfer");
    await userEvent.click(screen.getByRole("button", { name: "Stake more" }));
    await screen.findByText(new RegExp(`^Also on the way: 1,000 .*transaction ${TXID}`));
    await stake();
    expect(signing()).toEqual(["signMessage", "signPsbt"]);
  });

  it.each([-32000, -32603, -32601, -32001, -32602, 4001, 7])(
    "that refuses a message with %d stakes nothing, and may sign a transaction",
    async (code) => {
      await open();
      overrides["signMessage"] = () => failure(code, "No such luck");
      await stake();
      if (code !== -32601 && code !== -32001) {
        await screen.findByRole("alert");
        expect(methods).not.toContain("runes_transfer");
        await userEvent.click(screen.getByRole("button", { name: "Sign a test transaction instead" }));
      }
      await screen.findByText(new RegExp(`${TXID}$`));
      expect(signing()).toEqual(["signMessage", "signPsbt", "signPsbt"]);
    },
  );

  it("stakes nothing if the wallet signs neither form, and keeps the amount", async () => {
    const { calls } = await open();
    overrides["signMessage"] = () => failure(-32603, "broken");
    overrides["signPsbt"] = () => failure(-32603, "broken too");
    await stake();
    await userEvent.click(await screen.findByRole("button", { name: "Sign a test transaction instead" }));
    await screen.findByText(/signed neither a message nor a transaction/);
    await userEvent.click(screen.getByRole("button", { name: "Not now" }));
    expect((await screen.findByLabelText<HTMLInputElement>("Amount to stake")).value).toBe("1000");
    expect(calls.map(([call]) => call)).not.toContain("postDemoStake");
  });

  it("stakes nothing if the wallet signs something else", async () => {
    await open();
    overrides["signMessage"] = () => ({
      result: { signature: "c2ln", messageHash: "", address: session.ordinals.address, protocol: "BIP322" },
    });
    await stake();
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("The signature from Test Wallet doesn't match your address");
    expect(methods).not.toContain("runes_transfer");
  });

  it("offers two alternatives if the wallet never answers, and ignores a late answer", async () => {
    await open();
    let respond: (answer: Answer) => void = () => {};
    overrides["signMessage"] = () => new Promise((resolve) => (respond = resolve));
    await stake();
    await screen.findByText("Sign the test message in your wallet.");
    await screen.findByRole("button", { name: "Sign a test transaction instead" });
    await userEvent.click(screen.getByRole("button", { name: "Not now" }));
    respond(failure(-32000, "closed"));
    await screen.findByLabelText("Amount to stake");
    expect(screen.queryByRole("alert")).toBeNull();
    expect(methods).not.toContain("runes_transfer");
  });

  it("stakes nothing if the wallet switched its account meanwhile", async () => {
    await open();
    overrides["signMessage"] = () => {
      localStorage.setItem("moonfund.wallet.session", JSON.stringify({ ...session, ordinals: session.payment }));
      delete overrides["signMessage"];
      return failure(-32603, "try again");
    };
    await stake();
    await userEvent.click(await screen.findByRole("button", { name: "Sign a test message" }));
    await screen.findByText(later.proof.switched);
    expect(methods).not.toContain("runes_transfer");
  });
});

describe("the rehearsal before the first stake", () => {
  const custodies = (calls: [string, Record<string, unknown>][]) =>
    calls.filter(([call]) => call === "postDemoStake").map(([, body]) => body["custody_kind"]);
  const noLeaf = () => failure(-32603, "script path not supported");

  it("lets a wallet that signs both leaves stake in self-custody", async () => {
    const { calls } = await open();
    await stake();
    await screen.findByText(new RegExp(`${TXID}$`));
    expect(custodies(calls)).toEqual(["self"]);
  });

  it.each([noLeaf, () => failure(-32601, "no such method"), () => ({ result: { psbt: "cHNidP8=", txid: "" } })])(
    "stakes nothing with a wallet that fails, and offers nothing else by default (%#)",
    async (answer) => {
      const { calls } = await open({ operator_custody: false });
      overrides["signPsbt"] = answer;
      await stake();
      await screen.findByText(later.rehearsal.refused("Test Wallet"));
      screen.getByText(later.rehearsal.wallets);
      expect(screen.queryByText(later.rehearsal.anyway)).toBeNull();
      expect(screen.queryByRole("button", { name: later.rehearsal.stakeAnyway })).toBeNull();
      expect(custodies(calls)).toEqual([]);
      await userEvent.click(screen.getByRole("button", { name: "Not now" }));
      expect((await screen.findByLabelText<HTMLInputElement>("Amount to stake")).value).toBe("1000");
      await userEvent.click(await screen.findByRole("button", { name: /^Stake 1,000/ }));
      await screen.findByText(later.rehearsal.refused("Test Wallet")); // remembered
      expect(signing()).toEqual(["signMessage", "signPsbt"]);
      delete overrides["signPsbt"];
      await userEvent.click(screen.getByRole("button", { name: "Try again" }));
      await screen.findByText(new RegExp(`${TXID}$`));
      expect(custodies(calls)).toEqual(["self"]);
    },
  );

  it("offers operator custody where the community allows it, and says what that means", async () => {
    const { calls } = await open({ operator_custody: true });
    overrides["signPsbt"] = noLeaf;
    await stake();
    const anyway = await screen.findByText(/The operator can move this stake at any time/);
    expect(anyway.textContent).toBe(later.rehearsal.anyway);
    await userEvent.click(screen.getByRole("button", { name: later.rehearsal.stakeAnyway }));
    await screen.findByText(new RegExp(`${TXID}$`));
    expect(custodies(calls)).toEqual(["operator"]);
  });

  it.each([
    [-32000, "User rejected", later.rehearsal.declined],
    [4001, "User rejected", later.rehearsal.declined],
  ])("that the user declines (%d) offers it again, and no operator custody", async (code, words, sentence) => {
    const { calls } = await open({ operator_custody: true });
    overrides["signPsbt"] = () => failure(code, words);
    await stake();
    await screen.findByText(sentence);
    expect(screen.queryByRole("button", { name: later.rehearsal.stakeAnyway })).toBeNull();
    expect(custodies(calls)).toEqual([]);
    delete overrides["signPsbt"];
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    await screen.findByText(new RegExp(`${TXID}$`));
  });

  it("of another account is not this one's", async () => {
    const { calls } = await open();
    overrides["signPsbt"] = () => {
      localStorage.setItem("moonfund.wallet.session", JSON.stringify({ ...session, ordinals: session.payment }));
      return failure(-32603, "switched");
    };
    await stake();
    await screen.findByRole("alert");
    expect(custodies(calls)).toEqual([]);
  });

  it("ignores a late answer after the stake was left", async () => {
    await open();
    let respond: (answer: Answer) => void = () => {};
    overrides["signPsbt"] = () => new Promise((resolve) => (respond = resolve));
    await stake();
    await screen.findByText(later.rehearsal.confirm);
    await userEvent.click(screen.getByRole("button", { name: "Not now" }));
    respond(noLeaf());
    await screen.findByLabelText("Amount to stake");
    expect(screen.queryByRole("alert")).toBeNull();
    expect(methods).not.toContain("runes_transfer");
  });
});

describe("a stake address from the server", () => {
  it.each<[string, () => object, string]>([
    ["of another kind", () => ({ custody_kind: "operator" }), later.stake.otherCustody],
    ["with another delay", () => target({ recovery_delay: community().recovery_delay + 1 }), later.stake.otherDelay],
    ["that others can move", () => ({ stake_addrss: session.ordinals.address }), later.stake.otherAddress],
    ["with another key", () => ({ community_key: session.ordinals.publicKey }), later.stake.otherAddress],
  ])("%s is refused before the wallet is asked to send", async (_, answer, sentence) => {
    await open({}, answer);
    await stake();
    expect((await screen.findByRole("alert")).textContent).toContain(sentence);
    expect(methods).not.toContain("runes_transfer");
    expect(screen.queryByRole("button", { name: /Copy Your stake address/ })).toBeNull();
  });
});

describe("a stake that the wallet rejects", () => {
  it("after sending is tracked as sent and not offered again", async () => {
    await open();
    overrides["runes_transfer"] = () => {
      units = [deposit()];
      return failure(-32000, "User rejected");
    };
    await stake();
    await screen.findByText(text.stake.rejectedButSeen, { exact: false });
    expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
    expect(methods.filter((method) => method === "runes_transfer")).toHaveLength(1);
  });

  it("without sending can be retried", async () => {
    await open();
    overrides["runes_transfer"] = () => failure(-32000, "User rejected");
    await stake();
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("No transfer has arrived. You can try again.");
    expect(screen.queryByText(/^You('re sending| sent) /)).toBeNull();
    expect(screen.queryByRole("button", { name: /Copy Your stake address/ })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    await screen.findByLabelText("Amount to stake");
    expect(runs.get()).toEqual([]);
  });

  it("asks for a confirmation with the risk while the server is unreachable", async () => {
    await open();
    overrides["runes_transfer"] = () => {
      units = new Refusal("The server is busy.");
      return failure(-32603, "Something broke");
    };
    await stake();
    await screen.findByText(later.stake.unreachable);
    await userEvent.click(screen.getByRole("button", { name: "Send again" }));
    await screen.findByText(later.stake.risk);
    await userEvent.click(screen.getByRole("button", { name: "Keep waiting" }));
    units = [deposit()];
    await userEvent.click(screen.getByRole("button", { name: "Check again" }));
    await screen.findByText(text.stake.rejectedButSeen, { exact: false });
  });

  it("can be left behind, and keeps a late transaction", async () => {
    await open();
    let respond: (answer: Answer) => void = () => {};
    overrides["runes_transfer"] = () => new Promise((resolve) => (respond = resolve));
    await stake();
    await userEvent.click(await screen.findByRole("button", { name: later.payment.giveUp }));
    await screen.findByText(later.stake.unclear);
    expect(screen.queryByText(/^You('re sending| sent) /)).toBeNull();
    expect(screen.getByRole("button", { name: /Copy Your stake address/ })).toBeTruthy();
    respond({ result: { txid: TXID } });
    await screen.findByText(new RegExp(`${TXID}$`));
  });
});

it("keeps the first transfer of a late wallet after a second one was sent", async () => {
  await open();
  let respond: (answer: Answer) => void = () => {};
  overrides["runes_transfer"] = () => new Promise((resolve) => (respond = resolve));
  await stake();
  await userEvent.click(await screen.findByRole("button", { name: later.payment.giveUp }));
  await userEvent.click(await screen.findByRole("button", { name: "Send again" }));
  await userEvent.click(screen.getByRole("button", { name: "Send again anyway" }));
  await screen.findByLabelText("Amount to stake");
  respond({ result: { txid: TXID } });
  await screen.findByText(new RegExp(`^Also on the way: 1,000 .*transaction ${TXID}`));
});

describe("a stake on its way", () => {
  it("is remembered across reloads until the server has it", async () => {
    await open();
    await stake();
    await screen.findByText(new RegExp(`${TXID}$`));
    vi.resetModules();
    const { runs: kept } = await import("./runs.ts");
    expect(kept.get()).toMatchObject([{ owner: session.ordinals.address, txid: TXID, phase: "sent", amount: AMOUNT }]);
  });

  it("is unclear after a reload during the wallet's prompt", async () => {
    await open();
    overrides["runes_transfer"] = () => new Promise(() => {});
    await stake();
    await screen.findByText("Confirm the transfer in your wallet.");
    vi.resetModules();
    const { runs: kept } = await import("./runs.ts");
    expect(kept.get()).toMatchObject([{ txid: null, phase: "unclear", address: target().stake_addrss }]);
  });
});

describe("the balance", () => {
  it.each<[string, Answer]>([
    ["fails", failure(-32603, "Service away")],
    ["makes no sense", { result: { balances: "many" } }],
    [
      "is another rune's and this one's nonsense",
      { result: { balances: [{ runeName: "LOBOTHEWOLFPUP", amount: "1e+21" }] } },
    ],
  ])("that %s lets the person type an amount, and Stake works", async (_, answer) => {
    await open();
    overrides["runes_getBalance"] = () => answer;
    await screen.findByText("Couldn't read your balance from the wallet. You can still enter an amount.");
    await screen.findByText(later.stake.offShares);
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Half" }).disabled).toBe(true);
    await stake();
    await screen.findByText(new RegExp(`${TXID}$`));
  });

  it("offers the spendable balance instead of the total", async () => {
    await open();
    overrides["runes_getBalance"] = () => ({
      result: {
        balances: [
          {
            runeName: "LOBO•THE•WOLF•PUP",
            amount: "80000000000",
            divisibility: 8,
            symbol: "L",
            inscriptionId: null,
            spendableBalance: "30000000000",
          },
        ],
      },
    });
    await screen.findByText(/300 available to send/);
    await userEvent.click(screen.getByRole("button", { name: "Max" }));
    expect(screen.getByLabelText<HTMLInputElement>("Amount to stake").value).toBe("300");
    expect(within(screen.getByTestId("balance")).getByText("800")).toBeTruthy();
  });
});
