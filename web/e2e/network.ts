import { execFile, spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect } from "@playwright/test";

const root = resolve(import.meta.dirname, "../..");
const program = resolve(root, process.env["MOONFUND"] ?? "bin/moonfund");
const node = resolve(root, process.env["BTCD"] ?? "bin/btcd");

const START_MS = 60_000;
const STOP_MS = 10_000;
const POLL_MS = 100;

/** An unspent output of the node's chain with its runes in the dev network's index. */
export interface Utxo {
  txid: string;
  vout: number;
  /** Sats. */
  value: number;
  /** `amount` in base units. */
  runes: { rune_id: string; amount: string }[];
  /** 0 while the output is in the mempool. */
  confirmations: number;
}

/** The dev network's data of a community's rune. */
export interface CommunityInfo {
  prefix: string;
  rune_id: string;
  rune_name: string;
  symbol: string;
  divisibility: number;
}

/**
 * A dev network: `moonfund dev` on a free port with a new folder; the test advances its blocks and epochs. `stop` ends
 * it and removes the folder.
 */
export class Network {
  readonly #process: ChildProcess;
  readonly #output: () => string;
  /** The last epoch that was ended. */
  #settled = -1;

  private constructor(
    process: ChildProcess,
    output: () => string,
    readonly port: number,
    readonly data: string,
  ) {
    this.#process = process;
    this.#output = output;
  }

