import { lazy, Suspense, useEffect, useState, type ReactNode } from "react";
import { cx } from "../lib/cx.ts";
import { text } from "../lib/text.ts";
import { CheckIcon, CopyIcon } from "./icons.tsx";

const CopyByHand = lazy(() => import("./CopyByHand.tsx"));

const SHOWN_MS = 2_000;

export type CopyState = "idle" | "copied" | "failed";

/**
 * Copies a text to the clipboard and reports that for 2 s. Where the browser has no clipboard (a page without TLS, some
 * browsers inside apps) or refuses it, `Copied` shows the text, so that the user copies it.
 */
export function useCopy(): [state: CopyState, copy: (value: string) => void, close: () => void] {
  const [state, setState] = useState<CopyState>("idle");
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (state !== "copied") return;
    const timer = setTimeout(() => setState("idle"), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state, count]);
  const copy = (value: string): void => {
    const show = (next: CopyState) => () => {
      setState(next);
      setCount((n) => n + 1);
    };
    const clipboard: Clipboard | undefined = navigator.clipboard;
    if (clipboard) void clipboard.writeText(value).then(show("copied"), show("failed"));
    else show("failed")();
  };
  return [state, copy, () => setState("idle")];
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
  const [state, copy, close] = useCopy();
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
          {state === "copied" ? text.common.copied : text.common.copy}
        </span>
      </button>
      <Copied state={state} value={value} label={label} close={close} />
    </>
  );
}

interface CopiedProps extends Pick<CopyButtonProps, "value" | "label"> {
  state: CopyState;
  close: () => void;
}

/**
 * Announces the copy, or shows what could not be copied. It must stand outside the button: screen readers do not
 * announce a change inside one.
 */
export function Copied({ state, close, ...copied }: CopiedProps) {
  return (
    <>
      <span role="status" className="sr-only">
        {state === "copied" && text.common.copied}
      </span>
      {state === "failed" && (
        <Suspense>
          <CopyByHand {...copied} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
