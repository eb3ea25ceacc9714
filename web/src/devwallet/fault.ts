/** JSON-RPC codes of the dev wallet's errors. */
export const Code = {
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  userRejection: -32000,
  methodNotSupported: -32001,
  accessDenied: -32002,
} as const;

/** An error that is returned as a JSON-RPC error. */
export class RpcError extends Error {
  override readonly name = "Fault";
  readonly code: number;
  /** Additional data of the JSON-RPC error. */
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export const rejected = () => new RpcError(Code.userRejection, "User rejected request");
export const badParams = (why: string) => new RpcError(Code.invalidParams, why);
