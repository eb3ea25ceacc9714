/** A moment for a calendar. Times in milliseconds since 1970. */
export interface Moment {
  /** The same moment of a later file replaces this one. */
  id: string;
  at: number;
  title: string;
  note: string;
}

/** Bytes of a line before it is folded (RFC 5545, 3.1), without its end. */
const LINE_BYTES = 75;

/**
 * A calendar file (RFC 5545) of moments, each with a reminder an hour before. `host` makes their ids unique in the
 * world.
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

/** Long lines go on in the next one behind a space, never inside a character. */
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
