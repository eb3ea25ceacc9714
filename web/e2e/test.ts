import { test as base, type BrowserContextOptions } from "@playwright/test";
import { Network } from "./network.ts";
import { Staker } from "./staker.ts";

/** What a browser remembers. */
export type Kept = Exclude<BrowserContextOptions["storageState"], string | undefined>;

interface Workers {
  /** Tests that name another world get a network for themselves; the others of a worker share one. */
  world: string;
  network: Network;
  /** The browser's memory of somebody who has staked: their wallet and their session. */
  kept: Kept;
}

interface Tests {
  /** Somebody who comes for the first time, with an empty wallet. */
  staker: Staker;
  /**
   * Somebody with a stake that counts, in a page of their own; their wallet agrees to everything. The same one for all
   * tests.
   */
  earner: Staker;
}

export const test = base.extend<Tests, Workers>({
  world: ["shared", { scope: "worker", option: true }],
  network: [
    async ({ world }, provide) => {
      const network = await Network.start(world);
      await provide(network);
      // Whatever the tests did: the ledger has kept every promise.
      const { code, said } = await network.audit();
      await network.stop();
      if (code !== 0) throw new Error(`The audit of the ${world} network failed:\n${said}`);
    },
    { scope: "worker", timeout: 90_000 },
  ],
  kept: [
    async ({ browser, network }, provide) => {
      const context = await browser.newContext({ locale: "en-US" });
      const staker = new Staker(await context.newPage(), network);
      await staker.arrive();
      await staker.becomeStaker();
      const kept = await context.storageState({ indexedDB: true });
      await context.close();
      await provide(kept);
    },
    { scope: "worker", timeout: 90_000 },
  ],
  baseURL: async ({ network }, provide) => provide(network.url("lobo")),
  staker: async ({ page, network }, provide) => provide(new Staker(page, network)),
  earner: async ({ browser, kept, network }, provide) => {
    const context = await browser.newContext({ storageState: kept });
    await provide(new Staker(await context.newPage(), network));
    await context.close();
  },
});

export { expect } from "@playwright/test";
