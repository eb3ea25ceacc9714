// @vitest-environment node
import { afterEach, expect, it, vi } from "vitest";

type Listener = (event: object) => void;

/** Runs the worker with an address, and returns what it does on an event. */
async function run(address: string) {
  const listeners: Record<string, Listener> = {};
  const shown: [title: string, options: NotificationOptions][] = [];
  const opened: string[] = [];
  vi.stubGlobal("location", { href: address });
  vi.stubGlobal("addEventListener", (type: string, listener: Listener) => (listeners[type] = listener));
  vi.stubGlobal("registration", {
    showNotification: (title: string, options: NotificationOptions) => Promise.resolve(shown.push([title, options])),
  });
  vi.stubGlobal("clients", { openWindow: (path: string) => Promise.resolve(opened.push(path)) });
  vi.resetModules();
  await import("./worker.ts");
  const waitUntil = vi.fn();
  const push = (data: unknown): typeof shown => {
    shown.length = 0;
    listeners["push"]!({ data: { json: () => data }, waitUntil });
    return shown;
  };
  const click = (data: unknown): string => {
    listeners["notificationclick"]!({ notification: { data, close: () => undefined }, waitUntil });
    return opened.at(-1)!;
  };
  return { push, click };
}

afterEach(() => vi.unstubAllGlobals());

it("shows a text of its own for each kind, and opens what it is about", async () => {
  const { push, click } = await run("https://lobo.example.org/push.js?lang=en");
  const shown = push({ order: "a&b", reward: "reward:1", unlocked: "ab:0" });
  // Without renotify, a second message about the same order would replace the first one silently.
  expect(shown.every(([, options]) => options.tag && "renotify" in options && options.renotify)).toBe(true);
  expect(shown.map(([title, { data }]) => [title, click(data)])).toEqual([
    ["Your runes are unlocked", "/?tab=withdraw"],
    ["You have a new reward", "/?tab=rewards"],
    ["Your order needs you", "/?order=a%26b"],
  ]);
});

it("shows a message that it can't read", async () => {
  const { push } = await run("https://lobo.example.org/push.js");
  for (const data of [null, "text", { order: 1, other: "x" }, {}]) {
    expect(push(data).map(([title, options]) => [title, options.data])).toEqual([
      ["There is news about your stake", "/"],
    ]);
  }
});

it("has German texts", async () => {
  const { push } = await run("https://lobo.example.org/push.js?lang=de");
  expect(push({ unlocked: "ab:0" })[0]![0]).toBe("Deine Runes sind frei");
});
