import { base64, hex } from "@scure/base";
import { RpcCode, WalletError } from "../errors.ts";
import type { Params, Result } from "../methods/catalogue.ts";
import type { NetworkName } from "../methods/names.ts";
import { walletTexts } from "../texts.ts";
import type { Adapter } from "./adapter.ts";
import { type Emitter, type Handlers, hear, isEmpty, oneAddress, only, ownAdapter, protocolOf, readTxid, signOptions, type ToSign } from "./own.ts";

/**
 * Unisat's own window API, `window.unisat`. One account has one address, which is payment and ordinals address at once.
 *
 * Facts: github.com/unisat-wallet/unisat-dev-docs (wallet-api/api-docs) and the page provider and its controller in
 * github.com/unisat-wallet/wallet, read in November 2026: `sendRunes` takes the rune's id and base units and gives the id
 * of the transaction; no call tells the balance of a rune; a taproot key is the untweaked one, compressed;
 * `disableTweakSigner` signs a script leaf, `sighashTypes` allows other types than the default; `pushPsbt` finalizes; `accountsChanged` with an empty list is a disconnect.
 */
export interface UnisatApi extends Emitter {
  requestAccounts(): Promise<string[]>;
  getAccounts(): Promise<string[]>;
  getPublicKey(): Promise<string>;
  /** Sats. */
  getBalance(): Promise<{ confirmed: number; unconfirmed: number; total: number }>;
  getChain?(): Promise<{ enum: string; name: string; network: string }>;
  switchChain?(chain: string): Promise<unknown>;
  /** Older versions have only this: "livenet" or "testnet". */
  getNetwork(): Promise<string>;
  sendBitcoin(to: string, sats: number): Promise<unknown>;
  sendRunes?(to: string, runeId: string, baseUnits: string): Promise<unknown>;
  signMessage(text: string, type: "ecdsa" | "bip322-simple"): Promise<string>;
  signPsbt(psbtHex: string, options: { autoFinalized: boolean; toSignInputs?: ToSign[] }): Promise<string>;
  pushPsbt(psbtHex: string): Promise<unknown>;
  getInscriptions?(cursor: number, size: number): Promise<{ total: number; list: Record<string, unknown>[] }>;
  sendInscription?(to: string, inscriptionId: string): Promise<unknown>;
  disconnect?(): Promise<void>;
  getVersion?(): Promise<string>;
}

const CHAINS: Record<string, NetworkName> = {
  BITCOIN_MAINNET: "Mainnet",
  BITCOIN_TESTNET: "Testnet",
  BITCOIN_TESTNET4: "Testnet4",
  BITCOIN_SIGNET: "Signet",
  BITCOIN_REGTEST: "Regtest",
};

export function unisatAdapter(unisat: UnisatApi): Adapter {
  return ownAdapter(
    { ...accountHandlers(unisat), ...moneyHandlers(unisat), ...inscriptionHandlers(unisat) },
    {
      accountChange: (heard) => hear(unisat, "accountsChanged", heard, (accounts) => !isEmpty(accounts)),
      networkChange: (heard) => hear(unisat, unisat.getChain ? "chainChanged" : "networkChanged", heard),
      disconnect: (heard) => hear(unisat, "accountsChanged", heard, isEmpty),
    },
    unisat.getVersion && (() => unisat.getVersion!()),
  );
}

function accountHandlers(unisat: UnisatApi): Handlers {
  const network = async () => ({ bitcoin: { name: await chainOf(unisat) } });
  const addresses = async (purposes: readonly string[], accounts: Promise<string[]>) => {
    await chainOf(unisat); // Fractal's addresses look like Bitcoin's
    const address = (await accounts)[0];
    if (address === undefined) throw new WalletError(RpcCode.accessDenied, walletTexts.notConnected);
    return oneAddress(address, await unisat.getPublicKey(), purposes);
  };
  const account = async (accounts: Promise<string[]>): Promise<Result<"wallet_getAccount">> => {
    const both = await addresses(["payment", "ordinals"], accounts);
    return { id: both[0]!.address, addresses: both, network: await network() };
  };
  const leave = async () => {
    await unisat.disconnect?.();
    return null;
  };
  return {
    wallet_requestPermissions: async () => {
      await unisat.requestAccounts();
      return true;
    },
    wallet_connect: () => account(unisat.requestAccounts()),
    getAccounts: ({ purposes }) => addresses(purposes, unisat.requestAccounts()),
    getAddresses: async ({ purposes }) => ({ addresses: await addresses(purposes, unisat.requestAccounts()) }),
    wallet_getAccount: () => account(unisat.getAccounts()),
    wallet_getCurrentPermissions: async () => {
      const [address] = await unisat.getAccounts();
      return address === undefined ? [] : [{ type: "account", resourceId: address, actions: { read: true } }];
    },
    wallet_renouncePermissions: leave,
    wallet_disconnect: leave,
    wallet_getNetwork: network,
    ...(unisat.switchChain ? { wallet_changeNetwork: ({ name }) => switchTo(unisat, name) } : {}),
  };
}

