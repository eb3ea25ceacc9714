import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";

const POLL_MS = 200;
const LIMIT_MS = 30_000;

/** A page in a browser that is not Playwright's: Playwright's own Firefox and WebKit are patched builds. */
export abstract class Driver {
  readonly #programs: ChildProcess[] = [];

  abstract open(url: string): Promise<void>;

  /** Runs the body of an async function in the page, and returns its result. */
  abstract run<T>(body: string): Promise<T>;

  /** Presses the mouse at a place of the page. */
  abstract click(x: number, y: number): Promise<void>;

  stop(): void {
    for (const program of this.#programs) program.kill("SIGKILL");
  }

  /** Starts a program that ends with the driver. */
  protected spawn(program: string, args: readonly string[], options: SpawnOptions = {}): void {
    const child = spawn(program, args, { stdio: "ignore", ...options });
    child.on("error", () => {}); // the first command reports that it is missing
    this.#programs.push(child);
  }

  /** Waits for an enabled element whose text starts with these words, in a dialog if one is open, and presses it. */
  async press(selector: string, words: string): Promise<void> {
    const find = `
      const root = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
      const found = [...root.querySelectorAll(${JSON.stringify(selector)})].find((one) =>
        one.checkVisibility() && !one.disabled && one.innerText.trim().startsWith(${JSON.stringify(words)}));
      if (!found) throw new Error("no ${selector}: " + root.textContent);
      found.scrollIntoView({ block: "center", behavior: "instant" });
      const { x, y, width, height } = found.getBoundingClientRect();
      return [Math.round(x + width / 2), Math.round(y + height / 2)];`;
    const [x, y] = await until(() => this.run<[number, number]>(find));
    await this.click(x, y);
  }

  /** Waits until the page shows a text. */
  async see(words: RegExp): Promise<void> {
    await until(async () => {
      const shown = await this.run<string>("return document.body.innerText");
      if (!words.test(shown)) throw new Error(`The page does not show ${words}:\n${shown}`);
    });
  }
}

/** The events of a press, for both protocols. */
export const pressAt = (x: number, y: number) => [
  {
    type: "pointer",
    id: "mouse",
    actions: [
      { type: "pointerMove", x, y },
      { type: "pointerDown", button: 0 },
      { type: "pointerUp", button: 0 },
    ],
  },
];

/** Repeats what fails until it succeeds. Throws its last error after 30 s. */
export async function until<T>(attempt: () => Promise<T>): Promise<T> {
  for (const end = Date.now() + LIMIT_MS; ; ) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((later) => setTimeout(later, POLL_MS));
    }
  }
}
