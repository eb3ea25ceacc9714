// @vitest-environment node
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const web = process.cwd();

let foreign: string;
let installed: string;

/** Packs the library and installs the tarball, with its dependencies, in a folder outside of this project. */
beforeAll(async () => {
  foreign = await mkdtemp(join(tmpdir(), "moonfund-wallet-"));
  installed = join(foreign, "node_modules/moonfund-wallet");
  const packed = join(foreign, "made");
  await run(process.execPath, [join(web, "scripts/pack-wallet.mjs"), packed]);
  const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", foreign], {
    cwd: packed,
  });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  await mkdir(installed, { recursive: true });
  await run("tar", ["xzf", join(foreign, filename), "--strip-components=1", "-C", installed]);
  await rm(packed, { recursive: true });
  const { dependencies } = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
  for (const name of Object.keys(dependencies)) {
    await mkdir(join(foreign, "node_modules", name, ".."), { recursive: true });
    await cp(join(web, "node_modules", name), join(foreign, "node_modules", name), { recursive: true });
  }
  await writeFile(join(foreign, "package.json"), '{"type": "module"}');
}, 60_000);

afterAll(() => rm(foreign, { recursive: true, force: true }));

describe("the packed library, in a separate folder", () => {
  it("can be imported and used without a page", async () => {
    await writeFile(
      join(foreign, "main.js"),
      `import { connect, listProviders, parseRuneId, request, walletTexts, WalletError } from "moonfund-wallet";
       import { decodeAddress } from "moonfund-wallet/address";
       const failure = await connect("Gone.Wallet").catch((error) => error);
       const response = { jsonrpc: "2.0", id: "1", result: { bitcoin: { name: "Signet" } } };
       globalThis.Wallet = { request: async () => response };
       const network = await request("wallet_getNetwork", null, { provider: "Wallet" });
       const order = await request("runes_getOrder", { id: "o" }).catch((error) => error.message);
       globalThis.unisat = { requestAccounts() {}, getNetwork: async () => "livenet" };
       const unisat = await request("wallet_getNetwork", null, { provider: "unisat" });
       const { type } = decodeAddress("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4");
       const isKnown = failure instanceof WalletError && failure.message === walletTexts.noProvider;
       const first = listProviders()[0].name;
       console.log(JSON.stringify([isKnown, network, order, unisat, parseRuneId("840000:35").tx, type, first]));`,
    );
    const { stdout } = await run(process.execPath, ["main.js"], { cwd: foreign });
    expect(JSON.parse(stdout)).toEqual([
      true,
      { bitcoin: { name: "Signet" } },
      "Ordinals API does not support Mainnet network",
      { bitcoin: { name: "Mainnet" } },
      35,
      "p2wpkh",
      "Unisat",
    ]);
  }, 60_000);

  it("has types that compile in a strict project", async () => {
    await writeFile(
      join(foreign, "main.ts"),
      `import { mintRunes, request, type MintParams, type Session } from "moonfund-wallet";
       import { decodeAddress, type AddressType } from "moonfund-wallet/address";
       export const type: AddressType = decodeAddress("x").type;
       export async function mint(session: Session, params: MintParams): Promise<string> {
         const { balances } = await request("runes_getBalance", null);
         const amount: string | undefined = balances[0]?.amount;
         const recipient = { runeName: "A", amount: 5, address: session.payment.address };
         // @ts-expect-error: amounts are digits, not numbers
         await request("runes_transfer", { recipients: [recipient] });
         return (await mintRunes(params)).fundTransactionId + amount;
       }`,
    );
    const settings = {
      compilerOptions: {
        strict: true,
        noEmit: true,
        module: "nodenext",
        target: "es2022",
        lib: ["ES2024", "DOM"],
        types: [],
        skipLibCheck: false,
      },
      files: ["main.ts"],
    };
    await writeFile(join(foreign, "tsconfig.json"), JSON.stringify(settings));
    const { stdout } = await run(join(web, "node_modules/.bin/tsc"), ["-p", "tsconfig.json"], { cwd: foreign }).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe("");
  }, 60_000);

  it("supports tree shaking: parseRuneId does not bundle the adapters", async () => {
    await writeFile(
      join(foreign, "small.js"),
      'import { parseRuneId } from "moonfund-wallet"; console.log(parseRuneId("1:0"));',
    );
    const bundle = await build({
      configFile: false,
      root: foreign,
      logLevel: "error",
      build: { write: false, rollupOptions: { input: join(foreign, "small.js") }, modulePreload: false },
    });
    const chunks = (Array.isArray(bundle) ? bundle : [bundle])
      .flatMap((one) => ("output" in one ? one.output : []))
      .filter((one) => one.type === "chunk");
    const code = chunks.map((chunk) => chunk.code).join("");
    expect(chunks).toHaveLength(1);
    expect(code).toContain("block:tx");
    expect(code).not.toContain("wallet_connect");
    expect(code.length).toBeLessThan(6_000);
  }, 60_000);

  it("contains only modules, types, README and licence", async () => {
    const { stdout } = await run("find", [".", "-type", "f"], { cwd: installed });
    const unexpected = stdout
      .trim()
      .split("\n")
      .filter((path) => !/(\.js|\.d\.ts|\/package\.json|\/README\.md|\/LICENSE)$/.test(path) || path.includes("test"));
    expect(unexpected).toEqual([]);
  });
});
