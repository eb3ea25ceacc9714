// @vitest-environment node
import { expect, it } from "vitest";
import { calendarFile } from "./calendar.ts";

const noon = Date.parse("2026-11-21T12:00:00Z");

it("writes valid iCalendar", () => {
  const file = calendarFile(
    "lobo.example.org",
    [{ id: "epoch-49", at: Date.parse("2026-12-02T00:00:00Z"), title: "Epoch 49, begins; now", note: "a\nb" }],
    noon,
  );
  expect(file).toContain("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n");
  expect(file).toContain(
    "\r\nUID:epoch-49@lobo.example.org\r\nDTSTAMP:20261121T120000Z\r\nDTSTART:20261202T000000Z\r\nSUMMARY:Epoch " +
    "49\\, begins\\; now\r\nDESCRIPTION:a\\nb\r\n",
  );
  expect(file.endsWith("END:VEVENT\r\nEND:VCALENDAR\r\n")).toBe(true);
  expect(file.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
});

it("folds long lines by bytes and omits events without a time", () => {
  const file = calendarFile(
    "h",
    [
      { id: "a", at: noon, title: "🐺".repeat(60), note: "" },
      { id: "b", at: Number.NaN, title: "never", note: "" },
    ],
    noon,
  );
  for (const line of file.split("\r\n")) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
  expect(file.replaceAll("\r\n ", "")).toContain(`SUMMARY:${"🐺".repeat(60)}`);
  expect(file).not.toContain("never");
});
