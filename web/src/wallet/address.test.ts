import { hex } from "@scure/base";
import { Address, NETWORK, TEST_NETWORK } from "@scure/btc-signer";
import { describe, expect, it } from "vitest";
import { decodeAddress, requireAddress } from "./address.ts";
import { fault } from "./testing/provider.ts";

const main = ["Mainnet"];
const test = ["Testnet", "Testnet4", "Signet"];
const regtest = ["Regtest"];

describe("an address", () => {
  it.each([
    // BIP-173 and BIP-350
    ["BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", "p2wpkh", main, "751e76e8199196d454941c45d1b3a323f1433bd6"],
    ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "p2wpkh", main, "751e76e8199196d454941c45d1b3a323f1433bd6"],
    [
      "tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7",
      "p2wsh",
      test,
      "1863143c14c5166804bd19203356da136c985678cd4d27a1b8c6329604903262",
    ],
    [
      "tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy",
      "p2wsh",
      test,
      "000000c4a5cad46221b2a187905e5266362b99d5e91c6ce24d165dab93e86433",
    ],
    [
      "tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c",
      "p2tr",
      test,
      "000000c4a5cad46221b2a187905e5266362b99d5e91c6ce24d165dab93e86433",
    ],
    [
      "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
      "p2tr",
      main,
      "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
    ],
    ["bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080", "p2wpkh", regtest, "751e76e8199196d454941c45d1b3a323f1433bd6"],
    // Bitcoin Core's base58 keys
    ["1AGNa15ZQXAZUgFiqJ2i7Z2DPU2J6hW62i", "p2pkh", main, "65a16059864a2fdbc7c99a4723a8395bc6f188eb"],
    ["3CMNFxN1oHBc4R1EpboAL5yzHGgE611Xou", "p2sh", main, "74f209f6ea907e2ea48f74fae05782ae8a665257"],
    ["mo9ncXisMeAoXwqcV5EWuyncbmCcQN4rVs", "p2pkh", [...test, ...regtest], "53c0307d6851aa0ce7825ba883c6bd9ad242b486"],
    ["2N2JD6wb56AfK4tfmM6PwdVmoYk2dCKf4Br", "p2sh", [...test, ...regtest], "6349a418fc4578d10a372b54b45c280cc8c4382f"],
  ])("%s is decoded", (address, type, networks, program) => {
    const decoded = decodeAddress(address);
    expect({ ...decoded, program: hex.encode(decoded.program) }).toEqual({ address, type, networks, program });
  });

  it.each([
    // BIP-173 and BIP-350, each with a different error
    ["prefix", "tc1qw508d6qejxtdg4y5r3zarvary0c5xw7kg3g4ty"],
    ["prefix", "tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut"],
    ["bech32 where bech32m belongs", "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd"],
    ["bech32m where bech32 belongs", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh"],
    ["bech32m where bech32 belongs", "tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47"],
    ["checksum", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5"],
    ["character", "bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4"],
    ["version 17", "BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R"],
    ["version 16, unspendable", "BC1SW50QGDZ25J"],
    ["version 2, unspendable", "bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs"],
    ["length", "bc1pw5dgrnzv"],
    ["length", "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav"],
    ["length", "BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P"],
    ["length of a taproot key", "bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y"],
    ["mixed case", "tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq"],
    ["padding", "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf"],
    ["padding", "tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j"],
    ["nothing inside", "bc1gmk9yu"],
    ["base58 checksum", "1AGNa15ZQXAZUgFiqJ2i7Z2DPU2J6hW62j"],
    ["base58 character", "1AGNa15ZQXAZUgFiqJ2i7Z2DPU2J6hW62I"],
    ["version byte of a private key", "5Kd3NBUAdUnhyzenEwVLy9pBKxSwXvE9FMPyR4UKZvpe6E3AgLr"],
    ["version byte of another coin", "LVuDpNCSSj6pQ7t9Pv6d6sUkLKoqDEVUnJ"],
    ["no text", ""],
    ["blanks", " bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
    ["a very long text", `bc1q${"q".repeat(10_000)}`],
  ])("is refused for %s: %s", (_, address) => {
    expect(() => decodeAddress(address)).toThrow(fault(-32602, "Invalid address"));
  });

  it.each([null, undefined, 5, {}, []])("is not %j", (value) => {
    expect(() => decodeAddress(value as never)).toThrow(fault(-32602, "Invalid address"));
  });

  it("must belong to the requested network", () => {
    const address = "tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy";
    for (const network of ["Testnet", "Testnet4", "Signet"] as const)
      expect(requireAddress(address, network)).toBe(address);
    for (const network of ["Mainnet", "Regtest"] as const)
      expect(() => requireAddress(address, network)).toThrow("Invalid address");
    expect(requireAddress(address)).toBe(address);
  });

  it("of every type and network agrees with the signing library", () => {
    const nets = { Mainnet: NETWORK, Testnet: TEST_NETWORK, Regtest: { ...TEST_NETWORK, bech32: "bcrt" } };
    for (const [network, params] of Object.entries(nets)) {
      for (let round = 0; round < 20; round++) {
        const bytes = (length: number) => Uint8Array.from({ length }, (_, i) => (round * 37 + i * 101) & 0xff);
        const made = [
          ["p2pkh", Address(params).encode({ type: "pkh", hash: bytes(20) })],
          ["p2sh", Address(params).encode({ type: "sh", hash: bytes(20) })],
          ["p2wpkh", Address(params).encode({ type: "wpkh", hash: bytes(20) })],
          ["p2wsh", Address(params).encode({ type: "wsh", hash: bytes(32) })],
        ] as const;
        for (const [type, address] of made) {
          const decoded = decodeAddress(address);
          expect([decoded.type, decoded.networks.includes(network as "Mainnet")]).toEqual([type, true]);
          expect(decoded.program).toEqual(bytes(decoded.program.length));
        }
      }
    }
  });
});
