import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { walletIcons } from "./scripts/walletIcons.ts";

/** `npm run dev` forwards the product server's calls to a server that runs beside it. */
const backend = process.env["MOON_BACKEND"] ?? "http://127.0.0.1:8080";

/** The test that packs the wallet library and bundles it. */
const bundles = "src/wallet/package.test.ts";

export default defineConfig({
  plugins: [react({ jsxImportSource: "#jsx" }), tailwindcss(), walletIcons()],
  build: {
    target: "es2022",
    // Go inlines the one style sheet and hashes it for the page's policy.
    cssCodeSplit: false,
    // The prerendering finds each language's file in it, and then removes it.
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // The code with which src/app/main.ts imports the app, and which other files use, too. In the app's file,
            // it would load the app before the first paint.
            { name: "load", test: /vite\/preload-helper|src\/lib\/scriptURL[.]/, priority: 1 },
            // Evaluated in a task of its own (src/app/main.ts).
            { name: "react", test: /node_modules\/(react|react-dom|scheduler)\// },
            // One file for the app: twenty small files are 4 kB larger in total.
            { name: "app", test: /src\/app\/start[.]/ },
            // Each file adds its name to the app's file, so code that two dialogs share is in one file.
            { name: "costs", test: /src\/(action\/(FeeTable|oneTx)|api\/oneTx)[.]/ },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      "^/(lobo|dummy)/": { target: backend, changeOrigin: false },
      "^/(dev|orders)/": { target: backend, changeOrigin: false },
    },
  },
  test: {
    environment: "jsdom",
    setupFiles: ["src/testing/setup.ts"],
    restoreMocks: true,
    maxWorkers: "100%", // of the cores; by default, one core stays idle
    // A new document in a worker that goes on takes less time than a new worker: a test file has modules and a document
    // of its own either way. A bundler can't run in one.
    projects: [
      {
        extends: true,
        test: { name: "page", pool: "vmThreads", include: ["src/**/*.test.{ts,tsx}"], exclude: [bundles] },
      },
      { extends: true, test: { name: "library", include: [bundles] } },
    ],
    // Documents of finished files stay in memory until their worker ends.
    vmMemoryLimit: "700MB",
    // Only ends tests that hang: a busy machine is slow.
    testTimeout: 30_000,
  },
});
