import { hex } from "@scure/base";
import { hash160 } from "@scure/btc-signer/utils.js";
import { sameRune } from "./chain";
import { badParams, Code, RpcError } from "./fault";
import type { NetworkName } from "./keys";
import { signMessage, type Protocol } from "./message";
import { orderMethods } from "./orders";
import { readPsbt, signPsbt, summarize, takeFromOutput, writePsbt } from "./psbt";
import { draftPayment, draftReturn, draftRunes, POSTAGE, scriptOf, signDraft } from "./spend";
import type { DevWallet, Question } from "./wallet";
import { readDigits, readList, readObject, readOptional, readSats, readText, units } from "./params";

type Handler = (wallet: DevWallet, params: unknown) => Promise<unknown>;

const PURPOSES = ["payment", "ordinals", "stacks", "starknet", "spark"];
/** Maximum length of a connection message, in characters. */
const MAX_MESSAGE = 80;

/** The wallet's current methods; any other is −32601. */
export function methodsOf(wallet: DevWallet): Record<string, Handler> {
  return wallet.settings.nativeOrders ? { ...methods, ...orderMethods } : methods;
}

/** The methods that the dev wallet always has. */
export const methods: Record<string, Handler> = {
  getInfo: async (wallet) => ({
    version: "1.0.0",
    platform: "web",
    methods: Object.keys(methodsOf(wallet)),
    supports: [],
  }),
  getAccounts: async (wallet, params) => {
    const request = readPurposes(params);
    await requireReadPermission(wallet, request.message);
    return wallet.addresses(request.purposes);
  },
  getAddresses: async (wallet, params) => {
    const request = readPurposes(params);
    await requireReadPermission(wallet, request.message);
    return { addresses: wallet.addresses(request.purposes), network: networks(wallet) };
  },
  getBalance: async (wallet) => {
    permitted(wallet);
    const { confirmed, unconfirmed } = await wallet.sats();
    return { confirmed: `${confirmed}`, unconfirmed: `${unconfirmed}`, total: `${confirmed + unconfirmed}` };
  },
  sendTransfer: sendSats,
  signMessage: signText,
  signPsbt: signTransaction,
  runes_getBalance: async (wallet) => {
    permitted(wallet);
    const balances = await wallet.runeBalances();
    return {
      balances: balances.map(({ rune, amount }) => ({
        runeName: rune.name,
        amount: amount.toString(),
        divisibility: rune.divisibility,
        symbol: rune.symbol,
        inscriptionId: null,
        spendableBalance: amount.toString(),
      })),
    };
  },
  runes_transfer: sendRunes,
  wallet_connect: async (wallet, params) => {
    const fields = params === null || params === undefined ? {} : readObject(params, "params");
    const message = readOptional(fields["message"], (value) => readText(value, "params.message"));
    if (message && [...message].length > MAX_MESSAGE) throw badParams("The message must not exceed 80 characters.");
    const network = readOptional(fields["network"], readNetwork);
    await requireReadPermission(wallet, message);
    if (network && network !== wallet.network) await wallet.useNetwork(network);
    return account(
      wallet,
      readOptional(fields["addresses"], (value) => readList(value, "params.addresses").map(readPurpose)),
    );
  },
  // Takes no params here, like Xverse.
  wallet_requestPermissions: async (wallet, params) => {
    if (params !== null && params !== undefined)
      throw new RpcError(Code.internalError, "wallet_requestPermissions takes no params.");
    await requireReadPermission(wallet);
    return true;
  },
  wallet_renouncePermissions: async (wallet) => {
    await wallet.revoke();
    return null;
  },
  wallet_disconnect: async (wallet) => {
    await wallet.revoke();
    return null;
  },
  wallet_getCurrentPermissions: async (wallet) => {
    if (!wallet.settings.connected) return [];
    const clientId = location.origin;
    return [
      { type: "account", resourceId: accountId(wallet), clientId, actions: { read: true } },
      { type: "wallet", resourceId: "wallet", clientId, actions: { readNetwork: true } },
    ];
  },
  wallet_getWalletType: async (wallet) => {
    permitted(wallet);
    return "software";
  },
  wallet_getNetwork: async (wallet) => {
    permitted(wallet);
    return networks(wallet);
  },
  wallet_changeNetwork: async (wallet, params) => {
    const name = readNetwork(readObject(params, "params")["name"]);
    await wallet.confirm({
      title: "Change network?",
      facts: [
        ["From", wallet.network],
        ["To", name],
      ],
      yes: "Change",
    });
    await wallet.useNetwork(name);
    return null;
  },
  wallet_getAccount: async (wallet) => {
    permitted(wallet);
    return account(wallet);
  },
};

