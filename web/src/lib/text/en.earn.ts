/** English texts about what a stake earns and costs, loaded with the components that use them (lib/earnText.ts). */
export const earn = {
  amount: (token: string) => `If you stake this many ${token}`,
  perEpoch: "Per epoch",
  perYear: "Per year",
  about: (amount: string, token: string) => `about ${amount} ${token}`,
  more: (amount: string, token: string) => `more than ${amount} ${token}`,
  assumed: (share: string) => `That assumes ${share} of the total stake.`,
  alone: "Nobody else stakes right now, so there is no estimate: a single stake gets the whole reward.",
  caveat:
    "At today's stake and rewards, without compounding. If others stake more, you earn less. No rate is guaranteed.",
  costs: (withdrawal: string, claim: string) =>
    `Right now, a withdrawal costs about ${withdrawal} sats and a claim about ${claim} sats; 546 of each come back.`,
  unclear: (example: string) => `Enter the amount like ${example}.`,
  claimNow: (sats: string, token: string, each: string) =>
    `A claim costs about ${sats} sats right now; 546 of them come back. That is about ${each} sats per ${token}. ` +
    "Staking your rewards is free.",
  each: (token: string, sats: string) => `That is about ${sats} sats per ${token}.`,
  worth: (token: string) => `What is 1 ${token} worth to you, in sats?`,
  share: (percent: string) => `The cost is about ${percent} of this claim.`,
  shareAll: "The cost is more than this claim is worth.",
  large:
    "Consider staking the rewards instead, which is free, or waiting: a claim costs about the same however much you " +
    "claim.",
  wait: (token: string) =>
    `A claim costs about the same however much you claim. If you wait, the cost per ${token} falls.`,
};

export type EarnText = typeof earn;
