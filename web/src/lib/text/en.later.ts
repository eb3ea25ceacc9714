/** English words of what is no part of the first screen: they are loaded together with it (lib/laterText.ts). */

import { events } from "./en.events.ts";
import { order } from "./en.money.ts";
import { payment, proof, recovery, rehearsal, stake } from "./en.payment.ts";

const counted = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

export const later = {
  order,
  payment,
  proof,
  recovery,
  rehearsal,
  stake,
  history: {
    earnings: "Your earnings",
    earned: (amount: string, token: string, epochs: number) => `${amount} ${token} in ${counted(epochs, "epoch")}`,
    none: "No earnings yet. They appear here when an epoch that you staked through has settled.",
    from: "From epoch",
    to: "To epoch",
    ends: "Ended",
    stake: "Your stake",
    share: "Share",
    reward: "Reward",
    csv: "Download CSV",
    nothingHere: "No earnings in these epochs.",
    activity: "Activity",
    activityNote: "What happened to your stakes, rewards and orders. The file has every posting of the journal.",
    noActivity: "Nothing has happened yet.",
    show: "Show",
    all: "Everything",
    stakes: "Stakes",
    rewards: "Rewards",
    orders: "Orders and payments",
    noneOfKind: "No matching activity yet.",
    more: "Show older",
    epoch: (n: number) => `Epoch ${n}`,
    /** What an entry of the server's journal is called; null: its own sentence is shown. */
    event: (kind: string): string | null =>
      events[kind] ?? kind.slice(0, 1) + kind.slice(1).toLowerCase().replaceAll("_", " "),
  },
  transaction: {
    title: "Transaction",
    waiting: "In the mempool, waiting for a block",
    confirmed: (n: number) => counted(n, "confirmation"),
    block: "Block",
    time: "Time",
    size: "Size",
    fee: "Fee",
    rate: (rate: string) => `${rate} sat/vB`,
    virtualBytes: (size: string) => `${size} vB`,
    inputs: "Inputs",
    outputs: "Outputs",
    coinbase: "New coins of a block",
    noAddress: "Message (OP_RETURN)",
    spent: "spent",
    message: "Runes message",
    cenotaph: "Malformed: all runes of its inputs are burned.",
    etches: "Etches a new rune.",
    mints: (id: string) => `Mints ${id}.`,
    moves: (amount: string, rune: string, output: number) => `${amount} ${rune} to output ${output}`,
    pointer: (output: number) => `What is left goes to output ${output}.`,
    unknown: "There is no such transaction on this dev network.",
  },
  terms: {
    title: "Terms",
    intro: "These terms are placeholder text. They will be replaced before the fund opens on the main network.",
    sections: [
      [
        "Staking",
        "You send runes to an address that is made for you. They are credited as they arrive. Staked runes earn a " +
        "share of each epoch's rewards.",
      ],
      [
        "Recovery",
        "Each stake address carries a condition under which your own key alone can take the runes back after a " +
        "delay, without this site.",
      ],
      [
        "Rewards",
        "Rewards are split by stake at the end of each epoch. The inputs and results of every epoch are published " +
        "so that anyone can check them.",
      ],
      [
        "Fees",
        "Claims and withdrawals are paid in satoshis through payment orders. Every item of the price is shown " +
        "before you commit.",
      ],
      ["Risk", "Bitcoin transactions can't be undone. Check addresses in your wallet before you sign."],
    ],
  },
};

export type LaterText = typeof later;
