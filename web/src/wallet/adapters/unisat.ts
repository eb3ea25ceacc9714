import { asRecord, RpcCode, WalletError } from "../errors.ts";
import type { Method, Params } from "../methods/catalogue.ts";
import type { NetworkName } from "../methods/names.ts";
import { sentence } from "../texts.ts";
import type { Adapter } from "./adapter.ts";
import {
  type Emitter,
  type Handlers,
  subscribe,
  isEmpty,
  oneAddress,
  single,
  ownAdapter,
  protocolOf,
  readTxid,
  signByHex,
  type ToSign,
} from "./own.ts";

/**
 * Unisat's own window API, `window.unisat`. One account has one address, which is the payment and the ordinals address.
 *
 * Sources: github.com/unisat-wallet/unisat-dev-docs (wallet-api/api-docs) and the page provider and its controller in
 * github.com/unisat-wallet/wallet, read in November 2026. `sendRunes` takes the rune's id and base units and returns
 * the transaction id. No call returns the balance of a rune. A taproot key is the untweaked one, compressed.
 * `disableTweakSigner` signs a script leaf; `sighashTypes` allows other types than the default. `accountsChanged` with
 * an empty list is a disconnect.
 *
 * Responses of Unisat 1.7.13 are in testing/answers: the calls that open popups, the values of getChain and getNetwork,
 * errors as plain objects, and "Another approval request is already pending" while a popup is open.
 */
export interface UnisatApi extends Emitter {
  requestAccounts(): Promise<string[]>;
  getAccounts(): Promise<string[]>;
  getPublicKey(): Promise<string>;
  /** Sats. */
  getBalance(): Promise<{ confirmed: number; unconfirmed: number; total: number }>;
  getChain?(): Promise<{ enum: string; name: string; network: string }>;
  switchChain?(chain: string): Promise<unknown>;
  /** The only form in older versions: "livenet" or "testnet". */
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
    { ...accountHandlers(unisat), ...guarded(unisat, { ...moneyHandlers(unisat), ...inscriptionHandlers(unisat) }) },
    {
      accountChange: (listener) => subscribe(unisat, "accountsChanged", listener, (accounts) => !isEmpty(accounts)),
      networkChange: (listener) => subscribe(unisat, unisat.getChain ? "chainChanged" : "networkChanged", listener),
      disconnect: (listener) => subscribe(unisat, "accountsChanged", listener, isEmpty),
    },
    async () => {
      if ((await accountsOf(unisat)).length === 0) return undefined;
      return unisat.getVersion?.();
    },
  );
}

/**
 * Returns the accounts that Unisat shares with this page: none before it is connected, after the user disconnected it
 * in the wallet, and while the wallet is locked. getAccounts, getChain and getNetwork open no popup. Every other call
 * of a page that is not connected opens the Connect popup, so getAccounts runs before each of them.
 */
async function accountsOf(unisat: UnisatApi): Promise<string[]> {
  return readAccounts(await unisat.getAccounts());
}

function readAccounts(accounts: unknown): string[] {
  if (Array.isArray(accounts) && accounts.every((one) => typeof one === "string" && one !== "")) return accounts;
  throw new WalletError(RpcCode.internalError, sentence("unknownResponse"), accounts, { kind: "unreadable" });
}

/** Returns the active account. Throws WalletError −32002 if the page is not connected or the wallet is locked. */
async function connectedAccount(unisat: UnisatApi): Promise<string> {
  const [address] = await accountsOf(unisat);
  if (address === undefined) throw new WalletError(RpcCode.accessDenied, sentence("ended"));
  return address;
}

/** The same handlers, each refused if the page is not connected: Unisat would open an unrequested popup. */
function guarded(unisat: UnisatApi, handlers: Handlers): Handlers {
  const all = Object.entries(handlers) as [Method, (params: never) => Promise<unknown>][];
  return Object.fromEntries(
    all.map(([method, handle]) => [
      method,
      async (params: never) => {
        await connectedAccount(unisat);
        return handle(params);
      },
    ]),
  ) as Handlers;
}

