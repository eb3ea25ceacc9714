// Builds dist/pages/verify.html: the standalone page that verifies statements, one file with its script, style and
// fonts inlined, and a policy that allows only these by their hashes.
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import { build } from "vite";

const root = new URL("../", import.meta.url).pathname;

// connect-src: the user names the servers, so any address over https is allowed, and a mirror, an Esplora or an ord
// server on the user's own machine. 'self' is the server of the page.
const CONNECT = "'self' https: http://localhost:* http://127.0.0.1:* http://*.localhost:*";

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const { output } = await build({
  root,
  configFile: false,
  logLevel: "warn",
  publicDir: false,
  plugins: [tailwindcss()],
  build: {
    target: "es2022",
    write: false,
    assetsInlineLimit: 1 << 20,
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: join(root, "src/verifier/entry.ts"), output: { format: "iife" } },
  },
});
const script = output.find(({ type }) => type === "chunk").code.trim().replaceAll("</", "<\\/");
const style = output.find(({ fileName }) => fileName.endsWith(".css")).source.toString().trim();
if (output.length !== 2) throw new Error(`the verifier has other files: ${output.map(({ fileName }) => fileName)}`);
if (style.includes("</")) throw new Error("the verifier's style would end its element");

const policy =
  `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; font-src data:; img-src data:; ` +
  `connect-src ${CONNECT}; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'`;
const parts = {
  "<!-- policy -->": `<meta http-equiv="Content-Security-Policy" content="${policy}" />`,
  "<!-- style -->": `<style>${style}</style>`,
  "<!-- script -->": `<script>${script}</script>`,
};
let page = await readFile(join(root, "src/verifier/page.html"), "utf8");
for (const [mark, part] of Object.entries(parts)) page = page.replace(mark, () => part);
await mkdir(join(root, "dist/pages"), { recursive: true });
await writeFile(join(root, "dist/pages/verify.html"), page);
