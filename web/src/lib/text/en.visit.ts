import { unlock } from "./en.unlock.ts";

/** English texts for a first visit, before a wallet is connected, and for the footer. */
export const visit = {
  title: "Before you connect",
  /** `length` such as "7 days"; empty: epochs end by hand. */
  what: (token: string, length: string) =>
    `Stake ${token}, a rune on Bitcoin, and share a fixed reward with all other stakers every ${length || "epoch"}.`,
  glance: {
    title: "Key figures",
    stakers: "Stakers",
    lastReward: "Last reward",
    reward: (epoch: number) => `Reward of epoch ${epoch}`,
    thousand: (token: string) => `Per 1,000 ${token} staked`,
    first: "New stakes earn from",
  },
  token: {
    title: (token: string) => `What ${token} is`,
    text: (token: string, rune: string) => `${token} is ${rune}, a rune: a token on Bitcoin itself.`,
    issued: (amount: string, token: string) => `${amount} ${token} exist.`,
  },
  stake: {
    title: "When you earn",
    /** `length` such as "7 days"; empty: epochs end by hand. */
    text: (length: string) =>
      `Your stake earns from the start of the next epoch. At the end of each epoch${length ? ` (${length})` : ""}, ` +
      "you get your part of its reward, in proportion to your stake.",
  },
  cost: {
    title: "What it costs",
    text: (sats: string) =>
      `Staking: your wallet's network fee. Unstaking: free. Claims and withdrawals: the network fee plus ${sats} ` +
      "sats, and 546 sats that come back to you with your runes.",
  },
  leave: {
    title: "How to leave",
    /** `date` is when runes unlock that are unstaked now; empty: not known. */
    text: (token: string, date: string) =>
      `Any time: unstake${date && " now"}, and your ${token} ${unlock()}${date && `, on ${date}`}. Then withdraw them.`,
  },
  keys: {
    title: "Who holds your runes",
    text: (time: string) =>
      "Nothing moves a stake in self-custody without your signature: you and the operator move it together, or, " +
      `about ${time} after your deposit, you alone. Rewards stay with the operator until they are paid to you, ` +
      "even if you stake them.",
    proofs: "Check the proofs",
  },
  wouldEarn: "What would you earn?",
  earned: {
    title: "Past rewards",
    one: (epoch: number, amount: string, token: string, stakers: string) =>
      `Epoch ${epoch} paid ${amount} ${token} to ${stakers}.`,
    stakers: (count: number) => (count === 1 ? "1 staker" : `${count} stakers`),
    running: (epoch: number) => `Epoch ${epoch} hasn't ended yet. Its rewards appear once it has.`,
    unsettled: "not earned yet",
  },
  footer: { contact: "Contact", source: "Source code", proofs: "Proofs", more: "About this site" },
  duration: {
    months: (n: number | string) => `${n} months`,
    days: (n: number | string) => `${n} days`,
    hours: (n: number | string) => `${n} hours`,
    minutes: (n: number | string) => `${n} minutes`,
    seconds: (n: number | string) => `${n} seconds`,
  },
  terms: {
    title: "Terms",
    version: (version: string) => `Version ${version}`,
    since: "In effect since",
    missing: (name: string) => `${name} has not published its terms yet.`,
    placeholder: "This is placeholder text. Each community has its own terms, which apply when you stake with it.",
    of: (name: string) => `Terms of ${name}`,
  },
};
