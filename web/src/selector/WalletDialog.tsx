import { useCallback, useEffect, useState } from "react";
import { later } from "../lib/laterText.ts";
import { text } from "../lib/text.ts";
import { walletName } from "../session/capability.ts";
import { useSession } from "../session/session.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { listChoices, type Choice } from "./choices.ts";
import { dispatch } from "./events.ts";
import { SidePanel } from "./SidePanel.tsx";
import { useConnect } from "./useConnect.ts";
import { WalletLists } from "./WalletLists.tsx";

/** The wallet selector. Mounted means open; `onClose` is called when it finishes, connected or not. */
export default function WalletDialog({ onClose }: { onClose: () => void }) {
  const [choices, refresh] = useChoices();
  // Keep the session from the opening, so that the dialog does not change while it closes.
  const connected = useSession();
  const [session] = useState(connected);
  const { progress, choose, stop } = useConnect(session, onClose);
  const [tiles] = useState(() => new Map<string, HTMLElement>());
  useEffect(() => {
    dispatch("open", null);
    return () => dispatch("close", null);
  }, []);

  // The user changed the account in the wallet itself.
  const address = connected?.ordinals.address;
  useEffect(() => {
    if (session && address && address !== session.ordinals.address) onClose();
  }, [session, address, onClose]);

  const current = progress.now === "choosing" ? null : progress.wallet.id;

  function leave(): void {
    dispatch("cancel", null);
    onClose();
  }

  /** Checks again whether the wallet is installed: it may have injected itself since the list was made. */
  function pick(wallet: Choice): void {
    choose(refresh().find(({ id }) => id === wallet.id) ?? wallet);
  }

  function stopAsking(): void {
    // The pressed button is removed: move the focus to the wallet's tile.
    if (current !== null) tiles.get(current)?.focus();
    stop();
  }

  const usable = choices.some((choice) => choice.installed || choice.browserLink !== null);
  return (
    <Dialog
      title={session ? text.header.switch : usable ? later.wallets.title : later.wallets.titleNone}
      onClose={leave}
      className="wallet-fade sm:max-w-185"
    >
      {session && <p className="mb-4">{later.session.switch(walletName())}</p>}
      <div className="grid gap-5 sm:grid-cols-[1fr_16rem]">
        <WalletLists
          choices={choices}
          current={current}
          busy={progress.now === "opening"}
          tiles={tiles}
          onChoose={pick}
        />
        <SidePanel choices={choices} progress={progress} onRetry={pick} onStop={stopAsking} />
      </div>
    </Dialog>
  );
}

/** Interval, in ms, at which the list checks for wallets that were injected late or removed. */
const REFRESH_MS = 1_000;

/** The list of wallets. Rebuilt when the page gets the focus, once a second, and on request. */
function useChoices(): [Choice[], () => Choice[]] {
  const [choices, setChoices] = useState(() => listChoices());
  const refresh = useCallback((): Choice[] => {
    const now = listChoices();
    setChoices((before) => (isSame(before, now) ? before : now));
    return now;
  }, []);
  useEffect(() => {
    const timer = setInterval(refresh, REFRESH_MS);
    window.addEventListener("focus", refresh);
    return () => {
      clearInterval(timer);
      window.removeEventListener("focus", refresh);
    };
  }, [refresh]);
  return [choices, refresh];
}

function isSame(before: readonly Choice[], now: readonly Choice[]): boolean {
  return (
    before.length === now.length &&
    before.every(({ id, installed }, i) => id === now[i]!.id && installed === now[i]!.installed)
  );
}
