import { existsSync, readdirSync, readFileSync } from "node:fs";
import { defineConfig } from "@playwright/test";

/**
 * Browser tests in Chromium. They start servers of their own (e2e/network.ts): `npm run e2e` needs only the output of
 * `make build`. `npm run shots` writes a screenshot of every screen to SHOTS (default: test-results/shots); `npm run
 * bench` measures the time budgets; `npm run real` runs a stake's life cycle with a real extension.
 */
const debian = "/usr/bin/chromium";
const executablePath = process.env["CHROMIUM"] ?? (existsSync(debian) ? debian : undefined);

/** The life cycles of stakes, orders, withdrawals and etchings. */
const lives = /^(life|onetx|economy|compounding|recovery|refunds|unstake|etching)\.spec\.ts$/;
const all = readdirSync(new URL("e2e", import.meta.url)).filter((file) => file.endsWith(".spec.ts")).sort();
const others = all.filter((file) => !lives.test(file) && file !== "pages.spec.ts");
/** If the number SHARE is set, a seventh of the other specs runs: it selects which. `make check` sets it. */
const share = process.env["SHARE"];
const left = share === undefined ? [] : others.filter((_, i) => i % 7 !== Number(share) % 7);
const specs = all.filter((file) => !left.includes(file));
const hasOwnNetwork = (file: string) =>
  readFileSync(new URL(`e2e/${file}`, import.meta.url), "utf8").includes("networkName");
const named = (files: readonly string[]) => files.map((file) => `**/${file}`);

/**
 * Without the first two, Chromium renders popups of its address bar for each new context, which takes as long as most
 * pages: 1 s of processor time. Chromium follows only the last list that it gets, so the others repeat Playwright's.
 */
const disabledFeatures = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "ThirdPartyStoragePartitioning",
];

const launchOptions = {
  ...(executablePath ? { executablePath } : {}),
  args: [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    `--disable-features=${disabledFeatures.join()}`,
  ],
};
/** A browser under test parses a file again for the stack of an error, such as those that React creates. */
const parseOnce = "--js-flags=--no-enable-lazy-source-positions";

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  // Each worker has one dev network with one clock, so its tests run in sequence. Two workers fill two cores: with
  // three a page takes three times as long as alone, and reaches the limits of its tests. `make test` runs tests that
  // depend on no time beside them, at the lowest priority.
  workers: Number(process.env["WORKERS"] ?? 2),
  fullyParallel: false,
  retries: 0,
  // Only a test that fails takes so long: other tests use the same machine.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  reporter: [["list"]],
  projects: [
    { name: "browser", testMatch: "*.spec.ts" },
    // `npm run e2e` runs the same tests in two parts: a worker that changes its network starts its browser again, so
    // specs of the shared network run one after the other.
    { name: "networks", testMatch: named(specs.filter(hasOwnNetwork)) },
    { name: "shared", testMatch: named(specs.filter((file) => !hasOwnNetwork(file))) },
    // Debian's Firefox and WebKitGTK, in `make soak`.
    { name: "browsers", testMatch: "browsers/life.ts" },
    // What `make test` runs; `make check` also runs the lives that differ in one step only.
    { name: "lives", testMatch: named(all.filter((file) => lives.test(file))), grepInvert: /@check/ },
    { name: "shots", testMatch: "shots.ts" },
    { name: "pictures", testMatch: "pictures.ts" },
    {
      name: "bench",
      testMatch: "bench.ts",
      use: { launchOptions: { ...launchOptions, args: [...launchOptions.args, parseOnce] } },
    },
    // An extension is slower than a page, and some of its work has no event to wait for.
    {
      name: "real",
      testMatch: "real/*.real.ts",
      use: { actionTimeout: 30_000, trace: "retain-on-failure" },
    },
  ],
  use: {
    viewport: { width: 1440, height: 900 },
    actionTimeout: 20_000,
    screenshot: "only-on-failure",
    locale: "en-US",
    launchOptions,
  },
});
