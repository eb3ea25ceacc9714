/** The texts of the proofs page in English, loaded with that page. */
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
    older: "Show older epochs",
  },
  statements: {
    title: "Signed statements",
    text:
      "After each epoch, a signed statement says what was rewarded, owed and held. In the Stake and Rewards tabs, " +
      "\"Check my reward\" checks yours. The standalone page checks all of them, also offline.",
    none: "No statement has been signed yet.",
    newest: (epoch: number, date: string) => `Epoch ${epoch}, signed as of ${date}`,
    valid: "Your browser has just checked it: the signature is the community's, and the sums are right.",
    covered: "It says that everything owed is held.",
    uncovered: "It says that less is held than is owed.",
    bad: "Your browser couldn't verify the newest statement. Don't rely on it before you know why.",
    link: "Verify all statements",
  },
  reserves: {
    title: "Reserves",
    text:
      "A list of every Bitcoin output that backs stakes and rewards, together with everything the community owes. " +
      "Compare the outputs with any Bitcoin node.",
    covered: (height: string) => `At block ${height}, everything that is owed is held.`,
    short: (height: string) => `At block ${height}, less is held than is owed.`,
    stakes: "Stakes",
    rewards: "Rewards",
    owedOf: (owed: string, held: string, token: string) => `${owed} owed · ${held} ${token} held`,
    self: (percent: number) => `Nothing moves ${percent}% of it without its owner's signature.`,
    search: "Search by address or transaction",
    output: "Output",
    amount: (token: string) => `Amount (${token})`,
    stake: "stake, operator custody",
    selfStake: "stake, self-custody",
    treasury: "treasury",
    nothing: "No matching outputs.",
    csv: "Reserves (CSV)",
    link: "Reserves (JSON)",
  },
  keys: {
    title: "Your own key",
    text: (blocks: string, time: string) =>
      "A stake in self-custody can be moved by you and the operator together, or by you alone after " +
      `${blocks} blocks (about ${time}). One in operator custody, the operator can also move alone. The recovery ` +
      "kit in the Stake tab proves this for each of your deposits and contains everything your wallet needs.",
    recover: "Recover with Bitcoin Core alone",
  },
  incidents: {
    title: "Incidents",
    text:
      "What interrupted this service, newest first. The server records incidents by itself, and every signed " +
      "statement contains the incidents since the previous one.",
    none: "No incidents so far.",
    older: "These are the newest. The statements list all of them.",
    kinds: {
      pausePayouts: "Payouts were paused.",
      pauseAll: "The whole service was paused.",
      resumePayouts: "Payouts were resumed.",
      resumeAll: "The whole service was resumed.",
      accepted: "The operator explained an error that the server's audit found. The error stays recorded.",
      violation: "The server's own audit found an error in the books. The payouts that it concerns were stopped.",
      reorg: "Bitcoin replaced too many blocks at once. The server stopped.",
      refused: "The Bitcoin network refused a transaction of this service. Nothing was lost.",
      restore: "The server was restored from a backup and paused.",
      other: "Another incident.",
    },
  },
  limits: {
    title: "What this can't show",
    text:
      "A list can leave someone out, and only that person can notice. So check your own stake and rewards. The " +
      "lists show what was there at one block, not what happens tomorrow, and everyone can read them.",
    trust: "What you trust the operator with, and what an attacker could take in a day",
  },
  source: {
    title: "Source code",
    version: (version: string) => `This server runs Moon Fund ${version}.`,
    link: "Read the source code",
    missing:
      "Moon Fund is open source under the MIT license. The operator hasn't linked the source code here.",
    verify: "To check an epoch with the program itself, run:",
  },
};