function accountHandlers(unisat: UnisatApi): Handlers {
  const network = async () => ({ bitcoin: { name: await chainOf(unisat) } });
  const addresses = async (purposes: readonly string[], address: string) => {
    await requireBitcoin(unisat); // Fractal's addresses have the form of Bitcoin's
    return oneAddress(address, await unisat.getPublicKey(), purposes);
  };
  const account = async (address: string) => ({
    id: address,
    addresses: await addresses(["payment", "ordinals"], address),
  });
  /** Asks the user to connect; opens no popup once connected. */
  const connected = async (): Promise<string> => {
    await requireBitcoin(unisat);
    const [address] = readAccounts(await unisat.requestAccounts());
    if (address === undefined) throw new WalletError(RpcCode.accessDenied, sentence("ended"));
    return address;
  };
  const disconnect = async () => {
    if ((await accountsOf(unisat)).length > 0) await unisat.disconnect?.();
    return null;
  };
  return {
    wallet_requestPermissions: async () => account(await connected()),
    wallet_connect: async () => account(await connected()),
    getAccounts: async ({ purposes }) => addresses(purposes, await connected()),
    getAddresses: async ({ purposes }) => ({ addresses: await addresses(purposes, await connected()) }),
    wallet_getAccount: async () => account(await connectedAccount(unisat)),
    wallet_getCurrentPermissions: async () => {
      const [address] = await accountsOf(unisat);
      return address === undefined ? [] : [{ type: "account", resourceId: address, actions: { read: true } }];
    },
    wallet_renouncePermissions: disconnect,
    wallet_disconnect: disconnect,
    wallet_getNetwork: network,
    ...(unisat.switchChain ? guarded(unisat, { wallet_changeNetwork: ({ name }) => switchTo(unisat, name) }) : {}),
  };
}

async function switchTo(unisat: UnisatApi, name: NetworkName): Promise<null> {
  const [chain] = Object.entries(CHAINS).find(([, network]) => network === name)!;
  await unisat.switchChain!(chain);
  return null;
}

/** Values of getNetwork, used if getChain is absent. On signet it is "unknown". */
const LEGACY_NETWORKS: Record<string, NetworkName> = { livenet: "Mainnet", mainnet: "Mainnet", testnet: "Testnet" };

async function chainOf(unisat: UnisatApi): Promise<NetworkName> {
  const { chain, name } = await chainName(unisat);
  const network = CHAINS[chain] ?? LEGACY_NETWORKS[chain];
  if (!network) throw notBitcoin(name);
  return network;
}

/** Refuses chains that are known not to be Bitcoin. The address says which of Bitcoin's networks it is. */
async function requireBitcoin(unisat: UnisatApi): Promise<void> {
  if (!unisat.getChain) return;
  const { chain, name } = await chainName(unisat);
  if (!Object.hasOwn(CHAINS, chain)) throw notBitcoin(name);
}

async function chainName(unisat: UnisatApi): Promise<{ chain: string; name: string }> {
  const answer: unknown = unisat.getChain ? await unisat.getChain() : await unisat.getNetwork();
  const { enum: chain = answer, name = chain } = asRecord(answer) ?? {};
  if (typeof chain === "string") return { chain, name: typeof name === "string" ? name : chain };
  throw new WalletError(RpcCode.internalError, sentence("unknownResponse"), answer, { kind: "unreadable" });
}

function notBitcoin(name: string): WalletError {
  return new WalletError(RpcCode.internalError, sentence("notBitcoin", name), undefined, { kind: "otherNetwork" });
}

function moneyHandlers(unisat: UnisatApi): Handlers {
  const { sendRunes } = unisat;
  return {
    getBalance: async () => {
      const { confirmed, unconfirmed, total } = await unisat.getBalance();
      return { confirmed: `${confirmed}`, unconfirmed: `${unconfirmed}`, total: `${total}` };
    },
    sendTransfer: async ({ recipients }) => {
      const { address, amount } = single(recipients);
      return readTxid(await unisat.sendBitcoin(address, amount));
    },
    ...(sendRunes ? { runes_transfer: ({ recipients }) => transfer(unisat, single(recipients)) } : {}),
    signMessage: async ({ address, message, protocol = protocolOf(address) }) => {
      await requireAccount(unisat, address);
      const signature = await unisat.signMessage(message, protocol === "BIP322" ? "bip322-simple" : "ecdsa");
      return { signature, messageHash: "", address, protocol };
    },
    signPsbt: (params) => sign(unisat, params),
  };
}

async function transfer(unisat: UnisatApi, recipient: Params<"runes_transfer">["recipients"][number]) {
  const { runeId, amount, address } = recipient;
  if (runeId === undefined) throw new WalletError(RpcCode.invalidParams, sentence("needsRuneId"));
  return readTxid(await unisat.sendRunes!(address, runeId, amount));
}

/** The user may have changed the account since the page read its address: nothing is signed with another account. */
async function requireAccount(unisat: UnisatApi, address: string): Promise<void> {
  if ((await connectedAccount(unisat)) !== address)
    throw new WalletError(RpcCode.accessDenied, sentence("otherAccount", address), undefined, { kind: "otherAccount" });
}

async function sign(unisat: UnisatApi, params: Params<"signPsbt">) {
  for (const address of Object.keys(params.signInputs)) await requireAccount(unisat, address);
  return signByHex(unisat, params);
}

function inscriptionHandlers(unisat: UnisatApi): Handlers {
  const { getInscriptions, sendInscription } = unisat;
  return {
    ...(getInscriptions ? { ord_getInscriptions: (page) => inscriptions(unisat, page) } : {}),
    ...(sendInscription
      ? {
          ord_sendInscriptions: async ({ transfers }) => {
            const { address, inscriptionId } = single(transfers);
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
