import { RpcCode, WalletError } from "../errors.ts";
import { sentence } from "../texts.ts";
import type { Adapter } from "./adapter.ts";
import {
  type Emitter,
  isEmpty,
  oneAddress,
  ownAdapter,
  protocolOf,
  readTxid,
  signByHex,
  single,
  subscribe,
} from "./own.ts";

/**
 * OKX's own window API for the main network, `window.okxwallet.bitcoin`. One account has one address. It has no method
 * for runes: the user sends them in the wallet.
 *
 * Sources: okx.com/web3/build/docs/sdks/chains/bitcoin/provider, read in November 2026. Its objects for test networks
 * can sign but not send, so they are not used.
 */
export interface OkxApi extends Emitter {
  connect(): Promise<{ address: string; publicKey: string; compressedPublicKey?: string }>;
  getAccounts(): Promise<string[]>;
  /** Sats. */
  getBalance(): Promise<{ confirmed: number; unconfirmed: number; total: number }>;
  sendBitcoin(to: string, sats: number): Promise<unknown>;
  signMessage(text: string, type: "ecdsa" | "bip322-simple"): Promise<string>;
  signPsbt(psbtHex: string, options: object): Promise<string>;
  pushPsbt(psbtHex: string): Promise<unknown>;
  disconnect?(): Promise<void>;
}

export function okxAdapter(okx: OkxApi): Adapter {
  const addresses = async (purposes: readonly string[]) => {
    const { address, publicKey, compressedPublicKey } = await okx.connect();
    return oneAddress(address, compressedPublicKey ?? publicKey, purposes);
  };
  const account = async () => ({ addresses: await addresses(["payment", "ordinals"]) });
  const leave = async () => {
    await okx.disconnect?.();
    return null;
  };
  return ownAdapter(
    {
      wallet_connect: account,
      wallet_requestPermissions: account,
      wallet_getAccount: async () => {
        if ((await okx.getAccounts()).length === 0) throw new WalletError(RpcCode.accessDenied, sentence("ended"));
        return account(); // opens no popup once connected
      },
      getAccounts: ({ purposes }) => addresses(purposes),
      getAddresses: async ({ purposes }) => ({ addresses: await addresses(purposes) }),
      wallet_renouncePermissions: leave,
      wallet_disconnect: leave,
      wallet_getNetwork: async () => ({ bitcoin: { name: "Mainnet" } }),
      getBalance: async () => {
        const { confirmed, unconfirmed, total } = await okx.getBalance();
        return { confirmed: `${confirmed}`, unconfirmed: `${unconfirmed}`, total: `${total}` };
      },
      sendTransfer: async ({ recipients }) => {
        const { address, amount } = single(recipients);
        return readTxid(await okx.sendBitcoin(address, amount));
      },
      signMessage: async ({ address, message, protocol = protocolOf(address) }) => {
        const [current] = await okx.getAccounts();
        if (current !== address)
          throw new WalletError(RpcCode.accessDenied, sentence("otherAccount", address), undefined, {
            kind: "otherAccount",
          });
        const signature = await okx.signMessage(message, protocol === "BIP322" ? "bip322-simple" : "ecdsa");
        return { signature, messageHash: "", address, protocol };
      },
      signPsbt: (params) => signByHex(okx, params),
    },
    {
      accountChange: (listener) => subscribe(okx, "accountsChanged", listener, (accounts) => !isEmpty(accounts)),
      disconnect: (listener) => subscribe(okx, "accountsChanged", listener, isEmpty),
    },
  );
}
