import { useId, type ReactNode } from "react";
import { cx } from "../lib/cx.ts";

interface FieldProps {
  label: string;
  value: string;
  onChange(value: string): void;
  hint?: ReactNode;
  numeric?: boolean;
  className?: string;
  maxLength?: number;
}

/** A text field with a label above and a hint below. */
export function Field({ label, value, onChange, hint, numeric = false, className = "", maxLength = 60 }: FieldProps) {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block text-sm font-semibold text-moon">
        {label}
      </label>
      <input
        id={id}
        value={value}
        maxLength={maxLength}
        inputMode={numeric ? "decimal" : undefined}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.value)}
        className={cx(
          "h-12 w-full rounded-box border border-edge bg-night px-3 text-moon outline-none placeholder:text-mist",
          "focus-visible:border-ice focus-visible:outline-1 focus-visible:outline-ice",
        )}
      />
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-sm text-mist">
          {hint}
        </p>
      )}
    </div>
  );
}
