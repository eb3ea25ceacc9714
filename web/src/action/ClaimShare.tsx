import { useState } from "react";
import { earn } from "../lib/earnText.ts";
import { formatPercent, formatRunesUp } from "../lib/format.ts";
import { costPerToken, costShare } from "../lib/rewards.ts";
import { site } from "../lib/site.ts";
import { readAmount } from "../lib/typedAmount.ts";

/** From this share on, in hundredths of a percent, a claim is expensive. */
const LARGE = 1_000n;
const ALL = 10_000n;

interface ClaimShareProps {
  /** The cost of the claim. */
  sats: bigint;
  /** The claimed runes, in base units. */
  runes: bigint;
}

/** The cost of a claim as a share of its value. The page has no price of the rune, so the user enters one. */
export function ClaimShare({ sats, runes }: ClaimShareProps) {
  const [typed, setTyped] = useState("");
  const reading = readAmount(typed);
  const price = reading.kind === "amount" ? reading.amount : 0n;
  const share = costShare(sats, runes, price);
  const isLarge = share !== null && share >= LARGE;
  return (
    <div className="mt-4 grid gap-3">
      <p className="text-sm text-mist">
        {earn.each(site.token, formatRunesUp(costPerToken(sats, runes)))} {share === null && earn.wait(site.token)}
      </p>
      <label className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        {earn.worth(site.token)}
        <input
          type="text"
          inputMode="decimal"
          autoComplete="off"
          className="field w-28"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      <p role="status" className={isLarge ? "border-l-2 border-amber pl-3" : ""}>
        {share !== null && shareText(share)}
      </p>
    </div>
  );
}

function shareText(share: bigint): string {
  const sentence = share >= ALL ? earn.shareAll : earn.share(formatPercent(fractionOf(share)));
  return share >= LARGE ? `${sentence} ${earn.large}` : sentence;
}

/** Converts hundredths of a percent to a plain fraction. */
function fractionOf(share: bigint): string {
  return `0.${share.toString().padStart(4, "0")}`;
}
