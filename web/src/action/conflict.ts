/**
 * What is wrong with the server's statements. fork: another history than before; behind: the newest one is older than
 * before; missing: there are none any more; unreadable: one is invalid or of another community; unnamed: the message
 * to sign names another statement, or none.
 */
export type Contradiction = "fork" | "behind" | "missing" | "unreadable" | "unnamed";

/** A signed statement as the server served it. */
export interface Evidence {
  sequence: number;
  id: string;
  /** Canonical text; empty if it was too long to remember. */
  text: string;
}

/** The server's statements contradict those that this browser saw before. Nothing was signed. */
export class StatementConflict extends Error {
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
