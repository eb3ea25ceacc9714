const days = (count: number): string => `${count} ${count === 1 ? "day" : "days"}`;

/** English texts about economy delivery. */
export const economy = {
  // The choice before an order.
  choose: "When to deliver",
  now: "Now",
  nowNote: "Sent as soon as your payment confirms.",
  economy: "Economy",
  economyNote: "Sent when the network's fees fall.",
  cheapest: {
    order: "Cheapest without waiting: one transaction would have to spend more coins.",
    oneTx: "Cheapest without waiting: one network fee, and no service fee.",
    economy: "Cheapest if you can wait: sent when the network's fees fall.",
  },
  saves: (sats: string) => `saves ${sats} sats`,
  rate: "Your fee rate, in sat/vB",
  range: (least: string, most: string, network: string) =>
    `From ${least} to ${most}. The network's rate is ${network} now.`,
  unreadable: (example: string) => `Enter the rate as a number with at most 3 decimals, like ${example}.`,
  tooLow: (least: string) => `The rate is too low. Enter at least ${least} sat/vB.`,
  tooHigh: (most: string, network: string) =>
    `Enter at most ${most} sat/vB. The network's rate is ${network} now, so a higher one saves nothing.`,
  limit: "Wait for at most",
  days,
  daysNear: (count: number) =>
    `${days(count)} at most: you can recover one of these units yourself soon, and the order must end before that.`,
  payNow: "You pay now. Your runes are sent when the network's fee rate is at or below yours.",
  idle: "Until then, they are locked and earn no rewards. You can cancel until they are sent.",
  mayNot: (date: string) =>
    `If your runes aren't sent by ${date}, you choose: wait up to 14 more days, pay the difference to the normal ` +
    "price, or cancel.",
  noChoice:
    "If nobody chooses, the order ends 14 days later at the latest, and your payment is returned less the network " +
    "fee. Waiting needs no signature, so anyone can choose it for you, until the order is 84 days old. To end the " +
    "order, cancel it.",
  mayNotNear: (date: string) =>
    `If your runes aren't sent by ${date}, you choose: wait longer, pay the difference to the normal price, or cancel.`,
  endsNear: (count: number) =>
    `If your runes aren't sent within about ${days(count)}, the order ends, and your payment is returned less the ` +
    "network fee.",
  priceNote: "This is an estimate. The order's price is then fixed. Start paying within 30 minutes.",
  gone: "The network's rate is at its minimum now, so waiting saves nothing.",
  nearRecovery: "You can recover one of these units yourself soon, so this order can't wait for lower fees.",
  chooseOther: "Choose another delivery.",
  // The message to sign.
  unwanted: "The server's message asks for economy delivery, which you didn't choose. Nothing was signed.",
  otherRate: (rate: string) => `The server's message doesn't have your rate of ${rate} sat/vB. Nothing was signed.`,
  otherLimit: (date: string) => `The server's message doesn't have your limit of ${date}. Nothing was signed.`,
  // The order.
  waitsFor: (rate: string) => `Waits for ${rate} sat/vB`,
  limitReached: "Time limit reached: choose what to do",
  title: "Economy delivery",
  own: "Your rate",
  network: "Network's rate now",
  until: "Waits until",
  sentAt: (rate: string) => `at ${rate} sat/vB`,
  unpaid: "After your payment, your runes are sent when the network's fee rate is at or below yours.",
  covered:
    "Paid in full. Once a block confirms the payment, your runes are sent when the network's fee rate is at or below " +
    "yours.",
  waiting: "Paid. Your runes are sent when the network's fee rate is at or below yours.",
  soon: "The network's fee rate is low enough. Your runes go out with the next delivery.",
  before: (until: string, ends: string) =>
    `If your runes aren't sent by ${until}, you choose: wait longer, pay the difference, or cancel. Without a ` +
    `choice, this order ends on ${ends}, and your payment is returned less the network fee.`,
  beforeEnd: (ends: string) =>
    `If your runes aren't sent by ${ends}, this order ends, and your payment is returned less the network fee.`,
  reached: (ends: string) =>
    "The time limit has passed. Choose what happens next; your runes are still sent if the rate falls. Without a " +
    `choice, this order ends on ${ends}, and your payment is returned less the network fee. Waiting needs no ` +
    "signature, so anyone can choose it for you. To end this order, cancel it.",
  wait: (date: string) => `Wait until ${date}`,
  pay: (sats: string) => `Pay the difference, about ${sats} sats`,
  payNote: "Don't want to wait? Pay the difference to the normal price, and your runes are sent once it confirms.",
  difference: (total: string, rate: string) =>
    `The normal price is ${total} sats at ${rate} sat/vB. Pay the difference, and your runes are sent once it ` +
    "confirms. If you don't, the order keeps waiting.",
  differenceSeen: "We received the difference. Your runes are sent once a block confirms it.",
  payAgain: "Not your payment, or is it taking too long?",
  payAgainNote:
    "You can pay the difference again. Your runes are sent once one of the payments confirms. If several confirm, " +
    "the overpayment is returned less the network fee.",
  ended: (rate: string) =>
    `This order ended because the network's fee rate didn't fall to ${rate} sat/vB in time. Its runes are available ` +
    "again.",
};
