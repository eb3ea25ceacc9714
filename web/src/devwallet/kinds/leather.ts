import { base64, hex } from "@scure/base";
import { Code, RpcError } from "../fault";
import { CONNECT, methods, type Handler } from "../methods";
import { readPsbt } from "../psbt";
import { jsonRpc } from "../provider";
import type { DevWallet } from "../wallet";
import { rejectWith } from "./behaviour";
import { stacksAddress } from "./c32";
import type { Kind } from "./kind";

/**
 * Leather, from its source: github.com/leather-io/extension at 05d24d7 (October 2025),
 * src/background/messaging/rpc-methods and src/app/pages/rpc-*. Errors are thrown as the whole JSON-RPC response. Every
 * call except getInfo opens a popup. A PSBT is returned as signed, and finalized only if it is broadcast. It has no
 * method for runes and no event.
 */
export const leather: Kind = {
  label: "Leather",
  source: "documented by its source of October 2025",
  path: "LeatherProvider",
  paymentType: "p2wpkh",
  create: leatherProvider,
};

const REJECTED = 4001;

export function leatherProvider(opening: Promise<DevWallet>) {
  const request = jsonRpc(
    opening,
    () => handlers,
    (method) => `"${method}" is not supported`,
  );
  return {
    isLeather: true,
    async request(method: string, params?: unknown): Promise<unknown> {
      const response = await request(method, params);
      if (!response.error) return response;
      const { code, message } = response.error;
      throw { ...response, error: code === Code.userRejection ? { code: REJECTED, message } : response.error };
    },
  };
}

const handlers: Record<string, Handler> = {
  getInfo: async () => ({ version: "6.80.0", supportedMethods: Object.keys(handlers).map((name) => ({ name })) }),
  getAddresses: async (wallet) => {
    await rejectWith("User rejected request", () => wallet.confirm(CONNECT));
    await wallet.grant();
    return { addresses: addresses(wallet) };
  },
  sendTransfer: (wallet, params) => {
    const { recipients } = params as { recipients: { address: string; amount: string }[] };
    // Amounts are strings.
    const paid = recipients.map(({ address, amount }) => ({ address, amount: Number(amount) }));
    return rejectWith("User rejected request", () => methods["sendTransfer"]!(wallet, { recipients: paid }));
  },
  signMessage: async (wallet, params) => {
    const { message, paymentType = "p2wpkh" } = params as { message: string; paymentType?: "p2tr" | "p2wpkh" };
    const { address } = wallet.account[paymentType === "p2tr" ? "ordinals" : "payment"];
    const bip322 = { address, message, protocol: "BIP322" };
    const signed = await rejectWith("User rejected request", () => methods["signMessage"]!(wallet, bip322));
    return { signature: (signed as { signature: string }).signature, address, message };
  },
  signPsbt: (wallet, params) => rejectWith("User rejected signing PSBT request", () => signPsbt(wallet, params)),
};

function addresses(wallet: DevWallet) {
  const { payment, ordinals, index } = wallet.account;
  const { publicKey } = wallet.stacksKey();
  const path = (purpose: number) => `m/${purpose}'/1'/${index}'/0/0`;
  return [
    {
      symbol: "BTC",
      type: "p2wpkh",
      address: payment.address,
      publicKey: payment.publicKeyHex,
      derivationPath: path(84),
    },
    {
      symbol: "BTC",
      type: "p2tr",
      address: ordinals.address,
      publicKey: hex.encode(ordinals.publicKey), // compressed, while the standard uses x-only
      tweakedPublicKey: ordinals.publicKeyHex, // the key's name in Leather; it is not tweaked
      derivationPath: path(86),
    },
    { symbol: "STX", address: stacksAddress(publicKey), publicKey: hex.encode(publicKey) },
  ];
}

async function signPsbt(wallet: DevWallet, params: unknown): Promise<{ hex: string; txid?: string }> {
  const {
    hex: psbtHex,
    signAtIndex,
    broadcast = false,
  } = params as { hex: string; signAtIndex?: number | number[]; broadcast?: boolean };
  let psbt: string;
  try {
    psbt = base64.encode(hex.decode(psbtHex));
    readPsbt(psbt);
  } catch {
    throw new RpcError(Code.invalidParams, "Invalid PSBT hex");
  }
  // It signs an input with the one of its two keys that matches.
  const indexes = signAtIndex === undefined ? undefined : [signAtIndex].flat();
  const signed = await signAnyKey(wallet, psbt, indexes);
  const answer = { hex: hex.encode(base64.decode(signed)) };
  if (!broadcast) return answer;
  const tx = readPsbt(signed);
  try {
    tx.finalize();
  } catch (error) {
    // Leather shows the error on its page and responds when the page is closed, with the code of a rejection.
    const text = `Failed to finalize tx: ${(error as Error).message}`;
    await wallet.confirm({ title: "Invalid request", facts: [], text, yes: "Close" }).catch(() => {});
    throw new RpcError(Code.userRejection, "");
  }
  return { ...answer, txid: await wallet.broadcast(tx.hex) };
}

async function signAnyKey(wallet: DevWallet, psbt: string, indexes?: number[]): Promise<string> {
  const tx = readPsbt(psbt);
  const { payment, ordinals } = wallet.account;
  const isPayment = (index: number) =>
    hex.encode(tx.getInput(index).witnessUtxo?.script ?? new Uint8Array()) === hex.encode(payment.script);
  const signInputs: Record<string, number[]> = {};
  for (const index of indexes ?? [])
    (signInputs[isPayment(index) ? payment.address : ordinals.address] ??= []).push(index);
  const params = { psbt, ...(indexes ? { signInputs } : {}) };
  return ((await methods["signPsbt"]!(wallet, params)) as { psbt: string }).psbt;
}
