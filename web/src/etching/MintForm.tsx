import { useState } from "react";
import { etchingText } from "../lib/etchingText.ts";
import type { Session } from "../wallet/index.ts";
import { Costs } from "./Costs.tsx";
import { mintParams, readRate } from "./etch.ts";
import { Field } from "./Field.tsx";
import type { OrderRequest } from "./orders.ts";
import { Submit } from "./Submit.tsx";
import { nameText } from "./units.ts";

/** Maximum mints per order: their transactions form a chain. */
const MAX_REPEATS = 24;

export function MintForm({
  session,
  onConnect,
  onOrder,
}: {
  session: Session | null;
  onConnect(): void;
  onOrder(id: string): void;
}) {
  const [name, setName] = useState("");
  const [repeats, setRepeats] = useState("1");
  const [feeRate, setFeeRate] = useState("2");
  const times = /^\d{1,2}$/.test(repeats) ? Number(repeats) : 0;
  const rate = readRate(feeRate);
  const missing =
    name === ""
      ? etchingText.needName
      : times < 1 || times > MAX_REPEATS
        ? etchingText.needRepeats(MAX_REPEATS)
        : rate === null
          ? etchingText.needRate
          : "";
  const request: OrderRequest | null =
    session && missing === "" ? { kind: "mint", params: mintParams(name, times, rate!, session) } : null;
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <div className="grid gap-4">
        <Field
          label={etchingText.name}
          value={name}
          onChange={(typed) => setName(nameText(typed))}
          hint={etchingText.mintHint}
        />
        <Field
          label={etchingText.repeats}
          value={repeats}
          numeric
          maxLength={2}
          onChange={setRepeats}
          hint={etchingText.repeatsHint(MAX_REPEATS)}
        />
        <Field
          label={etchingText.feeRate}
          value={feeRate}
          numeric
          maxLength={8}
          onChange={setFeeRate}
          hint={etchingText.feeRateHint}
        />
      </div>
      <div className="grid gap-5 rounded-box bg-night p-4">
        <Costs request={request} />
        <Submit
          request={request}
          label={etchingText.mint}
          missing={missing}
          connected={session !== null}
          onConnect={onConnect}
          onOrder={onOrder}
        />
      </div>
    </div>
  );
}
