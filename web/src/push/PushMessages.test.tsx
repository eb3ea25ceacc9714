import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { pushText } from "../lib/pushText.ts";
import { Refusal, serve, show } from "../testing/page.tsx";
import { wallet } from "../testing/wire.ts";
import { canPush } from "./browser.ts";
import PushMessages from "./PushMessages.tsx";
import { lastSigned } from "./signed.ts";

const proof = { owner: wallet.w_wallet_code_ord, actionId: "a-1", signature: "c2ln" };
const endpoint = "https://push.example.com/1";

/** A browser with Web Push, which records what the page has it do. `answer` is the user's. */
function installBrowser(permission: NotificationPermission, { subscribed = false, answer = permission } = {}) {
  const done: string[] = [];
  const subscription = {
    endpoint,
    toJSON: () => ({ endpoint, keys: { p256dh: "key", auth: "secret" } }),
    unsubscribe: () => {
      done.push("unsubscribe");
      current = null;
      return Promise.resolve(true);
    },
  };
  let current = subscribed ? subscription : null;
  const pushManager = {
    getSubscription: () => Promise.resolve(current),
    subscribe: (options: { applicationServerKey: string }) => {
      done.push(`subscribe ${options.applicationServerKey}`);
      current = subscription;
      return Promise.resolve(subscription);
    },
  };
  const registration = { pushManager };
  vi.stubGlobal("PushManager", class {});
  const notification = {
    permission,
    requestPermission: () => Promise.resolve((notification.permission = answer)),
  };
  vi.stubGlobal("Notification", notification);
  const serviceWorker = {
    ready: Promise.resolve(registration),
    getRegistration: () => Promise.resolve(current ? registration : undefined),
    register: (url: string) => {
      done.push(`register ${url}`);
      return Promise.resolve(registration);
    },
  };
  Object.defineProperty(navigator, "serviceWorker", { configurable: true, value: serviceWorker });
  return done;
}

/** Shows the messages in the page's main content. */
const showMessages = () =>
  show(
    <main id="content" tabIndex={-1}>
      <PushMessages wallet={wallet} />
    </main>,
  );

/** Serves the calls as the server does. */
function serveCalls(subscribed = false) {
  let known = subscribed;
  const state = (): object => ({ public_key: "BKey", subscribed: known });
  return serve({
    pushState: (body) => ({ public_key: "BKey", subscribed: known && body["endpoint"] === endpoint }),
    pushSubscribe: () => {
      known = true;
      return state();
    },
    pushEnd: () => {
      known = false;
      return state();
    },
  });
}

afterEach(() => {
  cleanup();
  localStorage.clear();
  lastSigned.set(null);
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, "serviceWorker");
});

it("offers messages after a signed action, and turns them off with one click", async () => {
  const done = installBrowser("granted");
  const { calls } = serveCalls();
  lastSigned.set(proof);
  showMessages();
  await userEvent.click(await screen.findByRole("button", { name: "Turn on messages" }));
  const off = await screen.findByRole("button", { name: "Turn off messages" });
  expect(document.activeElement).toBe(off);
  expect(screen.queryByRole("button", { name: "Turn on messages" })).toBeNull();
  expect(calls.find(([call]) => call === "pushSubscribe")?.[1]).toEqual({
    ...wallet,
    action_id: "a-1",
    signature: "c2ln",
    endpoint,
    p256dh: "key",
    auth: "secret",
  });
  expect(done.slice(0, 2)).toEqual(["register /push.js?lang=en", "subscribe BKey"]);
  await userEvent.click(off);
  await waitFor(() => expect(screen.queryByRole("button", { name: "Turn off messages" })).toBeNull());
  expect(calls.find(([call]) => call === "pushEnd")?.[1]).toEqual({ endpoint });
  expect(done.at(-1)).toBe("unsubscribe");
  expect(document.activeElement?.id).toBe("content");
});

