/** JSON-RPC codes that the dev wallet answers with. */
export const Code = {
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  userRejection: -32000,
  methodNotSupported: -32001,
  accessDenied: -32002,
} as const;

/** A refusal that goes out as a JSON-RPC error. */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly code: number;
  /** What goes out beside code and message. */
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export const rejected = () => new Fault(Code.userRejection, "User rejected request");
export const badParams = (why: string) => new Fault(Code.invalidParams, why);
