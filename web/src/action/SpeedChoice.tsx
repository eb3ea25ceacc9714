import { useId, type ReactNode } from "react";
import type { OneTxQuote } from "../api/oneTx.ts";
import { now } from "../lib/clock.ts";
import { cx } from "../lib/cx.ts";
import { formatDate, formatNumber, formatSats } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { text } from "../lib/text.ts";
import { writeRate } from "./rate.ts";
import { DAY_MS } from "./speed.ts";
import type { OneTxOffer } from "./oneTx.ts";
import { suggestedForm, type Prices, type SpeedForm } from "./useEstimate.ts";

const words = later.economy;
/** Limits to choose from; the last is the longest of any order. */
const DAYS = [1, 3, 7, 14, 21, 28];

/** How an order is delivered: at normal or economy speed after its payment, or in one transaction. */
export interface Delivery {
  /** Null: normal speed. */
  form: SpeedForm | null;
  /** Null while nothing was chosen and the coins of the wallet are checked. */
  oneTx: boolean | null;
}

interface SpeedChoiceProps {
  prices: Prices;
  /** One transaction; null if it is not offered. */
  offer: OneTxOffer | null;
  delivery: Delivery;
  disabled: boolean;
  onChange(delivery: Delivery): void;
}

/** Returns the price of a payment order that is sent now, in sats. */
export const normalTotal = ({ estimate }: Prices): bigint => estimate.fees.total;

/** Returns the price of one transaction, in sats. */
export const oneTxTotal = ({ estimate }: Prices, { fee }: OneTxQuote): bigint => fee + estimate.fees.dust;

type Way = "order" | "oneTx" | "economy";

/**
 * Returns the cheapest way without waiting, which is the default, and whether waiting is cheaper still. The way is null
 * if there is only one, or no difference.
 */
function cheapestOf(prices: Prices, offer: OneTxOffer | null): { atOnce: Way | null; waiting: boolean } {
  const { economy } = prices.estimate;
  const order = normalTotal(prices);
  const oneTx = offer?.quote ? oneTxTotal(prices, offer.quote) : order;
  const least = oneTx < order ? oneTx : order;
  return {
    atOnce: oneTx === order ? null : oneTx < order ? "oneTx" : "order",
    waiting: economy !== null && prices.error === null && economy.fees.total < least,
  };
}

/** The choice of a delivery, with the price of each and what it saves. The default, and only that, is praised. */
export function SpeedChoice({ prices, offer, delivery, disabled, onChange }: SpeedChoiceProps) {
  const { form, oneTx } = delivery;
  const { estimate } = prices;
  const { economy, unavailable } = estimate;
  const id = useId();
  const hasOneTx = offer !== null && offer.impossible === null;
  const { atOnce, waiting } = cheapestOf(prices, offer);
  const praiseOf = (way: Way): string => (way === atOnce ? words.cheapest[way] : "");
  const nearRecovery = unavailable === "near_recovery" && <p className="text-sm text-mist">{words.nearRecovery}</p>;
  const impossible = offer?.impossible && (
    <p role="status" className="text-sm text-mist">
      {later.oneTx.impossible(offer.impossible)}
    </p>
  );
  if (!economy && !form && !hasOneTx) {
    return (
      <div className="mb-4 grid gap-2 empty:hidden">
        {nearRecovery}
        {impossible}
      </div>
    );
  }
  return (
    <fieldset className="mb-4 grid gap-2" disabled={disabled}>
      <legend className="mb-2 font-semibold text-moon">{hasOneTx ? later.oneTx.choose : words.choose}</legend>
      <Option
        name={id}
        title={hasOneTx ? later.oneTx.order : words.now}
        note={hasOneTx ? later.oneTx.orderNote : words.nowNote}
        praise={praiseOf("order")}
        sats={normalTotal(prices)}
        checked={form === null && oneTx === false}
        onChoose={() => onChange({ form: null, oneTx: false })}
      />
      {hasOneTx && (
        <OneTxOption
          name={id}
          prices={prices}
          quote={offer.quote}
          praise={praiseOf("oneTx")}
          checked={oneTx === true}
          onChoose={() => onChange({ form: null, oneTx: true })}
        />
      )}
      {(economy || form) && (
        <EconomyOption
          name={id}
          prices={prices}
          isCheaper={waiting}
          form={form}
          onChange={(form) => onChange({ form, oneTx: false })}
        />
      )}
      {!economy && !form && nearRecovery}
      {impossible}
    </fieldset>
  );
}

interface EconomyOptionProps {
  name: string;
  prices: Prices;
  /** Whether it is cheaper than every way without waiting. */
  isCheaper: boolean;
  form: SpeedForm | null;
  onChange(form: SpeedForm): void;
}

function EconomyOption({ name, prices, isCheaper, form, onChange }: EconomyOptionProps) {
  const { estimate, error } = prices;
  const { economy, unavailable } = estimate;
  return (
    <Option
      name={name}
      title={words.economy}
      note={isCheaper ? words.cheapest.economy : words.economyNote}
      sats={error === null && economy ? economy.fees.total : null}
      saved={error === null && economy ? economy.saved : 0n}
      checked={form !== null}
      onChoose={() => economy && onChange(suggestedForm(economy))}
    >
      {form && !economy && (
        <p role="alert" className="mt-3 border-t border-line pt-3 text-sm text-ember">
          {unavailable === "near_recovery" ? words.nearRecovery : words.gone} {words.chooseOther}
        </p>
      )}
      {form && economy && <EconomyForm prices={prices} form={form} onChange={onChange} />}
    </Option>
  );
}

