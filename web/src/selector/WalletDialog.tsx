import { useEffect, useRef, useState } from "react";
import { later } from "../lib/laterText.ts";
import { text } from "../lib/text.ts";
import { walletName } from "../session/capability.ts";
import { useSession } from "../session/session.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { listChoices, type Choice } from "./choices.ts";
import { tell } from "./events.ts";
import { SidePanel } from "./SidePanel.tsx";
import { Tile } from "./Tile.tsx";
import { useConnect } from "./useConnect.ts";

/** The wallets to connect with. Rendered means open; `onClose` is called when it is over, connected or not. */
export default function WalletDialog({ onClose }: { onClose: () => void }) {
  const [choices, refresh] = useChoices();
  // The one that is switched from: it must not change while the dialog closes.
  const connected = useSession();
  const [session] = useState(connected);
  const { progress, choose, stop } = useConnect(session, onClose);
  const tiles = useRef(new Map<string, HTMLButtonElement>());
  useEffect(() => {
    tell("open", null);
    return () => tell("close", null);
  }, []);

  // The account was changed in the wallet itself.
  const address = connected?.ordinals.address;
  useEffect(() => {
    if (session && address && address !== session.ordinals.address) onClose();
  }, [session, address, onClose]);

  const current = progress.now === "choosing" ? null : progress.wallet.id;

  function leave(): void {
    tell("cancel", null);
    onClose();
  }

  /** Looks once more whether the wallet is there: it may have injected itself since the list was made. */
  function pick(wallet: Choice): void {
    choose(refresh().find(({ id }) => id === wallet.id) ?? wallet);
  }

  function stopAsking(): void {
    // The button that was pressed goes away: the focus goes to the wallet that it was about.
    if (current !== null) tiles.current.get(current)?.focus();
    stop();
  }

  const installed = choices.some((choice) => choice.installed);
  return (
    <Dialog
      title={session ? text.header.switch : installed ? text.wallets.title : text.wallets.titleNone}
      onClose={leave}
      className="wallet-fade sm:max-w-185"
    >
      {session && <p className="mb-4">{later.session.switch(walletName())}</p>}
      <div className="grid gap-5 sm:grid-cols-[1fr_16rem]">
        <ul
          aria-label={text.wallets.list}
          className="grid grid-cols-[repeat(auto-fill,minmax(100px,1fr))] content-start gap-3"
        >
          {choices.map((choice) => (
            <li key={choice.id}>
              <Tile
                ref={(tile) => {
                  if (tile) tiles.current.set(choice.id, tile);
                  else tiles.current.delete(choice.id);
                }}
                choice={choice}
                current={choice.id === current}
                busy={choice.id === current && progress.now === "opening"}
                onChoose={() => pick(choice)}
              />
            </li>
          ))}
        </ul>
        <SidePanel choices={choices} progress={progress} onRetry={pick} onStop={stopAsking} />
      </div>
    </Dialog>
  );
}

/** How often the list looks for wallets that inject themselves late, or were removed, in ms. */
const LOOK_EVERY = 1_000;

/** The list, made anew when the person comes back from a store or a wallet's window, once a second, and when asked. */
function useChoices(): [Choice[], () => Choice[]] {
  const [choices, setChoices] = useState(() => listChoices());
  function refresh(): Choice[] {
    const now = listChoices();
    setChoices(now);
    return now;
  }
  useEffect(() => {
    const look = (): void => {
      const now = listChoices();
      setChoices((before) => (isSame(before, now) ? before : now));
    };
    const timer = setInterval(look, LOOK_EVERY);
    window.addEventListener("focus", look);
    return () => {
      clearInterval(timer);
      window.removeEventListener("focus", look);
    };
  }, []);
  return [choices, refresh];
}

function isSame(before: readonly Choice[], now: readonly Choice[]): boolean {
  return (
    before.length === now.length &&
    before.every(({ id, installed }, i) => id === now[i]!.id && installed === now[i]!.installed)
  );
}
