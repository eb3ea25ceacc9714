import { base64, hex } from "@scure/base";
import { decodeAddress } from "../address.ts";
import { asRecord, RpcCode, WalletError } from "../errors.ts";
import { sentence } from "../texts.ts";
import type { Adapter } from "./adapter.ts";
import { type Emitter, subscribe, isEmpty, ownAdapter, protocolOf, xOnly } from "./own.ts";

/**
 * Phantom's window API, `window.phantom.bitcoin`: addresses and signatures, main network only. It can send neither sats
 * nor runes; its vendor calls it deprecated.
 *
 * Sources: docs.phantom.com/bitcoin/provider-api-reference and establishing-a-connection, read in November 2026.
 */
export interface PhantomApi extends Emitter {
  requestAccounts(): Promise<{ address: string; addressType: string; publicKey: string; purpose: string }[]>;
  signMessage(address: string, message: Uint8Array): Promise<{ signature: Uint8Array }>;
  /** Bytes in the vendor's guide, a string in its reference. */
  signPSBT(
    psbt: Uint8Array,
    options: { inputsToSign: { address: string; signingIndexes: number[] }[] },
  ): Promise<Uint8Array | string>;
}

export function phantomAdapter(phantom: PhantomApi): Adapter {
  const addresses = async (purposes: readonly string[]) => {
    if (purposes.includes("stacks"))
      throw new WalletError(RpcCode.internalError, sentence("onlyBitcoin"), undefined, { kind: "badParams" });
    const accounts = await phantom.requestAccounts();
    return accounts
      .filter(({ purpose }) => purposes.includes(purpose))
      .map(({ address, publicKey, purpose }) => {
        const { type } = decodeAddress(address);
        const key = type === "p2tr" ? xOnly(publicKey) : publicKey;
        return { address, publicKey: key, purpose, addressType: type, walletType: "software" };
      });
  };
  const account = async () => ({ addresses: await addresses(["payment", "ordinals"]) });
  return ownAdapter(
    {
      wallet_connect: account,
      wallet_requestPermissions: account,
      getAccounts: ({ purposes }) => addresses(purposes),
      getAddresses: async ({ purposes }) => ({ addresses: await addresses(purposes) }),
      wallet_getNetwork: async () => ({ bitcoin: { name: "Mainnet" } }),
      signMessage: async ({ address, message }) => {
        const { signature } = await phantom.signMessage(address, new TextEncoder().encode(message));
        return {
          signature: base64.encode(new Uint8Array(signature)),
          messageHash: "",
          address,
          protocol: protocolOf(address),
        };
      },
      signPsbt: async ({ psbt, signInputs, broadcast = false }) => {
        if (broadcast) throw new WalletError(RpcCode.methodNotSupported, sentence("notSupported"));
        const inputsToSign = Object.entries(signInputs).map(([address, signingIndexes]) => ({
          address,
          signingIndexes,
        }));
        return { psbt: readPsbt(await phantom.signPSBT(base64.decode(psbt), { inputsToSign })) };
      },
    },
    {
      accountChange: (listener) => subscribe(phantom, "accountsChanged", listener, (accounts) => !isEmpty(accounts)),
      disconnect: (listener) => subscribe(phantom, "accountsChanged", listener, isEmpty),
    },
  );
}

/** Returns the signed PSBT in base64, from bytes, hex or base64. */
function readPsbt(signed: unknown): string {
  if (typeof signed === "string") return /^[0-9a-f]+$/i.test(signed) ? base64.encode(hex.decode(signed)) : signed;
  const bytes = asRecord(signed) ? new Uint8Array(signed as Uint8Array) : new Uint8Array();
  return base64.encode(bytes);
}
