import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/**
 * The dev wallet as one classic script, web/dist-dev/devwallet.js, that a dev network's server adds to
 * its pages. A build of its own, so that no byte of it can slip into the product's.
 */
export default defineConfig({
  publicDir: false,
  build: {
    target: "es2022",
    outDir: "dist-dev",
    emptyOutDir: false, // the folder keeps its place in the repository by a file of its own
    lib: {
      entry: fileURLToPath(new URL("src/devwallet/main.ts", import.meta.url)),
      formats: ["iife"],
      name: "moonDevWalletScript",
      fileName: () => "devwallet.js",
    },
  },
});
