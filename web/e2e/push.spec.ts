import { createECDH, randomBytes } from "node:crypto";
import type { CDPSession } from "@playwright/test";
import { checkLayout } from "./layout.ts";
import { expect, test } from "./test.ts";

/**
 * The Chromium of tests has no push service, so the subscription is the test's own. Everything else is real: the
 * worker, its policy, the calls and the notification.
 */
const subscription = {
  endpoint: "https://push.example.com/of-the-test",
  keys: { p256dh: publicKey(), auth: randomBytes(16).toString("base64url") },
};

function publicKey(): string {
  const key = createECDH("prime256v1");
  key.generateKeys();
  return key.getPublicKey("base64url");
}

/** Delivers a message to the page's service worker, as the browser does after decrypting it. */
async function deliver(cdp: CDPSession, origin: string, data: object): Promise<void> {
  const registered = new Promise<string>((found) =>
    cdp.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL === `${origin}/`);
      if (own) found(own.registrationId);
    }),
  );
  await cdp.send("ServiceWorker.enable");
  const registrationId = await registered;
  await cdp.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data: JSON.stringify(data) });
}

test("messages are offered after a signed action, shown while on, and turned off", async ({ staker, network }) => {
  const { page } = staker;
  const origin = network.url("lobo");
  await page.context().grantPermissions(["notifications"], { origin });
  await page.addInitScript((made) => {
    let current: object | null = null;
    const fake = { ...made, toJSON: () => made, unsubscribe: () => Promise.resolve(((current = null), true)) };
    PushManager.prototype.subscribe = () => Promise.resolve((current = fake) as unknown as PushSubscription);
    PushManager.prototype.getSubscription = () => Promise.resolve(current as PushSubscription | null);
  }, subscription);
  await staker.arrive();
  await staker.becomeStaker();
  const tab = await staker.tab("Unstake");
  await expect(page.getByRole("button", { name: "Turn on messages" })).toBeHidden();
  await tab.getByRole("checkbox", { name: "500,000 LOBO" }).check();
  await staker.unstake(tab);
  await checkLayout(page, "messages offered");
  await page.getByRole("button", { name: "Turn on messages" }).click();
  const off = page.getByRole("button", { name: "Turn off messages" });
  await expect(off).toBeVisible();
  await checkLayout(page, "messages on");

  const [policy, script] = await page.evaluate(async () => {
    const worker = await fetch("/push.js");
    return [worker.headers.get("content-security-policy"), await worker.text()];
  });
  expect(policy).toMatch(/^default-src 'none';/);
  expect(script).not.toContain("fetch");
  await deliver(await page.context().newCDPSession(page), origin, { unlocked: "ab:0" });
  const shown = (): Promise<string[]> =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      const all = await registration.getNotifications();
      return all.map(({ title, body, data }) => `${title} | ${body} | ${data}`);
    });
  await expect
    .poll(shown)
    .toEqual(["Your runes are unlocked | You can now withdraw or restake them. | /?tab=withdraw"]);

  const ended = page.waitForRequest(/\/pushEnd$/);
  await off.click();
  expect((await ended).postDataJSON()).toEqual({ endpoint: subscription.endpoint });
  await expect(off).toBeHidden();
});

test("a browser without Web Push has the calendar entry, and no offer", async ({ staker }) => {
  await staker.page.addInitScript(() => Reflect.deleteProperty(window, "PushManager"));
  await staker.arrive();
  await staker.becomeStaker();
  const tab = await staker.tab("Unstake");
  await tab.getByRole("checkbox", { name: "500,000 LOBO" }).check();
  await staker.unstake(tab);
  const withdraw = await staker.tab("Withdraw");
  await expect(withdraw.getByRole("button", { name: "Add unlock dates to your calendar" })).toBeVisible();
  await expect(staker.page.getByRole("button", { name: "Turn on messages" })).toHaveCount(0);
});
