import { faults } from "./de.faults.ts";
import { walletErrors } from "./de.wallet.ts";

/** By code, of the server (UPPER_CASE) and of the wallet library (camelCase). */
export const sentences = { ...faults, ...walletErrors };
