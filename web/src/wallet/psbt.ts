/** BIP-371: an input's script leaf with its control block. */
const TAP_LEAF_SCRIPT = 0x15;
/** BIP-174: the unsigned transaction, in the global map. */
const UNSIGNED_TX = 0x00;
const MAGIC = [0x70, 0x73, 0x62, 0x74, 0xff];

/**
 * Inputs of a PSBT (version 0) that carry a taproot script leaf: these are signed by the key as it is, all other taproot
 * inputs by the tweaked key. Reads no more than that; what is no PSBT has no such inputs, its signer will say so.
 */
export function leafInputs(psbt: Uint8Array): Set<number> {
  const found = new Set<number>();
  if (!MAGIC.every((byte, i) => psbt[i] === byte)) return found;
  try {
    const reader = new Reader(psbt, MAGIC.length);
    let inputs = 0;
    for (const { type, value } of reader.map()) if (type === UNSIGNED_TX) inputs = countInputs(value);
    for (let index = 0; index < inputs; index++) {
      for (const { type } of reader.map()) if (type === TAP_LEAF_SCRIPT) found.add(index);
    }
  } catch (fault) {
    if (!(fault instanceof RangeError)) throw fault;
  }
  return found;
}

function countInputs(tx: Uint8Array): number {
  return new Reader(tx, 4).size(); // after the version
}

/** Reads the pieces of a PSBT; a RangeError at its end. */
class Reader {
  readonly #view: DataView;
  #at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = at;
  }

  /** A map's entries, up to the zero that ends it. */
  map(): { type: number; value: Uint8Array }[] {
    const entries = [];
    for (let length = this.size(); length > 0; length = this.size()) {
      const key = this.#take(length);
      entries.push({ type: key[0]!, value: this.#take(this.size()) });
    }
    return entries;
  }

  /** A compact size; longer ones than 32 bits fit no PSBT. */
  size(): number {
    const first = this.#view.getUint8(this.#at);
    this.#at += 1;
    if (first < 0xfd) return first;
    const [bytes, read] = first === 0xfd ? [2, this.#view.getUint16.bind(this.#view)] : [4, this.#view.getUint32.bind(this.#view)];
    const size = read(this.#at, true);
    this.#at += bytes;
    return size;
  }

  #take(length: number): Uint8Array {
    if (this.#at + length > this.#view.byteLength) throw new RangeError("the PSBT ends too early");
    const piece = new Uint8Array(this.#view.buffer, this.#view.byteOffset + this.#at, length);
    this.#at += length;
    return piece;
  }
}
