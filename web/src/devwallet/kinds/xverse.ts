import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { base64, hex } from "@scure/base";
import { badParams, Code, RpcError, rejected } from "../fault";
import { legacyHash, signMessage } from "../message";
import { CONNECT, methods, type Handler } from "../methods";
import { orderMethods } from "../orders";
import { readPsbt } from "../psbt";
import { jsonRpc, listenTo } from "../provider";
import { sameRune } from "../chain";
import type { AddressItem, DevWallet, Question, WalletEvent } from "../wallet";
import { rejectWith } from "./behaviour";
import { stacksAddress } from "./c32";
import type { Kind } from "./kind";

/**
 * Xverse 0.49.0, from the captured responses of its extension of 22 November 2026 (web/src/wallet/testing/answers).
 * Modelled, because they were not captured: account and network events, Stacks methods, inscriptions, minting and
 * etching, a locked wallet.
 */
export const xverse: Kind = {
  label: "Xverse 0.49",
  source: "captured from the extension 0.49.0",
  path: "XverseProviders.BitcoinProvider",
  paymentType: "p2wpkh",
  registers: {
    name: "Xverse Wallet",
    webUrl: "https://www.xverse.app/",
    methods: ["getInfo", "getAddresses", "getAccounts", "signMessage", "sendTransfer", "signPsbt"],
  },
  create: xverseProvider,
};

export function xverseProvider(opening: Promise<DevWallet>) {
  const listen = listenTo(opening);
  return {
    request: jsonRpc(
      opening,
      (wallet) => (wallet.settings.nativeOrders ? { ...handlers, ...orderMethods } : handlers),
      (method) => `"${method}" is not supported.`,
    ),
    /** The object form, `addListener({eventName, cb})`, is accepted without an error and never calls back. */
    addListener(eventName: unknown, callback?: (event: WalletEvent) => void): () => void {
      return typeof eventName === "string" && callback ? listen(eventName, callback) : () => {};
    },
  };
}

/** The methods in `getInfo`, in its order. */
const LISTED = `
  getInfo getAddresses getAccounts getBalance signMessage sendTransfer signPsbt
  stx_callContract stx_deployContract stx_getAccounts stx_getAddresses stx_signMessage stx_signStructuredMessage
  stx_signTransaction stx_transferStx stx_signTransactions
  runes_estimateEtch runes_estimateMint runes_estimateRbfOrder runes_etch runes_getBalance runes_getOrder runes_mint
  runes_rbfOrder runes_transfer
  wallet_connect wallet_disconnect wallet_getAccount wallet_getCurrentPermissions wallet_getWalletType
  wallet_renouncePermissions wallet_requestPermissions wallet_getNetwork
  ord_getInscriptions ord_sendInscriptions`
  .trim()
  .split(/\s+/);

const CLOSED = "User closed the wallet popup.";
const REJECTED = "User rejected the request.";
const UNREADABLE =
  "The requested transaction is invalid and cannot be processed. " +
  "Please contact the developer of the requesting app for support.";

/** A listed method whose server does not support a dev network. */
const unserved: Handler = async () => {
  throw new RpcError(Code.internalError, "Request failed with status code 404");
};

