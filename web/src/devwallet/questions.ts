import type { Ask, Question } from "./wallet";

export interface OpenQuestion {
  question: Question;
  answer(yes: boolean): void;
}

/** Questions to the person, one at a time: the next one opens when the last one is answered. */
export class Questions {
  current: OpenQuestion | null = null;
  readonly #waiting: OpenQuestion[] = [];
  readonly #show: (open: OpenQuestion | null) => void;

  /** `show` is called with the question to show, and with null when there is none any more. */
  constructor(show: (open: OpenQuestion | null) => void) {
    this.#show = show;
  }

  ask: Ask = (question) =>
    new Promise((resolve) => {
      const open: OpenQuestion = {
        question,
        answer: (yes) => {
          if (this.current !== open) return; // answered twice
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
