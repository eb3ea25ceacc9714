import type { Confirm, Question } from "./wallet";

export interface OpenQuestion {
  question: Question;
  answer(yes: boolean): void;
}

/** Queue of questions to the user: the next one opens when the current one is answered. */
export class Questions {
  current: OpenQuestion | null = null;
  readonly #waiting: OpenQuestion[] = [];
  readonly #show: (open: OpenQuestion | null) => void;

  /** `show` is called with the open question, or with null if there is none. */
  constructor(show: (open: OpenQuestion | null) => void) {
    this.#show = show;
  }

  ask: Confirm = (question) =>
    new Promise((resolve) => {
      const open: OpenQuestion = {
        question,
        answer: (yes) => {
          if (this.current !== open) return; // already answered
          this.current = null;
          resolve(yes);
          this.#next();
        },
      };
      this.#waiting.push(open);
      if (!this.current) this.#next();
    });

  #next(): void {
    this.current = this.#waiting.shift() ?? null;
    this.#show(this.current);
  }
}
