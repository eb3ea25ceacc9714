import { useRef, useState } from "react";
import { ApiError, type Wire } from "../api/client.ts";
import { sendRecovery } from "../api/wallet.ts";
import { failureOf, logged, type Failure } from "../lib/failure.ts";
import { later } from "../lib/laterText.ts";
import { text } from "../lib/text.ts";
import { fieldsOf } from "../session/session.ts";
import { finishLeafSpend, signPsbt, type Session } from "../wallet/index.ts";
import { requireRecovery } from "./recoveryCheck.ts";

/** The result of signing an output: sent, a complete transaction, or a PSBT that needs a fee input. */
type Signed = { txid: string } | { tx: string } | { psbt: string };

export interface Recovery {
  signed: Signed | null;
  /** Why the wallet did not sign. */
  error: Failure | null;
  /** Why the transaction was not sent. */
  refusal: string | null;
  busy: boolean;
  /** Has the wallet sign; with `sends` also sends the transaction. */
  sign(sends: boolean): Promise<void>;
  /** Sends the complete transaction (hex). Sending it again is safe. */
  send(tx: string): Promise<void>;
  /** Stops waiting for the wallet. A later signature is shown but not sent. */
  stopWaiting(): void;
}

/** Recovers one output: the wallet signs, the page builds the transaction, the server sends it. */
export function useRecovery(session: Session, output: Wire["RecoveryOutput"]): Recovery {
  const [signed, setSigned] = useState<Signed | null>(null);
  const [error, setError] = useState<Failure | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  /** Number of the attempt whose answer is awaited. */
  const attempt = useRef(0);

  async function sign(sends: boolean): Promise<void> {
    const mine = ++attempt.current;
    setBusy(true);
    setError(null);
    try {
      const signed = await signLeaf(output, session.ordinals);
      const isAwaited = attempt.current === mine;
      stopWaiting(); // also for other attempts: one signature is enough
      setSigned((before) => (before && "txid" in before ? before : signed));
      if (isAwaited && sends && "tx" in signed) await send(signed.tx);
    } catch (error) {
      if (attempt.current !== mine) return;
      setError(failureOf(logged(error), later.recover.failed));
      setBusy(false);
    }
  }

  async function send(tx: string): Promise<void> {
    setBusy(true);
    setRefusal(null);
    try {
      setSigned({ txid: await sendRecovery(fieldsOf(session), tx) });
    } catch (error) {
      setRefusal(error instanceof ApiError ? error.message : text.http.unreachable);
    }
    setBusy(false);
  }

  function stopWaiting(): void {
    attempt.current += 1;
    setBusy(false);
  }

  return { signed, error, refusal, busy, sign, send, stopWaiting };
}

/**
 * Has the wallet sign the staker's leaf only: the wallet must neither finalize nor send. A PSBT that pays its own fee
 * becomes a complete transaction; any other needs a fee input first.
 */
async function signLeaf(output: Wire["RecoveryOutput"], owner: Session["ordinals"]): Promise<Signed> {
  const ownFee = output.psbt_own_fee;
  const unsigned = ownFee ?? output.psbt_any_fee;
  requireRecovery(unsigned, owner);
  const { psbt } = await signPsbt({ psbt: unsigned, signInputs: { [owner.address]: [0] }, broadcast: false });
  return ownFee === null ? { psbt } : { tx: await finishLeafSpend(psbt) };
}
