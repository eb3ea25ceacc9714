import { Code, RpcError } from "./fault";

/** An unspent output, as the dev network's node and rune index see it now. */
export interface Coin {
  txid: string;
  vout: number;
  /** Sats. */
  value: number;
  runes: { id: string; amount: bigint }[];
  /** 0 while the output is in the mempool. */
  confirmations: number;
}

export interface KnownRune {
  prefix: string;
  id: string;
  name: string;
  symbol: string;
  divisibility: number;
}

/** The node and rune index functions that the dev wallet uses. */
export interface DevChain {
  runes(): Promise<KnownRune[]>;
  coins(address: string): Promise<Coin[]>;
  /** Returns the whole transaction in hex. */
  transaction(txid: string): Promise<string>;
  /** Broadcasts a transaction (hex) and returns its id. Throws the node's message if its policy refuses. */
  broadcast(tx: string): Promise<string>;
  faucet(request: { address: string; sats?: number; runes?: string; prefix?: string }): Promise<string>;
  /** Calls the dev network's runes service by path. */
  orders(path: string, body: object): Promise<unknown>;
}

/**
 * Returns the client of a dev network's development API below this base URL, e.g. "http://…/dev/", and of the runes
 * service beside it.
 */
export function devChain(base: URL): DevChain {
  const send = async (path: string, body?: object): Promise<any> => {
    const init = body && {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    };
    let response: Response;
    try {
      response = await fetch(new URL(path, base), init);
    } catch {
      throw new RpcError(Code.internalError, "The dev network does not answer.");
    }
    const answer: any = await response.json().catch(() => null);
    if (response.ok && answer !== null) return answer;
    throw new RpcError(Code.internalError, answer?.message ?? `The dev network answered ${response.status}.`);
  };
  return {
    runes: async () => (await send("info")).communities.map(knownRune),
    coins: async (address) => {
      const answer = await send(`utxos?address=${encodeURIComponent(address)}`);
      // The API returns a bare list; a list in a named field is accepted, too.
      return (Array.isArray(answer) ? answer : (answer.utxos ?? [])).map(coin);
    },
    transaction: async (txid) => (await send(`tx?txid=${txid}`)).hex,
    broadcast: async (tx) => (await send("broadcast", { tx })).txid,
    faucet: async (request) => (await send("faucet", request)).txid,
    orders: (path, body) => send(`../orders/regtest/v1/${path}`, body),
  };
}

function knownRune(raw: any): KnownRune {
  return {
    prefix: raw.prefix,
    id: raw.rune_id,
    name: raw.rune_name,
    symbol: raw.symbol,
    divisibility: raw.divisibility,
  };
}

function coin(raw: any): Coin {
  return {
    txid: raw.txid,
    vout: raw.vout,
    value: raw.value,
    confirmations: raw.confirmations,
    runes: (raw.runes ?? []).map((balance: any) => ({ id: balance.rune_id, amount: BigInt(balance.amount) })),
  };
}

/** Removes spacers, which do not distinguish rune names. */
export function sameRune(a: string, b: string): boolean {
  const normalize = (name: string) => name.replace(/[•.\s]/gu, "").toUpperCase();
  return normalize(a) === normalize(b);
}
