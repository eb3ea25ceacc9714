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

/** A subscription to a wallet's changes. */
interface Listening {
  provider: string | null;
  /** Applies the changes from now on, and those since the subscription. */
  start(): void;
  stop(): void;
}

/** The subscription to the connected wallet; null without one. */
let listening: Listening | null = null;
/** Ends the running read of the wallet's account: only the latest may change the session. */
let reading = new AbortController();
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
  // Subscribe before the wallet answers: it may change its account before the answer is read.
  const subscription = subscribe(library, provider);
  try {
    const session = await library.connect(provider, { signal, network: network(), keep: current.get() !== null });
    trouble.set(null);
    resumed = true;
    current.set(session);
    follow(subscription);
    return session;
  } catch (error) {
    subscription.stop();
    throw error;
  }
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
  unfollow();
  trouble.set(null);
  current.set(null);
  try {
    await (await walletLibrary()).disconnect();
  } catch {
    clearAll();
  }
}

/**
 * Follows the connected wallet's changes, and confirms a restored session. The session's end is followed while the
 * library loads, because the response to the page's first request may cause it.
 */
export async function listen(): Promise<void> {
  const stop = onSessionEnd(endedByLibrary);
  let library: WalletLibrary;
  try {
    library = await walletLibrary();
  } finally {
    stop();
  }
  if (stored.session.read() === null) current.set(null); // another tab disconnected while the library was loaded
  if (!current.get()) return unfollow();
  const provider = library.defaultProvider();
  // A second subscription to the same wallet would miss what changes between the two.
  if (listening?.provider !== provider) follow(subscribe(library, provider));
  if (!resumed) await resume();
}

/** Subscribes to a wallet's changes. They are applied once `start` is called. */
function subscribe({ onWalletEvent }: WalletLibrary, provider: string | null): Listening {
  let isStarted = false;
  let isChanged = false;
  const change = (): void => {
    isChanged = true;
    if (isStarted) void refresh();
  };
  const stops = [
    onWalletEvent("accountChange", change, provider),
    onWalletEvent("networkChange", change, provider),
    onWalletEvent("disconnect", () => isStarted && void endedByWallet(), provider),
  ];
  return {
    provider,
    start() {
      isStarted = true;
      stops.push(onSessionEnd(endedByLibrary));
      // Wallets also report the account that the user approved. This read opens no popup.
      if (isChanged) void read("resumeSession");
    },
    stop: () => stops.forEach((stop) => stop()),
  };
}

function follow(subscription: Listening): void {
  unfollow();
  listening = subscription;
  lastProvider = subscription.provider;
  subscription.start();
}

/** Ends the subscription and the running read, whose answer would restore a session that has ended. */
function unfollow(): void {
  reading.abort();
  listening?.stop();
  listening = null;
}

/** The wallet answered that it shares no account with this page. */
function endedByLibrary(error: WalletError): void {
  trouble.set(failureOf(logged(error), ""));
  current.set(null);
  unfollow();
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
    return unfollow();
  }
  await disconnectWallet();
  showEnd((await walletLibrary()).walletTexts.ended);
}

/** Confirms a restored session: the wallet may have changed its account, or disconnected, while no page was open. */
async function resume(): Promise<void> {
  resumed = true;
  await read("resumeSession");
}

/** Asks the wallet for its current account. If it does not fit this community, the page says why. */
async function refresh(): Promise<void> {
  if (await read("refreshSession")) trouble.set(null);
}

/** Reads the account and ends the read before. Returns whether the session is now the wallet's. */
async function read(call: "refreshSession" | "resumeSession"): Promise<boolean> {
  reading.abort();
  reading = new AbortController();
  const { signal } = reading;
  const library = await walletLibrary();
  try {
    const session = await library[call]({ network: network(), signal });
    if (signal.aborted || !session) return false;
    if (!isSame(session, current.get())) current.set(session);
    return true;
  } catch (error) {
    if (!signal.aborted && error instanceof library.WalletError) trouble.set(failureOf(logged(error), error.message));
    return false;
  }
}

function isSame(a: Session | null, b: Session | null): boolean {
  return a?.ordinals.address === b?.ordinals.address && a?.payment.address === b?.payment.address;
}

/** Applies connects, disconnects and account changes of other tabs. */
export function followOtherTabs(): () => void {
  const onStorage = (): void => {
    const saved = stored.session.read();
    if (isSame(saved, current.get())) return;
    resumed = true; // the wallet confirmed it to the other tab: every further request may open a popup
    trouble.set(null);
    if (saved === null) unfollow();
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
