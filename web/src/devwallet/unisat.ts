import { base64, hex } from "@scure/base";
import { badParams, Code, Fault } from "./fault";
import { methods } from "./methods";
import { readPsbt, writePsbt } from "./psbt";
import type { DevWallet } from "./wallet";

/**
 * Unisat's window API over the dev wallet's keys: the same calls, arguments, answers and errors, so that what speaks to
 * Unisat can be used and tested without the extension. One taproot address is payment and ordinals address. Regtest,
 * which Unisat does not have, is there as one more chain.
 *
 * Facts: github.com/unisat-wallet/unisat-dev-docs (wallet-api/api-docs) and github.com/unisat-wallet/wallet (page
 * provider and its controller), read in November 2026. Errors are thrown as {code, message}; 4001 is the person's no.
 */
export function unisatModel(opening: Promise<DevWallet>) {
  const heard = new Map<string, Set<(data: unknown) => void>>();
  const emit = (event: string, data: unknown): void => {
    for (const listener of heard.get(event) ?? []) listener(data);
  };
  void opening.then((wallet) => forward(wallet, emit));

  const call = <A extends unknown[], T>(act: (wallet: DevWallet, ...args: A) => T | Promise<T>) => {
    return async (...args: A): Promise<T> => behave(await opening, (wallet) => act(wallet, ...args));
  };
  const ask = (wallet: DevWallet, method: string, params: unknown): Promise<any> => methods[method]!(wallet, params);
  const sent = async (wallet: DevWallet, method: string, recipient: object): Promise<string> =>
    (await ask(wallet, method, { recipients: [recipient] })).txid;

  return {
    requestAccounts: call(async (wallet) => {
      await ask(wallet, "wallet_requestPermissions", null);
      return [wallet.account.ordinals.address];
    }),
    disconnect: call((wallet) => wallet.revoke()),
    getAccounts: call((wallet) => (wallet.settings.connected ? [wallet.account.ordinals.address] : [])),
    getPublicKey: call((wallet) => hex.encode(wallet.account.ordinals.publicKey)),
    getNetwork: call((wallet) => (wallet.network === "Mainnet" ? "livenet" : "testnet")),
    getChain: call((wallet) => chainOf(wallet)),
    switchChain: call(async (wallet, chain: string) => {
      const name = Object.entries(CHAINS).find(([, known]) => known === chain)?.[0];
      if (!name) throw new Fault(Code.internalError, `the chain is invalid, supported chains: ${Object.values(CHAINS).join(",")}`);
      if (name !== wallet.network) await ask(wallet, "wallet_changeNetwork", { name });
      return chainOf(wallet);
    }),
    getBalance: call(async (wallet) => {
      const { confirmed, unconfirmed } = await wallet.sats();
      return { confirmed, unconfirmed, total: confirmed + unconfirmed };
    }),
    getInscriptions: call(() => ({ total: 0, list: [] })),
    sendBitcoin: call((wallet, address: string, amount: number) => sent(wallet, "sendTransfer", { address, amount })),
    sendRunes: call(async (wallet, address: string, runeid: string, amount: string) => {
      const rune = (await wallet.chain.runes()).find(({ id }) => id === runeid);
      if (!rune) throw new Fault(Code.internalError, `rune ${runeid} is not known`);
      return sent(wallet, "runes_transfer", { runeName: rune.name, address, amount: `${amount}` });
    }),
    signMessage: call(async (wallet, message: string, type: string = "ecdsa") => {
      const { address } = wallet.account.ordinals;
      const protocol = type === "bip322-simple" ? "BIP322" : "ECDSA";
      return (await ask(wallet, "signMessage", { address, message, protocol })).signature as string;
    }),
    signPsbt: call(signPsbt),
    pushPsbt: call((wallet, psbtHex: string) => {
      const tx = readPsbt(base64.encode(hex.decode(psbtHex)));
      if (!tx.isFinal) tx.finalize();
      return wallet.broadcast(tx.hex);
    }),
    getVersion: call(() => "1.7.0-model"),
    on(event: string, listener: (data: unknown) => void): void {
      heard.set(event, (heard.get(event) ?? new Set()).add(listener));
    },
    removeListener(event: string, listener: (data: unknown) => void): void {
      heard.get(event)?.delete(listener);
    },
  };
}

const CHAINS: Record<string, string> = {
  Mainnet: "BITCOIN_MAINNET",
  Testnet: "BITCOIN_TESTNET",
  Testnet4: "BITCOIN_TESTNET4",
  Signet: "BITCOIN_SIGNET",
  Regtest: "BITCOIN_REGTEST",
};

function chainOf({ network }: DevWallet) {
  return { enum: CHAINS[network]!, name: `Bitcoin ${network}`, network: network === "Mainnet" ? "livenet" : "testnet" };
}

/** The wallet's events by Unisat's names: a disconnect is a change to no account at all. */
function forward(wallet: DevWallet, emit: (event: string, data: unknown) => void): void {
  wallet.listen("accountChange", () => emit("accountsChanged", [wallet.account.ordinals.address]));
  wallet.listen("disconnect", () => emit("accountsChanged", []));
  wallet.listen("networkChange", () => {
    emit("networkChanged", chainOf(wallet).network);
    emit("chainChanged", chainOf(wallet));
  });
}

/** Does what is asked, in the wallet's present mood. */
async function behave<T>(wallet: DevWallet, act: (wallet: DevWallet) => T | Promise<T>): Promise<T> {
  const { late, silent, garbled, throws } = wallet.misbehaviour;
  if (silent) return new Promise<never>(() => {});
  if (throws) throw new Error("The wallet broke.");
  try {
    const answer = await act(wallet);
    return garbled ? ({ moon: "dust" } as T) : answer;
  } catch (fault) {
    const code = fault instanceof Fault && fault.code === Code.userRejection ? 4001 : -32603;
    // As it comes through the extension's message channel: no Error any more.
    throw { code, message: fault instanceof Error ? fault.message : "Internal error" };
  } finally {
    if (late > 0) await new Promise((done) => setTimeout(done, late));
    await wallet.switchIfTold();
  }
}

interface SignOptions {
  autoFinalized?: boolean;
  toSignInputs?: { index: number; address?: string; publicKey?: string; disableTweakSigner?: boolean; sighashTypes?: number[] }[];
}

/** PSBTs are hex. Finalizes unless told otherwise; a script leaf wants the key as it is, not tweaked. */
async function signPsbt(wallet: DevWallet, psbtHex: string, { autoFinalized = true, toSignInputs }: SignOptions = {}) {
  const psbt = base64.encode(hex.decode(psbtHex));
  const unsigned = readPsbt(psbt);
  const { address } = wallet.account.ordinals;
  for (const input of toSignInputs ?? []) {
    if (input.address !== undefined && input.address !== address) throw badParams("invalid address in toSignInput");
    const { tapLeafScript = [], sighashType } = unsigned.getInput(input.index);
    if (sighashType && !input.sighashTypes?.includes(sighashType)) throw badParams("Sighash type is not allowed. Retry the sign method passing the sighashTypes array of whitelisted types.");
    const leaf = tapLeafScript.length > 0;
    if (leaf && !input.disableTweakSigner) throw badParams(`Can not sign for input #${input.index} with the key`);
  }
  const signInputs = toSignInputs && { [address]: toSignInputs.map(({ index }) => index) };
  const signed = readPsbt((await methods["signPsbt"]!(wallet, { psbt, ...(signInputs ? { signInputs } : {}) }) as { psbt: string }).psbt);
  if (autoFinalized) signed.finalize();
  return hex.encode(base64.decode(writePsbt(signed)));
}
