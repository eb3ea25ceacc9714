import { etchingText } from "../lib/etchingText.ts";
import { site } from "../lib/site.ts";
import type { EtchParams, MintParams, NetworkName, Session } from "../wallet/index.ts";
import { MAX_U128, parseUnits } from "./units.ts";

/** The fields of the etching form, as typed. */
export interface EtchFields {
  name: string;
  symbol: string;
  divisibility: string;
  premine: string;
  mintable: boolean;
  amount: string;
  cap: string;
  offsetStart: string;
  offsetEnd: string;
  heightStart: string;
  heightEnd: string;
  feeRate: string;
}

export const emptyEtching: EtchFields = {
  name: "",
  symbol: "",
  divisibility: "0",
  premine: "",
  mintable: true,
  amount: "",
  cap: "",
  offsetStart: "",
  offsetEnd: "",
  heightStart: "",
  heightEnd: "",
  feeRate: "2",
};

/** A valid etching, in base units. */
export interface Etching {
  name: string;
  symbol: string;
  divisibility: number;
  premine: bigint;
  amount: bigint;
  cap: bigint;
  supply: bigint;
}

/** Parses the form. Returns a message if a field is missing or invalid. */
export function readEtching(fields: EtchFields): Etching | string {
  const name = fields.name.replace(/•+$/u, "");
  if (name === "") return etchingText.needName;
  const divisibility = Number(fields.divisibility);
  if (!/^\d{1,2}$/.test(fields.divisibility) || divisibility > 38) return etchingText.needDivisibility;
  const premine = fields.premine === "" ? 0n : parseUnits(fields.premine, divisibility);
  if (premine === null) return etchingText.needAmount(etchingText.premine, divisibility);
  let [amount, cap]: [bigint | null, bigint | null] = [0n, 0n];
  if (fields.mintable) {
    amount = parseUnits(fields.amount, divisibility);
    cap = parseUnits(fields.cap, 0);
    if (!amount) return etchingText.needAmount(etchingText.amount, divisibility);
    if (!cap) return etchingText.needCap;
  }
  const supply = premine + amount * cap;
  if (supply > MAX_U128) return etchingText.tooMuch;
  if (supply === 0n) return etchingText.needSupply;
  for (const height of [fields.offsetStart, fields.offsetEnd, fields.heightStart, fields.heightEnd]) {
    if (!/^\d{0,19}$/.test(height)) return etchingText.needHeight;
  }
  return { name, symbol: fields.symbol, divisibility, premine, amount, cap, supply };
}

/** Parses sat/vB; null if invalid. */
export function readRate(typed: string): number | null {
  const rate = Number(typed.trim().replace(",", "."));
  return typed.trim() !== "" && rate >= 1 && rate <= 1000 ? rate : null;
}

/** This site's network by the name that wallets use. */
export const network = (site.network.slice(0, 1).toUpperCase() + site.network.slice(1)) as NetworkName;

/** Returns the named fields that are not empty. */
const given = <K extends string>(fields: Record<K, string>, ...names: K[]): Partial<Record<K, string>> =>
  Object.fromEntries(names.filter((name) => fields[name] !== "").map((name) => [name, fields[name]])) as Partial<
    Record<K, string>
  >;

export function etchParams(fields: EtchFields, etching: Etching, rate: number, session: Session): EtchParams {
  return {
    runeName: etching.name,
    divisibility: etching.divisibility,
    ...(etching.symbol && { symbol: etching.symbol }),
    ...(etching.premine > 0n && { premine: etching.premine.toString() }),
    isMintable: fields.mintable,
    ...(fields.mintable && {
      terms: {
        amount: etching.amount.toString(),
        cap: etching.cap.toString(),
        ...given({ ...fields }, "heightStart", "heightEnd", "offsetStart", "offsetEnd"),
      },
    }),
    ...common(rate, session),
  };
}

export function mintParams(name: string, repeats: number, rate: number, session: Session): MintParams {
  return { runeName: name.replace(/•+$/u, ""), repeats, ...common(rate, session) };
}

/** Runes go to the ordinals address, change to the payment address. */
function common(feeRate: number, session: Session) {
  return { destinationAddress: session.ordinals.address, refundAddress: session.payment.address, feeRate, network };
}
