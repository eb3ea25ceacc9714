import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import type { ActionOptions, SignedAction } from "../api/actions.ts";
import { keys } from "../api/keys.ts";
import type { Order } from "../api/orders.ts";
import { failureOf, type Failure } from "../lib/failure.ts";
import { text } from "../lib/text.ts";
import { useSession } from "../session/session.ts";
import { SigningError } from "./signer.ts";
import { performAction, type Step } from "./perform.ts";
import { walletTexts } from "../wallet/texts.ts";

export interface Action {
  /** null: no action is running. */
  step: Step | null;
  error: Failure | null;
  /** The error itself, for the details of a conflict of statements. */
  failure: Error | null;
  /** The wallet did not sign a message; a transaction may work. */
  tryTransaction: boolean;
  /** Runs one action at a time. Returns its effect, or null after a failure, with the message in `error`. */
  run(type: SignedAction, units: readonly string[], options?: ActionOptions): Promise<{ order: Order | null } | null>;
  clear(): void;
  /** Stops waiting for the wallet. */
  stop(): void;
}

export function useAction(): Action {
  const session = useSession();
  const client = useQueryClient();
  const [step, setStep] = useState<Step | null>(null);
  const [error, setError] = useState<Failure | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  const [tryTransaction, setTry] = useState(false);
  const busy = useRef(false);
  const controller = useRef<AbortController | null>(null);

  const run = useCallback<Action["run"]>(
    async (type, units, options) => {
      if (busy.current) return null;
      if (!session) {
        setError({ message: text.action.notConnected, details: walletTexts.notConnected });
        return null;
      }
      busy.current = true;
      setError(null);
      setFailure(null);
      setTry(false);
      controller.current = new AbortController();
      try {
        const { signal } = controller.current;
        return { order: await performAction(session, type, units, setStep, { ...options, signal }) };
      } catch (error) {
        setFailure(error instanceof Error ? error : null);
        setTry(error instanceof SigningError && error.form === "message");
        setError(failureOf(error, text.action.unexpected(type)));
        return null;
      } finally {
        busy.current = false;
        setStep(null);
        void client.invalidateQueries({ queryKey: keys.wallets });
      }
    },
    [client, session],
  );
  const clear = useCallback(() => setError(null), []);
  const stop = useCallback(() => controller.current?.abort(), []);
  return { step, error, failure, tryTransaction, run, clear, stop };
}

/** Returns the progress message of an action. */
export function stepText(step: Step): string {
  return { preparing: text.action.preparing, signing: text.action.sign, sending: text.action.sending }[step];
}
