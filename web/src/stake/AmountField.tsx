import type { KeyboardEvent } from "react";
import { toDecimal } from "../lib/amount.ts";
import { cx } from "../lib/cx.ts";
import { formatRunesExact } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { Button } from "../ui/Button.tsx";
import { LARGE_STEP, nextText, STEP, stepText, writeAmount, type Reading } from "../lib/typedAmount.ts";

export interface AmountFieldProps {
  /** The text in the field, as typed. */
  value: string;
  /** The parsed text. */
  reading: Reading;
  onChange(value: string): void;
  /** The wallet's balance in base units; null while unknown. */
  balance: bigint | null;
  /** The part of the balance that can be sent now; the maximum of the field. */
  spendable: bigint | null;
  disabled?: boolean;
  /** Id of the element that describes the field. */
  describedBy: string;
}

/**
 * A text field with the role of a spin button. It is not a number field, because a browser parses those by its own
 * language and does not expose text that it can't parse.
 */
export function AmountField({ value, reading, onChange, balance, spendable, disabled, describedBy }: AmountFieldProps) {
  const amount = reading.kind === "amount" && value.trim() !== "" ? reading.amount : null;
  const written = amount === null ? null : `${formatRunesExact(amount)} ${site.token}`;

  function press(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const next = textAfterKey(event.key, value, spendable);
    if (next === null) return;
    event.preventDefault();
    onChange(next);
  }

  return (
    <div>
      <AmountLabel balance={balance} spendable={spendable} />
      <div
        className={cx(
          "flex items-center gap-2 rounded-box border border-edge bg-night pr-2 has-[input:focus-visible]:border-ice",
          "has-[input:focus-visible]:outline-1 has-[input:focus-visible]:outline-ice",
        )}
      >
        <input
          id="stake-amount"
          type="text"
          role="spinbutton"
          inputMode="decimal"
          placeholder="0"
          autoComplete="off"
          spellCheck={false}
          aria-describedby={describedBy}
          aria-valuenow={amount === null ? undefined : Number(toDecimal(amount))}
          aria-valuemin={0}
          aria-valuemax={spendable === null ? undefined : Number(toDecimal(spendable))}
          aria-valuetext={written ?? undefined}
          aria-invalid={reading.kind !== "amount"}
          className={cx(
            "h-14 w-full min-w-0 flex-1 rounded-box bg-transparent pl-4 text-2xl text-moon",
            "outline-none placeholder:text-mist",
          )}
          value={value}
          disabled={disabled}
          onChange={(event) => onChange(nextText(event.target.value, value, spendable))}
          onKeyDown={press}
        />
        <Button disabled={disabled || !spendable} onClick={() => onChange(writeAmount(spendable! / 2n))}>
          {text.stake.half}
        </Button>
        <Button disabled={disabled || !spendable} onClick={() => onChange(writeAmount(spendable!))}>
          {text.stake.max}
        </Button>
      </div>
      <p className="num mt-2 empty:hidden" data-testid="amount-read">
        {written}
      </p>
    </div>
  );
}

function AmountLabel({ balance, spendable }: Pick<AmountFieldProps, "balance" | "spendable">) {
  return (
    <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
      <label htmlFor="stake-amount" className="font-semibold text-moon">
        {text.stake.amount}
      </label>
      <span className="text-mist">
        {text.stake.balance}{" "}
        <output translate="no" className="num" data-testid="balance">
          {balance === null ? text.figures.none : formatRunesExact(balance)}
        </output>
        {spendable !== null && balance !== spendable && ` · ${later.stake.spendable(formatRunesExact(spendable))}`}
      </span>
    </div>
  );
}

/** Returns the field's text after a spin button key; null for any other key, which the input handles. */
function textAfterKey(key: string, value: string, max: bigint | null): string | null {
  if (key === "ArrowUp") return stepText(value, STEP, max);
  if (key === "ArrowDown") return stepText(value, -STEP, max);
  if (key === "PageUp") return stepText(value, LARGE_STEP, max);
  if (key === "PageDown") return stepText(value, -LARGE_STEP, max);
  if (key === "Home") return writeAmount(0n);
  if (key === "End" && max !== null) return writeAmount(max);
  return null;
}

