import { DECIMALS, toBitcoin, toDecimal, UNIT } from "./amount.ts";
import { language } from "./language.ts";
import { text } from "./text.ts";

/** Shown where a value is not available. */
export const NOT_AVAILABLE = "N/A";

/** Bitcoin with 8 decimals, shares and N/A have one format in every language, as specified. */
const numberFormats = new Map<string, Intl.NumberFormat>();

function numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options);
  const cached = numberFormats.get(key);
  if (cached) return cached;
  const created = new Intl.NumberFormat(language, { roundingMode: "trunc", ...options });
  numberFormats.set(key, created);
  return created;
}

/** Returns the decimal mark of the page's language. */
export const decimalMark = (): string =>
  numberFormat({}).formatToParts(0.5).find(({ type }) => type === "decimal")!.value;

/** Formats a decimal string exactly: Intl does not convert it to floating point, and truncates instead of rounding. */
function writeDecimal(decimal: string, options: Intl.NumberFormatOptions): string {
  return numberFormat(options).format(decimal as Intl.StringNumericLiteral);
}

function write(value: unknown, options: Intl.NumberFormatOptions): string {
  const text = typeof value === "string" ? value.trim() : typeof value === "number" ? String(value) : "";
  return text === "" || !Number.isFinite(Number(text)) ? NOT_AVAILABLE : writeDecimal(text, options);
}

/** Formats a number with 2 fraction digits by default; returns "N/A" for anything that is not a number. */
export function formatNumber(value: unknown, digits = 2): string {
  return write(value, { minimumFractionDigits: 0, maximumFractionDigits: digits });
}

/** Formats as 1.05B, 21M, 3.41K. */
export function formatCompact(value: unknown, digits = 2): string {
  return write(value, { notation: "compact", maximumFractionDigits: digits });
}

export function formatUSD(value: unknown): string {
  return write(value, { style: "currency", currency: "USD" });
}

/** Formats a fraction as a percentage with 2 decimals by default. */
export function formatPercent(fraction: string, digits = 2): string {
  return write(fraction, { style: "percent", maximumFractionDigits: digits });
}

/** Formats runes with at most 2 decimals, for figures. */
export function formatRunes(amount: bigint): string {
  return writeDecimal(toDecimal(amount), { maximumFractionDigits: 2 });
}

/** Formats runes with all decimals, where the exact amount matters. */
export function formatRunesExact(amount: bigint): string {
  return writeDecimal(toDecimal(amount), { maximumFractionDigits: DECIMALS });
}

/** Formats estimated runes with 2 decimals, or with all decimals if 2 would show zero. */
export function formatRunesAbout(amount: bigint): string {
  return amount < UNIT / 100n ? formatRunesExact(amount) : formatRunes(amount);
}

/** Formats a cost or a loss like formatRunesAbout, but rounded up. */
export function formatRunesUp(amount: bigint): string {
  const step = UNIT / 100n;
  return amount < step || step === 0n ? formatRunesExact(amount) : formatRunes(((amount + step - 1n) / step) * step);
}

const MILLION = 1_000_000n * UNIT;

/** Formats runes for narrow boxes: exact below one million, compact above. */
export function formatRunesShort(amount: bigint): string {
  const notation = amount < MILLION ? "standard" : "compact";
  return writeDecimal(toDecimal(amount), { notation, maximumFractionDigits: 2 });
}

export function formatSats(sats: bigint): string {
  return writeDecimal(sats.toString(), {});
}

/** Formats sats as bitcoin with 8 decimals. */
export function formatBTC(sats: bigint): string {
  return toBitcoin(sats);
}

/** Multiplies a fraction by 100 and returns its first 6 characters with a percent sign: "0.00114712" is "0.1147%". */
export function formatShare(fraction: string): string {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(fraction);
  if (!match) return NOT_AVAILABLE;
  const digits = (match[2] ?? "").padEnd(2, "0");
  const whole = (match[1] + digits.slice(0, 2)).replace(/^0+(?=\d)/, "");
  const rest = digits.slice(2).replace(/0+$/, "");
  return `${(rest ? `${whole}.${rest}` : whole).slice(0, 6).replace(/\.$/, "")}%`;
}

/** Returns the first 6 and last 6 characters. */
export function shortAddress(address: string): string {
  return address.length <= 13 ? address : `${address.slice(0, 6)}…${address.slice(-6)}`;
}

/** Returns the first 20 characters of a transaction id. */
export function shortTxid(txid: string): string {
  return txid.length <= 20 ? txid : `${txid.slice(0, 20)}…`;
}

const DAY: Intl.DateTimeFormatOptions = { dateStyle: "medium" };
const MOMENT: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "short" };

const dateFormat = {
  day: once(() => new Intl.DateTimeFormat(language, DAY)),
  moment: once(() => new Intl.DateTimeFormat(language, MOMENT)),
  momentUTC: once(() => new Intl.DateTimeFormat(language, { ...MOMENT, timeZone: "UTC" })),
};

/** Creates a formatter on first use: creation takes about 50 ms on a phone. */
function once<T>(make: () => T): () => T {
  let cached: T | undefined;
  return () => (cached ??= make());
}

function writeDate(at: number, format: Intl.DateTimeFormat): string {
  return Number.isNaN(new Date(at).getTime()) ? NOT_AVAILABLE : format.format(at);
}

/** Formats a date with the time of day, in the browser's time zone. */
export function formatDate(at: number): string {
  return writeDate(at, dateFormat.moment());
}

/** Formats a date without the time of day, in the browser's time zone. */
export function formatDay(at: number): string {
  return writeDate(at, dateFormat.day());
}

export function formatDateUTC(at: number): string {
  const written = writeDate(at, dateFormat.momentUTC());
  return written === NOT_AVAILABLE ? written : `${written} UTC`;
}

export interface Remaining {
  days: number;
  hours: number;
  minutes: number;
  seconds: number;
  /** Whole seconds left, rounded up: 0 only at or after the end. */
  total: number;
}

/** Returns the time left from `now` to `end`, both in milliseconds. Never negative. */
export function remaining(end: number, now: number): Remaining {
  const total = Number.isFinite(end) ? Math.max(0, Math.ceil((end - now) / 1000)) : 0;
  return {
    days: Math.floor(total / 86_400),
    hours: Math.floor((total % 86_400) / 3600),
    minutes: Math.floor((total % 3600) / 60),
    seconds: total % 60,
    total,
  };
}

const UNITS = [
  ["months", 30 * 86_400],
  ["days", 86_400],
  ["hours", 3600],
  ["minutes", 60],
  ["seconds", 1],
] as const;

/** Formats seconds in one unit, always plural: "7 days", "6 months". Empty for 0. Same rules as web/language.go. */
export function formatDuration(seconds: number): string {
  const found = UNITS.find(
    ([name, length]) => Math.round(seconds / length) >= 2 || (name === "seconds" && seconds > 0),
  );
  return found ? text.visit.duration[found[0]](Math.round(seconds / found[1])) : "";
}

/** Formats as "3d 12h 58m 20s", without leading zeros: "58m 20s". */
export function formatRemaining(left: Remaining): string {
  const parts = [`${left.days}d`, `${left.hours}h`, `${left.minutes}m`, `${left.seconds}s`];
  const first = [left.days, left.hours, left.minutes, left.seconds].findIndex((n) => n > 0);
  return parts.slice(first === -1 ? 3 : first).join(" ");
}
