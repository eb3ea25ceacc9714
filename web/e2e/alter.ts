import { request, type IncomingHttpHeaders } from "node:http";
import type { Page, Request } from "@playwright/test";

interface Envelope {
  success: boolean;
  message: string;
  data: any;
}

/**
 * Changes the server's response to one call from now on: `change` gets the data of the real response and returns its
 * replacement, or a promise that delays the response.
 */
export async function alter(page: Page, call: string, change: (data: any) => unknown): Promise<void> {
  await page.route(pathOf(call), async (route) => {
    const envelope = JSON.parse((await forward(route.request())).body) as Envelope;
    await route.fulfill({ json: { ...envelope, data: await change(envelope.data) } });
  });
}

/** Shows a wallet's longest figures: amounts with decimals beside a share of five digits. */
export function withLongFigures(page: Page): Promise<void> {
  return alter(page, "postInfoWallet", (data) => ({
    ...data,
    wallet_staked: "50876543000000",
    claimable_rewards: "1234567000000",
    wallet_share: "0.98765",
  }));
}

/** Removes the figures that the server writes into the page, so that the page has to request them. */
export async function withoutFigures(page: Page): Promise<void> {
  await page.route(/\.localhost:\d+\/[^/.]*(\?|$)/, async (route) => {
    if (route.request().resourceType() !== "document") return route.fallback();
    const { headers, body } = await forward(route.request());
    await route.fulfill({
      headers: headers as Record<string, string>,
      body: body.replace(/<script[^>]* id="globals">[^<]*<\/script>/, ""),
    });
  });
}

/** Matches the requests of this call, for any community. */
export function pathOf(call: string): RegExp {
  return new RegExp(`/(lobo|dummy)/${call}(\\?|$)`);
}

/** Requests the real server by IP address, because Node does not resolve *.localhost. */
function forward(original: Request): Promise<{ headers: IncomingHttpHeaders; body: string }> {
  const url = new URL(original.url());
  const headers = { ...original.headers(), host: url.host };
  // Requests an uncompressed, uncached response, because the test reads it.
  for (const name of ["accept-encoding", "if-none-match"]) delete (headers as Record<string, string>)[name];
  const target = {
    host: "127.0.0.1",
    port: url.port,
    path: url.pathname + url.search,
    method: original.method(),
    headers,
  };
  return new Promise((done, fail) => {
    const sent = request(target, (answer) => {
      let body = "";
      answer.setEncoding("utf8");
      answer.on("data", (part: string) => (body += part));
      answer.on("end", () => done({ headers: answer.headers, body }));
    });
    sent.on("error", fail);
    sent.end(original.postDataBuffer() ?? undefined);
  });
}
