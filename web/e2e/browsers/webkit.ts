import { existsSync } from "node:fs";
import { freePort } from "../network.ts";
import { Driver, pressAt, until } from "./driver.ts";

/** The small browser in Debian's packages of WebKitGTK. */
const binary = ["webkit2gtk-4.1", "webkitgtk-6.0", "webkit2gtk-4.0"]
  .flatMap((library) => ["x86_64", "aarch64"].map((cpu) => `/usr/lib/${cpu}-linux-gnu/${library}/MiniBrowser`))
  .find((path) => existsSync(path));

/** Debian's WebKitGTK with a display of its own, driven by the WebDriver standard. */
export class WebKit extends Driver {
  #session = "";

  static async start(): Promise<WebKit> {
    const webkit = new WebKit();
    const port = await freePort();
    const display = `:${port}`;
    webkit.spawn("Xvfb", [display, "-screen", "0", "1440x900x24", "-nolisten", "tcp"]);
    // As root it can't use its sandbox. It opens pages of the test's own server only.
    const env = { DISPLAY: display, LIBGL_ALWAYS_SOFTWARE: "1", WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1" };
    webkit.spawn("WebKitWebDriver", [`--port=${port}`], { env: { ...process.env, ...env } });
    const options = { "webkitgtk:browserOptions": { binary, args: ["--automation"] } };
    try {
      const begin = () =>
        send<{ sessionId: string }>(`http://127.0.0.1:${port}/session`, { capabilities: { alwaysMatch: options } });
      webkit.#session = `http://127.0.0.1:${port}/session/${(await until(begin)).sessionId}`;
      return webkit;
    } catch (error) {
      webkit.stop();
      throw error;
    }
  }

  async open(url: string): Promise<void> {
    await send(`${this.#session}/url`, { url });
  }

  async run<T>(body: string): Promise<T> {
    const script = `const done = arguments[0];
      (async () => { ${body} })()
        .then((value) => done({ value: value ?? null }), (error) => done({ error: String(error) }));`;
    const { value, error } = await send<{ value: T; error?: string }>(`${this.#session}/execute/async`, {
      script,
      args: [],
    });
    if (error) throw new Error(error);
    return value;
  }

  async click(x: number, y: number): Promise<void> {
    await send(`${this.#session}/actions`, { actions: pressAt(x, y) });
  }

  override stop(): void {
    if (this.#session) void fetch(this.#session, { method: "DELETE" }).catch(() => {}).finally(() => super.stop());
    else super.stop();
  }
}

/** Sends a command, and returns its value. */
async function send<T>(url: string, body: object): Promise<T> {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  const { value } = (await response.json()) as { value: T & { error?: string; message?: string } };
  if (!response.ok) throw new Error(`${url}: ${value.error}: ${value.message}`);
  return value;
}
