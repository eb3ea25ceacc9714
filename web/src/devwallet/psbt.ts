import { base64, hex } from "@scure/base";
import { Address, OutScript, Script, SigHash, Transaction } from "@scure/btc-signer";
import { equalBytes } from "@scure/btc-signer/utils.js";
import { badParams } from "./fault";
import { networkParams, type Account, type NetworkName, type OwnAddress } from "./keys";

/** Supported signature hash types. None of them leaves all outputs unsigned. */
const ALLOWED = [SigHash.DEFAULT, SigHash.ALL, SigHash.ALL_ANYONECANPAY, SigHash.SINGLE_ANYONECANPAY];

export interface PsbtSummary {
  /** Inputs to sign, with the key for each. */
  signs: { index: number; owner: OwnAddress }[];
  /** Outpoints ("txid:vout") of the inputs to sign. */
  outpoints: string[];
  /** Sats of our inputs. */
  spends: number;
  outputs: { to: string; value: number; own: boolean }[];
  /** Sats; null if inputs lack their values. */
  fee: number | null;
  /** Whether an input is signed in a way that allows other inputs to be added. */
  open: boolean;
}

export function readPsbt(text: string): Transaction {
  try {
    return Transaction.fromPSBT(base64.decode(text), {
      allowUnknownInputs: true,
      allowUnknownOutputs: true,
      allowLegacyWitnessUtxo: true,
      lowR: true,
    });
  } catch (error) {
    throw badParams(`The PSBT can't be read: ${(error as Error).message}`);
  }
}

/**
 * Describes the effect of signing. `wanted` names inputs by address; without it, every input that a key of the account
 * can sign is included.
 */
export function summarize(
  tx: Transaction,
  account: Account,
  network: NetworkName,
  signInputs?: Record<string, number[]>,
): PsbtSummary {
  const signs = signInputs ? namedInputs(tx, account, signInputs) : signableInputs(tx, account);
  if (signs.length === 0) throw badParams("None of the inputs is for this wallet to sign.");
  const inputs = Array.from({ length: tx.inputsLength }, (_, i) => tx.getInput(i));
  const own = [account.payment.script, account.ordinals.script];
  const outputs = Array.from({ length: tx.outputsLength }, (_, i) => tx.getOutput(i)).map(({ script, amount }) => ({
    to: describe(script!, network),
    value: Number(amount),
    own: own.some((mine) => equalBytes(mine, script!)),
  }));
  const values = inputs.map((_, i) => prevout(tx, i)?.amount);
  const paid = outputs.reduce((total, { value }) => total + value, 0);
  const known = values.every((value) => value !== undefined);
  return {
    signs,
    outpoints: signs.map(({ index }) => `${hex.encode(inputs[index]!.txid!)}:${inputs[index]!.index}`),
    spends: signs.reduce((total, { index }) => total + Number(values[index] ?? 0n), 0),
    outputs,
    fee: known ? values.reduce((total, value) => total + Number(value), 0) - paid : null,
    open: signs.some(({ index }) => ((inputs[index]!.sighashType ?? 0) & 0x80) !== 0),
  };
}

function namedInputs(tx: Transaction, account: Account, signInputs: Record<string, number[]>) {
  return Object.entries(signInputs).flatMap(([address, indexes]) => {
    const owner = [account.payment, account.ordinals].find((own) => own.address === address);
    if (!owner) throw badParams(`${address} is no address of the selected account.`);
    return indexes.map((index) => {
      if (!Number.isInteger(index) || index < 0 || index >= tx.inputsLength)
        throw badParams(`There is no input ${index}.`);
      return { index, owner };
    });
  });
}

function signableInputs(tx: Transaction, account: Account) {
  const owners = [account.payment, account.ordinals];
  return Array.from({ length: tx.inputsLength }, (_, index) => index).flatMap((index) => {
    const script = prevout(tx, index)?.script;
    const owner = owners.find((own) => (script && equalBytes(own.script, script)) || inLeaf(tx, index, own));
    return owner ? [{ index, owner }] : [];
  });
}

/** Whether a script leaf of the input contains the owner's x-only key, as a stake's recovery leaf does. */
function inLeaf(tx: Transaction, index: number, owner: OwnAddress): boolean {
  const key = owner.publicKey.slice(1);
  return (tx.getInput(index).tapLeafScript ?? []).some(([, leaf]) =>
    Script.decode(leaf.subarray(0, -1)).some((op) => op instanceof Uint8Array && equalBytes(op, key)),
  );
}

function prevout(tx: Transaction, index: number) {
  const { witnessUtxo, nonWitnessUtxo, index: vout } = tx.getInput(index);
  return witnessUtxo ?? (vout === undefined ? undefined : nonWitnessUtxo?.outputs[vout]);
}

function describe(script: Uint8Array, network: NetworkName): string {
  if (script[0] === 0x6a) return script[1] === 0x5d ? "a runestone" : "data";
  try {
    return Address(networkParams(network)).encode(OutScript.decode(script) as never);
  } catch {
    return "an unknown script";
  }
}

/** Signs the inputs, including taproot script leaves. Nothing is finalized. */
export function signPsbt(tx: Transaction, signs: PsbtSummary["signs"]): void {
  for (const { index, owner } of signs) {
    complete(tx, index, owner);
    try {
      tx.signIdx(owner.privateKey, index, ALLOWED);
    } catch (error) {
      throw badParams(`Input ${index} can't be signed: ${(error as Error).message}`);
    }
  }
}

/** Reduces the last output to the account's payment address by 1,000 sats, as a wallet that sets its own fee would. */
export function takeFromOutput(tx: Transaction, { payment }: Account): void {
  for (let i = tx.outputsLength - 1; i >= 0; i--) {
    const { script, amount } = tx.getOutput(i);
    if (!script || !equalBytes(script, payment.script)) continue;
    tx.updateOutput(i, { amount: amount! - 1_000n });
    return;
  }
}

/** Adds the fields of the wallet's own outputs that the other party may have omitted. */
function complete(tx: Transaction, index: number, owner: OwnAddress): void {
  const input = tx.getInput(index);
  const script = prevout(tx, index)?.script;
  if (!script || !equalBytes(script, owner.script)) return;
  if (owner.type === "p2tr" && !input.tapInternalKey)
    tx.updateInput(index, { tapInternalKey: owner.publicKey.slice(1) });
  if (owner.redeemScript && !input.redeemScript) tx.updateInput(index, { redeemScript: owner.redeemScript });
}

export const writePsbt = (tx: Transaction): string => base64.encode(tx.toPSBT(0));
