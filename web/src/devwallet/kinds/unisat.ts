import { base64, hex } from "@scure/base";
import { Code, RpcError } from "../fault";
import { signEcdsa, signMessage } from "../message";
import { CONNECT, methods } from "../methods";
import { readPsbt, writePsbt } from "../psbt";
import type { DevWallet } from "../wallet";
import type { NetworkName } from "../keys";
import { runMisbehaving, emitter } from "./behaviour";
import type { Kind } from "./kind";

/**
 * Unisat 1.7.13, from the captured responses of its extension of 22 November 2026 (web/src/wallet/testing/answers). One
 * taproot address is payment and ordinals address. The refusals of signature hash types and of untweaked keys follow
 * its source, github.com/unisat-wallet/wallet at 8913cb2. Modelled: a locked wallet, and the event of another account.
 */
export const unisat: Kind = {
  label: "Unisat 1.7",
  source: "captured from the extension 1.7.13",
  path: "unisat",
  paymentType: "p2tr",
  event: "unisat#initialized",
  create: unisatModel,
};

interface Chain {
  enum: string;
  name: string;
  network: string;
}

/**
 * Unisat has no regtest. The captured extension was patched to use it: it reports signet and has regtest's addresses,
 * and so does this kind.
 */
const CHAINS: Record<NetworkName, Chain> = {
  Mainnet: { enum: "BITCOIN_MAINNET", name: "Bitcoin", network: "livenet" },
  Testnet: { enum: "BITCOIN_TESTNET", name: "Bitcoin Testnet", network: "testnet" },
  Testnet4: { enum: "BITCOIN_TESTNET4", name: "Bitcoin Testnet4 (Beta)", network: "testnet" },
  Regtest: { enum: "BITCOIN_SIGNET", name: "Bitcoin Signet", network: "testnet" },
  Signet: { enum: "BITCOIN_SIGNET", name: "Bitcoin Signet", network: "testnet" },
};
const SUPPORTED =
  "BITCOIN_MAINNET,BITCOIN_TESTNET,BITCOIN_TESTNET4,BITCOIN_SIGNET,FRACTAL_BITCOIN_MAINNET,FRACTAL_BITCOIN_TESTNET";

const chainOf = ({ network }: DevWallet): Chain => ({ ...CHAINS[network] });
/** `getNetwork` has no name for signet. */
const wordOf = (chain: Chain): string => (chain.enum === "BITCOIN_SIGNET" ? "unknown" : chain.network);

export function unisatModel(opening: Promise<DevWallet>) {
  const { emit, on, removeListener } = emitter();
  void opening.then((wallet) => forward(wallet, emit));
  const { connected, approve } = approvals();

  const withoutPrompt = <A extends unknown[], T>(act: (wallet: DevWallet, ...args: A) => T | Promise<T>) => {
    return (...args: A): Promise<T> => runMisbehaving(opening, (wallet) => act(wallet, ...args), toError);
  };
  /** Every other call requires the connection first. */
  const call = <A extends unknown[], T>(act: (wallet: DevWallet, ...args: A) => T | Promise<T>) => {
    return withoutPrompt(async (wallet, ...args: A) => {
      await connected(wallet);
      return act(wallet, ...args);
    });
  };
  const sent = async (wallet: DevWallet, method: string, recipient: object): Promise<string> =>
    (await approve(() => methods[method]!(wallet, { recipients: [recipient] }) as Promise<{ txid: string }>)).txid;

  return {
    getAccounts: withoutPrompt((wallet) =>
      wallet.settings.connected && !wallet.misbehaviour.locked ? [addressOf(wallet)] : [],
    ),
    getNetwork: withoutPrompt((wallet) => wordOf(chainOf(wallet))),
    getChain: withoutPrompt(chainOf),
    requestAccounts: call((wallet) => [addressOf(wallet)]),
    disconnect: call((wallet) => wallet.revoke()),
    getPublicKey: call((wallet) => hex.encode(wallet.account.ordinals.publicKey)),
    getVersion: call(() => "1.7.13"),
    getInscriptions: call(() => ({ list: [] as Record<string, unknown>[], total: 0 })),
    getBalance: call(async (wallet) => {
      const { confirmed, unconfirmed } = await wallet.sats();
      return { confirmed, unconfirmed, total: confirmed + unconfirmed };
    }),
    switchChain: call(async (wallet, name: string) => {
      const [network] = Object.entries(CHAINS).find(([, chain]) => chain.enum === name) ?? [];
      if (!network) throw new RpcError(Code.internalError, `the chain is invalid, supported chains: ${SUPPORTED}`);
      if (chainOf(wallet).enum !== name)
        await approve(() => methods["wallet_changeNetwork"]!(wallet, { name: network }));
      return chainOf(wallet);
    }),
    sendBitcoin: call((wallet, address: string, amount: number) => sent(wallet, "sendTransfer", { address, amount })),
    sendRunes: call(async (wallet, address: string, runeid: string, amount: string) => {
      const balances = await wallet.runeBalances();
      const found = balances.find(({ rune }) => rune.id === runeid);
      if (!found || found.amount < BigInt(amount))
        throw new RpcError(Code.internalError, "Insufficient asset balance", -3);
      return sent(wallet, "runes_transfer", { runeName: found.rune.name, address, amount: `${amount}` });
    }),
    signMessage: call((wallet, message: string, type: string = "ecdsa") => signText(wallet, approve, message, type)),
    signPsbt: call((wallet, psbt: string, options?: SignOptions) => signPsbt(wallet, approve, psbt, options)),
    pushPsbt: call((wallet, psbtHex: string) => {
      const tx = readPsbt(base64.encode(hex.decode(psbtHex)));
      if (!tx.isFinal) throw new RpcError(Code.internalError, "Not finalized");
      return wallet.broadcast(tx.hex);
    }),
    on,
    removeListener,
  };
}

