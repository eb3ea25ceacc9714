import { connect, defaultProvider, disconnect, listProviders, onWalletEvent, readSession, refreshSession } from "../wallet/index.ts";
import type { Session } from "../wallet/index.ts";
import type { WalletFields } from "../api/client.ts";
import { Cell, useObservable } from "../lib/observable.ts";

/** The connected wallet, as this page shows it; null when there is none. */
const current = new Cell<Session | null>(readSession());

let stopListening = (): void => {};

/** Asks a wallet for its addresses. Throws WalletError with a sentence to show. */
export async function connectWallet(provider: string, signal?: AbortSignal): Promise<void> {
  const session = await connect(provider, signal ? { signal } : {});
  current.set(session);
  listen();
}

export async function disconnectWallet(): Promise<void> {
  stopListening();
  current.set(null);
  await disconnect();
}

/** Follows the wallet's own changes; wallets inject late, so this is called again when one may be there. */
export function listen(): void {
  stopListening();
  if (!current.get()) return;
  const stops = [
    onWalletEvent("accountChange", () => void refreshSession().then((session) => current.set(session), () => {})),
    onWalletEvent("disconnect", () => void disconnectWallet()),
  ];
  stopListening = () => stops.forEach((stop) => stop());
}

/** Another tab connected or disconnected. */
export function followOtherTabs(): () => void {
  const heard = (): void => {
    const stored = readSession();
    if (stored?.ordinals.address !== current.get()?.ordinals.address) current.set(stored);
  };
  window.addEventListener("storage", heard);
  return () => window.removeEventListener("storage", heard);
}

export function useSession(): Session | null {
  return useObservable(current);
}

const fields = new WeakMap<Session, WalletFields>();

/** The connected wallet as the server's calls name it. */
export function fieldsOf(session: Session): WalletFields {
  const known = fields.get(session);
  if (known) return known;
  const made = { w_wallet_code: session.payment.address, w_wallet_code_ord: session.ordinals.address };
  fields.set(session, made);
  return made;
}

export function useWallet(): WalletFields | null {
  const session = useSession();
  return session && fieldsOf(session);
}

/** The connected wallet's own name, for sentences about it. */
export function walletName(): string {
  const id = defaultProvider();
  return listProviders().find((choice) => choice.id === id)?.name ?? "Xverse";
}