it("has the switch, and no offer, in a browser that is subscribed", async () => {
  installBrowser("granted", { subscribed: true });
  serveCalls(true);
  lastSigned.set(proof);
  showMessages();
  await screen.findByRole("button", { name: "Turn off messages" });
  expect(document.activeElement).toBe(document.body);
  expect(screen.queryByRole("button", { name: "Turn on messages" })).toBeNull();
});

it("has the switch, beside the offer, while the browser is subscribed for another wallet", async () => {
  const done = installBrowser("granted", { subscribed: true });
  const { calls } = serveCalls();
  lastSigned.set(proof);
  showMessages();
  await screen.findByText(pushText.onForOther);
  screen.getByRole("button", { name: "Turn on messages" });
  await userEvent.click(screen.getByRole("button", { name: "Turn off messages" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Turn off messages" })).toBeNull());
  expect(calls.find(([call]) => call === "pushEnd")?.[1]).toEqual({ endpoint });
  expect(done.at(-1)).toBe("unsubscribe");
});

it("asks nothing before an action of this wallet was signed", async () => {
  installBrowser("granted");
  const { calls } = serveCalls();
  lastSigned.set({ ...proof, owner: "bc1another" });
  const { client, container } = showMessages();
  await waitFor(() => expect(client.getQueryCache().getAll()[0]?.state.status).toBe("success"));
  expect(container.textContent).toBe("");
  expect(calls).toEqual([]);
});

it("offers nothing where the user has blocked messages", async () => {
  installBrowser("denied");
  const { calls } = serveCalls();
  lastSigned.set(proof);
  const { client, container } = showMessages();
  await waitFor(() => expect(client.getQueryCache().getAll()[0]?.state.status).toBe("success"));
  expect(calls).toHaveLength(1);
  expect(container.textContent).toBe("");
});

it("says that the user blocked messages, after asking", async () => {
  const done = installBrowser("default", { answer: "denied" });
  serveCalls();
  lastSigned.set(proof);
  showMessages();
  await userEvent.click(await screen.findByRole("button", { name: "Turn on messages" }));
  expect((await screen.findByRole("alert")).textContent).toBe(pushText.blocked);
  expect(done).toEqual([]);
});

it("offers messages again after the browser's question was closed", async () => {
  const done = installBrowser("default");
  const { calls } = serveCalls();
  lastSigned.set(proof);
  showMessages();
  const button = await screen.findByRole<HTMLButtonElement>("button", { name: "Turn on messages" });
  await userEvent.click(button);
  await waitFor(() => expect(button.disabled).toBe(false));
  expect(screen.queryByRole("alert")).toBeNull();
  expect([done, calls.filter(([call]) => call === "pushSubscribe")]).toEqual([[], []]);
});

it("says why messages could not be turned on, and is dismissed for good", async () => {
  const done = installBrowser("granted");
  serve({
    pushState: () => ({ public_key: "BKey", subscribed: false }),
    pushSubscribe: () => new Refusal("Sign first.", "PUSH_PROOF"),
  });
  lastSigned.set(proof);
  const { container } = showMessages();
  await userEvent.click(await screen.findByRole("button", { name: "Turn on messages" }));
  expect((await screen.findByRole("alert")).textContent).toBe("Sign first.");
  expect(done.at(-1)).toBe("unsubscribe");
  await userEvent.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(container.textContent).toBe("");
  expect(document.activeElement?.id).toBe("content");
  cleanup();
  lastSigned.set({ ...proof, actionId: "a-2" });
  const { client, container: later } = showMessages();
  await waitFor(() => expect(client.getQueryCache().getAll()[0]?.state.status).toBe("success"));
  expect(later.textContent).toBe("");
});

it("is not for browsers without Web Push", () => {
  expect(canPush()).toBe(false); // jsdom
  installBrowser("granted");
  expect(canPush()).toBe(true);
});
