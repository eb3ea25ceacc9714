// Builds dist/push.js: the service worker for messages, one classic script.
import { join } from "node:path";
import { build } from "vite";

const root = new URL("../", import.meta.url).pathname;

await build({
  root,
  configFile: false,
  logLevel: "warn",
  publicDir: false,
  build: {
    target: "es2022",
    emptyOutDir: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: join(root, "src/push/worker.ts"),
      output: { format: "iife", entryFileNames: "push.js" },
    },
  },
});
