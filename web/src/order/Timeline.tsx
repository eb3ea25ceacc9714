import type { OrderStatus } from "../api/orders.ts";
import { text } from "../lib/text.ts";
import { CheckIcon } from "../ui/icons.tsx";
import { stageOf } from "./state.ts";

const names = [text.order.created, text.order.status.PAID, text.order.status.SENT, text.order.status.DELIVERED];

/** Created, paid, sent, delivered. Renders nothing for an order that ended before its delivery. */
export function Timeline({ status }: { status: OrderStatus }) {
  const stage = stageOf(status);
  if (stage === null) return null;
  return (
    <ol aria-label={text.order.timeline} className="grid grid-cols-4">
      {names.map((name, i) => (
        <li key={name} aria-current={i === stage ? "step" : undefined} className="grid justify-items-center gap-1.5">
          <span className="flex w-full items-center">
            <span className={`h-0.5 flex-1 ${i === 0 ? "bg-transparent" : i <= stage ? "bg-aurora" : "bg-line"}`} />
            <span
              className={`grid size-6 place-items-center rounded-full border-2 ${i <= stage ? "border-aurora bg-aurora text-ink" : "border-edge"}`}
            >
              {i <= stage && <CheckIcon className="size-3.5" />}
            </span>
            <span
              className={`h-0.5 flex-1 ${i === names.length - 1 ? "bg-transparent" : i < stage ? "bg-aurora" : "bg-line"}`}
            />
          </span>
          <span className={`text-sm ${i <= stage ? "text-moon" : "text-mist"}`}>{name}</span>
        </li>
      ))}
    </ol>
  );
}
