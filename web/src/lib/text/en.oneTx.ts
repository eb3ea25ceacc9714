/** English texts about withdrawals in one transaction. */
export const oneTx = {
  // The choice before an order.
  choose: "How to deliver",
  option: "In one transaction",
  optionNote: "Your wallet signs the delivery, and its coins pay the fee. No payment first.",
  checking: "Checking the coins of your payment address…",
  impossible: (why: string) => `One transaction isn't possible now. ${why}`,
  rewards: (count: number, of: number) =>
    count === of
      ? "Rewards need a payment order. Select stakes to sign one transaction."
      : `${count} of these ${of} units ${count === 1 ? "is a reward and needs" : "are rewards and need"} a payment ` +
        "order. Select only stakes to sign one transaction.",
  order: "Payment order",
  orderNote: "You pay first, from any wallet. The payment has its own network fee.",
  coins: (count: number, change: string) =>
    `Spends ${count} ${count === 1 ? "coin" : "coins"} of your payment address. ${change} sats return to it.`,
  note: "This is an estimate. If the exact fee is higher, we show it and ask you before you sign.",
  unchecked:
    "Nobody checks these coins for inscriptions or rare sats, which would be lost. Use a payment order if your " +
    "payment address may hold any.",
  continue: "Continue to signing",
  // The order.
  title: "One transaction",
  what: "Your wallet signs one transaction: your runes come to you, and coins of your payment address pay the fee.",
  fee: "Network fee",
  size: (vbytes: string, rate: string) => `${vbytes} vB at ${rate} sat/vB`,
  sign: "Sign the transaction",
  again: "Sign again",
  preparing: "Preparing the transaction…",
  signing: "Sign the transaction in your wallet.",
  sending: "Sending the signed transaction…",
  accept: (sats: string) => `The network fee is ${sats} sats. Sign to accept it. Nothing is signed yet.`,
  payOrder: "Pay the order instead",
  signInstead: "Sign one transaction instead",
  signInsteadNote: "No payment first: your wallet signs the delivery, and its coins pay the fee.",
  declined: (wallet: string) => `${wallet} didn't sign, so nothing was sent.`,
  failed: (wallet: string, why: string) => `${wallet} couldn't sign: ${why} Nothing was sent.`,
  signed: "Signed. We add our signature and send the transaction.",
  signedName: "Signed",
  keep:
    "Don't spend the same coins elsewhere before this transaction confirms. If you do, your runes stay locked until " +
    "the other transaction has 6 confirmations. You can sign your next withdrawal once this one is delivered.",
  stuck: "Taking too long? Replace the transaction. Only one of them can confirm.",
  replace: "Sign again at a higher fee",
  replacementSigned: "You signed a replacement. We add our signature and send it.",
  replacementEnded: {
    ONE_TX_COIN_SPENT:
      "The replacement wasn't sent: one of its coins was spent elsewhere. Your transaction stays as it is.",
    ONE_TX_LATE: "The replacement wasn't sent: it wasn't signed in time. Your transaction stays as it is.",
    ONE_TX_FEE: "The replacement wasn't sent: its fee was too low. Your transaction stays as it is.",
    ONE_TX_MEMPOOL: "The replacement wasn't sent: fees have risen meanwhile. Your transaction stays as it is.",
  } as Readonly<Record<string, string>>,
  replacementEndedOther: "The replacement wasn't sent. Your transaction stays as it is.",
  paid: (sats: string) =>
    `You paid ${sats} sats for this order. They are returned after the delivery, less the network fee.`,
  spentElsewhere:
    "This order was canceled because a coin that should pay for it was spent in another transaction. Its runes are " +
    "available again.",
  ended: {
    ONE_TX_COIN_SPENT:
      "The last transaction wasn't sent: one of its coins was spent elsewhere. Sign again with other coins, or " +
      "pay the order.",
    ONE_TX_LATE: "The last transaction wasn't sent: it wasn't signed in time. Sign again, or pay the order.",
    ONE_TX_PAYMENT_GONE:
      "The delivery that you signed wasn't sent: a payment of this order was replaced or lost its confirmation. Pay " +
      "the order, then sign again.",
    ONE_TX_MEMPOOL:
      "The last transaction wasn't sent: fees have risen meanwhile. Sign again at the present fee rate, or pay the " +
      "order.",
    ONE_TX_REFUSED:
      "The server's signer refused the last transaction, so it wasn't sent. Sign again, or pay the order.",
  } as Readonly<Record<string, string>>,
  endedOther: "The last transaction wasn't sent. Sign again, or pay the order.",
  // The selection.
  apart: "Rewards and stakes in self-custody need two orders. Withdraw one kind, then the other.",
  onlyStakes: "Select only stakes",
  onlyRewards: "Select only rewards",
  tooManySelf: (max: number) => `One order with stakes in self-custody can include at most ${max} units.`,
  // The delivery of a paid order.
  signDelivery: "Sign the delivery",
  paidInFull:
    "Paid in full. Once your payment confirms, sign the delivery on this page. Your runes arrive 3 confirmations " +
    "later.",
  signLater: "Once your payment confirms, you sign the delivery on this page.",
  delivery: "Your payment is confirmed. Sign the transaction that sends your runes to you.",
  returns: (sats: string) => `${sats} sats of your payment return to your payment address.`,
  signBy: (date: string) =>
    `Sign by ${date}. Otherwise this order expires: its runes are available again, and your payment is returned, ` +
    "less the network fee.",
  toSign: (amount: string, token: string, date: string) =>
    `The delivery of ${amount} ${token} is paid and needs your signature by ${date}.`,
  voided: {
    ONE_TX_PAYMENT_GONE:
      "Your last signature is void: a payment of this order was replaced or lost its confirmation. Sign again.",
    ONE_TX_PAYMENT_ADDED: "Your last signature is void: a payment of this order arrived. Sign again.",
    ONE_TX_ORDER: "Your last signature is void: the operator reviewed this order before it was sent. Sign again.",
    ONE_TX_LATE: "Your last signature is void: the delivery couldn't be sent in time. Sign again.",
    ONE_TX_REFUSED: "The server's signer refused the delivery that you signed, so it wasn't sent. Sign again.",
  } as Readonly<Record<string, string>>,
  voidedOther: "The delivery that you signed wasn't sent. Sign again.",
  unsigned: "This order expired before its delivery was signed. Its runes are available again.",
  // The transaction to sign.
  otherTransaction: "The server's transaction can't be checked. Nothing was signed.",
  otherUnits: "The server's transaction doesn't spend the units of this order. Nothing was signed.",
  otherRunes: "The server's transaction doesn't send all runes of this order to you. Nothing was signed.",
  otherOutputs: "The server's transaction doesn't pay your own addresses only. Nothing was signed.",
  otherInputs: "The server's transaction doesn't name the inputs to sign correctly. Nothing was signed.",
  otherLeaf: "The server's transaction spends your stakes in another way than it should. Nothing was signed.",
  otherSighash: "The server's transaction asks for a signature that doesn't cover all of it. Nothing was signed.",
  otherFee: (sats: string) => `The server's transaction doesn't have the fee of ${sats} sats. Nothing was signed.`,
};
