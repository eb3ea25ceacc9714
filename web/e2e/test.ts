import { test as base, type BrowserContextOptions } from "@playwright/test";
import { Network } from "./network.ts";
import { Staker } from "./staker.ts";

/** The browser's storage. */
export type BrowserStorage = Exclude<BrowserContextOptions["storageState"], string | undefined>;

interface Workers {
  /** Tests with a network name get their own network; all other tests of a worker share one. */
  networkName: string;
  network: Network;
  /** The browser storage of a staker: the wallet and the session. */
  storedSession: BrowserStorage;
}

interface Tests {
  /** A first-time visitor with an empty wallet. */
  staker: Staker;
  /**
   * A staker with a stake that earns rewards, in a page of its own, whose wallet confirms everything. All tests of a
   * worker share this staker, so none of them may unstake: the tests after it would see no reward.
   */
  activeStaker: Staker;
}

export const test = base.extend<Tests, Workers>({
  networkName: ["shared", { scope: "worker", option: true }],
  network: [
    async ({ networkName }, provide) => {
      const network = await Network.start(networkName);
      await provide(network);
      // After any test, the audit of the ledger must pass.
      const { code, output } = await network.audit();
      await network.stop();
      if (code !== 0) throw new Error(`The audit of the ${networkName} network failed:\n${output}`);
    },
    { scope: "worker", timeout: 180_000 },
  ],
  storedSession: [
    async ({ browser, network }, provide) => {
      const context = await browser.newContext({ locale: "en-US" });
      const staker = new Staker(await context.newPage(), network);
      await staker.arrive();
      await staker.becomeStaker();
      const storage = await context.storageState({ indexedDB: true });
      await context.close();
      await provide(storage);
    },
    { scope: "worker", timeout: 180_000 },
  ],
  baseURL: async ({ network }, provide) => provide(network.url("lobo")),
  staker: async ({ page, network }, provide) => provide(new Staker(page, network)),
  activeStaker: async ({ browser, storedSession, network }, provide) => {
    const context = await browser.newContext({ storageState: storedSession });
    await provide(new Staker(await context.newPage(), network));
    await context.close();
  },
});

/** Repeats a step with a time limit up to three times, because a machine that runs other tests may miss the limit. */
export async function oneOfThree(step: () => Promise<void>): Promise<void> {
  for (let left = 2; ; left--) {
    try {
      return await step();
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}

export { expect } from "@playwright/test";

/** Marks a life that differs from another one in one step: `make check` runs it, and `make test` does not. */
export const inCheck = { tag: "@check" };