async function switchTo(unisat: UnisatApi, name: NetworkName): Promise<null> {
  const [chain] = Object.entries(CHAINS).find(([, network]) => network === name)!;
  await unisat.switchChain!(chain);
  return null;
}

async function chainOf(unisat: UnisatApi): Promise<NetworkName> {
  if (!unisat.getChain) return (await unisat.getNetwork()) === "livenet" ? "Mainnet" : "Testnet";
  const { enum: chain, name } = await unisat.getChain();
  const network = CHAINS[chain];
  if (!network) throw new WalletError(RpcCode.internalError, walletTexts.notBitcoin(name ?? chain));
  return network;
}

function moneyHandlers(unisat: UnisatApi): Handlers {
  const { sendRunes } = unisat;
  return {
    getBalance: async () => {
      const { confirmed, unconfirmed, total } = await unisat.getBalance();
      return { confirmed: `${confirmed}`, unconfirmed: `${unconfirmed}`, total: `${total}` };
    },
    sendTransfer: async ({ recipients }) => {
      const { address, amount } = only(recipients);
      return readTxid(await unisat.sendBitcoin(address, amount));
    },
    ...(sendRunes ? { runes_transfer: ({ recipients }) => transfer(unisat, only(recipients)) } : {}),
    signMessage: async ({ address, message, protocol = protocolOf(address) }) => {
      await mustBe(unisat, address);
      const signature = await unisat.signMessage(message, protocol === "BIP322" ? "bip322-simple" : "ecdsa");
      return { signature, messageHash: "", address, protocol };
    },
    signPsbt: (params) => sign(unisat, params),
  };
}

async function transfer(unisat: UnisatApi, recipient: Params<"runes_transfer">["recipients"][number]) {
  const { runeId, amount, address } = recipient;
  if (runeId === undefined) throw new WalletError(RpcCode.invalidParams, walletTexts.needsRuneId);
  return readTxid(await unisat.sendRunes!(address, runeId, amount));
}

/** The person may have gone to another account since the page asked for its address: nothing is signed with that. */
async function mustBe(unisat: UnisatApi, address: string): Promise<void> {
  const [current] = await unisat.getAccounts();
  if (current !== address) throw new WalletError(RpcCode.accessDenied, walletTexts.otherAccount(address));
}

async function sign(unisat: UnisatApi, { psbt, signInputs, broadcast = false }: Params<"signPsbt">) {
  const bytes = base64.decode(psbt);
  const signed = await unisat.signPsbt(hex.encode(bytes), signOptions(bytes, signInputs, broadcast));
  const result = { psbt: base64.encode(hex.decode(signed)) };
  return broadcast ? { ...result, ...readTxid(await unisat.pushPsbt(signed)) } : result;
}

function inscriptionHandlers(unisat: UnisatApi): Handlers {
  const { getInscriptions, sendInscription } = unisat;
  return {
    ...(getInscriptions ? { ord_getInscriptions: (page) => inscriptions(unisat, page) } : {}),
    ...(sendInscription
      ? {
          ord_sendInscriptions: async ({ transfers }) => {
            const { address, inscriptionId } = only(transfers);
            return readTxid(await unisat.sendInscription!(address, inscriptionId));
          },
        }
      : {}),
  };
}

async function inscriptions(unisat: UnisatApi, { offset, limit }: Params<"ord_getInscriptions">) {
  const { total, list } = await unisat.getInscriptions!(offset, limit);
  const text = (value: unknown): string => (value === undefined ? "" : String(value));
  return {
    total,
    limit,
    offset,
    inscriptions: list.map((one) => ({
      inscriptionId: text(one["inscriptionId"]),
      inscriptionNumber: text(one["inscriptionNumber"]),
      address: text(one["address"]),
      postage: text(one["outputValue"]),
      contentLength: text(one["contentLength"]),
      contentType: text(one["contentType"]),
      timestamp: Number(one["timestamp"]),
      offset: Number(one["offset"]),
      genesisTransaction: text(one["genesisTransaction"]),
      output: text(one["output"]),
    })),
  };
}
