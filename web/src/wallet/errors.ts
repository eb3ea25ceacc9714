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
 * What went wrong, whatever code and words the wallet used:
 * - rejected: declined in the wallet. Wallets say the same when their window was closed, also after they could not do
 * it.
 * - failed: the wallet could not, or refused by itself.
 * - silent: no answer in time. abandoned: the caller no longer waits.
 * - unreadable: an answer that is none, or does not belong to the request.
 * - disconnected: the wallet shares no account with this page.
 * - locked, busy (another request is open in the wallet), otherAccount, otherNetwork: the person can put it right.
 * - unsupported: the wallet has no such method. badParams: the request itself. noWallet: it is not on the page.
 */
export type FaultKind =
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

/** After these nothing can have been signed or sent. */
const BEFORE_SIGNING: ReadonlySet<FaultKind> = new Set<FaultKind>([
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
  /** What the code says when left out. */
  kind?: FaultKind;
  foreign?: boolean;
  maybeSent?: boolean;
}

/**
 * The one error of the wallet library. `message` can be shown as it is; `code` is a JSON-RPC code,
 * or whatever number the wallet sent; `data` is what the wallet sent besides, or what a failed order's buyer needs to
 * know.
 */
export class WalletError extends Error {
  override readonly name = "WalletError";
  readonly code: number;
  readonly data: unknown;
  readonly kind: FaultKind;
  /** The words are the wallet's, not ours. */
  readonly foreign: boolean;
  /**
   * The request was to send a transaction, and it reached the wallet: it may have been sent in spite of this
   * error, even after "rejected". Ask the chain before the person is asked to pay again.
   */
  readonly maybeSent: boolean;
  /** `message` with the code that a page chooses its own words by. */
  declare readonly sentence: WalletSentence;

  constructor(code: number, said: WalletSentence | string, data?: unknown, details: Details = {}) {
    const sentence = typeof said === "string" ? foreign(said) : said;
    super(sentence.message);
    // Not enumerable, as `message` is: two errors with the same words are equal.
    Object.defineProperty(this, "sentence", { value: sentence });
    this.code = code;
    this.data = data;
    this.kind = details.kind ?? kindOfCode(code);
    this.foreign = details.foreign ?? false;
    this.maybeSent = details.maybeSent ?? false;
  }

  /** Declined in the wallet. */
  get rejected(): boolean {
    return this.kind === "rejected";
  }

  /** The wallet has no such method: another way may be tried. */
  get unsupported(): boolean {
    return this.kind === "unsupported";
  }

  /** The same fault in other words. */
  withMessage(said: WalletSentence): WalletError {
    return new WalletError(this.code, said, this.data, { kind: this.kind, maybeSent: this.maybeSent });
  }

  /** The same fault of a request to send. */
  whenSending(): WalletError {
    if (BEFORE_SIGNING.has(this.kind)) return this;
    const { code, sentence, data, kind, foreign } = this;
    return new WalletError(code, sentence, data, { kind, foreign, maybeSent: true });
  }
}

/** EIP-1193's "user rejected", which some wallets throw instead of answering −32000. */
export const REJECTED_4001 = 4001;
/** EIP-1193's codes, which wallets with an API of their own throw. */
const EIP_1193: Record<number, FaultKind> = {
  [REJECTED_4001]: "rejected",
  4100: "disconnected",
  4200: "unsupported",
  4900: "disconnected",
};

const BUSY =
  /already pending|another (?:approval|request|popup)|(?:request|popup) (?:is )?already (?:pending|open|in progress)/i;
const LOCKED = /\b(?:is locked|locked wallet|wallet locked|unlock)\b/i;
/** −32000 is "the person said no" by the standard, but some wallets use it for any failure: the words decide. */
const DECLINED = /^no$|reject|declin|den(?:y|ied)|cancel|clos|refus|dismiss|abort/i;

/** What the code and the words of a wallet's error mean. */
function kindOf(code: number, words: string): FaultKind {
  if (code === REJECTED_4001) return "rejected";
  if (BUSY.test(words)) return "busy";
  if (LOCKED.test(words)) return "locked";
  if (code === RpcCode.userRejection) return words === "" || DECLINED.test(words) ? "rejected" : "failed";
  return kindOfCode(code);
}

function kindOfCode(code: number): FaultKind {
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

/** The wallet's own words as a sentence without a code. */
const foreign = (message: string): WalletSentence => ({ code: "", values: [], message });

/** What to do next, where the wallet's own words do not say it. */
const ADVICE: Partial<Record<FaultKind, WalletSentence>> = {
  busy: sentence("busy"),
  locked: sentence("locked"),
  disconnected: sentence("ended"),
};

/**
 * Makes a WalletError of whatever a wallet answered as `error`, or threw.
 * Shapes seen: {code, message, data?}, {error: {code, message}}, Error, anything.
 */
export function toWalletError(fault: unknown): WalletError {
  if (fault instanceof WalletError) return fault;
  const outer = asRecord(fault);
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
    advice ?? shown(words),
    source?.["data"] ?? fault,
    { kind, foreign: advice === undefined },
  );
}

/** Longest message of a wallet that is shown. Whole pages of HTML have been seen. */
const MAX_MESSAGE = 300;

/** The wallet's words as they can be shown. Markup is not. */
function shown(words: string): WalletSentence | string {
  if (words === "" || /<\/?[a-z!]/i.test(words)) return sentence("callFailed");
  return words.length > MAX_MESSAGE ? `${words.slice(0, MAX_MESSAGE)}…` : words;
}

/** The value as an object to look into; undefined when it is none. */
export function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
}
