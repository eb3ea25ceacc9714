/** The public API of the wallet library. See README.md. */
export { btcBalance, finishLeafSpend, sendTransfer, signMessage, signMessageByPsbt, signPsbt } from "./bitcoin.ts";
export type { Recipient, SignedMessage, SignedPsbt } from "./bitcoin.ts";
export { onSessionEnd } from "./ending.ts";
export { RpcCode, WalletError } from "./errors.ts";
export type { ErrorKind as FaultKind } from "./errors.ts";
export { onWalletEvent } from "./events.ts";
export type { WalletEventName } from "./events.ts";
export type { Method, Params, Result } from "./methods/catalogue.ts";
export { changeNetwork, getNetwork, supports, walletInfo } from "./network.ts";
export type { NetworkName, WalletInfo } from "./network.ts";
export {
  configureOrders,
  estimateEtch,
  estimateMint,
  estimateRbf,
  etchRunes,
  findOrder,
  hasOrders,
  mintRunes,
  rbfOrder,
} from "./orders/index.ts";
export type {
  CreatedOrder,
  EtchParams,
  FundedOrder,
  MintParams,
  OrderEstimate,
  OrderOptions,
  RbfDone,
  RbfEstimate,
  RunesOrder,
} from "./orders/index.ts";
export { currentPermissions, renouncePermissions, requestPermissions } from "./permissions.ts";
export type { Permission } from "./permissions.ts";
export {
  defaultProvider,
  findProvider,
  listProviders,
  removeDefaultProvider,
  setDefaultProvider,
} from "./providers.ts";
export type { ProviderDescriptor, WalletChoice } from "./providers.ts";
export { request } from "./request.ts";
export type { RequestOptions } from "./request.ts";
export { parseRuneId } from "./runeId.ts";
export type { RuneId } from "./runeId.ts";
export { readRuneBalance, runeBalance, runeBalances, transferRunes } from "./runes.ts";
export type { Rune, RuneBalanceEntry, RuneHolding, RuneTransfer } from "./runes.ts";
export { connect, disconnect, readSession, refreshSession, requireSession, resumeSession } from "./session.ts";
export type { ConnectOptions, KeyedAddress, Session } from "./session.ts";
export { walletTexts } from "./texts.ts";
export type { WalletSentence } from "./texts.ts";
