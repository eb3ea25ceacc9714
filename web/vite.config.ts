import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

/** `npm run dev` forwards the product server's calls to a server that runs beside it. */
const backend = process.env["MOON_BACKEND"] ?? "http://127.0.0.1:8080";

const firstScreen = new RegExp(
  [
    "node_modules/(react|react-dom|scheduler|@tanstack|wouter|regexparam|use-sync-external-store|mitt)/",
    "src/lib/(text|language|site|served|clock|format|amount|query|observable|plural)[.]ts",
    "src/api/(client|globals|keys|live|wallet)[.]ts",
    "src/ui/(Button|Catch|Link|Loaded|Notice|icons|Copy)",
  ].join("|"),
);

export default defineConfig({
  plugins: [react(), tailwindcss()],
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
            // What the page itself loads: no more than what loads the app (src/app/main.ts).
            { name: "load", test: /vite\/preload-helper/, priority: 1 },
            // What every first screen loads is one file: twenty small ones pack worse, by 4 kB.
            { name: "first", test: firstScreen },
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
