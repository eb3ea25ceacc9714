import { useId } from "react";
import { later } from "../lib/laterText.ts";
import type { Choice } from "./choices.ts";
import { Tile } from "./Tile.tsx";

interface WalletListsProps {
  choices: readonly Choice[];
  /** The id of the wallet that the side panel is about. */
  current: string | null;
  /** Whether that wallet was asked and has not answered yet. */
  busy: boolean;
  tiles: Map<string, HTMLElement>;
  onChoose(wallet: Choice): void;
}

/** The wallets that can be used here, then those to get. A list without a wallet is not there. */
export function WalletLists({ choices, ...shared }: WalletListsProps) {
  const installed = choices.filter((choice) => choice.installed);
  const openable = choices.filter((choice) => choice.browserLink !== null);
  const others = choices.filter((choice) => !choice.installed && choice.browserLink === null);
  return (
    <div className="grid content-start gap-5">
      {installed.length > 0 && <List label={later.wallets.list} choices={installed} large {...shared} />}
      {openable.length > 0 && <List title={later.wallets.openIn} choices={openable} large {...shared} />}
      {others.length > 0 && <List title={later.wallets.getOne} choices={others} {...shared} />}
    </div>
  );
}

interface ListProps extends WalletListsProps {
  /** The heading; without one, `label` names the list. */
  title?: string;
  label?: string;
  large?: boolean;
}

function List({ title, label, large = false, choices, current, busy, tiles, onChoose }: ListProps) {
  const heading = useId();
  return (
    <div>
      {title && (
        <h3 id={heading} className="mb-2 text-base font-semibold text-fur">
          {title}
        </h3>
      )}
      <ul
        aria-label={label}
        aria-labelledby={title && heading}
        className={
          large
            ? "grid grid-cols-[repeat(auto-fit,minmax(min(100%,11rem),1fr))] gap-3 max-sm:grid-cols-1"
            : "grid grid-cols-[repeat(auto-fill,minmax(100px,1fr))] gap-2"
        }
      >
        {choices.map((choice) => (
          <li key={choice.id} className="min-w-0">
            <Tile
              ref={(tile) => {
                if (tile) tiles.set(choice.id, tile);
                else tiles.delete(choice.id);
              }}
              choice={choice}
              current={choice.id === current}
              busy={choice.id === current && busy}
              onChoose={() => onChoose(choice)}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
