import { site } from "../lib/site.ts";

/** What the recovery kit is called when it is downloaded. */
export const kitFile = `${site.prefix}-recovery-kit.json`;

/** Recovers what is in the kit with another output of the staker's that pays the fee. */
export const feeInputCommand = `moonfund recover ${kitFile} --fee-input TXID:VOUT`;
