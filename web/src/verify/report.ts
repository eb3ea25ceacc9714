import type { Tokens } from "./tokens.ts";

/** The result of a check. A check that could not be made is never counted as passed. */
export type Outcome = "passed" | "failed" | "unchecked";

/** The checks; the texts of the page have a sentence for each outcome. */
export type CheckName =
  | "read"
  | "form"
  | "key"
  | "chain"
  | "seen"
  | "reserves"
  | "rewards"
  | "compounded"
  | "instructions"
  | "proof"
  | "owner"
  | "outputs"
  | "runes"
  | "receipts";

/**
 * One line of a report. `values` are for its sentence; a bigint is an amount of runes in base units. `detail` says in
 * English what was compared or what is wrong.
 */
export interface Line {
  check: CheckName;
  outcome: Outcome;
  values: (string | bigint)[];
  detail: string;
}

/** Collects the lines of a report and passes each on. */
export class Report {
  readonly lines: Line[] = [];
  /** The tokens of the statements; null if they are not known. */
  tokens: Tokens | null = null;
  private readonly onLine: (line: Line) => void;

  constructor(onLine: (line: Line) => void = () => {}) {
    this.onLine = onLine;
  }

  add(outcome: Outcome, check: CheckName, values: (string | number | bigint)[] = [], detail = ""): void {
    const texts = values.map((value) => (typeof value === "number" ? String(value) : value));
    const line = { check, outcome, values: texts, detail };
    this.lines.push(line);
    this.onLine(line);
  }

  count(outcome: Outcome): number {
    return this.lines.filter((line) => line.outcome === outcome).length;
  }

  hasFailed(check: CheckName): boolean {
    return this.lines.some((line) => line.check === check && line.outcome === "failed");
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
