/** The wallet room's door: everything that the rest of the app may use of it. */
export { btcBalance, sendTransfer, signMessage, signPsbt } from "./bitcoin";
export type { Recipient, SignedMessage, SignedPsbt } from "./bitcoin";
export { RpcCode, WalletError } from "./errors";
export { onWalletEvent } from "./events";
export type { WalletEventName } from "./events";
export type { Method, Params, Result } from "./methods/catalogue";
export { changeNetwork, getNetwork, supports, walletInfo } from "./network";
export type { NetworkName, WalletInfo } from "./network";
export { defaultProvider, findProvider, listProviders, removeDefaultProvider, setDefaultProvider } from "./providers";
export type { ProviderDescriptor, WalletChoice } from "./providers";
export { request } from "./request";
export type { RequestOptions } from "./request";
export { runeBalance, runeBalances, transferRunes } from "./runes";
export type { RuneBalanceEntry, RuneTransfer } from "./runes";
export { connect, disconnect, readSession, refreshSession, requireSession } from "./session";
export type { KeyedAddress, Session } from "./session";
export { walletTexts } from "./texts";
