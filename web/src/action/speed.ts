import type { Speed } from "../api/actions.ts";
import { PageError } from "../lib/failure.ts";
import { later } from "../lib/laterText.ts";
import { formatDate } from "../lib/format.ts";
import { writeRate } from "./rate.ts";

/** The first line of a message (docs/messages.md). */
const TITLE = "Moon Fund: read before you sign";
const LIMIT = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC$/;

export const DAY_MS = 24 * 3_600_000;
/** The server counts the days from its own clock. */
const TOLERANCE_MS = 3_600_000;

/** The message to sign does not have the speed that the user chose. Nothing was signed. */
export class SpeedMismatch extends PageError {
  override readonly name = "SpeedMismatch";
}

/**
 * Throws SpeedMismatch unless the message has exactly the chosen rate, and a limit that is the chosen days after
 * `requested`, in milliseconds since 1970; or, at normal speed, no speed at all.
 */
export function requireSpeed(message: string, chosen: Speed | undefined, requested: number): void {
  const lines = message.split("\n");
  const named = lines.filter((line) => line.startsWith("Speed:"));
  const words = later.economy;
  if (!chosen) {
    if (named.length > 0) throw new SpeedMismatch(words.unwanted);
    return;
  }
  const rate = writeRate(chosen.rate, ".");
  const start = `Speed: economy, ${rate} sat/vB, until `;
  if (lines[0] !== TITLE || named.length !== 1 || !named[0]!.startsWith(start))
    throw new SpeedMismatch(words.otherRate(writeRate(chosen.rate)));
  const until = requested + chosen.days * DAY_MS;
  if (!(Math.abs(readLimit(named[0]!.slice(start.length)) - until) <= TOLERANCE_MS))
    throw new SpeedMismatch(words.otherLimit(formatDate(until)));
}

/** Reads "2026-12-11 07:00 UTC" as milliseconds since 1970; NaN for any other text. */
function readLimit(text: string): number {
  const [, day, time] = LIMIT.exec(text) ?? [];
  return day === undefined ? Number.NaN : Date.parse(`${day}T${time}:00Z`);
}
