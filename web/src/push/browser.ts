import type { Subscription } from "../api/push.ts";
import { language } from "../lib/language.ts";

/** Whether this browser can show messages of a page that is closed. */
export const canPush = (): boolean =>
  "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** This browser's subscription; null if there is none. */
export async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration("/");
  return (await registration?.pushManager.getSubscription()) ?? null;
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** Installs the service worker with its texts in this page's language. */
export function register(): Promise<ServiceWorkerRegistration> {
  const url = `/push.js?lang=${language}`;
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  // The page's policy allows no address of a script that is not declared.
  const policy = trustedTypes?.createPolicy("push", { createScriptURL: () => url });
  return navigator.serviceWorker.register(policy ? policy.createScriptURL(url) : url);
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
