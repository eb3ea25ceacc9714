/** English words for what things cost, what they bring and when. */

export const order = {
  costs: (sats: string) => `What it costs: ${sats} sats`,
  paidOf: (paid: string, total: string) => `${paid} of ${total} sats paid`,
  overdue:
    "The payment deadline has passed. Please don't send anything to this order now. If you have already paid, your " +
    "payment appears here within a minute.",
  cancelAskCovered:
    "You have paid this order in full. Your runes are sent as soon as a block confirms your payment. If you cancel " +
    "now, they are not sent: what you paid is returned to your payment address, less the network fee.",
};

export const unstake = {
  costs: (amount: string, token: string, epoch: number) =>
    `You give up about ${amount} ${token} for epoch ${epoch}.`,
  costsNothing: (epoch: number) => `Epoch ${epoch} pays no reward for this stake.`,
  costsReward: (epoch: number) => `You give up your reward for epoch ${epoch}.`,
  costsAll: (epoch: number) => `Whatever you unstake gives up its reward for epoch ${epoch}.`,
  unlocks: (date: string) => `Your runes unlock on ${date}.`,
  ask: (amount: string) => `Unstake ${amount}?`,
  wait: (epoch: number, end: string, unlock: string) =>
    `If you wait until epoch ${epoch} ends on ${end}, you keep this reward. Your runes then unlock on ${unlock}.`,
  after: "Locked runes earn nothing. Once they unlock, you can withdraw them, or stake them again for free.",
  keep: "Keep staking",
};

export const start = {
  likely: (epoch: number, date: string) =>
    `Likely earns from epoch ${epoch}, which starts on ${date}: a deposit needs 3 confirmations by then. Unstaking ` +
    "takes one full epoch.",
  seen: (epoch: number, date: string) =>
    `Seen. Your stake likely earns from epoch ${epoch}, which starts on ${date}. It needs 3 confirmations by then.`,
  pendingLikely: (epoch: number) => `Pending stake · likely earns from epoch ${epoch}`,
};

export const session = {
  switch: (wallet: string) =>
    `Choose a wallet to connect another account. Or select another account in ${wallet}: this page follows it.`,
  same: (wallet: string) =>
    `${wallet} shares the same account as before. Select another account in the wallet: this page follows it.`,
  none: (token: string) => `You don't have any ${token} yet.`,
  get: (token: string) => `Get ${token}`,
  late: "Already bought some? It may take until the next block before your wallet shows it.",
  faucet: (token: string) => `Get test ${token} from the faucet`,
  faucetSent: (token: string) => `The faucet sent you test ${token} and sats. They show up with the next block.`,
  faucetFailed: "The faucet couldn't send anything. Please try again.",
};
