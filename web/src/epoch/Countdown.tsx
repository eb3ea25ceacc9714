import { useEffect, useRef, useState } from "react";
import { useNow } from "../lib/clock.ts";
import { formatDate, formatDateUTC, NOT_AVAILABLE, remaining, type Remaining } from "../lib/format.ts";
import { served } from "../lib/served.ts";
import { text } from "../lib/text.ts";

export interface CountdownProps {
  /** Milliseconds since 1970; NaN if not known. */
  end: number;
  /** Called once per `end` when the countdown reaches zero. */
  onZero?: () => void;
  /** Announce 1 day, 1 hour, 10 minutes and zero politely. Only one countdown of a page should. */
  announce?: boolean;
  /** `first`: as large as the first-visit page allows. */
  size?: "large" | "first" | "small";
}

const sizes = {
  large: "gap-3 font-display text-4xl sm:text-5xl",
  first: "gap-2 font-display text-2xl sm:gap-3 sm:text-5xl",
  small: "gap-1.5 text-base",
};

/** A countdown in days, hours, minutes and seconds that ticks once a second. */
export function Countdown({ end, onZero, announce = false, size = "large" }: CountdownProps) {
  const left = remaining(end, useNow());
  const known = Number.isFinite(end);
  useZero(end, known && left.total === 0, onZero);
  const parts = [
    ["Days", left.days, text.epoch.days],
    ["Hours", left.hours, text.epoch.hours],
    ["Minutes", left.minutes, text.epoch.minutes],
    ["Seconds", left.seconds, text.epoch.seconds],
  ] as const;
  return (
    <>
      <div
        role="timer"
        aria-label={spoken(known ? left : null)}
        title={known && !import.meta.env.SSR ? `${formatDate(end)} · ${formatDateUTC(end)}` : undefined}
        className={`flex ${sizes[size]}`}
      >
        {parts.map(([name, value, unit]) => (
          <span key={name} aria-hidden="true" className="whitespace-nowrap">
            <span className="font-bold text-moon">
              {known ? served(name, String(value).padStart(2, "0")) : "––"}
            </span>
            <span className={`text-mist ${size === "small" ? "ml-px text-sm" : "ml-0.5 text-sm sm:text-lg"}`}>
              {unit}
            </span>
          </span>
        ))}
      </div>
      {announce && <Announcements total={known ? left.total : null} />}
    </>
  );
}

function spoken(left: Remaining | null): string | undefined {
  if (import.meta.env.SSR) return undefined;
  return left ? text.epoch.spoken(left.days, left.hours, left.minutes, left.seconds) : NOT_AVAILABLE;
}

function useZero(end: number, reached: boolean, onZero: (() => void) | undefined): void {
  const announcedEnd = useRef<number | null>(null);
  useEffect(() => {
    if (!reached || announcedEnd.current === end) return;
    announcedEnd.current = end;
    onZero?.();
  }, [end, reached, onZero]);
}

const moments: readonly [seconds: number, sentence: string][] = [
  [86_400, text.epoch.noticeDay],
  [3_600, text.epoch.noticeHour],
  [600, text.epoch.noticeTen],
  [0, text.epoch.noticeZero],
];

function Announcements({ total }: { total: number | null }) {
  const [message, setMessage] = useState("");
  const before = useRef(total);
  useEffect(() => {
    const last = before.current;
    before.current = total;
    if (last === null || total === null) return;
    const passed = moments.find(([seconds]) => last > seconds && total <= seconds);
    if (passed) setMessage(passed[1]);
  }, [total]);
  return (
    <p role="status" className="sr-only">
      {message}
    </p>
  );
}
