import { secp256k1 } from "@noble/curves/secp256k1.js";
import { base64, hex } from "@scure/base";
import { Address, OutScript, p2tr, p2wpkh, TEST_NETWORK, Transaction } from "@scure/btc-signer";
import type { Page } from "@playwright/test";
import { createClient } from "../src/client/index.ts";
import { scriptOf } from "./bundle.ts";
import type { Network } from "./network.ts";
import { Staker } from "./staker.ts";
import { expect, test } from "./test.ts";

// Drives the dev wallet in a real browser with the ecosystem's stock client and with our library, each by its own
// calls.
test.use({ networkName: "clients" });

const ID = "MoonDevWallet.BitcoinProvider";
const REGTEST = { ...TEST_NETWORK, bech32: "bcrt" };
const scriptFor = (address: string) => OutScript.encode(Address(REGTEST).decode(address));

interface Account {
  address: string;
  publicKey: string;
  purpose: string;
}

/** One method of the wallet by either client; an error is thrown as "code message". */
type Call = (method: string, params: unknown) => Promise<any>;

const clients: { name: string; entry: string; global: string; ask: (page: Page) => Call }[] = [
  {
    name: "the stock client of @sats-connect/core",
    entry: "client.ts",
    global: "stockClient",
    ask: (page) => (method, params) =>
      page.evaluate(
        async ([method, params, id]) => {
          const answer = await (window as any).stockClient.request(method, params, id);
          if (answer.status === "error") throw new Error(`${answer.error.code} ${answer.error.message}`);
          return answer.result;
        },
        [method, params, ID] as const,
      ),
  },
  {
    name: "our own library",
    entry: "../src/wallet/index.ts",
    global: "ownClient",
    ask: (page) => (method, params) =>
      page.evaluate(
        async ([method, params, provider]) => {
          try {
            return await (window as any).ownClient.request(method, params, { provider });
          } catch (error: any) {
            throw new Error(`${error.code} ${error.message}`);
          }
        },
        [method, params, ID] as const,
      ),
  },
];

for (const { name, entry, global, ask: asking } of clients) {
  test(`${name} connects to the dev wallet, reads balances, signs and sends`, async ({
    page,
    network,
  }) => {
    const staker = new Staker(page, network);
    await page.addInitScript({ content: await scriptOf(entry, global) });
    await staker.open();
    const call = asking(page);

    await test.step("a rejection returns −32000, and no account can be read", async () => {
      const pending = call("wallet_requestPermissions", null);
      const refused = expect(pending).rejects.toThrow("-32000 User rejected request");
      await staker.answer("Let this site see your account?", "Reject");
      await refused;
      await expect(call("getBalance", null)).rejects.toThrow("-32002");
    });

    await test.step("connect", async () => {
      const pending = call("wallet_connect", { message: "Moon Fund", network: "Regtest" });
      await staker.answer("Let this site see your account?", "Connect");
      expect(await pending).toMatchObject({ network: { bitcoin: { name: "Regtest" } }, walletType: "software" });
      expect(await call("wallet_getCurrentPermissions", null)).toHaveLength(2);
      expect(await call("wallet_getNetwork", null)).toMatchObject({ bitcoin: { name: "Regtest" } });
      expect((await call("getInfo", null)).methods).toContain("runes_transfer");
    });

    const accounts: Account[] = await call("getAccounts", { purposes: ["payment", "ordinals"] });
    const [payment, ordinals] = accounts as [Account, Account];
    await test.step("accounts and balances agree with the chain", async () => {
      expect(accounts.map(({ purpose }) => purpose)).toEqual(["payment", "ordinals"]);
      expect((await call("wallet_getAccount", null)).addresses).toEqual(accounts);
      expect((await call("getAddresses", { purposes: ["ordinals"] })).addresses).toEqual([ordinals]);
      await staker.faucet();
      await expect(call("getBalance", null)).resolves.toMatchObject({ confirmed: "1000000", total: "1000000" });
      const { balances } = await call("runes_getBalance", null);
      expect(balances.map((one: { amount: string }) => one.amount)).toContain("100000000000000");
    });

    await test.step("message", async () => {
      const pending = call("signMessage", { address: ordinals.address, message: "Moon Fund ☾" });
      await staker.answer("Sign this message?", "Sign");
      const signed = await pending;
      expect(signed).toMatchObject({ address: ordinals.address, protocol: "BIP322" });
      expect(base64.decode(signed.signature)).toHaveLength(66);
    });

    await staker.trustPage();
    const other = otherAddress();
    await test.step("transfers are sent to the node", async () => {
      const sats = await call("sendTransfer", { recipients: [{ address: other, amount: 12_345 }] });
      expect(await network.utxos(other)).toContainEqual(expect.objectContaining({ txid: sats.txid, value: 12_345 }));
      const { balances } = await call("runes_getBalance", null);
      const { runeName } = balances.find((one: { runeName: string }) => one.runeName.includes("LOBO"));
      const runes = await call("runes_transfer", { recipients: [{ runeName, amount: "777", address: other }] });
      await network.mine();
      const outputs = (await network.utxos(other)).filter(({ txid }) => txid === runes.txid);
      const runesOfOther = outputs.flatMap((utxo) => utxo.runes);
      expect(runesOfOther.map(({ amount }) => amount)).toEqual(["777"]);
    });

    await test.step("signs a PSBT, and signs and broadcasts one", async () => {
      const unsigned = await spendAll(network, payment.address);
      const { psbt } = await call("signPsbt", { psbt: unsigned, signInputs: { [payment.address]: [0] } });
      const signed = Transaction.fromPSBT(base64.decode(psbt));
      expect(signed.getInput(0).partialSig).toHaveLength(1);
      const sent = await call("signPsbt", { psbt: unsigned, signInputs: { [payment.address]: [0] }, broadcast: true });
      expect(await network.utxos(payment.address)).toContainEqual(expect.objectContaining({ txid: sent.txid }));
      await expect(call("signPsbt", { psbt: unsigned, signInputs: { [other]: [0] } })).rejects.toThrow("-32602");
    });

    await test.step("an unsupported method is rejected", async () => {
      await expect(call("stx_signMessage", { message: "m" })).rejects.toThrow("-32601");
      await expect(call("ord_getInscriptions", { offset: 0, limit: 10 })).rejects.toThrow("-32601");
    });

    await test.step("renounce", async () => {
      expect(await call("wallet_renouncePermissions", null)).toBeNull();
      await expect(call("runes_getBalance", null)).rejects.toThrow("-32002");
    });
  });
}

