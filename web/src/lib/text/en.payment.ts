/** English texts about payments on their way, the proof that a wallet can sign, and the rehearsal of a recovery. */

export const payment = {
  sent: (txid: string) => `Payment sent. Waiting for it to appear on the network: ${txid}`,
  searching: "Checking whether your payment was sent…",
  checking: "Checking…",
  notFound: "No payment has arrived. You can try again.",
  arrived: "Your wallet reported an error, but your payment was sent and has arrived.",
  unclear: (sats: string, date: string) =>
    `Your wallet was asked to pay ${sats} sats on ${date}, but we don't know whether it did. Check your wallet's ` +
    "history before you pay again.",
  unreachable: (sats: string, date: string) =>
    `We can't reach the server to check whether your payment of ${sats} sats from ${date} was sent. Check your ` +
    "wallet's history before you pay again.",
  unsaved:
    "Your browser's storage is full. Keep this page open until the payment arrives, or it won't remember the " +
    "payment.",
  giveUp: "I see nothing in my wallet",
  checkAgain: "Check again",
  again: "Pay again",
  risk:
    "If the first payment also arrives, you pay twice. The overpayment is returned less the network fee, if it is " +
    "enough to cover that fee.",
  riskOrder:
    "If the earlier payment also arrives, it pays for its own order. You get both, or a refund if one can't be " +
    "completed.",
  againYes: "Pay again anyway",
  againNo: "Keep waiting",
  cancelRisk:
    "You sent a payment that hasn't arrived yet. If it arrives after you cancel, it is returned less the network " +
    "fee, if it is enough to cover that fee.",
};

export const proof = {
  title: "First, check that your wallet can sign",
  why:
    "To unstake, claim or withdraw later, your wallet has to sign a message. Sign a test message now to make sure " +
    "it can. It is free and sends nothing.",
  confirm: "Sign the test message in your wallet.",
  confirmTransaction: "Sign the test transaction in your wallet. It moves 0 sats and can never be sent.",
  start: "Sign a test message",
  byTransaction: "Sign a test transaction instead",
  offer:
    "Some wallets can sign transactions but not messages. A test transaction proves the same thing, is free, and " +
    "can never be sent.",
  stop: "Not now",
  form: "What to sign",
  forms: {
    message: "Sign a message",
    transaction: "Sign a transaction of 0 sats that can never be sent (if messages don't work)",
  },
  declined: (wallet: string) => `${wallet} didn't sign. Nothing was sent.`,
  failed: (wallet: string, why: string) => `${wallet} couldn't sign: ${why}`,
  wrong: (wallet: string, address: string) =>
    `The signature from ${wallet} doesn't match your address ${address}. Nothing was sent. Check which account is ` +
    "selected in the wallet.",
  switched: "You switched to another account in your wallet. Nothing was sent.",
  cannot: (wallet: string) =>
    `${wallet} signed neither a message nor a transaction, so you couldn't unstake or claim with it. Connect ` +
    "another wallet that holds the same keys.",
  /** Shown by the wallet. It must not look like one of the server's messages, whose signature has an effect. */
  message: (site: string, address: string, nonce: string) =>
    `Test signature for ${site}\n\nThis shows that my wallet can sign. It sends nothing and costs ` +
    `nothing.\n\nAddress: ${address}\nNumber: ${nonce}`,
};

export const stake = {
  ambiguous: (large: string, small: string, plain: string) =>
    `We can't tell if this means ${large} or ${small}. Enter it as ${plain}.`,
  either: (one: string, other: string) => `${one} or ${other}`,
  unreadable: (example: string) => `Enter the amount as a number, like ${example}.`,
  searching: "Checking whether your transfer was sent…",
  unclear:
    "Your wallet was asked to send this stake, but we don't know whether it did. Check your wallet's history " +
    "before you send it again.",
  unreachable:
    "We can't reach the server to check whether your stake was sent. Check your wallet's history before you send " +
    "it again.",
  notFound: "No transfer has arrived. You can try again.",
  again: "Send again",
  risk: "If the first transfer also arrives, you stake the amount twice.",
  againYes: "Send again anyway",
  onTheWay: (amount: string, token: string, txid: string) =>
    `Also on the way: ${amount} ${token} in transaction ${txid}`,
  unsaved:
    "Your browser's storage is full. Keep this page open until the transfer arrives, or it won't remember the " +
    "transfer.",
  spendable: (amount: string) => `${amount} available to send`,
  reading: "Reading your balance…",
  offShares: "“Half” and “Max” need your balance.",
  tooMuch: (amount: string, token: string) => `Your wallet can send at most ${amount} ${token}.`,
  custody:
    "Nothing moves your stake without your signature. That costs nothing when you stake, and about 50 vB more per " +
    "stake when you withdraw: 500 sats at 10 sat/vB.",
  selfCustody: "only you and the operator together can move it, and you alone after the recovery delay.",
  operatorCustody: "the operator can move this stake at any time.",
  otherCustody: "The server's address is for another kind of custody than you chose. Nothing was sent.",
  otherDelay: "The server's stake address has another recovery delay than this community. Nothing was sent.",
  otherAddress: "The server's stake address could be moved without your signature. Nothing was sent.",
};

export const rehearsal = {
  title: "Before your first stake: a rehearsal",
  what:
    "Your wallet has to sign when you withdraw together with the operator, and when you recover a stake alone. It " +
    "now signs a rehearsal of both, to make sure that it can. The rehearsal spends outputs that don't exist, so it " +
    "can never be sent.",
  confirm: "Sign the rehearsal in your wallet.",
  refused: (wallet: string) => `${wallet} can't sign what this stake needs, so nothing was sent.`,
  wallets: "Xverse and Unisat can sign it. You can connect one of them with the same seed phrase.",
  declined: "You declined the rehearsal, or your wallet closed it with an error. Nothing was sent.",
  wrong: (wallet: string) => `${wallet} returned the rehearsal without valid signatures.`,
  why: (words: string) => `Message from the wallet: ${words}`,
  anyway: "You can also stake in operator custody. The operator can move this stake at any time.",
  stakeAnyway: "Stake in operator custody",
};

export const recovery = {
  sending: "Sending your recovery…",
  notSent: (why: string) => `Not sent: ${why}`,
  elsewhere:
    "You can send it with your own node or any block explorer. Sending the same transaction twice does no harm.",
  send: "Send transaction",
};
