// Renders the landing page into dist/landing.html. It is bundled like the app, so that the pictures it names are the
// app's own, hashed files.
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";

const root = new URL("../", import.meta.url).pathname;
const outDir = await mkdtemp(join(root, "node_modules", ".prerender-")); // where the bundle finds react
try {
  await build({
    root,
    logLevel: "warn",
    publicDir: false,
    build: {
      ssr: "src/app/prerender.tsx",
      outDir,
      ssrEmitAssets: true,
      assetsInlineLimit: 0,
      rolldownOptions: { output: { entryFileNames: "prerender.mjs" } },
    },
  });
  const { landingPage } = await import(pathToFileURL(join(outDir, "prerender.mjs")).href);
  await cp(join(outDir, "assets"), join(root, "dist", "assets"), { recursive: true });
  await writeFile(join(root, "dist", "landing.html"), landingPage());
} finally {
  await rm(outDir, { recursive: true, force: true });
}