  /** `more` are additional arguments of `moonfund dev`. */
  static async start(name: string, more: readonly string[] = []): Promise<Network> {
    for (const file of [program, node]) {
      if (!existsSync(file)) throw new Error(`${file} is missing: run "make build" first.`);
    }
    const port = await freePort();
    const data = await mkdtemp(join(tmpdir(), `moonfund-${name}-`));
    const args = [
      "dev",
      "--port",
      String(port),
      "--data",
      data,
      "--epoch",
      "0",
      "--block",
      "0",
      "--btcd",
      node,
      ...more,
    ];
    const child = spawn(program, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const record = (chunk: Buffer) => (output += chunk.toString());
    for (const stream of [child.stdout, child.stderr]) stream.on("data", record);
    const network = new Network(child, () => output, port, data);
    try {
      await network.#ready();
    } catch (error) {
      await network.stop();
      throw error;
    }
    return network;
  }

  /** URL of the page of a host label. */
  url(label: string): string {
    return `http://${label}.localhost:${this.port}`;
  }

  /** The server's output so far. */
  output(): string {
    return this.#output();
  }

  /** Mines blocks. Transactions with the ids `without` stay in the mempool. */
  async mine(blocks = 1, without: readonly string[] = []): Promise<void> {
    await this.#dev("mine", { blocks, ...(without.length > 0 ? { without } : {}) });
  }

  /** Ends the running epoch and mines the blocks for its settlement; returns the new epoch. */
  async advanceEpoch(): Promise<number> {
    const { epoch } = await this.#dev<{ epoch: number }>("epoch/advance", {});
    this.#settled = epoch - 1;
    return epoch;
  }

  /** Waits for the statement of the last epoch that was ended, and returns the address of the statements. */
  async published(): Promise<string> {
    // Node resolves no subdomains of localhost.
    const address = `http://127.0.0.1:${this.port}/lobo/statements`;
    const newest = async () => {
      const response = await fetch(`${address}/head`);
      return response.ok ? ((await response.json()) as { statement: { epoch: number } }).statement.epoch : -1;
    };
    await expect.poll(newest, { timeout: 30_000 }).toBe(this.#settled);
    return address;
  }

  async advanceClock(seconds: number): Promise<void> {
    await this.#dev("clock/advance", { seconds });
  }

  /** Finishes the open orders: paid ones are delivered, the others expire. */
  async settle(): Promise<void> {
    await this.mine();
    await this.advanceClock(8 * 24 * 3600);
    await this.mine(3);
  }

  /** Replaces the last blocks by a branch that is one block longer; their transactions return to the mempool. */
  async reorg(depth: number): Promise<void> {
    await this.#dev("reorg", { depth });
  }

  /** Pays sats to an address from another wallet. */
  async pay(address: string, sats: number): Promise<string> {
    return (await this.#dev<{ txid: string }>("faucet", { address, sats })).txid;
  }

  /** Sends base units of a community's rune to an address from another wallet. */
  async sendRunes(address: string, amount: bigint, prefix = "lobo"): Promise<void> {
    await this.#dev("faucet", { address, sats: 0, runes: `${amount}`, prefix });
  }

  utxos(address: string): Promise<Utxo[]> {
    return this.#dev(`utxos?address=${encodeURIComponent(address)}`);
  }

  /** Returns the dev network's status. */
  info(): Promise<{ height: number; communities: CommunityInfo[] }> {
    return this.#dev("info");
  }

  /** Broadcasts a transaction (hex); throws the node's error. */
  async broadcast(tx: string): Promise<string> {
    return (await this.#dev<{ txid: string }>("broadcast", { tx })).txid;
  }

  /** Sets the fee estimate in sat/vB; null restores the node's own. */
  async feeRate(rate: number | null): Promise<void> {
    await this.#dev("feerate", { sat_per_vb: rate });
  }

  /** Base units of a community's rune on an address, in outputs with at least this many confirmations. */
  async runes(address: string, confirmations = 0, prefix = "lobo"): Promise<bigint> {
    const { communities } = await this.info();
    const id = communities.find((one) => one.prefix === prefix)!.rune_id;
    const outputs = (await this.utxos(address))
      .filter((utxo) => utxo.confirmations >= confirmations)
      .flatMap((utxo) => utxo.runes);
    return outputs.filter((rune) => rune.rune_id === id).reduce((sum, rune) => sum + BigInt(rune.amount), 0n);
  }

  /** Runs `moonfund audit`, which checks the ledger against the chain; returns its exit code and output. */
  audit(): Promise<{ code: number; output: string }> {
    return new Promise((done) => {
      execFile(program, ["audit", "--data", this.data], { cwd: root }, (error, out, err) => {
        done({ code: error === null ? 0 : Number(error.code ?? -1), output: out + err });
      });
    });
  }

  /** Starts `moonfund console` on the ledger; returns its one-time link, and a function that ends it. */
  async console(): Promise<{ link: string; end: () => Promise<void> }> {
    const server = `127.0.0.1:${this.port}`;
    const args = ["console", "--data", this.data, "--listen", "127.0.0.1:0", "--server-listen", server];
    const child = spawn(program, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
    const exited = new Promise<void>((done) => child.once("exit", () => done()));
    const link = await new Promise<string>((done, fail) => {
      let output = "";
      child.stdout.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        const found = /^http:\S+$/m.exec(output);
        if (found) done(found[0]);
      });
      child.once("exit", () => fail(new Error(`The console ended:\n${output}`)));
    });
    const end = async () => {
      child.kill("SIGTERM");
      await exited;
    };
    return { link, end };
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      const exited = new Promise((done) => this.#process.once("exit", done));
      this.#process.kill("SIGTERM");
      const hard = setTimeout(() => this.#process.kill("SIGKILL"), STOP_MS);
      await exited;
      clearTimeout(hard);
    }
    await rm(this.data, { recursive: true, force: true });
  }

  /** Calls the controls by IP address, because Node does not resolve *.localhost. */
  async #dev<T>(call: string, body?: object): Promise<T> {
    const post = body && {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    };
    const answer = await fetch(`http://127.0.0.1:${this.port}/dev/${call}`, post);
    if (!answer.ok) throw new Error(`/dev/${call} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  async #ready(): Promise<void> {
    const end = Date.now() + START_MS;
    while (Date.now() < end) {
      if (this.#process.exitCode !== null) throw new Error(`The server ended at its start:\n${this.output()}`);
      const ready = await fetch(`http://127.0.0.1:${this.port}/readyz`).then((answer) => answer.ok, () => false);
      if (ready) return;
      await new Promise((later) => setTimeout(later, POLL_MS));
    }
    throw new Error(`The server was not ready within ${START_MS / 1000} s:\n${this.output()}`);
  }
}

export function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once("error", fail);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => done(port));
    });
  });
}
