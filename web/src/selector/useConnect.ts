import { useEffect, useRef, useState } from "react";
import { later } from "../lib/laterText.ts";
import { say, text } from "../lib/text.ts";
import { connectWallet } from "../session/session.ts";
import { WalletError, walletTexts, type Session } from "../wallet/index.ts";
import type { Choice } from "./choices.ts";
import { tell } from "./events.ts";

/** How long a wallet may keep silent before it can be asked anew, in ms. A person reads and unlocks meanwhile. */
export const PATIENCE_MS = 60_000;

/** What goes on beside the list. */
export type Progress =
  | { now: "choosing" }
  | { now: "installing"; wallet: Choice }
  | { now: "opening"; wallet: Choice }
  | { now: "failed"; wallet: Choice; reason: string };

const choosing: Progress = { now: "choosing" };
const late = Symbol("late");

export interface Connecting {
  progress: Progress;
  /** Asks an installed wallet to connect; shows how to get one that is not. Ends what was asked before. */
  choose(wallet: Choice): void;
  /** No longer waits for the wallet. */
  stop(): void;
}

/**
 * One wallet is asked at a time; an answer that nobody waits for any more is dropped. With a session, the wallet has to
 * answer with another account: many give the one that they share already, without a question.
 */
export function useConnect(session: Session | null, onConnected: () => void): Connecting {
  const [progress, setProgress] = useState(choosing);
  const asking = useRef<AbortController>(null);
  useEffect(() => () => asking.current?.abort(), []);

  async function open(wallet: Choice): Promise<void> {
    const attempt = new AbortController();
    asking.current = attempt;
    const patience = setTimeout(() => attempt.abort(late), PATIENCE_MS);
    const ended = (): void => {
      clearTimeout(patience);
      attempt.signal.removeEventListener("abort", ended);
      tell("walletClose", wallet.id);
    };
    attempt.signal.addEventListener("abort", ended);
    setProgress({ now: "opening", wallet });
    tell("walletOpen", wallet.id);
    try {
      const { ordinals, payment } = await connectWallet(wallet.id, attempt.signal);
      ended();
      if (ordinals.address === session?.ordinals.address && payment.address === session.payment.address)
        return setProgress({ now: "failed", wallet, reason: later.session.same(wallet.name) });
      onConnected();
    } catch (fault) {
      if (!attempt.signal.aborted) ended();
      const reason = reasonOf(fault, attempt.signal, wallet.name);
      if (reason !== null) setProgress({ now: "failed", wallet, reason });
    }
  }

  return {
    progress,
    choose(wallet) {
      asking.current?.abort();
      if (!wallet.installed) return setProgress({ now: "installing", wallet });
      tell("select", wallet.id);
      void open(wallet);
    },
    stop() {
      asking.current?.abort();
      setProgress(choosing);
    },
  };
}

const CONNECTION_FAILED = { code: "connectionFailed", message: walletTexts.connectionFailed };

/** Why it failed, to be shown; null when the person themselves ended it. */
function reasonOf(fault: unknown, signal: AbortSignal, name: string): string | null {
  if (signal.aborted) return signal.reason === late ? text.wallets.noAnswer(name) : null;
  return say(fault instanceof WalletError ? fault.sentence : CONNECTION_FAILED);
}
