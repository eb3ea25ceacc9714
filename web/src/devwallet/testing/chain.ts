import { hex } from "@scure/base";
import { Address, OutScript, RawTx, Transaction } from "@scure/btc-signer";
import type { Coin, DevChain, KnownRune } from "../chain";
import { networkParams } from "../keys";
import type { Settings, SettingsStore } from "../settings";

export const LOBO: KnownRune = {
  prefix: "lobo",
  id: "150:1",
  name: "LOBO•MOON•DOGS",
  symbol: "🐺",
  divisibility: 8,
};

/** An in-memory chain of plain outputs, enough to spend from. It has only the runes that a test adds. */
export class MemoryChain implements DevChain {
  readonly sent: Transaction[] = [];
  readonly #coins = new Map<string, (Coin & { script: string })[]>();
  readonly #raw = new Map<string, string>();
  #funded = 0;

  runes = async () => [LOBO];
  coins = async (address: string) => (this.#coins.get(address) ?? []).map((coin) => ({ ...coin }));
  transaction = async (txid: string) => this.#raw.get(txid)!;

  broadcast = async (raw: string) => {
    const tx = Transaction.fromRaw(hex.decode(raw), { allowUnknownOutputs: true, allowUnknownInputs: true });
    this.sent.push(tx);
    return tx.id;
  };

  orders = async (_path: string, _body: object): Promise<unknown> => {
    throw new Error("no orders service here");
  };

  faucet = async ({ address, sats = 546, runes }: { address: string; sats?: number; runes?: string }) =>
    this.addOutput(address, sats, runes ? [{ id: LOBO.id, amount: BigInt(runes) }] : []);

  /** Adds a confirmed output. Returns its transaction's id. */
  addOutput(address: string, value: number, runes: Coin["runes"] = [], confirmations = 1): string {
    const script = OutScript.encode(Address(networkParams("Regtest")).decode(address));
    const raw = RawTx.encode({
      version: 2,
      segwitFlag: false,
      inputs: [
        { txid: new Uint8Array(32).fill(7), index: this.#funded++, finalScriptSig: new Uint8Array(), sequence: 0 },
      ],
      outputs: [{ amount: BigInt(value), script }],
      witnesses: [],
      lockTime: 0,
    });
    const { id } = Transaction.fromRaw(raw, { allowUnknownInputs: true });
    this.#raw.set(id, hex.encode(raw));
    const coin = { txid: id, vout: 0, value, runes, confirmations, script: hex.encode(script) };
    this.#coins.set(address, [...(this.#coins.get(address) ?? []), coin]);
    return id;
  }
}

/** Settings in memory. */
export function memoryStore(initial: Settings | null = null): SettingsStore {
  let saved = initial;
  const tabs: ((settings: Settings) => void)[] = [];
  return {
    load: async () => saved,
    save: async (settings) => {
      saved = settings;
      tabs.forEach((changed) => changed(settings));
    },
    watch: (changed) => void tabs.push(changed),
  };
}

export const TEST_SETTINGS: Settings = {
  mnemonic: "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about",
  account: 0,
  accounts: 2,
  paymentType: "p2wpkh",
  network: "Regtest",
  connected: false,
  autoConfirm: false,
  nativeOrders: false,
};
