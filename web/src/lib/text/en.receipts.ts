const kinds: Record<string, string> = {
  stake: "Stake credited",
  unstake: "Unstake accepted",
  restake: "Restake accepted",
  compound: "Compounding accepted",
  claim: "Claim accepted",
  withdraw: "Withdrawal accepted",
  cancel: "Order canceled",
  payment: "Payment seen",
  delivery: "Delivered",
  refund: "Refund signed",
};

/** English texts about signed receipts. */
export const receipts = {
  open: "My receipts",
  title: "Receipts",
  intro:
    "The server signs a receipt for each of your actions and for each step of an order. This browser verifies and " +
    "keeps them. A receipt proves what the server said, not that it is true.",
  kind: (kind: string) => kinds[kind] ?? kind,
  kept: (count: number) =>
    count === 1 ? "1 receipt is kept in this browser." : `${count} receipts are kept in this browser.`,
  none: "There are no receipts yet. The first one follows some seconds after your next action.",
  unreachable: "New receipts can't be fetched now. You see the receipts that this browser keeps.",
  unsigned: "This community's server signs no receipts.",
  notLasting: "This browser can't keep the receipts when you close this page. Save them first.",
  save: "Save receipts",
  saveHint: "The file can be verified without this page:",
  verifier: "open the verifier",
  showAll: (count: number) => `Show all ${count}`,
  invalid: (count: number) =>
    count === 1
      ? "The server sent an invalid receipt. It was not kept."
      : `The server sent ${count} invalid receipts. They were not kept.`,
  contradicting:
    "The server signed two different histories: some of the receipts contradict each other. Together they prove it.",
  advice: "Save them, and ask the community. Your stakes have not moved.",
  show: "Show details",
  saveInvalid: "Save the invalid receipts",
  saveContradicting: "Save the contradicting receipts",
  ofOrder: (kinds: string) => `Signed receipts: ${kinds}.`,
  saveOrder: "Save this order's receipts",
};
