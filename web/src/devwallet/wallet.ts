import type { HDKey } from "@scure/bip32";
import type { DevChain, KnownRune } from "./chain";
import { badParams, Code, RpcError, rejected } from "./fault";
import { deriveAccount, networkNames, newMnemonic, paymentTypes, rootKey } from "./keys";
import type { Account, NetworkName, OwnAddress, PaymentType } from "./keys";
import type { Settings, SettingsStore } from "./settings";
import type { OwnCoin } from "./spend";

/** Misbehaviour of the wallet, for tests of pages. All off by default. */
export interface Misbehaviour {
  /** Rejects every question. */
  reject: boolean;
  /** Delay of responses in ms; the request itself is executed at once. */
  late: number;
  /** Reports "rejected" after the broadcast. */
  rejectAfterBroadcast: boolean;
  /** Reports Testnet and returns its addresses. */
  wrongNetwork: boolean;
  /** Never responds. */
  silent: boolean;
  /** Returns a value that is not JSON-RPC. */
  garbled: boolean;
  /** Throws instead of responding. */
  throws: boolean;
  /** Returns false addresses and transaction ids in valid form. */
  lies: boolean;
  /** Changes to another account between the next question and its response; once. */
  switches: boolean;
  /** Signs a PSBT with 1,000 sats less in its last output to the wallet. */
  changesPsbt: boolean;
  /** After signing a PSBT, sends its own coins back to the payment address in another transaction. */
  spendsElsewhere: boolean;
}

const NO_MISBEHAVIOUR: Misbehaviour = {
  reject: false,
  late: 0,
  rejectAfterBroadcast: false,
  wrongNetwork: false,
  silent: false,
  garbled: false,
  throws: false,
  lies: false,
  switches: false,
  changesPsbt: false,
  spendsElsewhere: false,
};

/** A question to the user before an action. */
export interface Question {
  title: string;
  /** Label and value. */
  facts: [string, string][];
  /** A text to be signed, shown unchanged. */
  text?: string;
  /** Label of the confirm button. */
  yes: string;
  warning?: string;
}

export type Confirm = (question: Question) => Promise<boolean>;
export type WalletEvent =
  | { type: "accountChange"; addresses?: AddressItem[] }
  | { type: "networkChange"; bitcoin: { name: NetworkName }; stacks: { name: string }; addresses?: AddressItem[] }
  | { type: "disconnect" };

export interface AddressItem {
  address: string;
  publicKey: string;
  purpose: "payment" | "ordinals";
  addressType: "p2pkh" | "p2sh" | "p2wpkh" | "p2tr";
  walletType: "software";
}

/** The state of the dev wallet: keys, settings, permissions. Independent of JSON-RPC and of the page. */
export class DevWallet {
  readonly chain: DevChain;
  misbehaviour: Misbehaviour = { ...NO_MISBEHAVIOUR };
  /** Fee rate of the wallet's own transactions, sat/vB. */
  feeRate = 2;
  #settings: Settings;
  /**
   * Derived at the first use, because it takes two thousand rounds of a hash, and a page that only loads should not
   * wait.
   */
  #root: HDKey | null = null;
  readonly #store: SettingsStore;
  readonly #ask: Confirm;
  readonly #watchers = new Set<() => void>();
  readonly #listeners = new Map<string, Set<(event: WalletEvent) => void>>();

  private constructor(settings: Settings, store: SettingsStore, chain: DevChain, ask: Confirm) {
    this.#settings = settings;
    this.#store = store;
    this.chain = chain;
    this.#ask = ask;
  }

