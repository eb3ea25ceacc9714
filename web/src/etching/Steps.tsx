import { etchingText } from "../lib/etchingText.ts";
import { CheckIcon } from "../ui/icons.tsx";
import type { RunesOrder } from "../wallet/index.ts";

/** Blocks that must follow a commitment before its reveal can be mined. */
const REVEAL_BLOCKS = 5;

type Transaction = NonNullable<RunesOrder["transactions"]>[number];

/** The progress of an order: one line per step, with the current one marked. */
export function Steps({ order }: { order: RunesOrder }) {
  if (order.state === "failed" || order.state === "refunded" || order.state === "stale") return null;
  const steps = stepsOf(order);
  const at = steps.findIndex(({ done }) => !done);
  return (
    <ol aria-label={etchingText.progress} className="grid gap-2">
      {steps.map(({ name, note, done }, i) => (
        <li
          key={name}
          aria-current={i === at ? "step" : undefined}
          className={`flex items-center gap-3 ${done ? "text-aurora" : i === at ? "text-moon" : "text-mist"}`}
        >
          <span
            aria-hidden="true"
            className="grid size-6 shrink-0 place-items-center rounded-full border border-current text-xs"
          >
            {done ? <CheckIcon className="size-3.5" /> : i + 1}
          </span>
          <span>
            {name}
            {note && <span className="ml-2 text-sm text-mist">{note}</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}

interface Step {
  name: string;
  note?: string;
  done: boolean;
}

export function stepsOf(order: RunesOrder): Step[] {
  const all = order.transactions ?? [];
  const of = (role: Transaction["role"]): Transaction[] => all.filter((one) => one.role === role);
  const mined = (found: Transaction[]): boolean =>
    found.length > 0 && found.every(({ confirmations }) => confirmations > 0);
  const paid: Step[] = [
    { name: etchingText.stepPaid, done: order.state !== "new" },
    { name: etchingText.stepFunded, done: order.state === "executing" || order.state === "complete" },
  ];
  const complete = order.state === "complete";
  if (order.orderType === "rune_mint") {
    const mints = of("mint");
    const confirmed = mints.filter(({ confirmations }) => confirmations > 0).length;
    const note = mints.length > 0 ? { note: etchingText.mintsMined(confirmed, mints.length) } : {};
    return [...paid, { name: etchingText.stepMints, ...note, done: complete }];
  }
  const [commit] = of("commit");
  const deep = Math.min(REVEAL_BLOCKS, commit?.confirmations ?? 0);
  return [
    ...paid,
    { name: etchingText.stepCommit, done: mined(of("commit")) },
    { name: etchingText.stepRipe, note: etchingText.ripe(deep, REVEAL_BLOCKS), done: deep >= REVEAL_BLOCKS },
    { name: etchingText.stepReveal, done: complete },
  ];
}
