import type { WalletFields } from "./client.ts";

/** Query keys. Data under `live` is fetched again when the server reports a change: useLive in app/App.tsx. */
export const keys = {
  live: ["live"] as const,
  community: ["community"] as const,
  globals: ["live", "globals"] as const,
  status: ["live", "status"] as const,
  epochs: ["live", "epochs"] as const,
  statement: ["live", "statement"] as const,
  reserves: ["live", "reserves"] as const,
  feeRates: ["feeRates"] as const,
  wallets: ["live", "wallet"] as const,
  info: (wallet: WalletFields) => ["live", "wallet", wallet, "info"] as const,
  units: (wallet: WalletFields) => ["live", "wallet", wallet, "units"] as const,
  orders: (wallet: WalletFields) => ["live", "wallet", wallet, "orders"] as const,
  earnings: (wallet: WalletFields) => ["live", "wallet", wallet, "earnings"] as const,
  compounding: (wallet: WalletFields) => ["live", "wallet", wallet, "compounding"] as const,
  activity: (wallet: WalletFields) => ["live", "wallet", wallet, "activity"] as const,
  /** Not live: the server signs receipts after the event. */
  receipts: (owner: string) => ["receipts", owner] as const,
  keptReceipts: (owner: string) => ["keptReceipts", owner] as const,
  /** Not live: only this page changes it. */
  push: (wallet: WalletFields) => ["push", wallet] as const,
  payments: (wallet: WalletFields, order: string) => ["live", "wallet", wallet, "payments", order] as const,
  balance: (address: string, rune: string) => ["live", "wallet", "balance", address, rune] as const,
};
