import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Transaction } from "@scure/btc-signer";
import { beforeEach, expect, it, vi } from "vitest";
import { bitcoinProvider } from "../devwallet/provider.ts";
import { MemoryChain, memoryStore, TEST_SETTINGS } from "../devwallet/testing/chain.ts";
import { DevWallet } from "../devwallet/wallet.ts";
import { golden } from "../testing/golden.ts";
import { Refusal, serve, show } from "../testing/page.tsx";
import { community } from "../testing/wire.ts";
import type { Session } from "../wallet/index.ts";
import { leafEntries, stakeOutput, xOnly } from "../wallet/stakeScript.ts";
import { entryOf, PsbtType, writePsbt } from "../wallet/psbt.ts";
import RecoverDialog from "./RecoverDialog.tsx";
import { text } from "../lib/text.ts";
import { later } from "../lib/laterText.ts";

const TXID = "cd".repeat(32);
const DELAY = 30;
const CATCHING_UP =
  "The server is catching up with the Bitcoin blockchain. Please try again in a few minutes. Your funds are safe.";

const wallet = await DevWallet.open(
  memoryStore({ ...TEST_SETTINGS, autoConfirm: true, connected: true }),
  new MemoryChain(),
  async () => true,
);
const key = (purpose: "payment" | "ordinals") => ({
  address: wallet.account[purpose].address,
  publicKey: wallet.account[purpose].publicKeyHex,
});
const session: Session = { payment: key("payment"), ordinals: key("ordinals") };

/** The wallet's signing requests. */
let requests: { broadcast?: boolean }[];
/** Resolves when the wallet answers. */
let approved: Promise<unknown>;

beforeEach(() => {
  requests = [];
  approved = Promise.resolve();
  const provider = bitcoinProvider(Promise.resolve(wallet)) as {
    request(method: string, params: unknown): Promise<object>;
  };
  vi.stubGlobal("TestWallet", {
    addListener: () => () => {},
    request: async (method: string, params: object) => {
      if (method === "signPsbt") requests.push(params);
      const answer = await provider.request(method, params);
      await approved;
      return answer;
    },
  });
  vi.stubGlobal("btc_providers", [{ id: "TestWallet", name: "Test Wallet", icon: "" }]);
  localStorage.setItem("moonfund.wallet.provider", JSON.stringify("TestWallet"));
  localStorage.setItem("moonfund.wallet.session", JSON.stringify(session));
});

/** A recovery of one output to the owner or to another script, signed by the leaf *alone*. */
function recoveryPsbt(to = wallet.account.ordinals.script): string {
  const owner = xOnly(session.ordinals.publicKey);
  const { script, root, alone } = stakeOutput({ owner, community: owner, delay: DELAY });
  const tx = new Transaction({ version: 2, allowUnknownOutputs: true });
  tx.addInput({ txid: TXID, index: 0, sequence: DELAY });
  tx.addOutput({ script: to, amount: 400n });
  const spent = Uint8Array.of(0x22, 2, 0, 0, 0, 0, 0, 0, script.length, ...script); // 546 sats
  return writePsbt(tx.unsignedTx, [entryOf(PsbtType.witnessUtxo, spent), ...leafEntries(alone, root)]);
}

/** Opens the dialog with one recoverable output. `answer` is the server's response to the recovery. */
function open(answer: () => unknown = () => ({ txid: TXID }), psbt = recoveryPsbt()) {
  const kit = golden<{ outputs: object[] }>("recoveryKit");
  const output = { ...kit.outputs[0], open_height: 100, psbt_own_fee: psbt };
  const { calls } = serve({
    community: () => community(),
    recoveryKit: () => ({ ...kit, destination: session.ordinals.address, outputs: [output] }),
    sendRecovery: answer,
  });
  show(<RecoverDialog session={session} onClose={() => {}} />);
  return () => calls.filter(([call]) => call === "sendRecovery").map(([, body]) => body["tx"]);
}

const click = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

it("has the wallet sign and the server send the complete transaction", async () => {
  const sent = open();
  await click("Sign and send");
  await screen.findByText(`Sent: ${TXID}`);
  expect(requests.map(({ broadcast }) => broadcast)).toEqual([false]);
  expect(sent()).toEqual([expect.stringMatching(/^02000000000101[0-9a-f]+$/)]);
});

it("shows the transaction and the reason if the server does not send it, and can send it again", async () => {
  const answers: (() => unknown)[] = [() => new Refusal(CATCHING_UP), () => { throw new Error("no answer"); }];
  const sent = open(() => (answers.shift() ?? (() => ({ txid: TXID })))());
  await click("Sign and send");
  expect((await screen.findByRole("alert")).textContent).toBe(`Not sent: ${CATCHING_UP}`);
  screen.getByText(later.recovery.elsewhere);
  expect(screen.getByTestId("recovery").textContent).toBe(sent()[0]);
  await click("Send transaction");
  await vi.waitFor(() => expect(screen.getByRole("alert").textContent).toBe(`Not sent: ${text.http.unreachable}`));
  await click("Send transaction");
  await screen.findByText(`Sent: ${TXID}`);
  expect(new Set(sent()).size).toBe(1);
  expect(requests).toHaveLength(1);
});

it("asks the wallet for nothing if the transaction of the server is no recovery to the owner", async () => {
  const sent = open(undefined, recoveryPsbt(wallet.account.payment.script));
  await click("Sign and send");
  await screen.findByText(later.recover.mismatch);
  expect(requests).toEqual([]);
  expect(sent()).toEqual([]);
});

it("sends a transaction that was only signed on request", async () => {
  const sent = open();
  await click("Sign only");
  await screen.findByTestId("recovery");
  expect(sent()).toEqual([]);
  await click("Send transaction");
  await screen.findByText(`Sent: ${TXID}`);
});

it("shows a signature that arrives after waiting stopped, and does not send it", async () => {
  let approve = (): void => {};
  approved = new Promise<void>((resolve) => (approve = resolve));
  const sent = open();
  await click("Sign and send");
  await click(later.payment.giveUp);
  approve();
  await screen.findByTestId("recovery");
  expect(sent()).toEqual([]);
});
