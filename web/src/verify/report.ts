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

/** One line of a report. `values` are for its sentence; `detail` says in English what was compared or what is wrong. */
export interface Line {
  check: CheckName;
  outcome: Outcome;
  values: string[];
  detail: string;
}

/** Collects the lines of a report and passes each on. */
export class Report {
  readonly lines: Line[] = [];
  private readonly onLine: (line: Line) => void;

  constructor(onLine: (line: Line) => void = () => {}) {
    this.onLine = onLine;
  }

  add(outcome: Outcome, check: CheckName, values: (string | number | bigint)[] = [], detail = ""): void {
    const line = { check, outcome, values: values.map(String), detail };
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
