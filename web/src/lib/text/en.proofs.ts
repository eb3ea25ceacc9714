/** English words of the page with the proofs, which is loaded later. */
export const proofs = {
  intro: (name: string) => `What ${name} publishes so that you need not take its word.`,
  epochs: {
    title: "Rewards of each epoch",
    text:
      "For every settled epoch the server publishes who was staked, with how much, and who got what. Anyone can " +
      "recompute it from the chain.",
    none: "No epoch has settled yet.",
    epoch: (n: number) => `Epoch ${n}`,
    paid: (amount: string, token: string) => `${amount} ${token}`,
    record: "Record (JSON)",
    older: "Older epochs have the same address with their own number.",
  },
  reserves: {
    title: "Reserves",
    text:
      "A list of every Bitcoin output that backs stakes and rewards, with the community's total debts. Compare the " +
      "outputs with any Bitcoin node.",
    link: "Reserves (JSON)",
  },
  keys: {
    title: "Your own key",
    text: (blocks: string, time: string) =>
      `Each stake address has two spending paths: the operator's key, and your key alone after ${blocks} blocks ` +
      `(about ${time}). The recovery kit in the Stake tab proves it for each of your deposits and has everything ` +
      "your wallet needs.",
  },
  source: {
    title: "Source code",
    version: (version: string) => `This server runs Moon Fund ${version}.`,
    link: "Read the source code",
    missing: "Moon Fund is open source under the MIT license. The operator has not linked a copy; ask for one.",
    verify: "To check an epoch with the program itself, run:",
  },
};
