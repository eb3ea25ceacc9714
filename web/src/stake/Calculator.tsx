import { useState } from "react";
import { UNIT } from "../lib/amount.ts";
import { earn } from "../lib/earnText.ts";
import { site } from "../lib/site.ts";
import { readAmount, writeAmount } from "../lib/typedAmount.ts";
import { WouldEarn } from "./WouldEarn.tsx";

const START = 1_000n * UNIT;
const EXAMPLE = 123_450_000_000n; // 1234.5 tokens

/** Estimates the rewards of a stake before a wallet is connected. */
export default function Calculator() {
  const [typed, setTyped] = useState(() => writeAmount(START));
  const reading = readAmount(typed);
  return (
    <>
      <label className="grid gap-2 text-fur">
        {earn.amount(site.token)}
        <input
          type="text"
          inputMode="decimal"
          autoComplete="off"
          className="field w-full text-lg"
          aria-invalid={reading.kind !== "amount"}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      {reading.kind === "amount" ? (
        <WouldEarn amount={reading.amount} />
      ) : (
        <p role="status" className="mt-2 text-amber">
          {earn.unclear(writeAmount(EXAMPLE))}
        </p>
      )}
    </>
  );
}
