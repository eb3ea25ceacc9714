import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bitcoinProvider } from "../devwallet/provider.ts";
import { memoryStore, MemoryChain, TEST_SETTINGS } from "../devwallet/testing/chain.ts";
import { DevWallet } from "../devwallet/wallet.ts";
import { connect, type Session } from "../wallet/index.ts";
import { proveCanSign } from "./canSign.ts";
import { provenForm } from "./proven.ts";

const page = window as unknown as Record<string, unknown>;

afterEach(() => void delete page["MoonDevWallet"]);

// A wallet with a payment and an ordinals address, and one with a single address.
describe.each(["p2wpkh", "p2tr"] as const)("a wallet whose payment address is %s", (paymentType) => {
  let session: Session;

  beforeEach(async () => {
    const settings = { ...TEST_SETTINGS, paymentType, autoConfirm: true };
    const opening = DevWallet.open(memoryStore(settings), new MemoryChain(), async () => true);
    page["MoonDevWallet"] = { BitcoinProvider: bitcoinProvider(opening) };
    session = await connect("MoonDevWallet.BitcoinProvider", { network: "Regtest" });
  });

  it.each(["message", "transaction"] as const)("proves that it can sign by a %s", async (form) => {
    await proveCanSign(session, form);
    expect(provenForm(session.ordinals.address)).toBe(form);
  });
});
