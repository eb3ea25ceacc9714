/** Maximum wait in ms for a step back. The browser drops the step if another navigation replaces it. */
const BACK_MS = 3_000;

/**
 * Runs changes of the URL one at a time. history.back() only starts a step: the URL changes later, at the popstate
 * event, and an entry that is pushed before would be left by that step. Changes wait for a step that is under way.
 */
export class Navigations {
  #waiting: (() => void)[] | null = null;

  /** Calls `change` now, or when the step back that is under way has ended. */
  run(change: () => void): void {
    if (this.#waiting) this.#waiting.push(change);
    else change();
  }

  /** Goes back by one entry. Call it within `run`, so that no two steps are under way. */
  back(): void {
    const waiting: (() => void)[] = [];
    this.#waiting = waiting;
    const end = (): void => {
      window.removeEventListener("popstate", end);
      clearTimeout(timer);
      this.#waiting = null;
      for (const change of waiting) this.run(change); // a change may go back again
    };
    window.addEventListener("popstate", end);
    const timer = setTimeout(end, BACK_MS);
    window.history.back();
  }
}
