import type { Globals } from "../api/globals.ts";
import { calendarFile } from "../lib/calendar.ts";
import { now } from "../lib/clock.ts";
import { saveFile } from "../lib/file.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";

/** Three months of weekly epochs. */
const COUNT = 13;

/** Saves the ends of the coming epochs as a calendar file; only the next end if epochs have no fixed length. */
export function saveEpochs({ epoch, end }: Globals, lengthSeconds: number): void {
  const moments = Array.from({ length: lengthSeconds > 0 ? COUNT : 1 }, (_, i) => ({
    id: `${site.prefix}-epoch-${epoch + 1 + i}`,
    at: end + i * lengthSeconds * 1000,
    title: text.calendar.epochTitle(site.name, epoch + 1 + i),
    note: text.calendar.epochNote,
  }));
  saveFile(`${site.prefix}-epochs.ics`, "text/calendar", calendarFile(window.location.hostname, moments, now()));
}
