import { list, object, oneOf, optional, text } from "../wallet/check.ts";
import { defaultProvider } from "../wallet/index.ts";
import { entry } from "../wallet/storage.ts";

/** How an address is proved: by a signed message, or by a signed transaction that can never be sent. */
export type Form = "message" | "transaction";

/** Whether a wallet signed the withdrawal and the recovery of a stake in a rehearsal. */
export type Rehearsed = "signed" | "refused";

const proof = object({
  wallet: text({ min: 1 }),
  address: text({ min: 1 }),
  form: optional(oneOf("message", "transaction")),
  rehearsal: optional(oneOf("signed", "refused")),
});

const proofs = entry("proofs", list(proof));

/** Maximum number of stored addresses; users have few wallets. */
const MAX_STORED = 50;

/**
 * Returns what is stored for an address in the connected wallet. Another wallet with the same keys may behave
 * differently.
 */
function findProof(address: string) {
  const wallet = defaultProvider() ?? "";
  return (proofs.read() ?? []).find((one) => one.wallet === wallet && one.address === address);
}

function remember(address: string, change: { form?: Form; rehearsal?: Rehearsed }): void {
  const wallet = defaultProvider();
  if (wallet === null) return;
  const others = (proofs.read() ?? []).filter((one) => one.wallet !== wallet || one.address !== address);
  proofs.write([...others.slice(1 - MAX_STORED), { ...findProof(address), wallet, address, ...change }]);
}

/** Returns the form in which the connected wallet has proved this address; null if it has not. */
export const provenForm = (address: string): Form | null => findProof(address)?.form ?? null;
export const rememberProof = (address: string, form: Form): void => remember(address, { form });
export const rehearsed = (address: string): Rehearsed | null => findProof(address)?.rehearsal ?? null;
export const rememberRehearsal = (address: string, rehearsal: Rehearsed): void => remember(address, { rehearsal });
