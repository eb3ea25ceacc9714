import { useRef, useState, type Ref } from "react";
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

interface AutoCompoundProps {
  wallet: WalletFields;
  nothingToClaim: boolean;
}

/** Automatic compounding. While nothing can be claimed, it says whether new rewards can be. */
export function AutoCompound({ wallet, nothingToClaim }: AutoCompoundProps) {
  const { data } = useCompounding(wallet);
  return (
    <>
      {nothingToClaim && data && (
        <p className="text-mist">{data.state === "ACTIVE" ? words.noneLeft : words.none}</p>
      )}
      <Instruction wallet={wallet} />
    </>
  );
}

/** The instruction to compound rewards automatically: its state, and the form that signs it and ends it. */
function Instruction({ wallet }: { wallet: WalletFields }) {
  const compounding = useCompounding(wallet);
  const action = useAction();
  const [open, setOpen] = useState(false);
  const [epochs, setEpochs] = useState(LENGTHS[0]!);
  const [done, setDone] = useState<string | null>(null);
  const toggleButton = useRef<HTMLButtonElement>(null);
  const [last, setLast] = useState<"AUTO_COMPOUND" | "END_AUTO_COMPOUND">("AUTO_COMPOUND");

  async function sign(type: typeof last): Promise<void> {
    setDone(null);
    setLast(type);
    const signed = await action.run(type, NO_UNITS, type === "AUTO_COMPOUND" ? { epochs } : {});
    if (!signed) return;
    setDone(type === "AUTO_COMPOUND" ? words.begun : words.ended);
    setOpen(false);
    toggleButton.current?.focus(); // the pressed button is removed
  }

  function toggle(): void {
    setDone(null);
    setOpen(!open);
  }

  return (
    <section aria-labelledby="auto-compound" className="-mt-2 -mb-3 grid gap-3">
      <Loaded query={compounding} skeleton={<Lines count={2} />}>
        {(state) => (
          <>
            <Head state={state} open={open} toggleButton={toggleButton} onToggle={toggle} />
            {open && (
              <div className="mb-5 grid gap-3">
                <p className="text-sm text-mist">
                  {state.state === "ACTIVE" ? words.next(state.nextEpoch) : words.explain}
                </p>
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
              </div>
            )}
          </>
        )}
      </Loaded>
      <div className="mb-5 empty:hidden">
        <ActionNotice action={action} done={done} onDismiss={() => setDone(null)} onRetry={() => void sign(last)} />
      </div>
    </section>
  );
}

interface HeadProps {
  state: Compounding;
  open: boolean;
  toggleButton: Ref<HTMLButtonElement>;
  onToggle(): void;
}

/** The heading with the state in one line, and the button that shows the form. */
function Head({ state: { state, nextEpoch, lastEpoch }, open, toggleButton, onToggle }: HeadProps) {
  const active = state === "ACTIVE" && lastEpoch !== null;
  return (
    <div className="flex items-center justify-between gap-x-4">
      <div className="flex flex-wrap gap-x-2">
        <h2 id="auto-compound" className="font-bold">
          {words.title}
        </h2>
        {active ? (
          <p className="text-aurora">{words.active(lastEpoch, lastEpoch - nextEpoch + 1)}</p>
        ) : (
          <p className="text-mist">{state === "ENDED" ? words.over : words.off}</p>
        )}
      </div>
      <Button
        ref={toggleButton}
        kind="quiet"
        className="min-h-9! shrink-0 px-0! text-sm"
        aria-expanded={open}
        onClick={onToggle}
      >
        {open ? words.close : active ? words.change : words.setUp}
        <span className="sr-only">: {words.subject}</span>
      </Button>
    </div>
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
