import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

/** Browser tests against a running server: BASE_URL=http://lobo.localhost:8080 npm run e2e */
const debian = "/usr/bin/chromium";

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  // One dev network with one clock: the tests take turns.
  workers: 1,
  fullyParallel: false,
  retries: 0,
  timeout: 180_000,
  expect: { timeout: 15_000 },
  reporter: [["list"]],
  use: {
    baseURL: process.env["BASE_URL"] ?? "http://lobo.localhost:8080",
    viewport: { width: 1440, height: 900 },
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
    launchOptions: {
      ...(existsSync(debian) ? { executablePath: process.env["CHROMIUM"] ?? debian } : {}),
      args: [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
