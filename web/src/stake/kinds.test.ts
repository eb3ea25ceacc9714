import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { proveCanSign } from "../action/canSign.ts";
import { provenForm } from "../action/proven.ts";
import { kindOf } from "../devwallet/kinds/catalogue.ts";
import { createInstaller } from "../devwallet/kinds/place.ts";
import { bitcoinProvider } from "../devwallet/provider.ts";
import { kindNames, type KindName } from "../devwallet/settings.ts";
import { memoryStore, MemoryChain, TEST_SETTINGS } from "../devwallet/testing/chain.ts";
import { DevWallet } from "../devwallet/wallet.ts";
import { connect, signPsbt, type Session } from "../wallet/index.ts";
import { rehearse } from "./rehearsal.ts";

// What each kind of dev wallet has to sign before the first stake.

const page = window as unknown as Record<string, unknown>;
let remove = (): void => {};

afterEach(() => remove());

async function connected(kind: KindName): Promise<Session> {
  const paymentType = kindOf(kind)?.paymentType ?? "p2wpkh";
  const opening = DevWallet.open(
    memoryStore({ ...TEST_SETTINGS, kind, paymentType, autoConfirm: true }),
    new MemoryChain(),
    async () => true,
  );
  await opening;
  page["MoonDevWallet"] = { BitcoinProvider: bitcoinProvider(opening) };
  const place = createInstaller(page, opening, "");
  place(kind);
  remove = () => {
    place("standard");
    delete page["MoonDevWallet"];
    delete page["btc_providers"];
  };
  return connect(kindOf(kind)?.path ?? "MoonDevWallet.BitcoinProvider", { network: "Regtest" });
}

describe.each(kindNames)("%s", (kind) => {
  let session: Session;

  beforeEach(async () => {
    session = await connected(kind);
  });

  it.each(["message", "transaction"] as const)("proves that it can sign by a %s", async (form) => {
    await proveCanSign(session, form);
    expect(provenForm(session.ordinals.address)).toBe(form);
  });

  it("signs the rehearsal of a recovery", async () => {
    const { psbt, isSigned } = rehearse(session.ordinals, 26_280);
    const signed = await signPsbt({ psbt, signInputs: { [session.ordinals.address]: [0] }, broadcast: false });
    expect(isSigned(signed.psbt)).toBe(true);
  });
});
