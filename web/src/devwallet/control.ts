import { badParams } from "./fault";
import type { NetworkName, PaymentType } from "./keys";
import { kindOf } from "./kinds/catalogue";
import type { Questions } from "./questions";
import { kindNames, type KindName } from "./settings";
import type { AddressItem, DevWallet, Misbehaviour, Question } from "./wallet";

export interface WalletStatus {
  network: NetworkName;
  connected: boolean;
  account: number;
  accounts: number;
  paymentType: PaymentType;
  autoConfirm: boolean;
  kind: KindName;
  nativeOrders: boolean;
  misbehaviour: Misbehaviour;
  addresses: AddressItem[];
}

/**
 * The wallet in a test's hands: `window.MoonDevWallet.control`. Whatever a person can do in the panel
 * or a question, a test can do here, without pixels. Every call waits until the wallet is open.
 */
export interface Control {
  ready(): Promise<void>;
  status(): Promise<WalletStatus>;
  /** Answers every question with yes, also on the next page, until it is switched off. */
  autoConfirm(on: boolean): Promise<void>;
  /** Switches misbehaviour on or off; what is left out stays. Forgotten with the page. */
  misbehave(change: Partial<Misbehaviour>): Promise<Misbehaviour>;
  /** The question that is open, or null. */
  question(): Question | null;
  /** Answers the open question; an error when there is none. */
  answer(yes: boolean): void;
  mnemonic(): Promise<string>;
  /** Starts over with these words, or with fresh ones. */
  restore(mnemonic?: string): Promise<void>;
  addAccount(): Promise<number>;
  useAccount(index: number): Promise<void>;
  usePaymentType(type: PaymentType): Promise<void>;
  /** Puts another kind of wallet with the same keys on this page and the next ones, in place of the kind before. */
  useKind(kind: KindName): Promise<void>;
  /**
   * Gives the wallet runes_mint and runes_etch of its own, or takes them away; pages learn of it at their next load.
   */
  haveOrders(on: boolean): Promise<void>;
  useNetwork(name: NetworkName): Promise<void>;
  /** sat/vB of the wallet's own transactions. */
  useFeeRate(rate: number): Promise<void>;
  /** Sats (spendable, without runes) and runes in base units, digits. */
  balances(): Promise<{
    sats: { confirmed: number; unconfirmed: number };
    runes: { name: string; id: string; amount: string }[];
  }>;
  /** Sats to the payment address, runes (base units, digits) to the ordinals address; the transactions' ids. */
  faucet(wish: { sats?: number; runes?: string; prefix?: string }): Promise<string[]>;
  /** The wallet ends the connection, as from its own list of connected sites. */
  disconnect(): Promise<void>;
}

export function control(
  opening: Promise<DevWallet>,
  questions: Questions,
  place: (kind: KindName) => void = () => {},
): Control {
  return {
    ready: async () => void (await opening),
    status: async () => {
      const wallet = await opening;
      const { connected, account, accounts, paymentType, autoConfirm, kind, nativeOrders } = wallet.settings;
      return {
        network: wallet.network,
        connected,
        account,
        accounts,
        paymentType,
        autoConfirm,
        kind,
        nativeOrders,
        misbehaviour: { ...wallet.misbehaviour },
        addresses: wallet.addresses(),
      };
    },
    autoConfirm: async (on) => (await opening).setAutoConfirm(on),
    misbehave: async (change) => (await opening).misbehave(change),
    question: () => questions.current?.question ?? null,
    answer: (yes) => {
      if (!questions.current) throw badParams("No question is open.");
      questions.current.answer(yes);
    },
    mnemonic: async () => (await opening).settings.mnemonic,
    restore: async (mnemonic) => (await opening).restore(mnemonic),
    addAccount: async () => (await opening).addAccount(),
    useAccount: async (index) => (await opening).useAccount(index),
    usePaymentType: async (type) => (await opening).usePaymentType(type),
    useKind: async (kind) => becomeKind(await opening, kind, place),
    haveOrders: async (on) => (await opening).haveOrders(on),
    useNetwork: async (name) => (await opening).useNetwork(name),
    useFeeRate: async (rate) => {
      if (!(rate >= 1 && rate <= 1000)) throw badParams("A fee rate is from 1 to 1000 sat/vB.");
      (await opening).feeRate = rate;
    },
    balances: async () => {
      const wallet = await opening;
      const [sats, runes] = await Promise.all([wallet.sats(), wallet.runeBalances()]);
      return {
        sats,
        runes: runes.map(({ rune, amount }) => ({ name: rune.name, id: rune.id, amount: amount.toString() })),
      };
    },
    faucet: async (wish) => faucet(await opening, wish),
    disconnect: async () => (await opening).revoke(),
  };
}

/** Makes the wallet one of this kind and puts it on the page. */
export async function becomeKind(wallet: DevWallet, kind: KindName, place: (kind: KindName) => void): Promise<void> {
  if (!kindNames.includes(kind)) throw badParams(`${kind} is no kind of wallet.`);
  await wallet.useKind(kind, kindOf(kind)?.paymentType ?? "p2wpkh");
  place(kind);
}

/** Asks the dev network's faucet, one transaction per address. */
export async function faucet(
  wallet: DevWallet,
  { sats, runes, prefix }: { sats?: number; runes?: string; prefix?: string },
): Promise<string[]> {
  const { payment, ordinals } = wallet.account;
  const txids: string[] = [];
  if (sats) txids.push(await wallet.chain.faucet({ address: payment.address, sats }));
  if (runes) txids.push(await wallet.chain.faucet({ address: ordinals.address, runes, ...(prefix ? { prefix } : {}) }));
  return txids;
}
