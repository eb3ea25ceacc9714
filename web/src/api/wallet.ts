import { queryOptions, useQuery } from "@tanstack/react-query";
import { fromWire } from "../lib/amount.ts";
import { callURL, NO_WALLET, post, decode, emptyIfUnknown, type WalletFields, type Wire } from "./client.ts";
import { keys } from "./keys.ts";

export type Stage = Wire["Stage"];

/** A unit of stake. Amounts in base units, value in sats, times in milliseconds since 1970. */
export interface Unit {
  id: string;
  runes: bigint;
  stage: Stage;
  txid: string | null;
  value: number | null;
  /** Origin REWARD: backed by the treasury, without an output of its own. */
  virtual: boolean;
  /** self: nothing moves it without its owner; operator: the operator can move it; "" for a virtual unit. */
  custody: Wire["Unit"]["custody_kind"];
  timeout: number | null;
  orderId: string | null;
  contested: boolean;
  eligibleEpoch: number | null;
  /** Block of the deposit; null while unconfirmed. */
  height: number | null;
  /** When the deposit was seen, or the reward credited. */
  date: number;
}

/** A wallet's totals in base units; `share` is a fraction in plain decimals. */
export interface Totals {
  pendingStake: bigint;
  staked: bigint;
  claimable: bigint;
  pendingUnlocked: bigint;
  unlocked: bigint;
  share: string;
}

const zeroTotals: Totals = {
  pendingStake: 0n,
  staked: 0n,
  claimable: 0n,
  pendingUnlocked: 0n,
  unlocked: 0n,
  share: "0",
};

export function readTotals(wire: Wire["InfoWallet"]): Totals {
  return {
    pendingStake: fromWire(wire.pending_stake),
    staked: fromWire(wire.wallet_staked),
    claimable: fromWire(wire.claimable_rewards),
    pendingUnlocked: fromWire(wire.locked_unstaked),
    unlocked: fromWire(wire.unlocked_unstaked),
    share: wire.wallet_share,
  };
}

export function readUnit(wire: Wire["Unit"]): Unit {
  return {
    id: wire.ru_rutxo_id,
    runes: fromWire(wire.ru_rune_amount),
    stage: wire.ru_stage,
    txid: wire.ru_txid,
    value: wire.ru_value,
    virtual: wire.isvirtual,
    custody: wire.custody_kind,
    timeout: wire.timeout === null ? null : Date.parse(wire.timeout),
    orderId: wire.ru_po_id,
    contested: wire.contested,
    eligibleEpoch: wire.eligible_epoch,
    height: wire.ru_height,
    date: Date.parse(wire.ru_date),
  };
}

export function useTotals(wallet: WalletFields | null) {
  return useQuery({
    queryKey: keys.info(wallet ?? NO_WALLET),
    queryFn: ({ signal }) =>
      post<Wire["InfoWallet"]>("postInfoWallet", wallet!, signal)
        .then(decode("postInfoWallet", readTotals))
        .catch(emptyIfUnknown(zeroTotals)),
    enabled: wallet !== null,
  });
}

/** Unspent units, newest first. */
export function useUnits(wallet: WalletFields | null) {
  return useQuery({ ...unitsQuery(wallet ?? NO_WALLET), enabled: wallet !== null });
}

/** Query options of useUnits, for fetching immediately. */
export function unitsQuery(wallet: WalletFields) {
  return queryOptions({
    queryKey: keys.units(wallet),
    queryFn: ({ signal }) =>
      post<Wire["UnitList"]>("fetchWalletUtxos", { ...wallet, include_spent: "false" }, signal)
        .then(decode("fetchWalletUtxos", ({ utxos_list }) => utxos_list.map(readUnit)))
        .catch(emptyIfUnknown<Unit[]>([])),
  });
}

/** Fetches the data that a staker needs to recover stakes without the operator. */
export function fetchRecoveryKit(wallet: WalletFields): Promise<Wire["RecoveryKit"]> {
  return post<Wire["RecoveryKit"]>("recoveryKit", wallet);
}

/** Has the server broadcast a signed recovery (hex). Returns its id. Sending the same transaction again is safe. */
export function sendRecovery(wallet: WalletFields, tx: string): Promise<string> {
  return post<Wire["SentTransaction"]>("sendRecovery", { ...wallet, tx }).then(({ txid }) => txid);
}

export function activityURL(wallet: WalletFields): string {
  return callURL("activity.csv", { ...wallet });
}
