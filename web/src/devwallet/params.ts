import { badParams } from "./fault";

/** Checks of params. An invalid value is −32602 with its path. */
export function readObject(value: unknown, at: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw badParams(`${at} must be an object`);
  return value as Record<string, unknown>;
}

export function readList(value: unknown, at: string): unknown[] {
  if (!Array.isArray(value) || value.length === 0) throw badParams(`${at} must be a list that is not empty`);
  return value;
}

export function readText(value: unknown, at: string, min = 1): string {
  if (typeof value !== "string" || value.length < min) throw badParams(`${at} must be a text`);
  return value;
}

export function readOptional<T>(value: unknown, read: (value: unknown) => T): T | undefined {
  return value === undefined || value === null ? undefined : read(value);
}

export function readSats(value: unknown, at: string): number {
  if (!Number.isSafeInteger(value) || (value as number) <= 0) throw badParams(`${at} must be a whole number of sats`);
  return value as number;
}

/** An amount of base units as digits, above 0 and below 2^128. */
export function readDigits(value: unknown, at: string): bigint {
  const amount = typeof value === "string" && /^[0-9]{1,39}$/.test(value) ? BigInt(value) : 0n;
  if (amount <= 0n || amount >= 1n << 128n) throw badParams(`${at} must be a whole number of base units, in digits`);
  return amount;
}

/** Formats base units as whole tokens: 150000000 with 8 decimals is "1.5". */
export function units(amount: bigint, divisibility: number): string {
  const digits = amount.toString().padStart(divisibility + 1, "0");
  const whole = digits.slice(0, digits.length - divisibility).replace(/\B(?=(\d{3})+$)/g, ",");
  const fraction = digits.slice(digits.length - divisibility).replace(/0+$/, "");
  return fraction ? `${whole}.${fraction}` : whole;
}
