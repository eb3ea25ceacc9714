import { sentence, type WalletSentence } from "./texts.ts";

/** JSON-RPC 2.0 codes as wallets use them (specification, section 8). */
export const RpcCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  userRejection: -32000,
  methodNotSupported: -32001,
  accessDenied: -32002,
} as const;

/**
 * The cause of an error, independent of the code and words that the wallet used:
 * - rejected: declined in the wallet, or its window was closed. Some wallets also report this after they failed.
 * - failed: the wallet failed, or refused without asking the user.
 * - silent: no response in time. abandoned: the caller aborted.
 * - unreadable: a malformed response, or one that does not belong to the request.
 * - disconnected: the wallet shares no account with this page.
 * - locked, busy (another request is open in the wallet), otherAccount, otherNetwork: the user can fix it.
 * - unsupported: the wallet has no such method. badParams: the request is invalid. noWallet: it is not on the page.
 */
export type ErrorKind =
  | "rejected"
  | "failed"
  | "silent"
  | "abandoned"
  | "unreadable"
  | "disconnected"
  | "locked"
  | "busy"
  | "otherAccount"
  | "otherNetwork"
  | "unsupported"
  | "badParams"
  | "noWallet";

/** Kinds after which nothing can have been signed or sent. */
const BEFORE_SIGNING: ReadonlySet<ErrorKind> = new Set<ErrorKind>([
  "disconnected",
  "locked",
  "busy",
  "otherAccount",
  "otherNetwork",
  "unsupported",
  "badParams",
  "noWallet",
]);

interface Details {
  /** The default kind of each code. */
  kind?: ErrorKind;
  foreign?: boolean;
  maybeSent?: boolean;
}

/**
 * The only error that the wallet library throws. `message` can be shown as it is. `code` is a JSON-RPC code, or the
 * number that the wallet sent. `data` is additional data of the wallet, or the order whose payment failed.
 */
export class WalletError extends Error {
  override readonly name = "WalletError";
  readonly code: number;
  readonly data: unknown;
  readonly kind: ErrorKind;
  /** The words are the wallet's, not this library's. */
  readonly foreign: boolean;
  /**
   * The request was to send a transaction and reached the wallet, so the transaction may have been sent in spite of
   * this error, even after "rejected". Look for it on the chain before asking the user to pay again.
   */
  readonly maybeSent: boolean;
  /** `message` with the code by which a page chooses a translation. */
  declare readonly sentence: WalletSentence;

  constructor(code: number, said: WalletSentence | string, data?: unknown, details: Details = {}) {
    const kind = details.kind ?? kindOfCode(code);
    const sentence = typeof said === "string" ? inOwnWords(said, kind) : said;
    super(sentence.message);
    // Not enumerable, like `message`, so that two errors with the same words compare equal.
    Object.defineProperty(this, "sentence", { value: sentence });
    this.code = code;
    this.data = data;
    this.kind = kind;
    this.foreign = details.foreign ?? false;
    this.maybeSent = details.maybeSent ?? false;
  }

  /** The user declined in the wallet. */
  get rejected(): boolean {
    return this.kind === "rejected";
  }

  /** The wallet has no such method; the caller may try another one. */
  get unsupported(): boolean {
    return this.kind === "unsupported";
  }

  /** Returns the same error with another message. */
  withMessage(said: WalletSentence): WalletError {
    return new WalletError(this.code, said, this.data, { kind: this.kind, maybeSent: this.maybeSent });
  }

  /** Returns the same error, marked as one of a request to send. */
  whenSending(): WalletError {
    if (BEFORE_SIGNING.has(this.kind)) return this;
    const { code, sentence, data, kind, foreign } = this;
    return new WalletError(code, sentence, data, { kind, foreign, maybeSent: true });
  }
}

/** The "user rejected" code of EIP-1193, which some wallets throw instead of −32000. */
export const REJECTED_4001 = 4001;
/** Codes of EIP-1193, which wallets with an API of their own throw. */
const EIP_1193: Record<number, ErrorKind> = {
  [REJECTED_4001]: "rejected",
  4100: "disconnected",
  4200: "unsupported",
  4900: "disconnected",
};

const BUSY =
  /already pending|another (?:approval|request|popup)|(?:request|popup) (?:is )?already (?:pending|open|in progress)/i;
const LOCKED = /\b(?:is locked|locked wallet|wallet locked|unlock)\b/i;
/** −32000 means "the user rejected" in the standard, but some wallets use it for any failure: the words decide. */
const DECLINED = /^no$|reject|declin|den(?:y|ied)|cancel|clos|refus|dismiss|abort/i;

/** Returns the kind of a wallet's error by its code and words. */
function kindOf(code: number, words: string): ErrorKind {
  if (code === REJECTED_4001) return "rejected";
  if (BUSY.test(words)) return "busy";
  if (LOCKED.test(words)) return "locked";
  if (code === RpcCode.userRejection) return words === "" || DECLINED.test(words) ? "rejected" : "failed";
  return kindOfCode(code);
}

function kindOfCode(code: number): ErrorKind {
  if (Object.hasOwn(EIP_1193, code)) return EIP_1193[code]!;
  switch (code) {
    case RpcCode.userRejection:
      return "rejected";
    case RpcCode.accessDenied:
      return "disconnected";
    case RpcCode.methodNotFound:
    case RpcCode.methodNotSupported:
      return "unsupported";
    case RpcCode.invalidParams:
    case RpcCode.invalidRequest:
      return "badParams";
    default:
      return "failed";
  }
}

/** The wallet's own words, with the code of what a page shows instead of them. */
const inOwnWords = (message: string, kind: ErrorKind): WalletSentence => ({
  code: kind === "rejected" ? "declined" : "foreign",
  values: [],
  message,
});

/** The advice to add where the wallet's own words give none. */
const ADVICE: Partial<Record<ErrorKind, WalletSentence>> = {
  busy: sentence("busy"),
  locked: sentence("locked"),
  disconnected: sentence("ended"),
};

/**
 * Converts what a wallet returned as `error`, or threw, to a WalletError.
 *
 * Accepts {code, message, data?}, {error: {code, message}}, Error, and any other value. `wordless` is the sentence of
 * an error without words that can be shown.
 */
export function toWalletError(error: unknown, wordless: "walletError" | "callFailed" = "walletError"): WalletError {
  if (error instanceof WalletError) return error;
  const outer = asRecord(error);
  const inner = outer && asRecord(outer["error"]);
  const source = inner ?? outer;
  const sentCode = source?.["code"];
  const sentMessage = source?.["message"];
  const code = Number.isInteger(sentCode) ? (sentCode as number) : RpcCode.internalError;
  const words = typeof sentMessage === "string" ? sentMessage : "";
  const kind = kindOf(code, words);
  const advice = ADVICE[kind];
  return new WalletError(
    kind === "rejected" ? RpcCode.userRejection : code,
    advice ?? displayable(words) ?? sentence(wordless),
    source?.["data"] ?? error,
    { kind, foreign: advice === undefined },
  );
}

/** Maximum length of a wallet's message that is shown. Some wallets return whole HTML pages. */
const MAX_MESSAGE = 300;

/** The wallet's words in a form that can be shown; null without words, or if they are markup. */
function displayable(words: string): string | null {
  if (words === "" || /<\/?[a-z!]/i.test(words)) return null;
  return words.length > MAX_MESSAGE ? `${words.slice(0, MAX_MESSAGE)}…` : words;
}

/** Returns the value as an object, or undefined if it is none. */
export function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
}
