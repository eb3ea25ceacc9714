import { createServer, type Server } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { hex } from "@scure/base";
import { Address, OutScript, TEST_NETWORK, Transaction } from "@scure/btc-signer";
import type { CommunityInfo, Network, Utxo } from "../network.ts";
import { certificate } from "./certificate.ts";

/** The patched extension uses regtest's prefix where it uses a test network. */
const REGTEST = { ...TEST_NETWORK, bech32: "bcrt" };

type Answer = (query: URLSearchParams, body: any) => unknown;

/**
 * Replaces the servers of the Unisat extension: answers its calls for connecting, signing and sending with the data of
 * a dev network. It listens on any port; the browser must map every host name to it.
 */
export class Backend {
  readonly #server: Server;
  /** The requested paths. */
  readonly asked = new Set<string>();
  /** Failed calls, and unknown calls, which were answered with an empty list. */
  readonly unserved = new Set<string>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(network: Network): Promise<Backend> {
    const answers = await answersOf(network);
    const server = createServer(await certificate());
    const backend = new Backend(server);
    server.on("request", (request, response) => void backend.#serve(answers, request, response));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    return backend;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  async #serve(answers: Record<string, Answer>, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, "https://backend");
    const end = (status: number, body: unknown) => {
      response.writeHead(status, {
        "access-control-allow-origin": request.headers.origin ?? "*",
        "access-control-allow-headers": request.headers["access-control-request-headers"] ?? "*",
        "access-control-allow-methods": "*",
        "content-type": "application/json",
      });
      response.end(status === 204 ? "" : JSON.stringify(body));
    };
    if (request.method === "OPTIONS") return end(204, null);
    // The browser's own calls, such as updates.
    if (!request.headers.host?.includes("unisat")) return end(404, {});
    const path = url.pathname.replace(/^\/v5/, "");
    try {
      let body = "";
      for await (const chunk of request) body += chunk;
      const answer = answers[path];
      this.asked.add(path);
      if (!answer) this.unserved.add(`${path} is not known`);
      // The wallet's pages fail on a response without its list.
      const data = answer ? await answer(url.searchParams, body ? JSON.parse(body) : {}) : { list: [], total: 0 };
      end(200, { code: 0, msg: "ok", data });
    } catch (error) {
      this.unserved.add(`${path}: ${(error as Error).message}`);
      end(400, { code: -1, msg: (error as Error).message });
    }
  }
}

/** The calls of Unisat's wallet API, version 5, that the tests need. */
async function answersOf(network: Network): Promise<Record<string, Answer>> {
  const { communities } = await network.info();
  const holdingsOf = (address: string | null): Promise<Utxo[]> => holdings(network, address ?? "");
  const balance = async (query: URLSearchParams) =>
    (await holdingsOf(query.get("address"))).reduce((sum, { value }) => sum + value, 0);
  const list = async (query: URLSearchParams, which: (utxo: Utxo) => boolean) => {
    const address = query.get("address") ?? "";
    return (await holdingsOf(address)).filter(which).map((utxo) => output(utxo, address, communities));
  };
  const plain = (query: URLSearchParams) => list(query, ({ runes }) => runes.length === 0);
  return {
    "/default/config": () => ({
      version: "1.7.13",
      moonPayEnabled: false,
      statusMessage: "",
      endpoint: "",
      chainTip: "",
    }),
    "/default/fee-summary": () => ({
      list: ["Slow", "Avg", "Fast"].map((title, i) => ({ title, desc: "", feeRate: i + 1 })),
    }),
    "/default/check-website": () => ({ isScammer: false, warning: "", allowQuickMultiSign: false }),
    "/default/price": () => ({ btc: 50_000, fb: 1 }),
    "/version/detail": () => ({ version: "1.7.13", title: "", changelogs: [], notice: "" }),
    "/address/balance": async (query) => balances(((await balance(query)) / 1e8).toFixed(8)),
    "/address/balance2": async (query) => {
      const all = await balance(query);
      return { availableBalance: all, unavailableBalance: 0, totalBalance: all };
    },
    "/address/summary": async (query) => {
      const all = await balance(query);
      const none = { inscriptionCount: 0, brc20Count: 0, brc20Count5Byte: 0, runesCount: 1, assetSatoshis: 0 };
      return { address: query.get("address"), totalSatoshis: all, btcSatoshis: all, ...none };
    },
    "/address/multi-assets": (query) =>
      (query.get("addresses") ?? "")
        .split(",")
        .map(() => ({ totalSatoshis: 0, btcSatoshis: 0, assetSatoshis: 0, inscriptionCount: 0 })),
    "/address/find-group-assets": () => [],
    "/address/btc-utxo": plain,
    "/address/available-utxo": plain,
    "/address/unavailable-utxo": (query) => list(query, ({ runes }) => runes.length > 0),
    "/runes/utxos": (query) => list(query, ({ runes }) => runes.some(({ rune_id }) => rune_id === query.get("runeid"))),
    "/tx/broadcast": (_, { rawtx }) => network.broadcast(rawtx),
    "/tx/decode2": (_, { psbtHex }) => decoded(psbtHex),
  };
}

/**
 * Outputs of an address. Before the extension is on the patched chain, it requests addresses of other networks, which
 * hold nothing.
 */
async function holdings(network: Network, address: string): Promise<Utxo[]> {
  try {
    Address(REGTEST).decode(address);
  } catch {
    return [];
  }
  return network.utxos(address);
}

/** Unisat's codes of address types. */
const TYPES: Readonly<Record<string, number>> = { "0014": 1, "5120": 2, a914: 3 };

function output(utxo: Utxo, address: string, communities: CommunityInfo[]) {
  const scriptPk = hex.encode(OutScript.encode(Address(REGTEST).decode(address)));
  const runes = utxo.runes.map(({ rune_id, amount }) => {
    const { rune_name, symbol, divisibility } = communities.find((one) => one.rune_id === rune_id)!;
    return { runeid: rune_id, rune: rune_name, spacedRune: rune_name, symbol, divisibility, amount };
  });
  const { txid, vout, value, confirmations } = utxo;
  const addressType = TYPES[scriptPk.slice(0, 4)] ?? 0;
  const common = { txid, vout, satoshis: value, scriptPk, addressType, confirmations };
  return { ...common, runes, inscriptions: [], atomicals: [], isSpent: false, height: 1 };
}

function balances(all: string) {
  const none = { pending_amount: "0", pending_btc_amount: "0", inscription_amount: "0", usd_value: "0" };
  const noInscriptions = { confirm_inscription_amount: "0", pending_inscription_amount: "0" };
  return { amount: all, btc_amount: all, confirm_amount: all, confirm_btc_amount: all, ...none, ...noInscriptions };
}

/** The wallet's view of a PSBT. */
function decoded(psbtHex: string) {
  const options = { allowUnknownInputs: true, allowUnknownOutputs: true, disableScriptCheck: true };
  const tx = Transaction.fromPSBT(hex.decode(psbtHex), options);
  const inputInfos = Array.from({ length: tx.inputsLength }, (_, i) => {
    const { txid, index, witnessUtxo, sighashType = 0 } = tx.getInput(i);
    const value = Number(witnessUtxo?.amount ?? 0);
    const common = {
      txid: hex.encode(txid!),
      vout: index,
      address: addressOf(witnessUtxo?.script),
      value,
      sighashType,
    };
    return { ...common, inscriptions: [], runes: [], alkanes: [] };
  });
  const outputInfos = Array.from({ length: tx.outputsLength }, (_, i) => {
    const { script, amount } = tx.getOutput(i);
    return { address: addressOf(script), value: Number(amount), inscriptions: [], runes: [], alkanes: [] };
  });
  const sum = (list: { value: number }[]) => list.reduce((total, { value }) => total + value, 0);
  const rates = {
    feeRate: 2,
    recommendedFeeRate: 2,
    shouldWarnFeeRate: false,
    fee: sum(inputInfos) - sum(outputInfos),
  };
  const safe = { risks: [], isScammer: false, isCompleted: true, features: { rbf: true }, inscriptions: {} };
  return { inputInfos, outputInfos, ...rates, ...safe };
}

/** Empty for a script without an address, such as a runestone's. */
function addressOf(script: Uint8Array = new Uint8Array()): string {
  try {
    return Address(REGTEST).encode(OutScript.decode(script) as never);
  } catch {
    return "";
  }
}
