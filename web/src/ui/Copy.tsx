import { useEffect, useState, type ReactNode } from "react";
import { cx } from "../lib/cx.ts";
import { text } from "../lib/text.ts";
import { CheckIcon, CopyIcon } from "./icons.tsx";

const SHOWN_MS = 2_000;

export type CopyState = "idle" | "copied" | "failed";

/** Copies a text to the clipboard and reports the result for 2 s. */
export function useCopy(): [CopyState, (value: string) => void] {
  const [state, setState] = useState<CopyState>("idle");
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state, count]);
  const copy = (value: string): void => {
    const show = (next: CopyState) => () => {
      setState(next);
      setCount((n) => n + 1);
    };
    void navigator.clipboard.writeText(value).then(show("copied"), show("failed"));
  };
  return [state, copy];
}

export interface CopyButtonProps {
  /** The text that is copied. */
  value: string;
  /** Accessible name of the value: "payment address". */
  label: string;
  /** Visible content; without it, an icon and a word. */
  children?: ReactNode;
  className?: string;
}

export function CopyButton({ value, label, children, className = "" }: CopyButtonProps) {
  const [state, copy] = useCopy();
  const status = { idle: text.common.copy, copied: text.common.copied, failed: text.common.copyFailed }[state];
  return (
    <>
      <button
        type="button"
        onClick={() => copy(value)}
        className={cx(
          "inline-flex min-h-11 items-center gap-2 rounded-box border border-edge px-3 text-left text-moon",
          "transition-colors duration-120 hover:bg-raised",
          className,
        )}
      >
        <span className="sr-only">{label}</span>
        {children}
        <span
          className={cx(
            "inline-flex shrink-0 items-center gap-1.5 text-sm",
            state === "copied" ? "text-aurora" : "text-ice",
          )}
        >
          {state === "copied" ? <CheckIcon /> : <CopyIcon />}
          {status}
        </span>
      </button>
      <Copied state={state} />
    </>
  );
}

/** Announces the copy. It must stand outside the button: screen readers do not announce a change inside one. */
export function Copied({ state }: { state: CopyState }) {
  const message = { idle: "", copied: text.common.copied, failed: text.common.copyFailed }[state];
  return (
    <span role="status" className="sr-only">
      {message}
    </span>
  );
}
