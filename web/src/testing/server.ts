/**
 * Serves the built page with fixed answers, for visual checks: node src/testing/server.ts [port]. It contains no
 * product logic. `?down=infoGlobals,status` in the page's URL makes those calls fail.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import * as wire from "./wire.ts";

const dist = new URL("../../dist/", import.meta.url).pathname;
const types: Record<string, string> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

const sites: Record<string, object> = {
  lobo: {
    variant: "community",
    prefix: "lobo",
    name: "LOBO",
    token: "LOBO",
    runeName: "LOBO•THE•WOLF•PUP",
    network: "regtest",
    tagline: "Stake with the pack",
  },
  dummy: { variant: "dummy", prefix: "lobo", name: "Dummy", token: "TEST", network: "regtest" },
};

const balance = {
  runeName: "LOBO•THE•WOLF•PUP",
  amount: "1234567800000",
  divisibility: 8,
  symbol: "W",
  inscriptionId: null,
  spendableBalance: "1234567800000",
};
const signedMessage = {
  signature: "c2ln",
  messageHash: "",
  address: wire.session.ordinals.address,
  protocol: "BIP322",
};

/** A wallet that answers immediately, registered as extensions do. */
const walletScript = `
window.FixtureWallet = { request: async (method, params) => ({ jsonrpc: "2.0", id: "1", result: ({
  getAccounts: ${JSON.stringify([
    { ...wire.session.payment, purpose: "payment", addressType: "p2wpkh", walletType: "software" },
    { ...wire.session.ordinals, purpose: "ordinals", addressType: "p2tr", walletType: "software" },
  ])},
  runes_getBalance: { balances: [${JSON.stringify(balance)}] },
  signMessage: ${JSON.stringify(signedMessage)},
  runes_transfer: { txid: "${"ab".repeat(32)}" },
  sendTransfer: { txid: "${"cd".repeat(32)}" },
})[method] ?? null }), addListener: () => () => {} };
(window.btc_providers ??= []).push({ id: "FixtureWallet", name: "Fixture", icon: "" });
`;

const answers: Record<string, (body: Record<string, string>) => unknown> = {
  infoGlobals: () => wire.infoGlobals({ total_staked: "105000000000000000", frontNotice: "" }),
  status: () => wire.status(),
  community: () => wire.community(),
  epochs: () => ({ epochs: wire.epochs() }),
  postInfoWallet: () => wire.infoWallet(),
  fetchWalletUtxos: () => ({ utxos_list: wire.units() }),
  fetchClientPOs: () => ({ orders: wire.orders() }),
  fetchPOTxHistory: (body) => ({ po_txs: wire.payments(body["order_id"] ?? "") }),
  estimateAction: (body) => wire.estimate(body["economy"] as Parameters<typeof wire.estimate>[0]),
  postDemoStake: () => ({ stake_addrss: wire.order().po_payment_address, wa_id: "a-9" }),
  postAction: () => ({ messagetosign: "Moon Fund", action_id: "a-2" }),
  signWalletAction: () => ({ transaction_created: true, payment_order: wire.order() }),
};

createServer((request, response) => void answer(request, response)).listen(
  Number(process.argv[2] ?? 4173),
  "127.0.0.1",
);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://local");
  const call = /^\/lobo\/(\w+)$/.exec(url.pathname)?.[1];
  const down = new URL(request.headers.referer ?? "http://x").searchParams.get("down")?.split(",") ?? [];
  if (url.pathname === "/fixture-wallet.js")
    return void response.setHeader("Content-Type", "text/javascript").end(walletScript);
  if (call === "events" && !down.includes("events")) {
    response.writeHead(200, { "Content-Type": "text/event-stream" }).write(": hello\n\n");
    return;
  }
  if (call) return reply(response, down.includes(call) ? undefined : answers[call], await bodyOf(request));
  await serveFile(request, url.pathname, response);
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, string>> {
  let raw = "";
  for await (const chunk of request) raw += String(chunk);
  return raw ? (JSON.parse(raw) as Record<string, string>) : {};
}

function reply(
  response: ServerResponse,
  make: ((body: Record<string, string>) => unknown) | undefined,
  body: Record<string, string>,
): void {
  response.setHeader("Content-Type", "application/json");
  response.statusCode = make ? 200 : 500;
  response.end(JSON.stringify({ success: !!make, message: "", data: make ? make(body) : null }));
}

async function serveFile(request: IncomingMessage, path: string, response: ServerResponse): Promise<void> {
  if (extname(path)) {
    const content = await readFile(join(dist, path)).catch(() => null);
    response.setHeader("Content-Type", types[extname(path)] ?? "application/octet-stream");
    response.statusCode = content ? 200 : 404;
    return void response.end(content ?? "");
  }
  const site = sites[(request.headers.host ?? "").split(".")[0] ?? ""] ?? sites["lobo"];
  const page = (await readFile(join(dist, "index.html"), "utf8"))
    .replace(/(id="site">)[^<]*/, `$1${JSON.stringify(site)}`)
    .replace("<script type=\"module\"", '<script src="/fixture-wallet.js"></script><script type="module"');
  response.setHeader("Content-Type", "text/html").end(page);
}
