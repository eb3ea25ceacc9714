import type { WalletFields } from "../api/client.ts";
import { Cell, useObservable } from "../lib/observable.ts";
import { site } from "../lib/site.ts";
import type { NetworkName, Session } from "../wallet/index.ts";
import { clearAll, stored } from "../wallet/storage.ts";

/** The wallet room is no part of the first screen: only somebody who has a wallet needs it. */
const walletRoom = () => import("../wallet/index.ts");

/** The connected wallet, as this page shows it; null when there is none. */
const current = new Cell<Session | null>(stored.session.read());

/** Why the wallet's own change (another account, another network) could not be followed; null when all is well. */
const trouble = new Cell<string | null>(null);

let stopListening = (): void => {};

/** This community's network as wallets name it. */
function network(): NetworkName {
  return (site.network.slice(0, 1).toUpperCase() + site.network.slice(1)) as NetworkName;
}

/** Asks a wallet for its addresses. Throws WalletError with a sentence to show. */
export async function connectWallet(provider: string, signal?: AbortSignal): Promise<void> {
  const { connect } = await walletRoom();
  const session = await connect(provider, { signal, network: network() });
  trouble.set(null);
  current.set(session);
  await listen();
}

export async function disconnectWallet(): Promise<void> {
  stopListening();
  trouble.set(null);
  current.set(null);
  try {
    await (await walletRoom()).disconnect();
  } catch {
    clearAll();
  }
}

/** Follows the wallet's own changes; wallets inject late, so this is called again when one may be there. */
export async function listen(): Promise<void> {
  const { onWalletEvent } = await walletRoom();
  stopListening();
  if (!current.get()) return;
  const stops = [
    onWalletEvent("accountChange", () => void refresh()),
    onWalletEvent("networkChange", () => void refresh()),
    onWalletEvent("disconnect", () => void disconnectWallet()),
  ];
  stopListening = () => stops.forEach((stop) => stop());
}

/** Asks the wallet anew who it is. What it says must fit this community, or the page says what does not. */
async function refresh(): Promise<void> {
  const { refreshSession, WalletError } = await walletRoom();
  try {
    current.set(await refreshSession({ network: network() }));
    trouble.set(null);
  } catch (fault) {
    if (fault instanceof WalletError) trouble.set(fault.message);
  }
}

/** Another tab connected, disconnected or changed its account. */
export function followOtherTabs(): () => void {
  const heard = (): void => {
    const kept = stored.session.read();
    if (kept?.ordinals.address === current.get()?.ordinals.address && kept?.payment.address === current.get()?.payment.address) return;
    trouble.set(null);
    current.set(kept);
  };
  window.addEventListener("storage", heard);
  return () => window.removeEventListener("storage", heard);
}

export function useSession(): Session | null {
  return useObservable(current);
}

export function useWalletTrouble(): string | null {
  return useObservable(trouble);
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