const handlers: Record<string, Handler> = {
  ...Object.fromEntries(LISTED.map((method) => [method, unserved])),
  getInfo: async () => ({ version: "0.49.0", methods: LISTED, supports: [] }),
  getAccounts: async (wallet, params) => {
    const { purposes, message } = readPurposes(params);
    await connect(wallet, "User rejected getAccounts request.", message);
    return addresses(wallet, PAYMENT_FIRST, purposes).map((entry) => ({ ...entry, walletType: "software" }));
  },
  getAddresses: async (wallet, params) => {
    permitted(wallet);
    return { addresses: addresses(wallet, PAYMENT_FIRST, readPurposes(params).purposes) };
  },
  getBalance: async (wallet) => {
    permitted(wallet);
    return methods["getBalance"]!(wallet, null);
  },
  signMessage: signText,
  signPsbt,
  sendTransfer: (wallet, params) => {
    return rejectWith("User rejected request to send transfer", () =>
      affordable(methods["sendTransfer"]!(wallet, params)),
    );
  },
  runes_getBalance: runesBalance,
  runes_transfer: sendRunes,
  wallet_connect: async (wallet, params) => {
    const { addresses: purposes, message } = (params ?? {}) as { addresses?: string[]; message?: string };
    await connect(wallet, CLOSED, message);
    return { ...account(wallet, purposes), network: networkOf(wallet) };
  },
  wallet_requestPermissions: async (wallet, params) => {
    if (params !== null && params !== undefined) throw new RpcError(Code.internalError, NO_SINGLE_PERMISSIONS);
    await connect(wallet, CLOSED);
    return { ...account(wallet), network: networkOf(wallet) };
  },
  wallet_renouncePermissions: leave,
  wallet_disconnect: leave,
  wallet_getAccount: async (wallet) => {
    permitted(wallet);
    return account(wallet);
  },
  wallet_getNetwork: async (wallet) => {
    permitted(wallet);
    return networkOf(wallet);
  },
  wallet_getWalletType: async (wallet) => {
    permitted(wallet);
    return "software";
  },
  wallet_getCurrentPermissions: async (wallet) => {
    permitted(wallet);
    const clientId = location.origin;
    return [
      { type: "account", resourceId: digest(wallet, "permission"), clientId, actions: { read: true } },
      { type: "wallet", resourceId: "wallet", clientId, actions: { readNetwork: true } },
    ];
  },
};

const NO_SINGLE_PERMISSIONS =
  'The wallet does not yet support requesting individual permissions. Use `request("wallet_connect", undefined)` ' +
  "to get account read permissions.";

function permitted(wallet: DevWallet): void {
  if (!wallet.settings.connected) throw new RpcError(Code.accessDenied, "Access denied.");
}

/** Asks each time, even if everything is granted. */
async function connect(wallet: DevWallet, no: string, message?: string): Promise<void> {
  await rejectWith(no, () => wallet.confirm(message ? { ...CONNECT, text: message } : CONNECT));
  await wallet.grant();
}

/** The event is sent even if the page was not connected. */
async function leave(wallet: DevWallet): Promise<null> {
  await wallet.revoke(true);
  return null;
}

/** Xverse shows what it cannot do in a popup, and responds only when that is closed. */
async function showAndClose(wallet: DevWallet, words: string, answer: RpcError): Promise<never> {
  await wallet.confirm({ title: "Invalid request", facts: [], text: words, yes: "Close" }).catch(() => {});
  throw answer;
}

async function affordable<T>(sending: Promise<T>): Promise<T> {
  try {
    return await sending;
  } catch (error) {
    const short = error instanceof RpcError && error.message.startsWith("Insufficient");
    throw short ? new RpcError(Code.internalError, "Insufficient balance") : error;
  }
}

const PAYMENT_FIRST = ["payment", "ordinals", "stacks"];
const ORDINALS_FIRST = ["ordinals", "payment", "stacks"];

type Entry = Omit<AddressItem, "walletType" | "purpose" | "addressType"> & { purpose: string; addressType: string };

/** The addresses of these purposes, in this order. */
function addresses(wallet: DevWallet, order: string[], purposes: string[] = order): Entry[] {
  const own: Entry[] = wallet
    .addresses()
    .map(({ address, publicKey, purpose, addressType }) => ({ address, publicKey, purpose, addressType }));
  const { publicKey } = wallet.stacksKey();
  own.push({
    address: stacksAddress(publicKey),
    publicKey: hex.encode(publicKey),
    purpose: "stacks",
    addressType: "stacks",
  });
  return order
    .filter((purpose) => purposes.includes(purpose))
    .map((purpose) => own.find((entry) => entry.purpose === purpose)!);
}

function account(wallet: DevWallet, purposes?: string[]) {
  const id = digest(wallet, "account");
  return { id, walletType: "software", addresses: addresses(wallet, purposes ?? ORDINALS_FIRST) };
}

const networkOf = ({ network }: DevWallet) => ({ bitcoin: { name: network }, stacks: { name: network } });

/** A number that identifies the account: Xverse's ids of account and permission differ. */
const digest = (wallet: DevWallet, of: string) =>
  hex.encode(sha256(utf8ToBytes(of + wallet.account.ordinals.publicKeyHex)));

