/** A document is not canonical, contradicts itself, or does not fit another document. */
export class DocumentError extends Error {
  override name = "DocumentError";
}

/** Two different statements with the same sequence: the operator published two histories. */
export class ForkError extends DocumentError {
  override name = "ForkError";
}
