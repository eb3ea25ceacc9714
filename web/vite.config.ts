import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** `npm run dev` forwards the product server's calls to a server that runs beside it. */
const backend = process.env["MOON_BACKEND"] ?? "http://127.0.0.1:8080";

/** The files that every page loads: what loads the app, and the app with all that it draws a first screen with. */
const LOADER = "load";
const APP = "first";

/**
 * The app's file begins with the words that have Chromium compile all of it while it comes, off the page's own thread. Without them
 * each function is compiled when it is first called, and nearly all are called at start: it held a phone for a fifth of a
 * second. Other browsers read a comment.
 */
const compiledAhead: Plugin = {
  name: "compiled-ahead",
  generateBundle: {
    order: "post", // the comment counts on the first line only
    handler(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === "chunk" && file.name === APP) file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
      }
    },
  },
};

export default defineConfig({
  plugins: [react(), tailwindcss(), compiledAhead],
  build: {
    target: "es2022",
    // Go inlines the one style sheet and hashes it for the page's policy.
    cssCodeSplit: false,
    // The prerendering finds each language's file in it, and then removes it.
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // The page asks for what loads the app. To ask for a file holds a phone for some 8 ms: the loader doesn't for the one that
      // it imports right after, nor for itself.
      resolveDependencies: (file, all, { hostType }) =>
        hostType === "html" ? all : all.filter((dep) => dep !== file && !dep.startsWith(`assets/${LOADER}-`)),
    },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What the page itself loads: no more than what loads the app (src/app/main.ts).
            { name: LOADER, test: /vite\/preload-helper|src\/app\/picture[.]/, priority: 1 },
            // One file, for the same reason; twenty small ones pack worse, too, by 4 kB.
            { name: APP, test: /src\/app\/start[.]/ },
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
    include: ["src/**/*.test.{ts,tsx}"],
    restoreMocks: true,
    // A guard against hanging, not a measure: a machine may do other things beside.
    testTimeout: 30_000,
  },
});
