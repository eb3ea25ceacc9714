import { beforeAll, describe, expect, it } from "vitest";
import captured from "../../wallet/testing/answers/xverse-0.49.0.json";
import { memoryStore, MemoryChain, TEST_SETTINGS } from "../testing/chain";
import { DevWallet } from "../wallet";
import { xverseProvider } from "./xverse";

interface Entry {
  method: string;
  params?: unknown;
  params_left_out?: boolean;
  answer?: Record<string, any>;
  popups: number;
  note: string;
}

const PUP = { prefix: "dummy", id: "116:2", name: "LOBO•THE•WOLF•PUP", symbol: "🐺", divisibility: 8 };
/** What the replay can't reach: answers of a node, and calls that stay silent. */
const SKIPPED = new RegExp(
  [
    "three confirmed outputs|sent by the wallet|same again after|one recipient|two recipients|1,000 of a rune",
    "after a block|stake made by the page|two at once|second signMessage",
  ].join("|"),
);
const entries = (captured.entries as Entry[]).filter(({ answer, note }) => answer && !SKIPPED.test(note));

let chain: MemoryChain;
let wallet: DevWallet;
let provider: ReturnType<typeof xverseProvider>;
let prompts = 0;
let approve = true;

beforeAll(async () => {
  chain = new MemoryChain();
  chain.runes = async () => [PUP];
  const opening = DevWallet.open(memoryStore(TEST_SETTINGS), chain, async () => (prompts++, approve));
  wallet = await opening;
  provider = xverseProvider(opening);
});

/** Of what is free to differ, only that it is there: ids, keys of Schnorr signatures, what Xverse's server adds. */
function comparable(answer: unknown): unknown {
  const ignored = new Set(["id", "resourceId", "clientId"]);
  return JSON.parse(
    JSON.stringify(answer, (key, value) => {
      if (key === "id" && value !== PUP.id) return "…";
      if (ignored.has(key) && key !== "id") return "…";
      if (key === "path" || key === "spendableBalance") return undefined;
      if (key === "signature" && value.length < 100) return value.length; // Schnorr: another nonce each time
      if (key === "psbt") return value.slice(0, 150); // the signatures differ: Xverse does not look for short ones
      return value;
    }),
  );
}

describe("the captured Xverse 0.49.0, replayed in order", () => {
  it.each(entries.map((entry, i) => [`${i} ${entry.method}: ${entry.note}`, entry] as const))(
    "%s",
    async (_, entry) => {
      if (entry.note.startsWith("5,000 of a rune"))
        chain.addOutput(wallet.account.ordinals.address, 546, [{ id: PUP.id, amount: 500_000_000_000n }]);
      if (/change is not confirmed/.test(entry.note)) wallet.runeBalances = async () => [];
      if (entry.method === "sendTransfer" && /says no/.test(entry.note))
        chain.addOutput(wallet.account.payment.address, 200_000);
      approve =
        !/says no|closes|params undefined/.test(entry.note) &&
        !(entry.method === "signMessage" && entry.note === "never connected");
      prompts = 0;
      const answer = await provider.request(entry.method, ...(entry.params_left_out ? [] : [entry.params]));
      expect(comparable(answer)).toEqual(comparable(entry.answer));
      expect(prompts > 0).toBe(entry.popups > 0 && !/more than there is/.test(entry.note));
    },
  );
});

describe("events", () => {
  it("take a name and a callback; the form with an object is never called", async () => {
    const received: unknown[] = [];
    expect(provider.addListener).toHaveLength(2);
    const stop = provider.addListener("disconnect", (event) => received.push(event));
    provider.addListener({ eventName: "disconnect", cb: () => received.push("object") });
    await provider.request("wallet_disconnect");
    await provider.request("wallet_disconnect");
    stop();
    await provider.request("wallet_renouncePermissions");
    expect(received).toEqual([{ type: "disconnect" }, { type: "disconnect" }]);
  });
});
