import type { OneTxQuote } from "../api/oneTx.ts";
import type { Fees } from "../api/orders.ts";
import { formatNumber, formatSats } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { text } from "../lib/text.ts";

/** Separates a total from its items. */
const RULE = "border-t border-line pt-2";

/**
 * The items of a price in sats, and their total, unless it is shown elsewhere. The network fee includes the fee for the
 * inputs of the units.
 */
export function FeeTable({ fees, total = true }: { fees: Fees; total?: boolean }) {
  return (
    <dl className="grid gap-1.5" aria-label={later.fees.title}>
      <FeeItem name={later.fees.dust} note={later.fees.dustNote} sats={fees.dust} />
      <FeeItem
        name={later.fees.network}
        note={later.fees.rate(formatNumber(fees.rate, 3))}
        sats={fees.network + fees.rutxos}
      />
      <FeeItem name={later.fees.service} sats={fees.service} />
      {total && <FeeTotal sats={fees.total} className={RULE} />}
    </dl>
  );
}

interface OneTxFeesProps {
  quote: Pick<OneTxQuote, "fee" | "vbytes" | "rate">;
  dust: bigint;
  total?: boolean;
}

/** The same for a price in one transaction. There is no service fee. */
export function OneTxFees({ quote, dust, total = true }: OneTxFeesProps) {
  const { fee, vbytes, rate } = quote;
  return (
    <dl className="grid gap-1.5" aria-label={later.fees.title}>
      <FeeItem name={later.fees.dust} note={later.fees.dustNote} sats={dust} />
      <FeeItem
        name={later.fees.network}
        note={later.oneTx.size(formatNumber(vbytes), formatNumber(rate, 3))}
        sats={fee}
      />
      {total && <FeeTotal sats={fee + dust} className={RULE} />}
    </dl>
  );
}

/** One item of a price. */
export function FeeItem({ name, note, sats }: { name: string; note?: string; sats: bigint }) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt className="text-fur">
        {name}
        {note && <span className="ml-2 text-sm text-mist">{note}</span>}
      </dt>
      <dd className="whitespace-nowrap text-moon">
        {formatSats(sats)} <span className="text-sm text-mist">{text.common.sats}</span>
      </dd>
    </div>
  );
}

interface FeeTotalProps {
  name?: string | undefined;
  sats: bigint;
  className?: string;
}

/** The total of a price. */
export function FeeTotal({ name = later.fees.total, sats, className = "" }: FeeTotalProps) {
  return (
    <div className={`flex items-baseline justify-between gap-4 ${className}`}>
      <dt className="font-semibold text-moon">{name}</dt>
      <dd translate="no" data-testid="total" className="num text-lg">
        {formatSats(sats)} <span className="text-sm font-normal text-mist">{text.common.sats}</span>
      </dd>
    </div>
  );
}

/** The total above the main button of a dialog. */
export function FooterTotal({ name, sats }: Omit<FeeTotalProps, "className">) {
  return (
    <dl data-testid="footer-total" className="mb-3">
      <FeeTotal {...{ name, sats }} />
    </dl>
  );
}
