import { base64, hex } from "@scure/base";
import { Code, RpcError } from "../fault";
import { signEcdsa, signMessage } from "../message";
import { CONNECT, methods } from "../methods";
import { readPsbt, writePsbt } from "../psbt";
import type { DevWallet } from "../wallet";
import { runMisbehaving, emitter } from "./behaviour";
import type { Kind } from "./kind";

/**
 * OKX Wallet, from its documentation: okx.com/web3/build/docs/sdks/chains/bitcoin/provider (read in November 2026). One
 * taproot address for both purposes; the API is modelled on Unisat's. It has no method for runes. The real wallet
 * supports only the main network; this kind has regtest's addresses. Modelled: the response to a page that is not
 * connected, and one popup at a time.
 */
export const okx: Kind = {
  label: "OKX Wallet",
  source: "documented by its vendor",
  path: "okxwallet.bitcoin",
  paymentType: "p2tr",
  create: okxProvider,
};

interface SignOptions {
  autoFinalized?: boolean;
  toSignInputs?: { index: number; address?: string; disableTweakSigner?: boolean; sighashTypes?: number[] }[];
}

export function okxProvider(opening: Promise<DevWallet>) {
  const { emit, on, removeListener } = emitter();
  void opening.then((wallet) => {
    wallet.listen("accountChange", () => {
      emit("accountChanged", account(wallet));
      emit("accountsChanged", [wallet.account.ordinals.address]);
    });
    wallet.listen("disconnect", () => emit("accountsChanged", []));
  });
  const call = <A extends unknown[], T>(act: (wallet: DevWallet, ...args: A) => T | Promise<T>) => {
    return (...args: A): Promise<T> => runMisbehaving(opening, (wallet) => act(wallet, ...args), toError);
  };
  const connected = async (wallet: DevWallet): Promise<void> => {
    if (wallet.settings.connected) return;
    await wallet.confirm(CONNECT);
    await wallet.grant();
  };
  return {
    connect: call(async (wallet) => {
      await connected(wallet);
      return account(wallet);
    }),
    requestAccounts: call(async (wallet) => {
      await connected(wallet);
      return [wallet.account.ordinals.address];
    }),
    getAccounts: call((wallet) => (wallet.settings.connected ? [wallet.account.ordinals.address] : [])),
    getPublicKey: call((wallet) => hex.encode(wallet.account.ordinals.publicKey)),
    getNetwork: call(() => "livenet"),
    getBalance: call(async (wallet) => {
      const { confirmed, unconfirmed } = await wallet.sats();
      return { confirmed, unconfirmed, total: confirmed + unconfirmed };
    }),
    sendBitcoin: call(async (wallet, address: string, amount: number) => {
      const sent = await methods["sendTransfer"]!(wallet, { recipients: [{ address, amount }] });
      return (sent as { txid: string }).txid;
    }),
    signMessage: call(async (wallet, message: string, type: string = "ecdsa") => {
      const own = wallet.account.ordinals;
      await wallet.confirm({ title: "Sign this message?", facts: [["With", own.address]], text: message, yes: "Sign" });
      return type === "bip322-simple" ? signMessage(own, message, "BIP322").signature : signEcdsa(own, message);
    }),
    signPsbt: call(async (wallet, psbtHex: string, { autoFinalized = true, toSignInputs }: SignOptions = {}) => {
      const { address } = wallet.account.ordinals;
      const signInputs = toSignInputs && { [address]: toSignInputs.map(({ index }) => index) };
      const params = { psbt: base64.encode(hex.decode(psbtHex)), ...(signInputs ? { signInputs } : {}) };
      const signed = readPsbt(((await methods["signPsbt"]!(wallet, params)) as { psbt: string }).psbt);
      if (autoFinalized) signed.finalize();
      return hex.encode(base64.decode(writePsbt(signed)));
    }),
    pushPsbt: call((wallet, psbtHex: string) => wallet.broadcast(readPsbt(base64.encode(hex.decode(psbtHex))).hex)),
    disconnect: call((wallet) => wallet.revoke()),
    on,
    removeListener,
  };
}

function account(wallet: DevWallet) {
  const { address, publicKey, publicKeyHex } = wallet.account.ordinals;
  return { address, publicKey: publicKeyHex, compressedPublicKey: hex.encode(publicKey) };
}

function toError(error: unknown): unknown {
  const rejected = error instanceof RpcError && error.code === Code.userRejection;
  if (rejected) return { code: 4001, message: "User rejected the request." };
  return { code: -32603, message: error instanceof Error ? error.message : "Internal error" };
}
