import type { Subscription } from "../api/push.ts";
import { language } from "../lib/language.ts";
import { scriptURL } from "../lib/scriptURL.ts";

/** Whether this browser can show messages of a page that is closed. */
export const canPush = (): boolean =>
  "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** This browser's subscription; null if there is none. */
export async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration("/");
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Installs the service worker with its texts in this page's language. */
export function register(): Promise<ServiceWorkerRegistration> {
  return navigator.serviceWorker.register(scriptURL("push", `/push.js?lang=${language}`));
}

/** Subscribes with the server's key. Call it after the user allowed notifications. */
export async function subscribeBrowser(publicKey: string): Promise<Subscription> {
  await register();
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  const made = await pushManager.subscribe(options).catch(async (error: unknown) => {
    // A subscription with an earlier key of the server is of no use.
    const old = error instanceof DOMException && error.name === "InvalidStateError" && (await currentSubscription());
    if (!old) throw error;
    await old.unsubscribe();
    return pushManager.subscribe(options);
  });
  const { endpoint = "", keys = {} } = made.toJSON();
  return { endpoint, p256dh: keys["p256dh"] ?? "", auth: keys["auth"] ?? "" };
}