  /** Opens the stored wallet, or creates one with a new seed. */
  static async open(store: SettingsStore, chain: DevChain, ask: Confirm): Promise<DevWallet> {
    const saved = await store.load();
    const settings = { ...freshSettings(saved?.mnemonic ?? newMnemonic()), ...saved };
    if (!saved) await store.save(settings);
    const wallet = new DevWallet(settings, store, chain, ask);
    store.watch((changed) => wallet.#adopt(changed));
    return wallet;
  }

  get settings(): Readonly<Settings> {
    return this.#settings;
  }

  get network(): NetworkName {
    return this.misbehaviour.wrongNetwork ? "Testnet" : this.#settings.network;
  }

  get account(): Account {
    this.#root ??= rootKey(this.#settings.mnemonic);
    return deriveAccount(this.#root, this.#settings.account, this.#settings.paymentType, this.network);
  }

  /** Returns the selected account's address with this text. Throws −32602 for any other. */
  own(address: string): OwnAddress {
    const { payment, ordinals } = this.account;
    const found = [ordinals, payment].find((own) => own.address === address);
    if (!found) throw badParams(`${address} is no address of the selected account.`);
    return found;
  }

  addresses(purposes: readonly string[] = ["payment", "ordinals"]): AddressItem[] {
    const { payment, ordinals } = this.account;
    return [payment, ordinals]
      .filter((own) => purposes.includes(own.purpose))
      .map(({ address, publicKeyHex, purpose, type }) => ({
        address,
        publicKey: publicKeyHex,
        purpose,
        addressType: type === "p2sh-p2wpkh" ? "p2sh" : type,
        walletType: "software",
      }));
  }

  /** Returns every unspent output of the selected account. Throws unless the wallet is on the node's network. */
  async coins(): Promise<OwnCoin[]> {
    if (this.network !== "Regtest") {
      throw new RpcError(Code.internalError, `The dev network is Regtest, the wallet is on ${this.network}.`);
    }
    const { payment, ordinals } = this.account;
    const owners = payment.address === ordinals.address ? [payment] : [payment, ordinals];
    const found = await Promise.all(
      owners.map(async (owner) => (await this.chain.coins(owner.address)).map((coin) => ({ ...coin, owner }))),
    );
    return found.flat();
  }

  /** Rune balances of the selected account in base units, of outputs with at least this many confirmations. */
  async runeBalances(confirmations = 0): Promise<{ rune: KnownRune; amount: bigint }[]> {
    const [known, all] = await Promise.all([this.chain.runes(), this.coins()]);
    const coins = all.filter((coin) => coin.confirmations >= confirmations);
    const amounts = new Map<string, bigint>();
    for (const { id, amount } of coins.flatMap((coin) => coin.runes)) amounts.set(id, (amounts.get(id) ?? 0n) + amount);
    const unknown = (id: string): KnownRune => ({ prefix: "", id, name: id, symbol: "¤", divisibility: 0 });
    return [...amounts].map(([id, amount]) => ({ rune: known.find((rune) => rune.id === id) ?? unknown(id), amount }));
  }

  /** Sats of the payment address in outputs without runes. */
  async sats(): Promise<{ confirmed: number; unconfirmed: number }> {
    const coins = (await this.coins()).filter(({ owner, runes }) => owner.purpose === "payment" && runes.length === 0);
    const total = (coins: OwnCoin[]) => coins.reduce((sum, { value }) => sum + value, 0);
    return {
      confirmed: total(coins.filter(({ confirmations }) => confirmations > 0)),
      unconfirmed: total(coins.filter(({ confirmations }) => confirmations === 0)),
    };
  }

  /** Asks the user; a rejection is thrown as −32000. */
  async confirm(question: Question): Promise<void> {
    if (this.misbehaviour.reject) throw rejected();
    if (this.#settings.autoConfirm) return;
    if (!(await this.#ask(question))) throw rejected();
  }

  /** Broadcasts and returns the txid. With rejectAfterBroadcast it throws a rejection instead. */
  async broadcast(tx: string): Promise<string> {
    const txid = await this.chain.broadcast(tx);
    this.#changed();
    if (this.misbehaviour.rejectAfterBroadcast) throw rejected();
    return txid;
  }

  misbehave(change: Partial<Misbehaviour>): Misbehaviour {
    const before = this.network;
    this.misbehaviour = { ...this.misbehaviour, ...change };
    if (this.network !== before) this.#emitNetwork();
    this.#changed();
    return { ...this.misbehaviour };
  }

  /** Sets whether minting and etching are the wallet's own methods. Pages see the change after a reload. */
  async haveOrders(on: boolean): Promise<void> {
    await this.#save({ nativeOrders: on });
  }

  /** Changes to another account if `switches` is set. */
  async switchIfTold(): Promise<void> {
    if (!this.misbehaviour.switches) return;
    this.misbehave({ switches: false });
    const { account, accounts } = this.#settings;
    if (accounts === 1) await this.addAccount();
    else await this.useAccount((account + 1) % accounts);
  }

  async setAutoConfirm(on: boolean): Promise<void> {
    await this.#save({ autoConfirm: on });
  }

  async useAccount(index: number): Promise<void> {
    if (!Number.isInteger(index) || index < 0 || index >= this.#settings.accounts)
      throw badParams(`There is no account ${index}.`);
    await this.#save({ account: index });
    this.#emitAccount();
  }

  /** Adds an account, selects it and returns its index. */
  async addAccount(): Promise<number> {
    const account = this.#settings.accounts;
    await this.#save({ accounts: account + 1, account });
    this.#emitAccount();
    return account;
  }

  async usePaymentType(paymentType: PaymentType): Promise<void> {
    if (!paymentTypes.includes(paymentType)) throw badParams(`${paymentType} is no payment address type.`);
    await this.#save({ paymentType });
    this.#emitAccount();
  }

  async useNetwork(network: NetworkName): Promise<void> {
    if (!networkNames.includes(network)) throw badParams(`${network} is no network.`);
    await this.#save({ network });
    this.#emitNetwork();
  }

  /** Restores from this mnemonic, or a new one if omitted: one account, not connected. */
  async restore(mnemonic: string = newMnemonic()): Promise<void> {
    this.#root = rootKey(mnemonic);
    const { autoConfirm, connected, paymentType, nativeOrders } = this.#settings;
    await this.#save({ ...freshSettings(mnemonic), autoConfirm, paymentType, nativeOrders });
    if (connected) this.#emit({ type: "disconnect" });
  }

  async grant(): Promise<void> {
    await this.#save({ connected: true });
  }

  /** Ends the connection. */
  async revoke(): Promise<void> {
    if (!this.#settings.connected) return;
    await this.#save({ connected: false });
    this.#emit({ type: "disconnect" });
  }

  /** Subscribes to one of the wallet's events. Returns the function that unsubscribes. */
  listen(event: string, listener: (event: WalletEvent) => void): () => void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  /** Calls back after every change of the state. */
  watch(changed: () => void): void {
    this.#watchers.add(changed);
  }

  async #save(change: Partial<Settings>): Promise<void> {
    this.#settings = { ...this.#settings, ...change };
    await this.#store.save(this.#settings);
    this.#changed();
  }

  /** Applies the settings of another tab: like an extension, the wallet is one for all pages of an origin. */
  #adopt(settings: Settings): void {
    const before = this.#settings;
    this.#settings = settings;
    if (settings.mnemonic !== before.mnemonic) this.#root = null;
    const changed = (...names: (keyof Settings)[]) => names.some((name) => settings[name] !== before[name]);
    if (before.connected && !settings.connected) this.#emit({ type: "disconnect" });
    else if (changed("network")) this.#emitNetwork();
    else if (changed("mnemonic", "account", "paymentType")) this.#emitAccount();
    this.#changed();
  }

  #changed(): void {
    for (const changed of this.#watchers) changed();
  }

  #emitAccount(): void {
    this.#emit({ type: "accountChange", addresses: this.addresses() });
  }

  #emitNetwork(): void {
    const stacks = { name: this.network === "Mainnet" ? "mainnet" : "testnet" };
    this.#emit({ type: "networkChange", bitcoin: { name: this.network }, stacks, addresses: this.addresses() });
  }

  /** Sends account and network events only to a connected page. */
  #emit(event: WalletEvent): void {
    if (event.type !== "disconnect" && !this.#settings.connected) return;
    for (const listener of this.#listeners.get(event.type) ?? []) listener(event);
  }
}

function freshSettings(mnemonic: string): Settings {
  return {
    mnemonic,
    account: 0,
    accounts: 1,
    paymentType: "p2wpkh",
    network: "Regtest",
    connected: false,
    autoConfirm: false,
    nativeOrders: false,
  };
}
