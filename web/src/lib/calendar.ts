/** A calendar event. Times in milliseconds since 1970. */
export interface Moment {
  /** In a later file, an event with the same id replaces this one. */
  id: string;
  at: number;
  title: string;
  note: string;
}

/** Maximum bytes of a line, without its line break, before folding (RFC 5545, 3.1). */
const LINE_BYTES = 75;

/**
 * Returns an RFC 5545 calendar file with a reminder one hour before each event. `host` makes the event ids globally
 * unique.
 */
export function calendarFile(host: string, moments: readonly Moment[], now: number): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    `PRODID:-//${host}//Moon Fund//EN`,
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    ...moments.filter(({ at }) => Number.isFinite(at)).flatMap((moment) => event(host, moment, now)),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join("");
}

function event(host: string, { id, at, title, note }: Moment, now: number): string[] {
  return [
    "BEGIN:VEVENT",
    `UID:${escape(id)}@${host}`,
    `DTSTAMP:${utc(now)}`,
    `DTSTART:${utc(at)}`,
    `SUMMARY:${escape(title)}`,
    `DESCRIPTION:${escape(note)}`,
    "TRANSP:TRANSPARENT",
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    `DESCRIPTION:${escape(title)}`,
    "TRIGGER:-PT1H",
    "END:VALARM",
    "END:VEVENT",
  ];
}

/** 20261202T000000Z */
function utc(at: number): string {
  return new Date(at).toISOString().replace(/[-:]|\.\d+/g, "");
}

function escape(text: string): string {
  return text.replace(/[\\;,]/g, "\\$&").replace(/\r?\n/g, "\\n");
}

/** Folds a line into lines that begin with a space. Never splits a character. */
function fold(line: string): string {
  const encoder = new TextEncoder();
  let [out, bytes] = ["", 0];
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (bytes + size > LINE_BYTES) {
      out += "\r\n ";
      bytes = 1;
    }
    out += character;
    bytes += size;
  }
  return out;
}
