import { language, type Language } from "./language.ts";

/**
 * Dates are written without Intl.DateTimeFormat, for the reason that amounts are (lib/digits.ts): to make the
 * first one takes a phone a tenth of a second. dates.test.ts holds that every language here writes as Intl
 * does, in its medium and short styles.
 */
interface Style {
  /** A date, as its UTC clock shows it. */
  day(date: Date): string;
  /** The time of day behind it, to the minute. */
  time(date: Date): string;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const NOON = 12;

const two = (value: number): string => String(value).padStart(2, "0");

const styles: Record<Language, Style> = {
  en: {
    day: (date) => `${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`,
    time: (date) =>
      `${date.getUTCHours() % NOON || NOON}:${two(date.getUTCMinutes())} ${date.getUTCHours() < NOON ? "AM" : "PM"}`,
  },
  de: {
    day: (date) => `${two(date.getUTCDate())}.${two(date.getUTCMonth() + 1)}.${date.getUTCFullYear()}`,
    time: (date) => `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`,
  },
};

/** "Nov 22, 2026": the day of a moment in UTC. null: there is no such moment. */
export function writeDay(at: number): string | null {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? null : styles[language].day(date);
}

/** "Nov 22, 2026, 2:20 AM": a moment in UTC to the minute. null: there is no such moment. */
export function writeMoment(at: number): string | null {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? null : `${styles[language].day(date)}, ${styles[language].time(date)}`;
}
