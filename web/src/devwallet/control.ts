import { badParams } from "./fault";
import type { NetworkName, PaymentType } from "./keys";
import type { Questions } from "./questions";
import type { AddressItem, DevWallet, Misbehaviour, Question } from "./wallet";

export interface WalletStatus {
  network: NetworkName;
  connected: boolean;
  account: number;
  accounts: number;
  paymentType: PaymentType;
  autoConfirm: boolean;
  nativeOrders: boolean;
  misbehaviour: Misbehaviour;
  addresses: AddressItem[];
}

/**
 * Controls the wallet from a test by `window.MoonDevWallet.control`: every function of the panel and of the questions.
 * Each call waits until the wallet is open.
 */
export interface Control {
  ready(): Promise<void>;
  status(): Promise<WalletStatus>;
  /** Confirms every question, also on later pages, until it is switched off. */
  autoConfirm(on: boolean): Promise<void>;
  /** Sets misbehaviour; omitted modes keep their value. Reset by a reload. */
  misbehave(change: Partial<Misbehaviour>): Promise<Misbehaviour>;
  /** The open question, or null. */
  question(): Question | null;
  /** Answers the open question. Throws if there is none. */
  answer(yes: boolean): void;
  mnemonic(): Promise<string>;
  /** Restores the wallet from this mnemonic, or from a new one if omitted. */
  restore(mnemonic?: string): Promise<void>;
  addAccount(): Promise<number>;
  useAccount(index: number): Promise<void>;
  usePaymentType(type: PaymentType): Promise<void>;
  /** Enables or disables the wallet's own runes_mint and runes_etch. Pages see the change after a reload. */
  haveOrders(on: boolean): Promise<void>;
  useNetwork(name: NetworkName): Promise<void>;
  /** Fee rate of the wallet's own transactions in sat/vB. */
  useFeeRate(rate: number): Promise<void>;
  /** Sats that carry no runes, and runes in base units as digits. */
  balances(): Promise<{
    sats: { confirmed: number; unconfirmed: number };
    runes: { name: string; id: string; amount: string }[];
  }>;
  /** Sends sats to the payment address and runes (base units as digits) to the ordinals address; returns the txids. */
  faucet(request: { sats?: number; runes?: string; prefix?: string }): Promise<string[]>;
  /** Ends the connection from the wallet's side, as its list of connected sites would. */
  disconnect(): Promise<void>;
}

export function control(opening: Promise<DevWallet>, questions: Questions): Control {
  return {
    ready: async () => void (await opening),
    status: async () => {
      const wallet = await opening;
      const { connected, account, accounts, paymentType, autoConfirm, nativeOrders } = wallet.settings;
      return {
        network: wallet.network,
        connected,
        account,
        accounts,
        paymentType,
        autoConfirm,
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
    faucet: async (request) => faucet(await opening, request),
    disconnect: async () => (await opening).revoke(),
  };
}

/** Requests funds from the dev network's faucet: one transaction per address. */
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
