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

interface MintFormProps {
  session: Session | null;
  onConnect(): void;
  onOrder(id: string): void;
}

export function MintForm({ session, onConnect, onOrder }: MintFormProps) {
  const [name, setName] = useState("");
  const [repeats, setRepeats] = useState("1");
  const [feeRate, setFeeRate] = useState("2");
  const times = /^\d{1,2}$/.test(repeats) ? Number(repeats) : 0;
  const rate = readRate(feeRate);
  const missing = missingField(name, times, rate);
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

/** Returns why the form is incomplete, or an empty text. */
function missingField(name: string, times: number, rate: number | null): string {
  if (name === "") return etchingText.needName;
  if (times < 1 || times > MAX_REPEATS) return etchingText.needRepeats(MAX_REPEATS);
  return rate === null ? etchingText.needRate : "";
}
