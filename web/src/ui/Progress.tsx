import { cx } from "../lib/cx.ts";

/** A progress bar: `value` of `max`. */
export function Progress({ value, max, label, text }: { value: bigint; max: bigint; label: string; text: string }) {
  const permille = max > 0n ? Number((value * 1000n) / max) : 0;
  const shown = Math.min(1000, permille);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.floor(shown / 10)}
      aria-valuetext={text}
      className="h-3 overflow-hidden rounded-full border border-edge bg-night"
    >
      <div
        className={cx(
          "paint h-full rounded-full transition-[width] duration-220",
          shown === 1000 ? "bg-aurora" : "bg-amber",
        )}
        style={{ width: `${shown / 10}%` }}
      />
    </div>
  );
}