async function runesBalance(wallet: DevWallet) {
  permitted(wallet);
  const balances = await wallet.runeBalances(1);
  // The entries are those of Xverse's server: integers are strings, and spendableBalance may be absent.
  return {
    balances: balances.map(({ rune, amount }) => ({
      runeName: rune.name,
      amount: `${amount}`,
      divisibility: `${rune.divisibility}`,
      symbol: rune.symbol,
      inscriptionId: null,
      id: rune.id,
      priceChangePercentage24h: null,
      currentPrice: null,
    })),
  };
}

async function sendRunes(wallet: DevWallet, params: unknown) {
  const { recipients } = record(params, "recipients", Array.isArray) as {
    recipients: { runeName: string; amount: string }[];
  };
  const balances = await wallet.runeBalances();
  const balanceOf = (name: string) => balances.find(({ rune }) => sameRune(rune.name, name))?.amount ?? 0n;
  const short = recipients.some(({ runeName, amount }) => balanceOf(runeName) < BigInt(amount));
  if (short) await showAndClose(wallet, "The popup stays empty.", new RpcError(Code.userRejection, REJECTED));
  return rejectWith(REJECTED, () => affordable(methods["runes_transfer"]!(wallet, params) as Promise<object>));
}

/** Opens a popup for every page, connected or not. */
async function signText(wallet: DevWallet, params: unknown) {
  record(params, "message", isText);
  const { address, message, protocol } = record(params, "address", isText) as {
    address: string;
    message: string;
    protocol?: string;
  };
  const own = [wallet.account.ordinals, wallet.account.payment].find((one) => one.address === address);
  const rejection = new RpcError(Code.userRejection, REJECTED);
  if (!own)
    return showAndClose(
      wallet,
      "The app is requesting a signature from an address that doesn't match the active account.",
      rejection,
    );
  const question: Question = {
    title: "Sign this message?",
    facts: [["With", own.address]],
    text: message,
    yes: "Sign",
  };
  await rejectWith(REJECTED, () => wallet.confirm(question));
  if (protocol === "ECDSA" && own.type === "p2tr")
    return showAndClose(wallet, "ECDSA is not supported for Taproot Addresses", rejection);
  const chosen = protocol === "BIP322" || own.type === "p2tr" ? "BIP322" : "ECDSA";
  const signed = signMessage(own, message, chosen);
  // The hash is BIP-322's only if BIP-322 was requested by name.
  return { ...signed, messageHash: protocol === "BIP322" ? signed.messageHash : base64.encode(legacyHash(message)) };
}

async function signPsbt(wallet: DevWallet, params: unknown) {
  const { psbt, signInputs, broadcast } = record(params, "psbt", isText);
  record(params, "signInputs", (value) => typeof value === "object" && value !== null);
  try {
    readPsbt(psbt as string);
  } catch {
    return showAndClose(wallet, UNREADABLE, new RpcError(Code.internalError, UNREADABLE));
  }
  const own = wallet.addresses().map(({ address }) => address);
  if (Object.keys(signInputs as object).some((address) => !own.includes(address))) {
    return showAndClose(wallet, "The address does not match the active account.", rejected());
  }
  const signed = await rejectWith(
    "User rejected request to sign Psbt",
    () => methods["signPsbt"]!(wallet, { psbt, signInputs, broadcast }) as Promise<object>,
  );
  return broadcast === true ? signed : { ...signed, txid: "" };
}

const isText = (value: unknown): boolean => typeof value === "string";

function readPurposes(params: unknown): { purposes: string[]; message?: string } {
  return record(params, "purposes", Array.isArray) as { purposes: string[]; message?: string };
}

/** Params that are an object whose `field` passes the check; else −32602 with the message of Xverse's schema. */
function record(params: unknown, field: string, holds: (value: unknown) => boolean): Record<string, unknown> {
  if (typeof params !== "object" || params === null) throw badParams("Invalid parameters.");
  const value = (params as Record<string, unknown>)[field];
  if (!holds(value))
    throw invalid(field, holds === isText ? "string" : holds === Array.isArray ? "Array" : "Object", value);
  return params as Record<string, unknown>;
}

function invalid(key: string, expected: string, value: unknown): RpcError {
  const received = value === null ? "null" : typeof value;
  const type = { string: "string", Array: "array", Object: "record" }[expected];
  const message = `Invalid type: Expected ${expected} but received ${received}`;
  const issue = { kind: "schema", type, expected, received, message, path: [{ type: "object", origin: "value", key }] };
  return new RpcError(Code.invalidParams, "Invalid parameters.", { error: [issue] });
}
