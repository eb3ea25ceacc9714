// @vitest-environment node
import { base64 } from "@scure/base";
import { beforeAll, describe, expect, it } from "vitest";
import { memoryStore, MemoryChain, TEST_SETTINGS } from "../devwallet/testing/chain.ts";
import { signMessage } from "../devwallet/message.ts";
import { DevWallet } from "../devwallet/wallet.ts";
import { verifyMessage } from "./verify.ts";

const MESSAGE = "Hello World ☾";
let wallet: DevWallet;

beforeAll(async () => {
  wallet = await DevWallet.open(
    memoryStore({ ...TEST_SETTINGS, autoConfirm: true }),
    new MemoryChain(),
    async () => true,
  );
});

/** Address types of the dev wallet, whose signing code shares nothing with the tested code. */
const types = ["p2wpkh", "p2sh-p2wpkh", "p2pkh"] as const;

describe("a wallet's signature", () => {
  it("of a taproot address is accepted, with and without the smp prefix", () => {
    const key = wallet.account.ordinals;
    const { signature } = signMessage(key, MESSAGE);
    expect(verifyMessage(key.address, MESSAGE, signature)).toBe(true);
    expect(verifyMessage(key.address, MESSAGE, `smp${signature}`)).toBe(true);
    expect(verifyMessage(key.address, `${MESSAGE}!`, signature)).toBe(false);
  });

  it.each(types)("of a %s address is accepted", async (type) => {
    await wallet.usePaymentType(type);
    const key = wallet.account.payment;
    for (const protocol of ["BIP322", "ECDSA"] as const) {
      if (protocol === "BIP322" && type !== "p2wpkh") continue;
      const { signature } = signMessage(key, MESSAGE, protocol);
      expect(verifyMessage(key.address, MESSAGE, signature), protocol).toBe(true);
      expect(verifyMessage(key.address, "other", signature), protocol).toBe(false);
      expect(verifyMessage(wallet.account.ordinals.address, MESSAGE, signature), protocol).toBe(false);
    }
  });

  // BIP-322's test vectors for "Hello World" and the empty message.
  it.each([
    [
      "Hello World",
      "AkcwRAIgZRfIY3p7/DoVTty6YZbWS71bc5Vct9p9Fia83eRmw2QCICK/ENGfwLtptFluMGs2Ksqo" +
        "NSk89pO7F29zJLUx9a/sASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=",
    ],
    [
      "",
      "AkcwRAIgM2gBAQqvZX15ZiysmKmQpDrG83avLIT492QBzLnQIxYCIBaTpOaD20qRlEylyxFSeEA2" +
        "ba9YOixpX8z46TSDtS40ASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=",
    ],
  ])("of BIP-322's own example is taken: %j", (message, signature) => {
    expect(verifyMessage("bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l", message, signature)).toBe(true);
    expect(verifyMessage("bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l", `${message}.`, signature)).toBe(false);
  });

  it.each([
    "",
    "nonsense",
    "AA==",
    base64.encode(new Uint8Array(64)),
    base64.encode(new Uint8Array(65).fill(31)),
    "<html>",
  ])("that is none is refused: %j", (signature) => {
    expect(verifyMessage(wallet.account.ordinals.address, MESSAGE, signature)).toBe(false);
    expect(verifyMessage("bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l", MESSAGE, signature)).toBe(false);
  });

  it("returns null for an address that needs a script engine", () => {
    expect(verifyMessage("bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3", MESSAGE, "AA==")).toBeNull();
  });
});
