import { request, type IncomingHttpHeaders } from "node:http";
import type { Page, Request } from "@playwright/test";

interface Envelope {
  success: boolean;
  message: string;
  data: any;
}

/**
 * Changes what the server answers to one call, from now on: `change` gets the real answer's data and gives what takes
 * its place.
 */
export async function alter(page: Page, call: string, change: (data: any) => unknown): Promise<void> {
  await page.route(pathOf(call), async (route) => {
    const envelope = JSON.parse((await passOn(route.request())).body) as Envelope;
    await route.fulfill({ json: { ...envelope, data: change(envelope.data) } });
  });
}

/** The page comes without the figures that the server writes into it: it has to ask for them. */
export async function withoutFigures(page: Page): Promise<void> {
  await page.route(/\.localhost:\d+\/[^/.]*(\?|$)/, async (route) => {
    if (route.request().resourceType() !== "document") return route.fallback();
    const { headers, body } = await passOn(route.request());
    await route.fulfill({
      headers: headers as Record<string, string>,
      body: body.replace(/<script[^>]* id="globals">[^<]*<\/script>/, ""),
    });
  });
}

/** Which requests are this call, of whichever community. */
export function pathOf(call: string): RegExp {
  return new RegExp(`/(lobo|dummy)/${call}(\\?|$)`);
}

/** Asks the real server. By address: Node does not resolve *.localhost. */
function passOn(asked: Request): Promise<{ headers: IncomingHttpHeaders; body: string }> {
  const url = new URL(asked.url());
  const headers = { ...asked.headers(), host: url.host };
  // Neither packed nor "not modified": the answer is read here.
  for (const name of ["accept-encoding", "if-none-match"]) delete (headers as Record<string, string>)[name];
  const target = {
    host: "127.0.0.1",
    port: url.port,
    path: url.pathname + url.search,
    method: asked.method(),
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
    sent.end(asked.postDataBuffer() ?? undefined);
  });
}
