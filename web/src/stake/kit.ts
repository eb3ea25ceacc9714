import { site } from "../lib/site.ts";

/** File name of the downloaded recovery kit. */
export const kitFile = `${site.prefix}-recovery-kit.json`;

/** The command that recovers the kit's outputs and pays the fee from another output of the staker. */
export const feeInputCommand = `moonfund recover ${kitFile} --fee-input TXID:VOUT`;
