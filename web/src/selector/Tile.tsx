import { useState, type Ref } from "react";
import { cx } from "../lib/cx.ts";
import { later } from "../lib/laterText.ts";
import { WalletIcon } from "../ui/icons.tsx";
import { newTab } from "../ui/Link.tsx";
import type { Choice } from "./choices.ts";

interface TileProps {
  choice: Choice;
  /** Whether the side panel is about this wallet. */
  current: boolean;
  busy: boolean;
  onChoose(): void;
  ref?: Ref<HTMLElement>;
}

/** One wallet of the list: larger if it can be used here, by a connection or by a link into its own browser. */
export function Tile({ choice, current, busy, onChoose, ref }: TileProps) {
  const { installed, browserLink } = choice;
  const large = installed || browserLink !== null;
  const shared = {
    "aria-current": current || undefined,
    onClick: onChoose,
    className: cx(
      "size-full min-w-0 overflow-hidden rounded-card border border-edge bg-night aria-[current=true]:border-amber",
      "no-underline transition-colors duration-120 hover:bg-raised",
      large
        ? "flex items-center gap-4 p-5 text-left"
        : "grid content-start justify-items-center gap-1.5 px-2 py-3 text-center",
    ),
  };
  const content = (
    <>
      <Mark choice={choice} large={large} />
      <span className="grid min-w-0">
        <bdi className={cx("line-clamp-2 leading-snug wrap-anywhere text-moon", large ? "font-semibold" : "text-sm")}>
          {choice.name}
        </bdi>
        <span className={`text-sm ${installed ? "text-aurora" : "text-mist"}`}>
          {installed ? later.wallets.installed : browserLink ? later.wallets.open : later.wallets.install}
        </span>
      </span>
    </>
  );
  if (browserLink === null) {
    return (
      <button ref={ref as Ref<HTMLButtonElement>} type="button" aria-busy={busy || undefined} {...shared}>
        {content}
      </button>
    );
  }
  return (
    <a ref={ref as Ref<HTMLAnchorElement>} href={browserLink} {...newTab} {...shared}>
      {content}
    </a>
  );
}

/** The icon that the wallet announces, else the known one, else the picture of a wallet. */
function Mark({ choice, large }: { choice: Choice; large: boolean }) {
  const [broken, setBroken] = useState(false);
  const size = large ? "size-14" : "size-9";
  if (choice.icon && !broken) {
    return (
      <img
        src={choice.icon}
        alt=""
        onError={() => setBroken(true)}
        className={`${size} shrink-0 rounded-box object-contain`}
      />
    );
  }
  return (
    <span className={cx(size, "grid shrink-0 place-items-center rounded-box border border-line bg-raised text-fur")}>
      <WalletIcon className="size-1/2" />
    </span>
  );
}
