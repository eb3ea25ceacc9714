import type { ReactNode } from "react";
import { cx } from "../lib/cx.ts";
import { text } from "../lib/text.ts";
import { CloseIcon } from "./icons.tsx";

type Tone = "info" | "good" | "bad" | "warn";

const tones: Record<Tone, string> = {
  info: "border-edge text-fur",
  good: "border-aurora text-aurora",
  bad: "border-ember text-ember",
  warn: "border-amber text-amber",
};

/** A message about an event. Errors are announced at once, others politely. */
export function Notice({
  tone = "info",
  onDismiss,
  children,
}: {
  tone?: Tone;
  onDismiss?: () => void;
  children: ReactNode;
}) {
  return (
    <div
      role={tone === "bad" ? "alert" : "status"}
      className={cx(
        "flex items-start justify-between gap-3 rounded-box border bg-night px-4 py-3 text-[0.9375rem]",
        tones[tone],
      )}
    >
      <div className="min-w-0 wrap-anywhere">{children}</div>
      {onDismiss && (
        <button
          type="button"
          aria-label={text.common.dismiss}
          onClick={onDismiss}
          className="-my-2.5 -mr-3 grid size-11 shrink-0 place-items-center rounded-box hover:bg-raised"
        >
          <CloseIcon />
        </button>
      )}
    </div>
  );
}
