import { base64urlnopad } from "@scure/base";
import { asRecord, RpcCode, WalletError } from "../errors.ts";
import { stored } from "../storage.ts";
import { sentence } from "../texts.ts";
import type { Adapter } from "./adapter.ts";
import { type Emitter, subscribe, isEmpty, ownAdapter, protocolOf, readTxid } from "./own.ts";

/**
 * Magic Eden's window API, `window.magicEden.bitcoin`: the first version of sats-connect, whose calls take one
 * unsecured token (RFC 7519, section 6). Main network only. It has no method for runes: the user sends them in the
 * wallet.
 *
 * Sources: docs-wallet.magiceden.io/bitcoin/provider-api-methods and connecting-to-the-wallet, read in November 2026.
 */
export interface MagicEdenApi extends Emitter {
  connect(token: string): Promise<unknown>;
  signMessage(token: string): Promise<string>;
  signTransaction(token: string): Promise<{ psbtBase64: string; txId?: string }>;
  sendBtcTransaction(token: string): Promise<string>;
}

const NETWORK = { type: "Mainnet" };
const HEADER = { typ: "JWT", alg: "none" };

export function magicEdenAdapter(magicEden: MagicEdenApi): Adapter {
  const addresses = async (purposes: readonly string[]) => {
    if (purposes.includes("stacks"))
      throw new WalletError(RpcCode.internalError, sentence("onlyBitcoin"), undefined, { kind: "badParams" });
    const answer = await magicEden.connect(token({ network: NETWORK, purposes, message: "" }));
    // The documentation shows a bare list; sats-connect wraps it in an object.
    return asRecord(answer)?.["addresses"] ?? answer;
  };
  return ownAdapter(
    {
      wallet_connect: async () => ({ addresses: await addresses(["payment", "ordinals"]) }),
      getAccounts: ({ purposes }) => addresses(purposes),
      getAddresses: async ({ purposes }) => ({ addresses: await addresses(purposes) }),
      wallet_getNetwork: async () => ({ bitcoin: { name: "Mainnet" } }),
      sendTransfer: async ({ recipients }) => {
        const senderAddress = stored.session.read()?.payment.address;
        if (senderAddress === undefined) throw new WalletError(RpcCode.accessDenied, sentence("noAddresses"));
        const paid = recipients.map(({ address, amount }) => ({ address, amountSats: `${amount}` }));
        return readTxid(
          await magicEden.sendBtcTransaction(token({ network: NETWORK, recipients: paid, senderAddress })),
        );
      },
      signMessage: async ({ address, message, protocol = protocolOf(address) }) => {
        const signature = await magicEden.signMessage(token({ network: NETWORK, address, message, protocol }));
        return { signature, messageHash: "", address, protocol };
      },
      signPsbt: async ({ psbt, signInputs, broadcast = false }) => {
        const inputsToSign = Object.entries(signInputs).map(([address, signingIndexes]) => ({
          address,
          signingIndexes,
        }));
        const request = token({ network: NETWORK, message: "", psbtBase64: psbt, broadcast, inputsToSign });
        const signed = await magicEden.signTransaction(request);
        return { psbt: signed.psbtBase64, ...(broadcast ? readTxid(signed) : {}) };
      },
    },
    {
      accountChange: (listener) => subscribe(magicEden, "accountsChanged", listener, (accounts) => !isEmpty(accounts)),
      disconnect: (listener) => subscribe(magicEden, "accountsChanged", listener, isEmpty),
    },
  );
}

/** Header and payload without a signature. */
function token(payload: object): string {
  const part = (value: object) => base64urlnopad.encode(new TextEncoder().encode(JSON.stringify(value)));
  return `${part(HEADER)}.${part(payload)}.`;
}
