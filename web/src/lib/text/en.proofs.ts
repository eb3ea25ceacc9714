/** English words of the page with the proofs, which is loaded later. */
export const proofs = {
  intro: (name: string) => `What ${name} publishes so that you can check it yourself.`,
  epochs: {
    title: "Rewards of each epoch",
    text:
      "For every finished epoch, the server publishes who staked, how much, and what each of them received. Anyone " +
      "can recalculate it from the blockchain.",
    none: "No epoch has been settled yet.",
    epoch: (n: number) => `Epoch ${n}`,
    paid: (amount: string, token: string) => `${amount} ${token}`,
    record: "Record (JSON)",
    older: "For older epochs, change the number in the address.",
  },
  reserves: {
    title: "Reserves",
    text:
      "A list of every Bitcoin output that backs stakes and rewards, together with everything the community owes. " +
      "Compare the outputs with any Bitcoin node.",
    link: "Reserves (JSON)",
  },
  keys: {
    title: "Your own key",
    text: (blocks: string, time: string) =>
      "Each stake address can be spent in two ways: with the operator's key, or with your key alone after " +
      `${blocks} blocks (about ${time}). The recovery kit in the Stake tab proves this for each of your deposits ` +
      "and contains everything your wallet needs. You can also recover with Bitcoin Core alone " +
      "(docs/guide/recover.md in the source code).",
  },
  limits: {
    title: "What this can't show",
    text:
      "A list can leave somebody out, and only that person can notice. So check your own stake and rewards. The " +
      "lists show what was there at one block, not what happens tomorrow, and everyone can read them.",
    more:
      "docs/trust.md in the source code says what you trust the operator with, and what an attacker who takes over " +
      "the server could take in a day.",
  },
  source: {
    title: "Source code",
    version: (version: string) => `This server runs Moon Fund ${version}.`,
    link: "Read the source code",
    missing:
      "Moon Fund is open source under the MIT license. The operator hasn't linked the source code; ask for a copy.",
    verify: "To check an epoch with the program itself, run:",
  },
};