/** Requires the permission to read. */
function permitted(wallet: DevWallet): void {
  if (!wallet.settings.connected) throw new RpcError(Code.accessDenied, "Access denied.");
}

/** Asks for the permission to read, once. */
async function requireReadPermission(wallet: DevWallet, message?: string): Promise<void> {
  if (wallet.settings.connected) {
    if (wallet.misbehaviour.reject) await wallet.confirm(CONNECT); // always throws
    return;
  }
  await wallet.confirm(message ? { ...CONNECT, text: message } : CONNECT);
  await wallet.grant();
}

const CONNECT: Question = {
  title: "Let this site see your account?",
  facts: [["It sees", "addresses, public keys, balances and the network"], ["It can't", "sign or send without asking"]],
  yes: "Connect",
};

async function sendSats(wallet: DevWallet, params: unknown): Promise<{ txid: string }> {
  const recipients = readList(readObject(params, "params")["recipients"], "params.recipients").map((raw, i) => {
    const { address, amount } = readObject(raw, `params.recipients[${i}]`);
    const text = readText(address, `params.recipients[${i}].address`);
    const value = readSats(amount, `params.recipients[${i}].amount`);
    return { address: text, value, script: scriptOf(text, wallet.network) };
  });
  const draft = draftPayment(recipients, wallet.account, await wallet.coins(), wallet.feeRate);
  await wallet.confirm({
    title: "Send bitcoin?",
    facts: [
      ...recipients.flatMap(({ address, value }): [string, string][] => [["Send", sats(value)], ["To", address]]),
      ["Network fee", sats(draft.fee)],
    ],
    yes: "Send",
  });
  const tx = await signDraft(draft, wallet.chain.transaction);
  return { txid: await wallet.broadcast(tx.hex) };
}

async function sendRunes(wallet: DevWallet, params: unknown): Promise<{ txid: string }> {
  const knownRunes = await wallet.chain.runes();
  const orders = readList(readObject(params, "params")["recipients"], "params.recipients").map((raw, i) => {
    const at = `params.recipients[${i}]`;
    const fields = readObject(raw, at);
    const name = readText(fields["runeName"], `${at}.runeName`);
    const rune = knownRunes.find((candidate) => sameRune(candidate.name, name));
    if (!rune) throw badParams(`No rune is named ${name}.`);
    const address = readText(fields["address"], `${at}.address`);
    const amount = readDigits(fields["amount"], `${at}.amount`);
    return { id: rune.id, rune, address, amount, script: scriptOf(address, wallet.network) };
  });
  const draft = draftRunes(orders, wallet.account, await wallet.coins(), wallet.feeRate);
  await wallet.confirm({
    title: "Send runes?",
    facts: [
      ...orders.flatMap(({ rune, amount, address }): [string, string][] => [
        ["Send", `${units(amount, rune.divisibility)} ${rune.symbol} (${rune.name})`],
        ["To", address],
      ]),
      ["Carried by", `${sats(POSTAGE)} per output`],
      ["Network fee", sats(draft.fee)],
    ],
    yes: "Send",
  });
  const tx = await signDraft(draft, wallet.chain.transaction);
  return { txid: await wallet.broadcast(tx.hex) };
}

async function signText(wallet: DevWallet, params: unknown): Promise<unknown> {
  const fields = readObject(params, "params");
  const own = wallet.own(readText(fields["address"], "params.address"));
  const message = readText(fields["message"], "params.message", 0);
  const protocol = readOptional(fields["protocol"], (value): Protocol => {
    if (value !== "ECDSA" && value !== "BIP322") throw badParams("params.protocol must be ECDSA or BIP322");
    return value;
  });
  const signed = signMessage(own, message, protocol); // throws before the question
  await wallet.confirm({ title: "Sign this message?", facts: [["With", own.address]], text: message, yes: "Sign" });
  return signed;
}

