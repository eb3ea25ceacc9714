import { say, text } from "../lib/text.ts";
import { sendTransfer, WalletError } from "../wallet/index.ts";
import { attempts, type Attempt, type Tracked } from "./attempts.ts";

/** Whether the server has the payment of this attempt. Throws when it can't be asked. */
export type Look = (attempt: Attempt) => Promise<boolean>;

/**
 * Pauses between the looks for a payment after the wallet said no, in ms: a transaction takes seconds to get around.
 */
const PAUSES = [1_000, 2_000, 2_000, 3_000];

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Has the wallet pay, once. Whatever it answers, and whenever, is noted; after a refusal the server is asked
 * for the payment, since wallets report a rejection of what they have broadcast (sats-connect #167).
 */
export async function pay(
  wanted: { order: string; address: string; sats: bigint; alike: number },
  look: Look,
): Promise<void> {
  const { order, address, sats, alike } = wanted;
  const id = attempts.begin({ order, address, sats: sats.toString(), alike });
  try {
    attempts.answer(id, { txid: await sendTransfer([{ address, amount: Number(sats) }]) });
  } catch (fault) {
    attempts.answer(id, { said: reasonOf(fault) });
    if (fault instanceof WalletError && !fault.maybeSent) return attempts.look(id, "unseen");
    await search(id, look);
  }
}

/** Asks the server for an attempt's payment until it is there, or for some seconds. */
export async function search(id: string, look: Look, pauses: readonly number[] = PAUSES): Promise<void> {
  attempts.look(id, "looking");
  let away = false;
  for (const wait of [...pauses, null]) {
    const attempt = find(id);
    if (!attempt || attempt.look === "seen" || attempt.state === "sent") return;
    try {
      if (await look(attempt)) return attempts.seen(id);
      away = false;
    } catch {
      away = true;
    }
    if (wait !== null) await pause(wait);
  }
  // A transaction that the wallet has named meanwhile needs no verdict.
  if (find(id)?.state !== "sent") attempts.look(id, away ? "away" : "unseen");
}

const find = (id: string): Tracked | undefined => attempts.get().find((one) => one.id === id);

function reasonOf(fault: unknown): string {
  if (fault instanceof WalletError) return fault.rejected ? text.order.userCancelled : say(fault.sentence);
  return text.action.strange("sendTransfer");
}
