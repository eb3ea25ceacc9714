type Sentence = (...values: string[]) => string;

/** English texts about the checks of statements, for the standalone page and "Check my reward". */
export const verify = {
  outcomes: { passed: "Passed", failed: "Failed", unchecked: "Not checked" },
  checks: {
    read: "Documents",
    form: "Form, sums and signature",
    key: "Statement key",
    chain: "Chain of statements",
    seen: "A statement you saw before",
    reserves: "Stated reserves",
    rewards: "Rewards and tree",
    compounded: "Compounded rewards",
    instructions: "Automatic compounding",
    proof: "Proof of an owner",
    owner: "Whose proof it is",
    outputs: "Outputs on the blockchain",
    runes: "Rune amounts",
    receipts: "Receipt",
  },
  passed: {
    read: () => "Everything could be read.",
    form: (n) => `Statements: ${n}. Each is in canonical form, its sums agree, and its signature is valid.`,
    key: (key) => `Every statement is signed by the key that you gave: ${key}`,
    chain: (n, from, to) => `Statements: ${n}, for epochs ${from} to ${to}. Each continues the one before.`,
    seen: (id) => `The chain contains the statement ${id}.`,
    reserves: (owed, n, self, stakes) =>
      `In every statement, the reserves cover the stakes and rewards. The newest owes ${owed} and lists ${n} ` +
      `outputs. Its stake outputs hold ${stakes}, ${self} of them in self-custody.`,
    rewards: (n) =>
      `Epochs: ${n}. The rewards and the tree, computed again from the details, match the statement.`,
    instructions: (active, rewards) =>
      `Active instructions: ${active}. Inputs that an instruction compounded: ${rewards}. Each instruction covers ` +
      "its rewards, and is the same in every statement.",
    compounded: (n) => `Compounded rewards: ${n}. Each has the amount that an earlier epoch paid to its owner.`,
    proof: (owner, stake, reward, owed, epoch) =>
      `Epoch ${epoch} counts for ${owner}: stake ${stake}, reward ${reward}, owed ${owed}.`,
    owner: (owner) => `The proof is for ${owner}.`,
    outputs: (n, height) => `Outputs compared: ${n}. All are as stated and were unspent at block ${height}.`,
    runes: (n) => `Outputs compared with the ord server: ${n}. All hold the stated runes.`,
    receipts: (kind, owner) =>
      `The server said to ${owner}: ${kind}. This proves what it said, not that it was true or still is.`,
  } as Record<CheckName, Sentence>,
  failed: {
    read: () => "A document could not be read.",
    form: (place) => `${place}: this is not a valid document.`,
    key: (given, found) => `A statement is signed by the key ${found}, not by the key that you gave: ${given}`,
    chain: () => "The statements don't continue each other.",
    seen: (id) => `The chain does not contain the statement ${id}. Keep both: together they show two histories.`,
    reserves: (sequence, kind, held, owed) =>
      `Statement ${sequence}: the reserves of kind ${kind} hold ${held} and must cover ${owed}.`,
    rewards: (epoch) => `Epoch ${epoch}: the rewards or the tree don't follow from the details.`,
    instructions: (epoch) => `Epoch ${epoch}: its instructions contradict the previous epoch's instructions.`,
    compounded: (unit, counted, paid) => `${unit} counts ${counted}, but that epoch paid ${paid}.`,
    proof: (owner) => `The proof for ${owner} is not valid for these statements.`,
    owner: (given, found) => `The proof is for ${found}, not for ${given}.`,
    outputs: () => "An output or block differs from the statement.",
    runes: () => "The rune amounts differ.",
    receipts: (kind, owner, key) =>
      `A receipt (${kind}) is for ${owner}, certified by the key ${key}: not for the owner or key that you gave.`,
  } as Record<CheckName, Sentence>,
  unchecked: {
    read: (place) => `${place}: could not be read.`,
    form: () => "There is no statement to check.",
    key: (key) =>
      key
        ? `Signed by ${key}. Compare it with the key that the community publishes elsewhere.`
        : "There is no statement to check.",
    chain: () => "Only one statement, or none: give all of them to check that each continues the one before.",
    seen: (id) =>
      `Keep the id of the newest statement, and compare it next time${id ? `: ${id}` : ""}. It shows whether the ` +
      "history was changed.",
    reserves: () => "There is no statement to check.",
    rewards: (n) =>
      n && n !== "0" ? `Statements without their details: ${n}. Their rewards were not computed again.` : "No details.",
    instructions: () => "No details.",
    compounded: (n) => `Compounded rewards: ${n}. The details of the epochs that paid them are missing.`,
    proof: (owner) => (owner ? `There is no proof for ${owner}.` : "Give a proof, or an owner's address."),
    owner: () => "Give your ordinals address to check that the proof is yours.",
    outputs: () => "Give the address of an Esplora or ord server to compare the outputs.",
    runes: (ord) =>
      ord
        ? "Rune amounts not checked for all outputs: ord lists the runes of unspent outputs only."
        : "Rune amounts not checked: Esplora shows outputs, not runes. Give the address of an ord server.",
    receipts: (kind, owner, key) =>
      kind
        ? `The server said to ${owner}: ${kind}. Compare the key that certified it with the community's: ${key}`
        : "There are no receipts among the documents.",
  } as Record<CheckName, Sentence>,

  verdict: {
    failed: (n: number) => (n === 1 ? "1 check failed" : `${n} checks failed`),
    partly: (n: number) => `What was checked is right. Not checked: ${n}`,
    passed: "Every check passed",
    nothing: "Nothing was checked",
    failedAdvice:
      "Keep the documents and this report. Ask the operator, and show both to other stakers: a signed document that " +
      "is wrong is proof against whoever signed it.",
    limits:
      "These checks can't show an owner who was left out: only that owner finds no proof. Nor can they show what is " +
      "held tomorrow.",
  },

  reward: {
    title: "Check my reward",
    intro: "Your browser checks the newest signed statement, and recalculates your reward from its inputs.",
    unpublished: (name: string) => `${name} publishes no signed statements, so your reward can't be checked this way.`,
    none: "There is no signed statement yet. The first one appears after the end of an epoch.",
    unreachable: "Couldn't reach the server, so nothing was checked. Try again in a moment.",
    pending: (newest: number, epoch: number) =>
      `There is no statement for epoch ${newest} yet. This is the check of epoch ${epoch}.`,
    mismatch: "The documents don't agree",
    keep:
      "Save the documents below and take a screenshot of this page. Then ask the operator, and show both to others.",
    notRewarded: (epoch: number) =>
      `You have no reward for epoch ${epoch}. Stakes earn in epochs in which they are staked from start to end.`,
    right: (amount: string, token: string, epoch: number) =>
      `Your reward for epoch ${epoch} is right: ${amount} ${token}`,
    steps: {
      signature: "The statement is signed with the key that this page has.",
      chain: "It continues the statement before it.",
      recomputed: "All rewards follow from the published inputs.",
      counted: "The statement counts you, with this reward.",
      shown: "This page shows the same reward.",
    },
    detail: "Detail",
    save: (name: string) => `Save ${name}`,
    standalone:
      "This page and its key come from the same server, so they prove only that its documents fit together. To " +
      "check the whole chain with a key from elsewhere, use the",
    standaloneLink: "standalone page",
  },

  page: {
    title: "Verify statements",
    intro:
      "Checks the signed statements of a Moon Fund community in your browser. Nothing is sent anywhere except to the " +
      "servers that you name.",
    save: "Save this page",
    saveWhy: "A saved copy works offline, and no server can change it.",
    language: "Deutsch",
    noScript: "This page needs JavaScript. Diese Seite braucht JavaScript.",
    documents: "What to check",
    server: "Address of the statements",
    serverHint: "For example https://lobo.example.org/lobo/statements. All statements and their details are fetched.",
    files: "Files",
    filesHint: "Statements, details, proofs and receipts, any number.",
    paste: "Or paste documents",
    pasteHint: "One document per line.",
    compare: "What to compare with",
    key: "Statement key",
    keyHint:
      "64 hex digits. Get it from elsewhere than this server, for example from the community's chat or from another " +
      "staker. A key from the same server proves only that its documents fit together.",
    keyWrong: "A key has 64 hex digits.",
    owner: "Your ordinals address",
    ownerHint: "To check the proof of your stake and reward.",
    seen: "Id of a statement you saw before",
    seenHint: "64 hex digits. Shows whether the history was changed since.",
    explorers: "Compare with the blockchain",
    esplora: "Esplora server",
    esploraHint:
      "For example https://mempool.space/api. It shows outputs, not runes, and sees which outputs you ask for.",
    ord: "Ord server",
    ordHint: "For example https://ord.example.org. It shows the runes of unspent outputs.",
    run: "Verify",
    running: "Verifying…",
    nothing: "Give at least one document or the address of the statements.",
    report: "Report",
    newest: "Newest statement",
    incidents: "Incidents in these statements",
    noIncidents: "None.",
    baseUnits: (amount: string) => `${amount} base units`,
    epoch: (epoch: string, community: string, network: string) => `Epoch ${epoch} of ${community} (${network})`,
    foot:
      "The formats are specified in docs/statements.md of the source code. The command moonfund-verify checks the " +
      "same.",
  },
};

type CheckName =
  | "read" | "form" | "key" | "chain" | "seen" | "reserves" | "rewards" | "compounded" | "instructions" | "proof"
  | "owner" | "outputs"
  | "runes" | "receipts";

export type VerifyText = typeof verify;
