import { object, oneOf, pattern, type Checked } from "../check.ts";

/** Bitcoin's networks by the names that wallets use. */
export const networkName = oneOf("Mainnet", "Testnet", "Testnet4", "Signet", "Regtest");
export type NetworkName = Checked<typeof networkName>;

export const walletType = oneOf("software", "ledger", "keystone");

/** The network that a wallet is on. Only Bitcoin's is read. */
export const network = object({ bitcoin: object({ name: networkName }) });

/**
 * A rune's name: letters A to Z, at most 28 (what 128 bits hold), with single spacers between them. Wallets write the
 * spacer as • or as a dot.
 */
export const runeName = pattern(/^(?=(?:[•.]?[A-Z]){1,28}$)[A-Z](?:[•.]?[A-Z])*$/u, "a rune's name: letters A to Z, with • between them");

/** A rune's id, block:tx. */
export const runeId = pattern(/^(0|[1-9][0-9]{0,15}):(0|[1-9][0-9]{0,9})$/, "a rune's id, block:tx");

export const inscriptionId = pattern(/^[0-9a-fA-F]{64}i(0|[1-9][0-9]{0,9})$/, "an inscription's id");
