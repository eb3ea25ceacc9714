// @vitest-environment node
import { expect, it } from "vitest";
import * as address from "./address.ts";
import * as surface from "./index.ts";

/** The public API of the library: removing a name is a breaking change, and a new name is added to README.md. */
it("exports the names that README.md lists", () => {
  expect(Object.keys(surface).sort()).toEqual([
    "RpcCode",
    "WalletError",
    "btcBalance",
    "changeNetwork",
    "configureOrders",
    "connect",
    "currentPermissions",
    "defaultProvider",
    "disconnect",
    "estimateEtch",
    "estimateMint",
    "estimateRbf",
    "etchRunes",
    "findOrder",
    "findProvider",
    "finishLeafSpend",
    "getNetwork",
    "hasOrders",
    "listProviders",
    "mintRunes",
    "onSessionEnd",
    "onWalletEvent",
    "parseRuneId",
    "rbfOrder",
    "readRuneBalance",
    "readSession",
    "refreshSession",
    "removeDefaultProvider",
    "renouncePermissions",
    "request",
    "requestPermissions",
    "requireSession",
    "resumeSession",
    "runeBalance",
    "runeBalances",
    "sendTransfer",
    "setDefaultProvider",
    "signMessage",
    "signMessageByPsbt",
    "signPsbt",
    "supports",
    "transferRunes",
    "walletInfo",
    "walletTexts",
  ]);
  expect(Object.keys(address).sort()).toEqual(["decodeAddress", "requireAddress"]);
});
