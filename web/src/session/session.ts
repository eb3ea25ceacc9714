import type { WalletFields } from "../api/client.ts";
import { failureOf, logged, type Failure } from "../lib/failure.ts";
import { Cell, useObservable } from "../lib/observable.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { loadSentences, translate } from "../lib/translate.ts";
import { onSessionEnd } from "../wallet/ending.ts";
import type { WalletError } from "../wallet/errors.ts";
import type { NetworkName, Session } from "../wallet/index.ts";
import { clearAll, stored } from "../wallet/storage.ts";

/** The wallet library is not part of the first screen and is loaded on first use, with the texts of its errors. */
const walletLibrary = async () => (await Promise.all([import("../wallet/index.ts"), loadSentences()]))[0];
type WalletLibrary = Awaited<ReturnType<typeof walletLibrary>>;

/** The connected wallet; null without one. */
const current = new Cell<Session | null>(stored.session.read());

/** Why a change in the wallet could not be applied, or why the wallet ended the session; else null. */
const trouble = new Cell<Failure | null>(null);

let stopListening = (): void => {};
/** Whether the wallet has been asked to confirm the session that was restored from storage. */
let resumed = false;
/** The wallet that was last connected on this page. */
let lastProvider: string | null = null;

/** Returns this community's network by the name that wallets use. */
function network(): NetworkName {
  return (site.network.slice(0, 1).toUpperCase() + site.network.slice(1)) as NetworkName;
}

/**
 * Asks a wallet for its addresses. An existing connection stays if this fails. Throws WalletError with a message to
 * show.
 */
export async function connectWallet(provider: string, signal?: AbortSignal): Promise<Session> {
  const library = await walletLibrary();
  const session = await library.connect(provider, { signal, network: network(), keep: current.get() !== null });
  trouble.set(null);
  resumed = true;
  current.set(session);
  follow(library);
  return session;
}

/** Asks the wallet that ended the session to connect again. Returns false if that wallet is not known. */
export async function reconnectWallet(): Promise<boolean> {
  const { WalletError } = await walletLibrary();
  if (lastProvider === null) return false;
  try {
    await connectWallet(lastProvider);
  } catch (error) {
    trouble.set(failureOf(error instanceof WalletError ? logged(error) : null, text.http.unreachable));
  }
  return true;
}

export async function disconnectWallet(): Promise<void> {
  stopListening();
  trouble.set(null);
  current.set(null);
  try {
    await (await walletLibrary()).disconnect();
  } catch {
    clearAll();
  }
}

/**
 * Subscribes to the wallet's changes. Wallets inject late, so this is called again when one may be available. The
 * session's end is followed while the library loads, because the response to the page's first request may cause it.
 */
export async function listen(): Promise<void> {
  stopListening();
  stopListening = onSessionEnd(endedByLibrary);
  follow(await walletLibrary());
  if (current.get() && !resumed) await resume();
}

/** Subscribes in the same task in which a session begins. */
function follow({ defaultProvider, onWalletEvent }: WalletLibrary): void {
  stopListening();
  if (stored.session.read() === null) current.set(null); // another tab disconnected while the library was loaded
  if (!current.get()) return;
  lastProvider = defaultProvider();
  const stops = [
    onSessionEnd(endedByLibrary),
    onWalletEvent("accountChange", () => void refresh()),
    onWalletEvent("networkChange", () => void refresh()),
    onWalletEvent("disconnect", () => void endedByWallet()),
  ];
  stopListening = () => stops.forEach((stop) => stop());
}

/** The wallet answered that it shares no account with this page. */
function endedByLibrary(error: WalletError): void {
  trouble.set(failureOf(logged(error), ""));
  current.set(null);
  stopListening();
}

function showEnd(message: string): void {
  current.set(null);
  trouble.set({ message: translate({ code: "ended", message }), details: null });
}

/** Maximum time until a tab sees that another one has emptied local storage: browsers copy it between processes. */
const OTHER_TAB_MS = 500;

/**
 * The user disconnected in the wallet: delete the session and show how to continue. Wallets report a disconnect on one
 * page to every page of its origin. If the stored session is deleted by then, the user disconnected in another tab.
 */
async function endedByWallet(): Promise<void> {
  await new Promise((done) => setTimeout(done, OTHER_TAB_MS));
  if (stored.session.read() === null) {
    current.set(null);
    return;
  }
  await disconnectWallet();
  showEnd((await walletLibrary()).walletTexts.ended);
}

/** Confirms a restored session: the wallet may have changed its account, or disconnected, while no page was open. */
async function resume(): Promise<void> {
  resumed = true;
  const { resumeSession, WalletError } = await walletLibrary();
  try {
    const session = await resumeSession({ network: network() });
    if (session && !isSame(session, current.get()) && current.get()) current.set(session);
  } catch (error) {
    if (error instanceof WalletError) trouble.set(failureOf(logged(error), error.message));
  }
}

function isSame(a: Session | null, b: Session | null): boolean {
  return a?.ordinals.address === b?.ordinals.address && a?.payment.address === b?.payment.address;
}

/** Asks the wallet for its current account. If it does not fit this community, the page says why. */
async function refresh(): Promise<void> {
  const { refreshSession, WalletError } = await walletLibrary();
  try {
    current.set(await refreshSession({ network: network() }));
    trouble.set(null);
  } catch (error) {
    if (error instanceof WalletError) trouble.set(failureOf(logged(error), error.message));
  }
}

/** Applies connects, disconnects and account changes of other tabs. */
export function followOtherTabs(): () => void {
  const onStorage = (): void => {
    const saved = stored.session.read();
    if (isSame(saved, current.get())) return;
    resumed = true; // the wallet confirmed it to the other tab: every further request may open a popup
    trouble.set(null);
    current.set(saved);
  };
  window.addEventListener("storage", onStorage);
  return () => window.removeEventListener("storage", onStorage);
}

export function useSession(): Session | null {
  return useObservable(current);
}

export function useWalletTrouble(): Failure | null {
  return useObservable(trouble);
}

const fields = new WeakMap<Session, WalletFields>();

/** Returns the wallet fields of the server's calls. */
export function fieldsOf(session: Session): WalletFields {
  const cached = fields.get(session);
  if (cached) return cached;
  const created = { w_wallet_code: session.payment.address, w_wallet_code_ord: session.ordinals.address };
  fields.set(session, created);
  return created;
}

export function useWallet(): WalletFields | null {
  const session = useSession();
  return session && fieldsOf(session);
}
