/**
 * English words for payments on their way, for the proof that a wallet can sign, and for the rehearsal of a recovery.
 */

export const payment = {
  sent: (txid: string) => `Payment sent, waiting for the network: ${txid}`,
  looking: "Checking whether your payment was sent …",
  checking: "Checking …",
  unseen: "No payment has arrived. You can try again.",
  arrived: "Your wallet reported an error, but your payment was sent and has arrived.",
  unclear: (sats: string, date: string) =>
    `Your wallet was asked to pay ${sats} sats on ${date}, and we don't know if it did. Check your wallet's ` +
    "history before you pay again.",
  away: (sats: string, date: string) =>
    `We couldn't reach the server to check whether your payment of ${sats} sats from ${date} was sent. Check your ` +
    "wallet's history before you pay again.",
  fragile:
    "Your browser's storage is full, so this payment is forgotten when you close this page. Keep it open until the " +
    "payment arrives.",
  giveUp: "My wallet shows nothing",
  lookAgain: "Check again",
  again: "Pay again",
  risk:
    "If the first payment arrives as well, you pay twice. What is above the price is returned only if it is enough " +
    "to be sent, less the network fee.",
  riskOrder:
    "If the earlier payment arrives as well, it funds its own order: you get both, or a refund of what can't be done.",
  againYes: "Pay again anyway",
  againNo: "Keep waiting",
  cancelRisk:
    "You sent a payment that hasn't arrived yet. If it arrives after you cancel, it is returned only if it is " +
    "enough to be sent, less the network fee.",
};

export const proof = {
  title: "First, check that your wallet can sign",
  why:
    "To unstake, claim or withdraw later, your wallet must sign a message. Sign a test message now: it is free, " +
    "sends nothing, and shows that it works.",
  confirm: "Sign the test message in your wallet.",
  confirmTransaction: "Sign the test transaction in your wallet. It has 0 sats and can never be sent.",
  start: "Sign a test message",
  byTransaction: "Sign a test transaction instead",
  offer:
    "Some wallets sign transactions but not messages. A test transaction proves the same, costs nothing and can " +
    "never be sent.",
  stop: "Not now",
  form: "What you sign",
  forms: {
    message: "Sign a message",
    transaction: "Sign a transaction of 0 sats that can never be sent, if messages don't work",
  },
  declined: (wallet: string) => `${wallet} didn't sign. Nothing was sent.`,
  failed: (wallet: string, why: string) => `${wallet} couldn't sign: ${why}`,
  wrong: (wallet: string, address: string) =>
    `The signature from ${wallet} doesn't match your address ${address}. Nothing was sent. Check which account is ` +
    "selected in the wallet.",
  switched: "Your wallet switched to another account. Nothing was sent.",
  cannot: (wallet: string) =>
    `${wallet} signed neither a message nor a transaction, so you couldn't unstake or claim with it. Connect a ` +
    "wallet that can sign with the same keys.",
  /** Shown by the wallet. It must never read like one of the server's messages, which mean something. */
  message: (site: string, address: string, nonce: string) =>
    `Test signature for ${site}\n\nThis shows that my wallet can sign. It sends nothing and costs ` +
    `nothing.\n\nAddress: ${address}\nNumber: ${nonce}`,
};

export const stake = {
  ambiguous: (large: string, small: string, plain: string) =>
    `We can't tell if this means ${large} or ${small}. Enter it as ${plain}.`,
  either: (one: string, other: string) => `${one} or ${other}`,
  unreadable: (example: string) => `We can't read this amount. Enter it like ${example}.`,
  looking: "Checking whether your transfer was sent …",
  unclear:
    "Your wallet was asked to send this stake, and we don't know if it did. Check your wallet's history before you " +
    "send it again.",
  away:
    "We couldn't reach the server to check whether your stake was sent. Check your wallet's history before you " +
    "send it again.",
  unseen: "No transfer has arrived. You can try again.",
  again: "Send again",
  risk: "If the first transfer arrives as well, you stake the amount twice.",
  againYes: "Send again anyway",
  onTheWay: (amount: string, token: string, txid: string) =>
    `Also on the way: ${amount} ${token} in transaction ${txid}`,
  fragile:
    "Your browser's storage is full, so this page forgets this transfer when you close it. Keep it open until the " +
    "transfer is seen.",
  spendable: (amount: string) => `${amount} can be sent now`,
  reading: "Reading your balance …",
  offShares: "Half and Max need your balance.",
  tooMuch: (amount: string, token: string) => `Your wallet shows ${amount} ${token} that you can send.`,
};

export const rehearsal = {
  open: "Try a recovery rehearsal",
  title: "Recovery rehearsal",
  what:
    "If the operator disappears, your wallet must sign a special transaction to take your stake back. Not every " +
    "wallet does. Try it now: the rehearsal spends an output that doesn't exist, so it can never be sent.",
  safer:
    "The rehearsal is the safer test. Signing a real recovery early also works, but whoever gets hold of it can " +
    "end your stake once its delay is over.",
  start: "Try a rehearsal",
  repeat: "Repeat the rehearsal",
  confirm: "Sign the rehearsal in your wallet.",
  signed: "Your wallet can recover your stake without the operator.",
  refused: (wallet: string) =>
    `${wallet} didn't sign the recovery. Before you rely on it, keep your recovery kit and the wallet's seed ` +
    "phrase: another wallet with the same keys can recover.",
  declined: "You declined the rehearsal, or your wallet closed it with an error. You can try it again at any time.",
  wrong: (wallet: string) => `${wallet} returned the rehearsal without a valid signature.`,
  why: (words: string) => `The wallet says: ${words}`,
};

export const recovery = {
  sending: "Sending your recovery …",
  notSent: (why: string) => `Not sent: ${why}`,
  elsewhere: "Your node or any block explorer can send it. Sending the same transaction twice is safe.",
  send: "Send transaction",
};
