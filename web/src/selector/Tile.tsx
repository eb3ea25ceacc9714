import { useState, type Ref } from "react";
import { cx } from "../lib/cx.ts";
import { later } from "../lib/laterText.ts";
import type { Choice } from "./choices.ts";

interface TileProps {
  choice: Choice;
  /** Whether the side panel is about this wallet. */
  current: boolean;
  busy: boolean;
  onChoose(): void;
  ref?: Ref<HTMLButtonElement>;
}

/** One wallet of the list. */
export function Tile({ choice, current, busy, onChoose, ref }: TileProps) {
  return (
    <button
      ref={ref}
      type="button"
      aria-current={current || undefined}
      aria-busy={busy || undefined}
      onClick={onChoose}
      className={cx(
        "grid size-full content-start justify-items-center gap-2 px-2 py-4 text-center",
        "rounded-card border border-edge bg-night aria-[current=true]:border-amber",
        "transition-colors duration-120 hover:bg-raised",
      )}
    >
      <Mark choice={choice} />
      <span className="line-clamp-2 font-medium wrap-anywhere text-moon">{choice.name}</span>
      <span className={`text-sm ${choice.installed ? "text-aurora" : "text-mist"}`}>
        {choice.installed ? later.wallets.installed : later.wallets.install}
      </span>
    </button>
  );
}

/** The icon that the wallet provides, else a neutral tile with its first letter. */
function Mark({ choice }: { choice: Choice }) {
  const [broken, setBroken] = useState(false);
  if (choice.icon && !broken) {
    return (
      <img src={choice.icon} alt="" onError={() => setBroken(true)} className="size-11 rounded-box object-contain" />
    );
  }
  return (
    <span
      aria-hidden="true"
      className={cx(
        "grid size-11 place-items-center rounded-box border border-line bg-raised",
        "font-display text-xl font-bold text-fur",
      )}
    >
      {[...choice.name.trim()][0]?.toUpperCase()}
    </span>
  );
}
