import { base64 } from "@scure/base";
import { Code, RpcError } from "../fault";
import { CONNECT, methods } from "../methods";
import type { DevWallet } from "../wallet";
import { runMisbehaving, emitter } from "./behaviour";
import type { Kind } from "./kind";

/**
 * Phantom, from docs.phantom.com/bitcoin (provider-api-reference, sending-a-transaction) and its list of error codes,
 * read in November 2026: addresses and signatures, no sending. Its vendor calls it deprecated. The real wallet supports
 * only the main network; this kind has regtest's addresses. Its guide has a signed PSBT as bytes, its reference as a
 * string: this kind returns bytes.
 */
export const phantom: Kind = {
  label: "Phantom",
  source: "documented by its vendor",
  path: "phantom.bitcoin",
  paymentType: "p2wpkh",
  create: phantomProvider,
};

export function phantomProvider(opening: Promise<DevWallet>) {
  const { emit, on, removeListener } = emitter();
  void opening.then((wallet) => {
    wallet.listen("accountChange", () => emit("accountsChanged", accounts(wallet)));
    wallet.listen("disconnect", () => emit("accountsChanged", []));
  });
  let open = false;
  /** One popup at a time: while one is open, further requests are refused. */
  const call = <A extends unknown[], T>(act: (wallet: DevWallet, ...args: A) => Promise<T>) => {
    return (...args: A): Promise<T> =>
      runMisbehaving(
        opening,
        async (wallet) => {
          if (open) throw new RpcError(-32002, "Requested resource not available");
          open = true;
          return act(wallet, ...args).finally(() => (open = false));
        },
        toError,
      );
  };
  return {
    isPhantom: true,
    requestAccounts: call(async (wallet) => {
      if (!wallet.settings.connected) await wallet.confirm(CONNECT);
      await wallet.grant();
      return accounts(wallet);
    }),
    signMessage: call(async (wallet, address: string, message: Uint8Array) => {
      permitted(wallet);
      const params = { address, message: new TextDecoder().decode(message), protocol: "BIP322" };
      const { signature } = (await methods["signMessage"]!(wallet, params)) as { signature: string };
      return { signature: base64.decode(signature) };
    }),
    signPSBT: call(
      async (
        wallet,
        psbt: Uint8Array,
        { inputsToSign }: { inputsToSign: { address: string; signingIndexes: number[] }[] },
      ) => {
        permitted(wallet);
        const signInputs = Object.fromEntries(
          inputsToSign.map(({ address, signingIndexes }) => [address, signingIndexes]),
        );
        const signed = (await methods["signPsbt"]!(wallet, { psbt: base64.encode(psbt), signInputs })) as {
          psbt: string;
        };
        return base64.decode(signed.psbt);
      },
    ),
    on,
    removeListener,
  };
}

function permitted(wallet: DevWallet): void {
  if (!wallet.settings.connected)
    throw new RpcError(4100, "The requested method and/or account has not been authorized by the user.");
}

const accounts = (wallet: DevWallet) =>
  wallet
    .addresses()
    .map(({ address, addressType, publicKey, purpose }) => ({ address, addressType, publicKey, purpose }));

function toError(error: unknown): unknown {
  if (!(error instanceof RpcError)) return { code: -32603, message: "Something went wrong within Phantom." };
  if (error.code === Code.userRejection)
    return { code: 4001, message: "The user rejected the request through Phantom." };
  return { code: error.code === Code.invalidParams ? -32000 : error.code, message: error.message };
}
