import { base64urlnopad } from "@scure/base";
import { badParams, Code, RpcError } from "../fault";
import { CONNECT, methods } from "../methods";
import type { DevWallet } from "../wallet";
import { runMisbehaving, emitter } from "./behaviour";
import type { Kind } from "./kind";

/**
 * Magic Eden's wallet, from docs.magiceden.io ("Diving into Bitcoin", "Connecting to a wallet", "Signing a
 * transaction", read in November 2026): the first version of sats-connect, whose calls take one unsecured token and
 * throw an Error on rejection. It has no method for runes. The real wallet supports only the main network; this kind
 * has regtest's addresses. Modelled: its events.
 */
export const magicEden: Kind = {
  label: "Magic Eden",
  source: "documented by its vendor",
  path: "magicEden.bitcoin",
  paymentType: "p2wpkh",
  create: magicEdenProvider,
};

interface Token {
  purposes?: string[];
  address?: string;
  message?: string;
  protocol?: "ECDSA" | "BIP322";
  psbtBase64?: string;
  broadcast?: boolean;
  inputsToSign?: { address: string; signingIndexes: number[] }[];
  recipients?: { address: string; amountSats: string }[];
  senderAddress?: string;
}

export function magicEdenProvider(opening: Promise<DevWallet>) {
  const { emit, on, removeListener } = emitter();
  void opening.then((wallet) => {
    wallet.listen("accountChange", () => emit("accountsChanged", wallet.addresses()));
    wallet.listen("disconnect", () => emit("accountsChanged", []));
  });
  const call = <T>(act: (wallet: DevWallet, asked: Token) => Promise<T>) => {
    return (token: string): Promise<T> => runMisbehaving(opening, (wallet) => act(wallet, payloadOf(token)), toError);
  };
  return {
    isMagicEden: true,
    connect: call(async (wallet, { purposes }) => {
      if (!wallet.settings.connected) await wallet.confirm(CONNECT);
      await wallet.grant();
      const list = wallet
        .addresses(purposes)
        .map(({ address, publicKey, purpose }) => ({ address, publicKey, purpose }));
      return { addresses: list };
    }),
    signMessage: call(async (wallet, { address, message, protocol }) => {
      const signed = await methods["signMessage"]!(wallet, { address, message, protocol });
      return (signed as { signature: string }).signature;
    }),
    signTransaction: call(async (wallet, { psbtBase64, broadcast = false, inputsToSign = [] }) => {
      const signInputs = Object.fromEntries(
        inputsToSign.map(({ address, signingIndexes }) => [address, signingIndexes]),
      );
      const signed = await methods["signPsbt"]!(wallet, { psbt: psbtBase64, signInputs, broadcast });
      const { psbt, txid } = signed as { psbt: string; txid?: string };
      return { psbtBase64: psbt, ...(txid ? { txId: txid } : {}) };
    }),
    sendBtcTransaction: call(async (wallet, { recipients = [], senderAddress }) => {
      if (senderAddress !== wallet.account.payment.address)
        throw badParams("The sender is not the wallet's payment address.");
      const paid = recipients.map(({ address, amountSats }) => ({ address, amount: Number(amountSats) }));
      return ((await methods["sendTransfer"]!(wallet, { recipients: paid })) as { txid: string }).txid;
    }),
    on,
    removeListener,
  };
}

/** The payload of a token without a signature (RFC 7519, section 6). */
function payloadOf(token: string): Token {
  const [, payload = ""] = `${token}`.split(".");
  try {
    return JSON.parse(new TextDecoder().decode(base64urlnopad.decode(payload))) as Token;
  } catch {
    throw badParams("Invalid request.");
  }
}

function toError(error: unknown): unknown {
  const rejected = error instanceof RpcError && error.code === Code.userRejection;
  const message = rejected ? "User rejected request" : error instanceof Error ? error.message : "Internal error";
  return Object.assign(new Error(message), { code: rejected ? 4001 : -32603 });
}