async function signTransaction(wallet: DevWallet, params: unknown): Promise<unknown> {
  const fields = readObject(params, "params");
  const tx = readPsbt(readText(fields["psbt"], "params.psbt"));
  const signInputs = readOptional(fields["signInputs"], (value) =>
    Object.fromEntries(
      Object.entries(readObject(value, "params.signInputs")).map(([address, indexes]) => [
        address,
        readList(indexes, `params.signInputs.${address}`).map(Number),
      ]),
    ),
  );
  const broadcast = fields["broadcast"] === true;
  const summary = summarize(tx, wallet.account, wallet.network, signInputs);
  const runes = wallet.network === "Regtest" ? await runesIn(wallet, summary.outpoints) : [];
  await wallet.confirm({
    title: broadcast ? "Sign and send this transaction?" : "Sign this transaction?",
    facts: [
      ["From you", sats(summary.spends)],
      ...runes.map((line): [string, string] => ["Runes from you", line]),
      ...summary.outputs.map(({ to, value, own }): [string, string] => [
        own ? "Back to you" : "To",
        `${sats(value)} · ${to}`,
      ]),
      ["Network fee", summary.fee === null ? "not known" : sats(summary.fee)],
    ],
    yes: broadcast ? "Sign and send" : "Sign",
    ...(summary.open ? { warning: "Others may still change parts of this transaction." } : {}),
  });
  if (wallet.misbehaviour.changesPsbt) takeFromOutput(tx, wallet.account);
  signPsbt(tx, summary.signs);
  if (wallet.misbehaviour.spendsElsewhere) await sendBack(wallet, summary.outpoints);
  if (!broadcast) return { psbt: writePsbt(tx) };
  tx.finalize();
  const txid = await wallet.broadcast(tx.hex);
  return { psbt: writePsbt(tx), txid };
}

/** Spends these outputs of the account in another transaction, at twenty times the wallet's fee rate. */
async function sendBack(wallet: DevWallet, outpoints: string[]): Promise<void> {
  const coins = (await wallet.coins()).filter(({ txid, vout }) => outpoints.includes(`${txid}:${vout}`));
  const tx = await signDraft(draftReturn(coins, wallet.account, 20 * wallet.feeRate), wallet.chain.transaction);
  await wallet.broadcast(tx.hex);
}

/** Describes the runes on the account's own outputs among these outpoints. */
async function runesIn(wallet: DevWallet, outpoints: string[]): Promise<string[]> {
  const [known, coins] = await Promise.all([wallet.chain.runes(), wallet.coins()]);
  return coins
    .filter(({ txid, vout }) => outpoints.includes(`${txid}:${vout}`))
    .flatMap((coin) => coin.runes)
    .map(({ id, amount }) => {
      const rune = known.find((candidate) => candidate.id === id);
      return rune ? `${units(amount, rune.divisibility)} ${rune.symbol} (${rune.name})` : `${amount} of rune ${id}`;
    });
}

function account(wallet: DevWallet, purposes?: string[]) {
  const addresses = wallet.addresses(purposes);
  return { id: accountId(wallet), addresses, walletType: "software", network: networks(wallet) };
}

/** An id that depends on the keys only, not on payment type or network. */
function accountId(wallet: DevWallet): string {
  return hex.encode(hash160(wallet.account.ordinals.publicKey)).slice(0, 16);
}

function networks(wallet: DevWallet) {
  const main = wallet.network === "Mainnet";
  return {
    bitcoin: { name: wallet.network },
    stacks: { name: main ? "mainnet" : "testnet" },
    spark: { name: main ? "mainnet" : "regtest" },
  };
}

function readPurposes(params: unknown): { purposes: string[]; message?: string } {
  const fields = readObject(params, "params");
  const purposes = readList(fields["purposes"], "params.purposes").map(readPurpose);
  const message = readOptional(fields["message"], (value) => readText(value, "params.message", 0));
  return message ? { purposes, message } : { purposes };
}

function readPurpose(value: unknown): string {
  if (typeof value !== "string" || !PURPOSES.includes(value))
    throw badParams(`A purpose must be one of ${PURPOSES.join(", ")}.`);
  return value;
}

function readNetwork(value: unknown): NetworkName {
  const names = ["Mainnet", "Testnet", "Testnet4", "Signet", "Regtest"];
  if (typeof value !== "string" || !names.includes(value))
    throw badParams(`A network must be one of ${names.join(", ")}.`);
  return value as NetworkName;
}

const sats = (value: number) => `${value.toLocaleString("en")} sats`;
