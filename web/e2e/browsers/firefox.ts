import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../network.ts";
import { Driver, pressAt, until } from "./driver.ts";

interface Answer {
  id: number;
  result: unknown;
  error?: string;
  message?: string;
}

/** Debian's Firefox, driven by WebDriver BiDi. */
export class Firefox extends Driver {
  readonly #profile = mkdtempSync(join(tmpdir(), "moonfund-firefox-"));
  readonly #answers = new Map<number, (answer: Answer) => void>();
  #socket!: WebSocket;
  #context = "";
  #commands = 0;

  /** Starts with a new profile, after a test has damaged it. */
  static async start(damage: (profile: string) => void = () => {}): Promise<Firefox> {
    const firefox = new Firefox();
    damage(firefox.#profile);
    const port = await freePort();
    const program = process.env["FIREFOX"] ?? "firefox-esr";
    const remote = `--remote-debugging-port=${port}`;
    firefox.spawn(program, ["-headless", "-no-remote", "-profile", firefox.#profile, remote]);
    try {
      firefox.#socket = await until(() => connect(`ws://127.0.0.1:${port}/session`));
      firefox.#socket.addEventListener("message", ({ data }: MessageEvent<string>) => {
        const answer = JSON.parse(data) as Answer;
        firefox.#answers.get(answer.id)?.(answer);
      });
      await firefox.#send("session.new", { capabilities: {} });
      const { context } = await firefox.#send<{ context: string }>("browsingContext.create", { type: "tab" });
      firefox.#context = context;
      return firefox;
    } catch (error) {
      firefox.stop();
      throw error;
    }
  }

  async open(url: string): Promise<void> {
    await this.#send("browsingContext.navigate", { context: this.#context, url, wait: "complete" });
  }

  async run<T>(body: string): Promise<T> {
    const answer = await this.#send<{ result?: { value: string }; exceptionDetails?: { text: string } }>(
      "script.evaluate",
      {
        expression: `(async () => { ${body} })().then((value) => JSON.stringify(value ?? null))`,
        target: { context: this.#context },
        awaitPromise: true,
        userActivation: true,
      },
    );
    if (!answer.result) throw new Error(answer.exceptionDetails?.text);
    return JSON.parse(answer.result.value) as T;
  }

  async click(x: number, y: number): Promise<void> {
    await this.#send("input.performActions", { context: this.#context, actions: pressAt(x, y) });
  }

  override stop(): void {
    super.stop();
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  async #send<T>(method: string, params: object): Promise<T> {
    const id = ++this.#commands;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#answers.set(id, resolve);
    this.#socket.send(JSON.stringify({ id, method, params }));
    const { result, error, message } = await promise;
    if (error) throw new Error(`${method}: ${error}: ${message}`);
    return result as T;
  }
}

function connect(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url);
  return new Promise((done, fail) => {
    socket.addEventListener("open", () => done(socket));
    socket.addEventListener("error", () => fail(new Error(`${url} does not answer`)));
  });
}
