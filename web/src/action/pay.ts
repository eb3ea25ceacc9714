import { failureOf, logged, type Failure } from "../lib/failure.ts";
import { text } from "../lib/text.ts";
import { sendTransfer, WalletError } from "../wallet/index.ts";
import { attempts, type Attempt, type Tracked } from "./attempts.ts";

/** Reports whether the server has an attempt's payment. Throws if the server can't be reached. */
export type FindPayment = (attempt: Attempt) => Promise<boolean>;

/**
 * Pauses in ms between requests for the payment after the wallet refused: a transaction takes seconds to reach the
 * server.
 */
const PAUSES = [1_000, 2_000, 2_000, 3_000];

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Has the wallet pay once and stores any answer, however late. After a refusal it queries the server for the payment,
 * because wallets report rejections of transactions that they have broadcast (sats-connect #167).
 */
export async function pay(
  wanted: { order: string; address: string; sats: bigint; alike: number },
  findPayment: FindPayment,
): Promise<void> {
  const { order, address, sats, alike } = wanted;
  const id = attempts.begin({ order, address, sats: sats.toString(), alike });
  try {
    attempts.answer(id, { txid: await sendTransfer([{ address, amount: Number(sats) }]) });
  } catch (error) {
    attempts.answer(id, { error: reasonOf(error) });
    if (error instanceof WalletError && !error.maybeSent) return attempts.setSearch(id, "notFound");
    await search(id, findPayment);
  }
}

/** Polls the server for an attempt's payment for a few seconds. */
export async function search(id: string, findPayment: FindPayment, pauses: readonly number[] = PAUSES): Promise<void> {
  attempts.setSearch(id, "searching");
  let unreachable = false;
  for (const delay of [...pauses, null]) {
    const attempt = find(id);
    if (!attempt || attempt.search === "found" || attempt.state === "sent") return;
    try {
      if (await findPayment(attempt)) return attempts.markFound(id);
      unreachable = false;
    } catch {
      unreachable = true;
    }
    if (delay !== null) await pause(delay);
  }
  // If the wallet has returned the transaction meanwhile, the result of the search does not matter.
  if (find(id)?.state !== "sent") attempts.setSearch(id, unreachable ? "unreachable" : "notFound");
}

const find = (id: string): Tracked | undefined => attempts.get().find((one) => one.id === id);

function reasonOf(error: unknown): Failure {
  const unexpected = text.action.unexpected("sendTransfer");
  return failureOf(error instanceof WalletError ? logged(error) : null, unexpected);
}
