/** English texts about refunds of payment orders. */

export const refund = {
  title: "Refund",
  received: "You receive",
  amount: "You paid",
  cost: "Network fee",
  estimate: "estimated",
  address: "To",
  transaction: "Transaction",
  state: {
    due: "Sent next",
    waiting_rate: "Waiting for a lower network fee",
    waiting_confirmation: "Waiting for a block",
    over_limit: "Waiting for approval",
    waiting_person: "Waiting for the operator",
    sending: "Being sent",
    sent: "Sent",
    done: "Refunded",
  },
  due: "It is sent within a few minutes.",
  waitingRate: (most: string, now: string) =>
    `It is sent when the network's fee rate is ${most} sat/vB or lower. The rate is now ${now} sat/vB: the network ` +
    "fee would be more than what you receive.",
  waitingConfirmation: "It is sent once a block has confirmed your payment.",
  overLimit:
    "It is above the limit for refunds in 24 hours. It is sent when the limit allows it, or when the operator " +
    "approves it.",
  waitingPerson: "The operator will decide on this refund.",
  sending: "It is signed, but the network has not accepted it yet. It is sent again automatically.",
  sent: "It is final after 3 confirmations.",
  overpayment: (sats: string) =>
    `You paid ${sats} sats more than needed. After your runes are delivered, they are refunded to your payment ` +
    "address, less the network fee, if that leaves enough to send.",
  overpaymentTooSmall: (sats: string) =>
    `You paid ${sats} sats more than needed. That is too little to refund: the network fee would leave too little ` +
    "to send.",
  tooSmall: "What you paid is too little to refund: the network fee would leave too little to send.",
  detail: (state: string, cost: string, address: string) => `${state} · network fee ${cost} sats · to ${address}`,
  contact: "Questions? Contact the operator:",
};
