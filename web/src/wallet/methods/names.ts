import { type Check, type Checked, Mismatch, object, oneOf, pattern } from "../check.ts";

/** Bitcoin's networks by the names that wallets use. */
const NETWORKS = ["Mainnet", "Testnet", "Testnet4", "Signet", "Regtest"] as const;
export const networkName = oneOf(...NETWORKS);
export type NetworkName = Checked<typeof networkName>;

export const walletType = oneOf("software", "ledger", "keystone");

/** A network's name in any case. */
const networkInAnyCase: Check<NetworkName> = (value, path) => {
  const found = NETWORKS.find((name) => typeof value === "string" && name.toLowerCase() === value.toLowerCase());
  if (!found) throw new Mismatch(`${path} must be one of ${NETWORKS.join(", ")}`);
  return found;
};

/** The network that a wallet is on. Other chains are dropped. */
export const answeredNetwork = object({ bitcoin: object({ name: networkInAnyCase }) });

/**
 * A rune's name: letters A to Z, at most 28 (the limit of 128 bits), with single spacers between them. Wallets write
 * the spacer as • or as a dot.
 */
export const runeName = pattern(
  /^(?=(?:[•.]?[A-Z]){1,28}$)[A-Z](?:[•.]?[A-Z])*$/u,
  "a rune's name: letters A to Z, with • between them",
);

/** A rune's id, block:tx. */
export const runeId = pattern(/^(0|[1-9][0-9]{0,15}):(0|[1-9][0-9]{0,9})$/, "a rune's id, block:tx");

export const inscriptionId = pattern(/^[0-9a-fA-F]{64}i(0|[1-9][0-9]{0,9})$/, "an inscription's id");
