/** English texts about automatic compounding. */
export const compounding = {
  title: "Stake rewards automatically",
  /** The subject of "set up", "change" and "close", for screen readers. */
  subject: "automatic staking",
  /** While nothing can be claimed, and automatic staking is off or on. */
  none: "Your rewards appear here after each epoch ends.",
  noneLeft: "Your rewards are staked after each epoch ends, so there is nothing to claim.",
  explain:
    "Free: sign once, and each new reward is staked when it settles. Rewards on an order and rewards that you " +
    "already have stay as they are. You can end it at any time.",
  active: (last: number, left: number) =>
    `On until epoch ${last}: ${left} more ${left === 1 ? "reward" : "rewards"}.`,
  next: (epoch: number) =>
    `Next: your reward of epoch ${epoch}, as soon as it settles. Rewards you already have stay as they are.`,
  off: "Off",
  setUp: "Set up",
  change: "Change",
  close: "Close",
  over: "Ended",
  length: "How long",
  epochs: (count: number, last: number) => `${count} epochs, until epoch ${last}`,
  begin: "Turn on",
  renew: "Renew",
  end: "Turn off",
  note: (last: number) => `Your rewards are staked automatically until epoch ${last}.`,
  noteLink: "See or change it in Rewards",
  begun: "Your next rewards will be staked automatically.",
  ended: "Automatic staking is off. New rewards wait here for you.",
};
