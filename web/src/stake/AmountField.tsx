import { useRef, type ChangeEvent, type ClipboardEvent, type InputEvent, type KeyboardEvent } from "react";
import { toDecimal } from "../lib/amount.ts";
import { formatRunesExact } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { text } from "../lib/text.ts";
import { Button } from "../ui/Button.tsx";
import { decimalMark, isUnclear, nextText, otherMark, STEP, stepText } from "./amount.ts";

export interface AmountFieldProps {
  value: string;
  /** Something was left out that may have meant another amount: nothing can be staked until the field was emptied or set. */
  unclear: boolean;
  onChange(value: string, unclear: boolean): void;
  /** What the wallet holds, in base units; null: not known (yet). */
  balance: bigint | null;
  /** What of it can be sent now: the most that the field takes. */
  spendable: bigint | null;
  disabled?: boolean;
  /** Id of the sentence that explains the field. */
  describedBy: string;
}

export function AmountField({ value, unclear, onChange, balance, spendable, disabled, describedBy }: AmountFieldProps) {
  // A decimal mark was written, and the field's number does not show it yet.
  const marked = useRef(false);

  function typed(event: ChangeEvent<HTMLInputElement>): void {
    const field = event.target;
    // A number field hands out "" for what it can't read: that keeps the old text, unlike a field that is empty.
    if (field.validity.badInput) return onChange(value, unclear);
    const lost = marked.current && field.value !== "" && field.value !== value && !field.value.includes(".");
    if (lost || field.value === "" || field.value.includes(".")) marked.current = false;
    if (!lost) return onChange(nextText(field.value, value, spendable), unclear && field.value !== "");
    otherMark();
    onChange(value, true);
  }

  function added(event: InputEvent<HTMLInputElement> | ClipboardEvent<HTMLInputElement>): void {
    const text = "clipboardData" in event ? event.clipboardData.getData("text") : (event.data ?? "");
    const whole = "clipboardData" in event && value === "";
    if (!isUnclear(text, value)) {
      marked.current ||= text.includes(decimalMark());
      return whole ? onChange("", false) : undefined;
    }
    event.preventDefault();
    onChange(value, true);
  }

  function stepped(event: KeyboardEvent): void {
    if (event.key === "Backspace" || event.key === "Delete") marked.current = false;
    const direction = event.key === "ArrowUp" ? 1n : event.key === "ArrowDown" ? -1n : null;
    if (direction === null) return;
    event.preventDefault();
    onChange(stepText(value, direction, spendable), false);
  }

  return (
    <div>
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <label htmlFor="stake-amount" className="font-semibold text-moon">
          {text.stake.amount}
        </label>
        <span className="text-mist">
          {text.stake.balance}{" "}
          <output className="num" data-testid="balance">
            {balance === null ? text.figures.none : formatRunesExact(balance)}
          </output>
          {spendable !== null && balance !== spendable && ` · ${later.stake.spendable(formatRunesExact(spendable))}`}
        </span>
      </div>
      <div className="flex items-center gap-2 rounded-box border border-edge bg-night pr-2 has-[input:focus-visible]:border-ice has-[input:focus-visible]:outline-1 has-[input:focus-visible]:outline-ice">
        <input
          id="stake-amount"
          type="number"
          inputMode="decimal"
          min={0}
          max={spendable === null ? undefined : toDecimal(spendable)}
          step={STEP.toString()}
          placeholder="0"
          autoComplete="off"
          aria-describedby={describedBy}
          className="h-14 w-full min-w-0 flex-1 rounded-box bg-transparent pl-4 text-2xl text-moon outline-none placeholder:text-mist"
          value={value}
          disabled={disabled}
          aria-invalid={unclear}
          onChange={typed}
          onBeforeInput={added}
          onPaste={added}
          onKeyDown={stepped}
          // The wheel would step by the browser's own rule.
          onWheel={(event) => event.currentTarget.blur()}
        />
        <Button disabled={disabled || !spendable} onClick={() => onChange(toDecimal(spendable! / 2n), false)}>
          {text.stake.half}
        </Button>
        <Button disabled={disabled || !spendable} onClick={() => onChange(toDecimal(spendable!), false)}>
          {text.stake.max}
        </Button>
      </div>
    </div>
  );
}

