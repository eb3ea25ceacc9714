import { useEffect, useRef, useState } from "react";
import { failureOf, logged, type Failure } from "../lib/failure.ts";
import { later } from "../lib/laterText.ts";
import { connectWallet } from "../session/session.ts";
import { RpcCode, WalletError, type Session } from "../wallet/index.ts";
import { sentence } from "../wallet/texts.ts";
import type { Choice } from "./choices.ts";
import { dispatch } from "./events.ts";

/** Time, in ms, after which an unanswered wallet can be asked again. Users need time to read and to unlock. */
export const TIMEOUT_MS = 60_000;

/** State of the side panel. */
export type Progress =
  | { now: "choosing" }
  | { now: "installing"; wallet: Choice }
  | { now: "opening"; wallet: Choice }
  | { now: "failed"; wallet: Choice; reason: Failure };

const choosing: Progress = { now: "choosing" };
const TIMED_OUT = Symbol("late");

export interface Connecting {
  progress: Progress;
  /** Asks an installed wallet to connect, or shows how to install the wallet. Ends the previous request. */
  choose(wallet: Choice): void;
  /** Stops waiting for the wallet. */
  stop(): void;
}

/**
 * Asks one wallet at a time and drops answers to requests that were ended. With a session, the wallet must answer with
 * another account, because many wallets return the shared account without a prompt.
 */
export function useConnect(session: Session | null, onConnected: () => void): Connecting {
  const [progress, setProgress] = useState(choosing);
  const controller = useRef<AbortController>(null);
  useEffect(() => () => controller.current?.abort(), []);

  async function open(wallet: Choice): Promise<void> {
    const attempt = new AbortController();
    controller.current = attempt;
    const stopTimer = afterVisible(TIMEOUT_MS, () => attempt.abort(TIMED_OUT));
    const ended = (): void => {
      stopTimer();
      attempt.signal.removeEventListener("abort", ended);
      dispatch("walletClose", wallet.id);
    };
    attempt.signal.addEventListener("abort", ended);
    setProgress({ now: "opening", wallet });
    dispatch("walletOpen", wallet.id);
    try {
      const { ordinals, payment } = await connectWallet(wallet.id, attempt.signal);
      ended();
      if (ordinals.address === session?.ordinals.address && payment.address === session.payment.address) {
        const reason = { message: later.session.same(wallet.name), details: null };
        return setProgress({ now: "failed", wallet, reason });
      }
      onConnected();
    } catch (error) {
      if (!attempt.signal.aborted) ended();
      const reason = reasonOf(error, attempt.signal, wallet.name);
      if (reason !== null) setProgress({ now: "failed", wallet, reason });
    }
  }

  return {
    progress,
    choose(wallet) {
      controller.current?.abort();
      if (!wallet.installed) return setProgress({ now: "installing", wallet });
      dispatch("select", wallet.id);
      void open(wallet);
    },
    stop() {
      controller.current?.abort();
      setProgress(choosing);
    },
  };
}

/**
 * Calls `done` after the page was visible for `ms` without a break. While a wallet's app is in front of the page, the
 * browser may suspend it: a timer that ran on would end the wait before the wallet's answer is read.
 */
function afterVisible(ms: number, done: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const start = (): void => {
    clearTimeout(timer);
    timer = document.hidden ? undefined : setTimeout(done, ms);
  };
  start();
  document.addEventListener("visibilitychange", start);
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", start);
  };
}

/** Returns why a connection failed; null if the user ended the request. */
function reasonOf(error: unknown, signal: AbortSignal, name: string): Failure | null {
  if (signal.aborted)
    return signal.reason === TIMED_OUT ? { message: later.wallets.noAnswer(name), details: null } : null;
  const failed = new WalletError(RpcCode.internalError, sentence("connectionFailed"), error);
  return failureOf(logged(error instanceof WalletError ? error : failed), failed.message);
}
