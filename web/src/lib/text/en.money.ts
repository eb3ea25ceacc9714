import { unlock } from "./en.unlock.ts";

/** English texts about costs, payments, earnings and dates. */

/** `last` is the last epoch in which the runes are locked. */
export const unstake = {
  costs: (amount: string, token: string, epoch: number) =>
    `You give up about ${amount} ${token} for epoch ${epoch}.`,
  costsNothing: (epoch: number) => `Epoch ${epoch} pays no reward for this stake.`,
  costsReward: (epoch: number) => `You give up your reward for epoch ${epoch}.`,
  costsAll: (epoch: number) => `You give up the epoch ${epoch} reward of everything you unstake.`,
  unlocks: (last?: number, date?: string) => `Your runes ${unlock(last, date)}.`,
  title: (amount: string) => `Unstake ${amount}?`,
  wait: (epoch: number, end: string, last: number, unlockDate: string) =>
    `If you wait until epoch ${epoch} ends on ${end}, you keep this reward, and your runes ` +
    `${unlock(last, unlockDate)}.`,
  after: "Locked runes earn nothing. Once they unlock, you can withdraw them or restake them for free.",
  keep: "Keep staking",
  notYet: "You can select a stake here once it earns rewards. You give up nothing by waiting.",
};

export const start = {
  likely: (epoch: number, date: string, last: number, unlockDate: string) =>
    `Likely to earn from epoch ${epoch}, which starts on ${date}, if your deposit has 3 confirmations by then. If ` +
    `you unstake in epoch ${epoch}, your runes ${unlock(last, unlockDate)}.`,
  seen: (epoch: number, date: string, count: number, minutes: number) =>
    `Received. Your stake is likely to earn from epoch ${epoch}, which starts on ${date}. It needs 3 confirmations ` +
    `by then and has ${count}. The rest take about ${minutes} minutes.`,
  final: (epoch: number, date: string) =>
    `Received, with 3 confirmations. Your stake is likely to earn from epoch ${epoch}, which starts on ${date}.`,
  rune: (name: string, id: string) => `The rune to send is ${name}, with the ID ${id}.`,
  pendingLikely: (epoch: number) => `Pending stake · likely to earn from epoch ${epoch}`,
};

export const confirmations = {
  of: (count: number) => `${count} of 3`,
  left: (count: number, minutes: number) =>
    minutes === 0
      ? "It has its 3 confirmations."
      : `${count} of 3 confirmations. The rest take about ${minutes} minutes.`,
};

export const session = {
  switch: (wallet: string) =>
    `Choose a wallet to connect another account. You can also select another account in ${wallet}, and this page ` +
    "follows.",
  same: (wallet: string) =>
    `${wallet} still shares the same account. Select another account in the wallet, and this page follows.`,
  copyByHand: (keys: string) =>
    `Your browser doesn't let this page copy. The text is selected: press ${keys}, or hold it and choose Copy.`,
  notRemembered:
    "Your browser doesn't let this page store anything. Keep this page open until your payments arrive: if you close " +
    "or reload it, it may forget them and your wallet's connection.",
  none: (token: string) => `You don't have any ${token} yet.`,
  get: (token: string) => `Get ${token}`,
  late: "Bought some already? They may only appear after the next block.",
  faucet: (token: string) => `Get test ${token} from the faucet`,
  faucetSent: (token: string) => `The faucet sent you test ${token} and sats. They arrive with the next block.`,
  faucetFailed: "The faucet couldn't send anything. Please try again.",
};
