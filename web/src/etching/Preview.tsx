import { etchingText } from "../lib/etchingText.ts";
import { formatNumber } from "../lib/format.ts";
import { text } from "../lib/text.ts";
import type { EtchFields, Etching } from "./etch.ts";
import { unitsText } from "./units.ts";

/** How wallets will display the rune, and its maximum supply. */
export function Preview({ etching, fields }: { etching: Etching | string; fields: EtchFields }) {
  const valid = typeof etching === "string" ? null : etching;
  const shown = (units: bigint): string =>
    valid ? formatNumber(unitsText(units, valid.divisibility), valid.divisibility) : text.figures.none;
  return (
    <section aria-label={etchingText.preview}>
      <div className="flex items-center gap-4">
        <span
          aria-hidden="true"
          className="grid size-14 shrink-0 place-items-center rounded-full border border-edge bg-raised text-3xl"
        >
          {fields.symbol || "¤"}
        </span>
        <div className="min-w-0">
          <p className="text-sm text-mist">{etchingText.preview}</p>
          <p className="font-display text-xl font-bold wrap-anywhere text-moon">
            {valid?.name ?? (fields.name || etchingText.unnamed)}
          </p>
        </div>
      </div>
      <dl className="mt-4 grid grid-cols-2 gap-3">
        <Fact name={etchingText.supply}>{valid ? shown(valid.supply) : text.figures.none}</Fact>
        <Fact name={etchingText.toYou}>{valid ? shown(valid.premine) : text.figures.none}</Fact>
        {fields.mintable && (
          <Fact name={etchingText.mints}>
            {valid
              ? etchingText.mintsOf(formatNumber(valid.cap.toString(), 0), shown(valid.amount))
              : text.figures.none}
          </Fact>
        )}
        {fields.mintable && <Fact name={etchingText.when}>{when(fields)}</Fact>}
      </dl>
    </section>
  );
}

/** Returns the terms of an open mint in words. */
function when({ offsetStart, offsetEnd, heightStart, heightEnd }: EtchFields): string {
  const facts = [
    offsetStart && etchingText.fromOffset(offsetStart),
    heightStart && etchingText.fromHeight(heightStart),
    offsetEnd && etchingText.toOffset(offsetEnd),
    heightEnd && etchingText.toHeight(heightEnd),
  ].filter((part) => part !== "");
  return facts.length > 0 ? facts.join(", ") : etchingText.always;
}

function Fact({ name, children }: { name: string; children: string }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-mist">{name}</dt>
      <dd translate="no" className="num wrap-anywhere text-moon">{children}</dd>
    </div>
  );
}
