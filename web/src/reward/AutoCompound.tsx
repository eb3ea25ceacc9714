import { useState } from "react";
import { ActionNotice } from "../action/ActionNotice.tsx";
import { useAction } from "../action/useAction.ts";
import { useCompounding, type Compounding } from "../api/compounding.ts";
import type { WalletFields } from "../api/client.ts";
import { later } from "../lib/laterText.ts";
import { Button } from "../ui/Button.tsx";
import { Lines, Loaded } from "../ui/Loaded.tsx";

const words = later.compounding;
const NO_UNITS: string[] = [];
/** How many epochs an instruction may last; the first one is the default of the server. */
const LENGTHS = [12, 4, 26, 52];

/** The instruction to compound rewards automatically: its state, and the buttons that sign it and end it. */
export function AutoCompound({ wallet }: { wallet: WalletFields }) {
  const compounding = useCompounding(wallet);
  const action = useAction();
  const [epochs, setEpochs] = useState(LENGTHS[0]!);
  const [done, setDone] = useState<string | null>(null);
  const [last, setLast] = useState<"AUTO_COMPOUND" | "END_AUTO_COMPOUND">("AUTO_COMPOUND");

  async function sign(type: typeof last): Promise<void> {
    setDone(null);
    setLast(type);
    const signed = await action.run(type, NO_UNITS, type === "AUTO_COMPOUND" ? epochs : undefined);
    if (signed) setDone(type === "AUTO_COMPOUND" ? words.begun : words.ended);
  }

  return (
    <section aria-labelledby="auto-compound" className="grid gap-3 border-t border-line pt-4">
      <h2 id="auto-compound" className="text-lg font-bold">
        {words.title}
      </h2>
      <Loaded query={compounding} skeleton={<Lines count={2} />}>
        {(state) => (
          <>
            <State state={state} />
            <Length value={epochs} first={state.nextEpoch} onChange={setEpochs} />
            <div className="flex flex-wrap gap-3">
              <Button busy={action.step !== null} onClick={() => void sign("AUTO_COMPOUND")}>
                {state.state === "ACTIVE" ? words.renew : words.begin}
              </Button>
              {state.state === "ACTIVE" && (
                <Button kind="danger" busy={action.step !== null} onClick={() => void sign("END_AUTO_COMPOUND")}>
                  {words.end}
                </Button>
              )}
            </div>
          </>
        )}
      </Loaded>
      <ActionNotice action={action} done={done} onDismiss={() => setDone(null)} onRetry={() => void sign(last)} />
    </section>
  );
}

function State({ state: { state, nextEpoch, lastEpoch } }: { state: Compounding }) {
  if (state === "ACTIVE" && lastEpoch !== null) {
    return (
      <>
        <p className="font-semibold text-aurora">{words.active(lastEpoch, lastEpoch - nextEpoch + 1)}</p>
        <p className="text-sm text-mist">{words.next(nextEpoch)}</p>
      </>
    );
  }
  return (
    <>
      {state === "ENDED" && <p className="text-mist">{words.over}</p>}
      <p className="text-sm text-mist">{words.explain}</p>
    </>
  );
}

interface LengthProps {
  value: number;
  first: number;
  onChange(epochs: number): void;
}

function Length({ value, first, onChange }: LengthProps) {
  return (
    <label className="grid gap-1 text-sm text-mist">
      {words.length}
      <select className="field max-w-64" value={value} onChange={(event) => onChange(Number(event.target.value))}>
        {LENGTHS.toSorted((a, b) => a - b).map((epochs) => (
          <option key={epochs} value={epochs}>
            {words.epochs(epochs, first + epochs - 1)}
          </option>
        ))}
      </select>
    </label>
  );
}