interface OneTxOptionProps {
  name: string;
  prices: Prices;
  /** Null while the coins of the wallet are checked. */
  quote: OneTxQuote | null;
  praise: string;
  checked: boolean;
  onChoose(): void;
}

function OneTxOption({ name, prices, quote, praise, checked, onChoose }: OneTxOptionProps) {
  const total = quote && oneTxTotal(prices, quote);
  return (
    <Option
      name={name}
      title={later.oneTx.option}
      note={quote ? later.oneTx.optionNote : later.oneTx.checking}
      praise={praise}
      sats={total}
      saved={total === null ? 0n : normalTotal(prices) - total}
      checked={checked}
      disabled={quote === null}
      onChoose={onChoose}
    >
      {checked && quote && (
        <ul className="mt-3 grid list-disc gap-1 border-t border-line pt-3 pl-5 text-sm text-fur">
          <li>{later.oneTx.coins(quote.coins, formatSats(quote.change))}</li>
          <li>{later.oneTx.unchecked}</li>
        </ul>
      )}
    </Option>
  );
}

interface OptionProps {
  name: string;
  title: string;
  note: string;
  /** Why this is the default; empty if it isn't, or there is no other way. */
  praise?: string;
  /** Null while the price is not known. */
  sats: bigint | null;
  saved?: bigint;
  checked: boolean;
  disabled?: boolean;
  onChoose(): void;
  /** More about the chosen option. */
  children?: ReactNode;
}

function Option(props: OptionProps) {
  const { name, title, note, praise = "", sats, saved = 0n, checked, disabled, onChoose, children } = props;
  return (
    <div className={cx("rounded-box border px-4 py-3", checked ? "border-amber bg-night" : "border-edge")}>
      <label className="flex min-h-11 items-center gap-3">
        <input
          type="radio"
          className="shrink-0"
          name={name}
          checked={checked}
          disabled={disabled}
          onChange={onChoose}
        />
        <span className="flex-1">
          <span className="block font-semibold text-moon">{title}</span>
          <span className="block text-sm text-mist">{note}</span>
          {praise && <span className="block text-sm text-aurora">{praise}</span>}
        </span>
        <span className="text-right">
          <span translate="no" className="num block whitespace-nowrap">
            {sats === null ? text.figures.none : formatSats(sats)}{" "}
            <span className="text-sm font-normal text-mist">{text.common.sats}</span>
          </span>
          {saved > 0n && (
            <span className={`block text-sm ${praise ? "text-aurora" : "text-fur"}`}>
              {words.saves(formatSats(saved))}
            </span>
          )}
        </span>
      </label>
      {children}
    </div>
  );
}

interface EconomyFormProps {
  prices: Prices;
  form: SpeedForm;
  onChange(form: SpeedForm): void;
}

/** The rate and the limit, and what they mean. */
function EconomyForm({ prices: { estimate, error, speed }, form, onChange }: EconomyFormProps) {
  const id = useId();
  const { minRate, maxRate, maxDays } = estimate.economy!;
  const network = formatNumber(estimate.fees.rate, 3);
  const days = Math.min(form.days, maxDays);
  const lengths = [...DAYS.filter((length) => length < maxDays), maxDays];
  const isNear = maxDays < DAYS.at(-1)!;
  const limit = formatDate(now() + (speed?.days ?? days) * DAY_MS);
  return (
    <div className="mt-3 grid gap-3 border-t border-line pt-3">
      <div className="flex flex-wrap gap-x-6 gap-y-3">
        <label className="grid gap-1 text-sm text-mist">
          {words.rate}
          <input
            type="text"
            inputMode="decimal"
            autoComplete="off"
            className="field w-32"
            value={form.typed}
            aria-invalid={error !== null}
            aria-describedby={id}
            onChange={(event) => onChange({ ...form, typed: event.target.value })}
          />
        </label>
        <label className="grid gap-1 text-sm text-mist">
          {words.limit}
          <select
            className="field w-32"
            value={days}
            onChange={(event) => onChange({ ...form, days: Number(event.target.value) })}
          >
            {lengths.map((length) => (
              <option key={length} value={length}>
                {words.days(length)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <p id={id} role="status" className={cx("text-sm", error === null ? "text-mist" : "text-ember")}>
        {error ?? words.range(writeRate(minRate), writeRate(maxRate), network)}
      </p>
      {isNear && <p className="text-sm text-mist">{words.daysNear(maxDays)}</p>}
      <ul className="grid list-disc gap-1 pl-5 text-sm text-fur">
        <li>{words.payNow}</li>
        <li>{words.idle}</li>
        {isNear ? days < maxDays && <li>{words.mayNotNear(limit)}</li> : <li>{words.mayNot(limit)}</li>}
        <li>{isNear ? words.endsNear(maxDays) : words.noChoice}</li>
      </ul>
    </div>
  );
}
