import { cx } from "../lib/cx.ts";
import { formatNumber } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { CheckIcon } from "../ui/icons.tsx";

/** The places of "paid" and "sent" in the names. */
const PAID = 1;
const SENT = 2;
const names = [later.order.created, later.order.status.PAID, later.order.status.SENT, later.order.status.DELIVERED];

interface TimelineProps {
  /** From shownStage. */
  stage: number | null;
  /** The rate in sat/vB at which an economy order is sent; null at normal speed. */
  economyRate: number | null;
  /** Whether the owner signed one transaction instead of paying. */
  isOneTx: boolean;
}

/** Created, paid, sent, delivered. Renders nothing for an order that ended before its delivery. */
export function Timeline({ stage, economyRate, isOneTx }: TimelineProps) {
  if (stage === null) return null;
  return (
    <ol aria-label={later.order.timeline} className="grid grid-cols-4">
      {names.map((name, i) => (
        <li
          key={name}
          aria-current={i === stage ? "step" : undefined}
          className="grid content-start justify-items-center gap-1.5"
        >
          <span className="flex w-full items-center">
            <Line visible={i > 0} reached={i <= stage} />
            <span
              className={cx(
                "grid size-6 place-items-center rounded-full border-2",
                i <= stage ? "border-aurora bg-aurora text-ink" : "border-edge",
              )}
            >
              {i <= stage && <CheckIcon className="size-3.5" />}
            </span>
            <Line visible={i < names.length - 1} reached={i < stage} />
          </span>
          <span className={`text-center text-sm ${i <= stage ? "text-moon" : "text-mist"}`}>
            {isOneTx && i === PAID ? later.oneTx.signedName : name}
            {i === SENT && economyRate !== null && (
              <span className="block text-mist">{later.economy.sentAt(formatNumber(economyRate, 3))}</span>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** Half of the line between two stages. */
function Line({ visible, reached }: { visible: boolean; reached: boolean }) {
  return <span className={cx("h-0.5 flex-1", visible ? (reached ? "bg-aurora" : "bg-line") : "bg-transparent")} />;
}
