import type { ButtonHTMLAttributes, Ref } from "react";
import { cx } from "../lib/cx.ts";

type Kind = "primary" | "plain" | "quiet" | "danger";

const kindClass: Record<Kind, string> = {
  primary: cx(
    "bg-amber text-ink font-semibold hover:bg-amber-bright",
    "disabled:bg-raised disabled:text-mist disabled:hover:bg-raised",
  ),
  plain: cx(
    "border border-edge text-moon hover:bg-raised",
    "disabled:border-line disabled:text-mist disabled:hover:bg-transparent",
  ),
  quiet: "text-ice underline-offset-4 hover:underline disabled:text-mist disabled:no-underline",
  danger: "border border-ember text-ember hover:bg-raised disabled:border-line disabled:text-mist",
};

/** The classes of a button, for links that look like one. */
export function buttonClass(kind: Kind, className = ""): string {
  return cx(
    "inline-flex min-h-11 items-center justify-center gap-2 rounded-box px-4 font-medium",
    "transition-colors duration-120",
    kindClass[kind],
    className,
  );
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: Kind;
  busy?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({ kind = "plain", busy = false, className = "", children, disabled, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      aria-busy={busy || undefined}
      disabled={disabled || busy}
      className={buttonClass(kind, className)}
      {...rest}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}

/** A ring without animation; the text beside it says what is awaited. */
function Spinner() {
  return (
    <svg aria-hidden="true" viewBox="0 0 16 16" className="size-4" fill="none" stroke="currentColor" strokeWidth="2">
      <circle cx="8" cy="8" r="6.5" opacity=".3" />
      <path d="M8 1.5A6.5 6.5 0 0 1 14.5 8" strokeLinecap="round" />
    </svg>
  );
}
