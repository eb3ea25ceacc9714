import { PageError } from "../lib/failure.ts";
/**
 * What is wrong with the server's statements. fork: their history differs from the one that this browser saw; behind:
 * the newest statement is older than one that this browser saw; missing: the server no longer has statements;
 * unreadable: a statement is invalid or of another community; unnamed: the message to sign names another statement, or
 * none.
 */
export type Contradiction = "fork" | "behind" | "missing" | "unreadable" | "unnamed";

/** A signed statement as the server served it. */
export interface Evidence {
  sequence: number;
  id: string;
  /** Canonical text; empty if it was too long to remember. */
  text: string;
}

/** The server's statements contradict the statements that this browser saw before. Nothing was signed. */
export class StatementConflict extends PageError {
  override readonly name = "StatementConflict";
  readonly kind: Contradiction;
  readonly seen: Evidence | null;
  readonly shown: Evidence | null;

  constructor(kind: Contradiction, message: string, seen: Evidence | null = null, shown: Evidence | null = null) {
    super(message);
    this.kind = kind;
    this.seen = seen;
    this.shown = shown;
  }
}
