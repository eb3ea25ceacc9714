import { isDecimal, parseAmount } from "./amount.ts";
import { DocumentError } from "./errors.ts";

const MAX_TEXT = 1000;
const MAX_SCRIPT_BYTES = 10_000;
const MAX_OWNER = 255;
const NETWORKS = ["mainnet", "testnet", "testnet4", "signet", "regtest"];
const MAX_U64 = (1n << 64n) - 1n;
const MAX_U32 = (1n << 32n) - 1n;

/** Texts that have no escapes, from the opening to the closing quotation mark. */
const plain = {
  name: /"[a-z0-9][a-z0-9_-]{0,63}"/y,
  hash: /"[0-9a-f]{64}"/y,
  signature: /"[0-9a-f]{128}"/y,
  amount: /"[0-9]{1,39}"/y,
  script: new RegExp(`"(?:[0-9a-f]{2}){1,${MAX_SCRIPT_BYTES}}"`, "y"),
};

const INTEGER = /(?:0|[1-9][0-9]{0,15})(?![0-9])/y;
const TEXT = new RegExp(`"(?:[ !#-[\\]-~]|\\\\["\\\\]){0,${MAX_TEXT}}"`, "y");

/**
 * Reads canonical JSON (RFC 8785) from the start. The order of the members is fixed, so each is read in its place, and
 * anything else is an error: other members, duplicates, spaces, and other ways of writing a value. Every method throws
 * DocumentError.
 */
export class Reader {
  at = 0;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  fail(message: string): never {
    throw new DocumentError(`byte ${this.at}: ${message}`);
  }

  /** Reads exactly the given characters. */
  token(want: string): void {
    if (!this.text.startsWith(want, this.at)) this.fail(`want ${want}`);
    this.at += want.length;
  }

  end(): void {
    if (this.at !== this.text.length) this.fail("want the end of the document");
  }

  private match(pattern: RegExp, what: string): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined) this.fail(`want ${what}`);
    this.at += found.length;
    return found;
  }

  private plain(kind: keyof typeof plain, what: string): string {
    return this.match(plain[kind], what).slice(1, -1);
  }

  /** Reads an integer from 0 to 2^53 − 1. */
  integer(): number {
    const n = Number(this.match(INTEGER, "an integer from 0 to 2^53 - 1"));
    return n <= Number.MAX_SAFE_INTEGER ? n : this.fail("an integer above 2^53 - 1");
  }

  name(): string {
    return this.plain("name", "a name");
  }

  hash(): string {
    return this.plain("hash", "64 hex digits");
  }

  signature(): string {
    return this.plain("signature", "128 hex digits");
  }

  amount(): bigint {
    return parseAmount(this.plain("amount", "an amount"));
  }

  script(): string {
    return this.plain("script", "a script");
  }

  str(most = MAX_TEXT): string {
    const raw = this.match(TEXT, `a text of at most ${MAX_TEXT} printable ASCII characters, escaped as in RFC 8785`);
    const value = raw.slice(1, -1).replace(/\\(.)/g, "$1");
    return value.length <= most ? value : this.fail(`a text of more than ${most} characters`);
  }

  owner(): string {
    return this.str(MAX_OWNER) || this.fail("want an owner");
  }

  network(): string {
    const network = this.name();
    return NETWORKS.includes(network) ? network : this.fail(`there is no network ${network}`);
  }

  /** Reads the id of a rune, block:tx. */
  runeId(): string {
    const id = this.str();
    const [block = "", tx = "", ...more] = id.split(":");
    const isId = more.length === 0 && isDecimal(block, MAX_U64) && isDecimal(tx, MAX_U32);
    return isId ? id : this.fail(`${JSON.stringify(id)} is not the id of a rune`);
  }

  outpoint(): string {
    const text = this.str();
    return isOutpoint(text) ? text : this.fail(`${JSON.stringify(text)} is not an outpoint`);
  }

  list<T>(element: () => T): T[] {
    this.token("[");
    const all: T[] = [];
    if (this.text[this.at] !== "]") {
      for (;;) {
        all.push(element());
        if (this.text[this.at] === "]") break;
        this.token(",");
      }
    }
    this.at += 1;
    return all;
  }

  /** Requires the strings of a list to be strictly ascending by their bytes. */
  ascending<T>(all: T[], key: (element: T) => string): void {
    for (let i = 1; i < all.length; i += 1) {
      const [before, here] = [key(all[i - 1]!), key(all[i]!)];
      if (before >= here) {
        this.fail(`${JSON.stringify(here)} is not above ${JSON.stringify(before)}, which is before it`);
      }
    }
  }
}

/** Whether a text is txid:vout. */
export function isOutpoint(text: string): boolean {
  return /^[0-9a-f]{64}:/.test(text) && isDecimal(text.slice(65), MAX_U32);
}
