import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/**
 * A proxy between browser and server that a test can interrupt. Cut connections end at once and get no response;
 * silenced ones stay open without data, as for a laptop that slept while the server closed the connection.
 */
export class Relay {
  readonly #server = createServer((asked, answer) => this.#pass(asked, answer));
  readonly #open = new Map<Socket, string>();
  readonly #dead = new WeakSet<Socket>();
  #cut: (path: string) => boolean = () => false;
  #held: (path: string) => boolean = () => false;
  #blocked: (path: string) => boolean = () => false;

  private constructor(readonly target: number) {}

  /** Listens in front of a server on this port of the same machine. */
  static async start(target: number): Promise<Relay> {
    const relay = new Relay(target);
    await new Promise<void>((done) => relay.#server.listen(0, "127.0.0.1", done));
    return relay;
  }

  url(label: string): string {
    return `http://${label}.localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  cut(part = ""): void {
    this.#cut = (path) => path.includes(part);
    for (const [socket, path] of this.#open) if (path.includes(part)) socket.destroy();
  }

  /** Returns the number of requests that are not answered completely. */
  countOpen(part: string): number {
    return [...this.#open.values()].filter((path) => path.includes(part)).length;
  }

  /** Sends nothing more on the open connections, and does not close them. */
  silence(part = ""): void {
    for (const [socket, path] of this.#open) if (path.includes(part)) this.#dead.add(socket);
  }

  /** Passes the headers of later responses and holds their bodies, as a proxy that buffers. */
  hold(part: string): void {
    this.#held = (path) => path.includes(part);
  }

  /** Answers later requests itself, as a proxy that forbids an address. */
  block(part: string): void {
    this.#blocked = (path) => path.includes(part);
  }

  mend(): void {
    this.#cut = () => false;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  #pass(asked: IncomingMessage, answer: ServerResponse): void {
    const path = asked.url!;
    const socket = asked.socket;
    if (this.#cut(path)) return void socket.destroy();
    if (this.#blocked(path)) return void answer.writeHead(403).end();
    this.#open.set(socket, path);
    const { method, headers } = asked;
    const forwarded = request({ host: "127.0.0.1", port: this.target, path, method, headers }, (response) => {
      answer.writeHead(response.statusCode!, response.headers);
      answer.flushHeaders();
      response.on("data", (chunk: Buffer) => {
        if (!this.#held(path) && !this.#dead.has(socket)) answer.write(chunk);
      });
      response.on("end", () => answer.end());
      response.on("error", () => socket.destroy());
    });
    forwarded.on("error", () => socket.destroy());
    answer.on("close", () => {
      this.#open.delete(socket);
      forwarded.destroy();
    });
    asked.pipe(forwarded);
  }
}
