import { useEffect, useRef, useState } from "react";
import { text } from "../lib/text.ts";
import { connectWallet } from "../session/session.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Notice } from "../ui/Notice.tsx";
import { listProviders, WalletError, type WalletChoice } from "../wallet/index.ts";
import { storeLink } from "./store.ts";

/** The wallets to connect with. Rendered means open; `onClose` is called when it is over, connected or not. */
export default function WalletDialog({ onClose }: { onClose: () => void }) {
  // Wallets inject late: the list is made when the dialog opens.
  const [choices] = useState(listProviders);
  const [opening, setOpening] = useState<WalletChoice | null>(null);
  const [error, setError] = useState<string | null>(null);
  const asking = useRef<AbortController>(null);
  useEffect(() => () => asking.current?.abort(), []);

  async function choose(choice: WalletChoice): Promise<void> {
    asking.current?.abort();
    const attempt = new AbortController();
    asking.current = attempt;
    setError(null);
    setOpening(choice);
    try {
      await connectWallet(choice.id, attempt.signal);
      if (!attempt.signal.aborted) onClose();
    } catch (fault) {
      if (attempt.signal.aborted) return;
      setOpening(null);
      setError(fault instanceof WalletError ? fault.message : text.wallets.cancelled);
    }
  }

  const installed = choices.some((choice) => choice.installed);
  return (
    <Dialog title={installed ? text.wallets.title : text.wallets.titleNone} onClose={onClose} className="wallet-fade sm:max-w-185">
      <div className="grid gap-5 sm:grid-cols-[1fr_16rem]">
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(100px,1fr))] content-start gap-3">
          {choices.map((choice) => (
            <li key={choice.id}>
              <Tile choice={choice} onChoose={() => void choose(choice)} busy={opening?.id === choice.id} />
            </li>
          ))}
        </ul>
        <div className="grid content-start gap-3 rounded-box bg-night p-4">
          {opening ? (
            <div role="status">
              <p className="font-semibold text-moon">{text.wallets.opening(opening.name)}</p>
              <p className="mt-1">{text.wallets.confirm(opening.name)}</p>
            </div>
          ) : (
            <p className="text-mist">{installed ? text.wallets.explainer : text.wallets.none}</p>
          )}
          {error && <Notice tone="bad">{error}</Notice>}
          {opening && (
            <Button
              onClick={() => {
                asking.current?.abort();
                setOpening(null);
              }}
            >
              {text.common.cancel}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

const tile =
  "grid w-full justify-items-center gap-2 rounded-card border border-line bg-night p-4 text-center no-underline transition-colors duration-120 hover:border-edge aria-busy:border-amber";

function Tile({ choice, onChoose, busy }: { choice: WalletChoice; onChoose: () => void; busy: boolean }) {
  const content = (
    <>
      {choice.icon ? (
        <img src={choice.icon} alt="" className="size-11 rounded-box" />
      ) : (
        <span aria-hidden="true" className="grid size-11 place-items-center rounded-box bg-raised text-xl font-bold text-fur">
          {choice.name.slice(0, 1)}
        </span>
      )}
      <span className="font-medium text-moon">{choice.name}</span>
      <span className="text-sm text-mist">{choice.installed ? text.wallets.installed : text.wallets.install}</span>
    </>
  );
  const link = storeLink(choice, navigator.userAgent);
  if (choice.installed || !link) {
    return (
      <button type="button" className={tile} aria-busy={busy || undefined} disabled={!choice.installed} onClick={onChoose}>
        {content}
      </button>
    );
  }
  return (
    <a href={link} target="_blank" rel="noreferrer" className={tile}>
      {content}
    </a>
  );
}
