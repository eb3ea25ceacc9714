// The service worker, built as dist/push.js: it shows messages that the server sent, and opens what they are about. It
// makes no request; the policy that it is served with allows none.
import { push as german } from "../lib/text/de.push.ts";
import { push as english } from "../lib/text/en.push.ts";

interface PushedEvent {
  data: { json(): unknown } | null;
  waitUntil(done: Promise<unknown>): void;
}

interface ClickedEvent {
  notification: { data: unknown; close(): void };
  waitUntil(done: Promise<unknown>): void;
}

/** TypeScript's own type lacks what WebKit doesn't implement. */
type Options = NotificationOptions & { renotify: boolean };

/** What is used of ServiceWorkerGlobalScope, whose types can't be loaded beside the types of a page. */
interface Scope {
  location: { href: string };
  registration: { showNotification(title: string, options: NotificationOptions): Promise<void> };
  clients: { openWindow(path: string): Promise<unknown> };
  addEventListener(type: "push", listener: (event: PushedEvent) => void): void;
  addEventListener(type: "notificationclick", listener: (event: ClickedEvent) => void): void;
}

const scope = globalThis as unknown as Scope;
const lang = new URL(scope.location.href).searchParams.get("lang") === "de" ? "de" : "en";
const words = { de: german, en: english }[lang];

/** Returns the ids that a message contains, by the kind of the news. */
function read(data: PushedEvent["data"]): Record<string, unknown> {
  try {
    return Object(data?.json());
  } catch {
    return {}; // It is not JSON.
  }
}

function pathOf(kind: keyof typeof words.messages, id: string): string {
  if (kind === "unlocked") return "/?tab=withdraw";
  if (kind === "reward") return "/?tab=rewards";
  return kind === "order" ? `/?order=${encodeURIComponent(id)}` : "/";
}

function show(kind: keyof typeof words.messages, id = ""): Promise<void> {
  const { title, body } = words.messages[kind];
  const path = pathOf(kind, id);
  // A newer message with the same tag replaces the older one, and alerts again.
  const options: Options = { body, lang, tag: path, renotify: true, data: path };
  return scope.registration.showNotification(title, options);
}

scope.addEventListener("push", (message) => {
  const ids = read(message.data);
  const shown = (["unlocked", "reward", "order"] as const).flatMap((kind) => {
    const id = ids[kind];
    return typeof id === "string" ? [show(kind, id)] : [];
  });
  // The browser requires that every message is shown.
  message.waitUntil(Promise.all(shown.length > 0 ? shown : [show("other")]));
});

scope.addEventListener("notificationclick", (click) => {
  click.notification.close();
  click.waitUntil(scope.clients.openWindow(String(click.notification.data)));
});
