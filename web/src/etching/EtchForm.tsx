import { useState } from "react";
import { etchingText } from "../lib/etchingText.ts";
import { Disclosure } from "../ui/Disclosure.tsx";
import type { Session } from "../wallet/index.ts";
import { Costs } from "./Costs.tsx";
import { emptyEtching, etchParams, readEtching, readRate, type EtchFields } from "./etch.ts";
import { Field } from "./Field.tsx";
import type { OrderRequest } from "./orders.ts";
import { Preview } from "./Preview.tsx";
import { Submit } from "./Submit.tsx";
import { nameText } from "./units.ts";

type SetField = <K extends keyof EtchFields>(key: K, value: EtchFields[K]) => void;

interface FormProps {
  session: Session | null;
  onConnect(): void;
  onOrder(id: string): void;
}

export function EtchForm({ session, onConnect, onOrder }: FormProps) {
  const [fields, setFields] = useState(emptyEtching);
  const set: SetField = (key, value) => setFields((old) => ({ ...old, [key]: value }));
  const etching = readEtching(fields);
  const rate = readRate(fields.feeRate);
  const missing = typeof etching === "string" ? etching : rate === null ? etchingText.needRate : "";
  const request: OrderRequest | null =
    session && typeof etching !== "string" && rate !== null
      ? { kind: "etch", params: etchParams(fields, etching, rate, session) }
      : null;
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <RuneFields fields={fields} set={set} />
      <div className="grid gap-5 rounded-box bg-night p-4">
        <Preview etching={etching} fields={fields} />
        <Costs request={request} />
        <Submit
          request={request}
          label={etchingText.etch}
          missing={missing}
          connected={session !== null}
          onConnect={onConnect}
          onOrder={onOrder}
        />
      </div>
    </div>
  );
}

interface RuneFieldsProps {
  fields: EtchFields;
  set: SetField;
}

function RuneFields({ fields, set }: RuneFieldsProps) {
  return (
    <div className="grid gap-4">
      <Field
        label={etchingText.name}
        value={fields.name}
        onChange={(name) => set("name", nameText(name))}
        hint={etchingText.nameHint}
      />
      <div className="grid grid-cols-2 gap-4">
        <Field
          label={etchingText.symbol}
          value={fields.symbol}
          maxLength={8}
          onChange={(symbol) => set("symbol", [...symbol].slice(-1).join(""))}
        />
        <Field
          label={etchingText.divisibility}
          value={fields.divisibility}
          numeric
          maxLength={2}
          onChange={(value) => set("divisibility", value)}
        />
      </div>
      <Field
        label={etchingText.premine}
        value={fields.premine}
        numeric
        onChange={(value) => set("premine", value)}
        hint={etchingText.premineHint}
      />
      <label className="flex min-h-11 items-center gap-3 text-moon">
        <input
          type="checkbox"
          className="size-5 accent-amber"
          checked={fields.mintable}
          onChange={(event) => set("mintable", event.target.checked)}
        />
        {etchingText.mintable}
      </label>
      {fields.mintable && <TermsFields fields={fields} set={set} />}
      <Field
        label={etchingText.feeRate}
        value={fields.feeRate}
        numeric
        maxLength={8}
        onChange={(value) => set("feeRate", value)}
        hint={etchingText.feeRateHint}
      />
    </div>
  );
}

/** The terms of an open mint. */
function TermsFields({ fields, set }: RuneFieldsProps) {
  const field = (key: Exclude<keyof EtchFields, "mintable">, label: string) => (
    <Field label={label} value={fields[key]} numeric onChange={(value) => set(key, value)} />
  );
  return (
    <>
      <div className="grid grid-cols-2 gap-4">
        {field("amount", etchingText.amount)}
        {field("cap", etchingText.cap)}
      </div>
      <Disclosure title={etchingText.limits}>
        <p className="mb-3 text-sm text-mist">{etchingText.limitsHint}</p>
        <div className="grid grid-cols-2 gap-4">
          {field("offsetStart", etchingText.offsetStart)}
          {field("offsetEnd", etchingText.offsetEnd)}
          {field("heightStart", etchingText.heightStart)}
          {field("heightEnd", etchingText.heightEnd)}
        </div>
      </Disclosure>
    </>
  );
}