test("the generated client calls the server from a program", async ({ network }) => {
  const client = createClient({ origin: `http://localhost:${network.port}`, community: "lobo" });
  const key = secp256k1.getPublicKey(secp256k1.utils.randomSecretKey());
  const wallet = {
    w_wallet_code: p2wpkh(key, REGTEST).address!,
    w_wallet_code_ord: p2tr(key.slice(1), undefined, REGTEST).address!,
  };
  const community = await client.get("/community");
  expect(community.token).toBe("LOBO");
  await expect(client.post("/postInfoWallet", { body: wallet })).rejects.toMatchObject({
    name: "CallError",
    code: "WALLET_DOES_NOT_EXIST",
  });
  const stake = {
    ...wallet,
    w_wallet_code_pk: hex.encode(key),
    w_wallet_code_ord_pk: hex.encode(key.slice(1)),
    wa_amount: "1000000000",
  };
  const target = await client.post("/postDemoStake", { body: stake });
  expect(Object.values(target)).toContainEqual(expect.stringMatching(/^bcrt1p/));
  expect(await client.post("/postDemoStake", { body: stake })).toEqual(target);
  const { epochs } = await client.get("/epochs", { query: { limit: 1 } });
  expect(epochs).toEqual(expect.any(Array));
  expect((await client.get("/status")).version).not.toBe("");
});

/** A new address that belongs to no wallet of the test. */
function otherAddress(): string {
  const { address } = p2wpkh(secp256k1.getPublicKey(secp256k1.utils.randomSecretKey()), REGTEST);
  return address!;
}

/** A PSBT that sends the address's largest output back to it, minus a fee. */
async function spendAll(network: Network, address: string): Promise<string> {
  const [largest] = (await network.utxos(address)).sort((a, b) => b.value - a.value);
  const tx = new Transaction();
  tx.addInput({
    txid: hex.decode(largest!.txid),
    index: largest!.vout,
    witnessUtxo: { script: scriptFor(address), amount: BigInt(largest!.value) },
  });
  tx.addOutput({ script: scriptFor(address), amount: BigInt(largest!.value - 1_000) });
  return base64.encode(tx.toPSBT(0));
}
