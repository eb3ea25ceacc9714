import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/**
 * Builds the dev wallet as one classic script, web/dist-dev/devwallet.js, which a dev network's server adds to its
 * pages. It is a separate build, so that the product's build can't contain it.
 */
export default defineConfig({
  publicDir: false,
  build: {
    target: "es2022",
    outDir: "dist-dev",
    emptyOutDir: false, // the folder has a committed .keep
    lib: {
      entry: fileURLToPath(new URL("src/devwallet/main.ts", import.meta.url)),
      formats: ["iife"],
      name: "moonDevWalletScript",
      fileName: () => "devwallet.js",
    },
  },
});