const addressOf = (wallet: DevWallet): string => wallet.account.ordinals.address;

type Approve = <T>(ask: () => Promise<T>) => Promise<T>;

async function signText(wallet: DevWallet, approve: Approve, message: string, type: string): Promise<string> {
  const key = wallet.account.ordinals;
  await approve(() =>
    wallet.confirm({ title: "Sign this message?", facts: [["With", key.address]], text: message, yes: "Sign" }),
  );
  return type === "bip322-simple" ? signMessage(key, message, "BIP322").signature : signEcdsa(key, message);
}

/** One popup at a time: while one is open, every call that needs one is refused. */
function approvals(): { approve: Approve; connected: (wallet: DevWallet) => Promise<void> } {
  let open = false;
  const approve: Approve = async (ask) => {
    if (open) throw new RpcError(Code.internalError, "Another approval request is already pending", -1);
    open = true;
    try {
      return await ask();
    } finally {
      open = false;
    }
  };
  const connected = async (wallet: DevWallet): Promise<void> => {
    if (wallet.settings.connected && !wallet.misbehaviour.locked) return;
    await approve(() => (wallet.settings.connected ? wallet.unlock() : wallet.confirm(CONNECT)));
    await wallet.grant();
  };
  return { approve, connected };
}

/** A disconnect is an accountsChanged with an empty list. */
function forward(wallet: DevWallet, emit: (event: string, data: unknown) => void): void {
  wallet.listen("accountChange", () => emit("accountsChanged", [addressOf(wallet)]));
  wallet.listen("disconnect", () => emit("accountsChanged", []));
  wallet.listen("networkChange", () => {
    emit("chainChanged", chainOf(wallet));
    emit("networkChanged", wordOf(chainOf(wallet)));
  });
}

const WORDS: [RegExp, string, number][] = [
  [/^Insufficient balance/, "Insufficient balance to cover transaction fees.", -7],
  [/^The PSBT can't be read/, "invalid psbt", -1],
];

/** A plain object, not an Error, because it passes through the extension's message channel. */
function toError(error: unknown): unknown {
  if (error instanceof RpcError && error.code === Code.userRejection)
    return { code: 4001, message: "User rejected the request." };
  const internal = error instanceof Error ? error.message : "Internal error";
  const [, message = internal, number] = WORDS.find(([pattern]) => pattern.test(internal)) ?? [];
  const code = error instanceof RpcError && typeof error.data === "number" ? error.data : number;
  const originalError = { message, stack: "(stack of the extension)", ...(code === undefined ? {} : { code }) };
  return { code: -32603, message, data: { originalError } };
}

interface SignOptions {
  autoFinalized?: boolean;
  toSignInputs?: {
    index: number;
    address?: string;
    publicKey?: string;
    disableTweakSigner?: boolean;
    sighashTypes?: number[];
  }[];
}

const HASH_TYPE =
  "Sighash type is not allowed. Retry the sign method passing the sighashTypes array of whitelisted types.";

/**
 * PSBTs are hex or base64; the response is hex, finalized unless `autoFinalized` is false. A script leaf requires the
 * untweaked key.
 */
async function signPsbt(
  wallet: DevWallet,
  approve: Approve,
  text: string,
  { autoFinalized = true, toSignInputs }: SignOptions = {},
) {
  const psbt = /^[0-9a-f]*$/i.test(text) ? base64.encode(hex.decode(text)) : text;
  const unsigned = readPsbt(psbt);
  const { address, publicKey } = wallet.account.ordinals;
  const refuse = (message: string) => new RpcError(Code.internalError, message);
  for (const input of toSignInputs ?? []) {
    if (input.address !== undefined && input.address !== address) throw refuse("invalid address in toSignInput");
    if (input.publicKey !== undefined && input.publicKey !== hex.encode(publicKey))
      throw refuse("invalid public key in toSignInput");
    const { tapLeafScript = [], sighashType } = unsigned.getInput(input.index);
    if (sighashType && !input.sighashTypes?.includes(sighashType)) throw refuse(HASH_TYPE);
    if (tapLeafScript.length > 0 && !input.disableTweakSigner)
      throw refuse(`Can not sign for input #${input.index} with the key`);
  }
  const signInputs = toSignInputs && { [address]: toSignInputs.map(({ index }) => index) };
  const params = { psbt, ...(signInputs ? { signInputs } : {}) };
  const signed = readPsbt(
    (await approve(() => methods["signPsbt"]!(wallet, params) as Promise<{ psbt: string }>)).psbt,
  );
  if (autoFinalized) signed.finalize();
  return hex.encode(base64.decode(writePsbt(signed)));
}
