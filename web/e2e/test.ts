import { test as base } from "@playwright/test";
import { Network } from "./network.ts";
import { Staker } from "./staker.ts";

interface Workers {
  /** Tests that name another world get a network for themselves; the others share one. */
  world: string;
  network: Network;
}

export const test = base.extend<{ staker: Staker }, Workers>({
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
  baseURL: async ({ network }, provide) => provide(network.url("lobo")),
  staker: async ({ page, network }, provide) => provide(new Staker(page, network)),
});

export { expect } from "@playwright/test";
