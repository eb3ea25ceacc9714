import { walletErrors } from "./en.wallet.ts";

/** By code. They replace messages of the wallet library and of the server that are written for developers. */
export const sentences = {
  ...walletErrors,
  INVALID_ADDRESS: "This address isn't valid.",
  WALLET_DOES_NOT_EXIST: "This wallet hasn't staked here yet.",
};
