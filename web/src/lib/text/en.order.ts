/** English texts about payment orders. */

export const order = {
  title: "Payment order",
  requesting: "Requesting payment information.",
  notFound: "This order doesn't belong to the connected wallet.",
  progress: "Paid so far",
  delivers: (amount: string, token: string) => `Delivers ${amount} ${token}`,
  delivered: (amount: string, token: string) => `Delivered ${amount} ${token}`,
  id: "Order",
  due: "Still due",
  amountDue: "Amount due",
  address: "Payment address",
  stillDue: (sats: string) => `${sats} sats are still due.`,
  inParts: "Each extra payment adds to the network fee, so it's cheaper to pay everything at once.",
  partlyPaid: "Partly paid",
  covered: "Paid, in progress",
  copyAddress: "Copy payment address",
  copyAmount: "Copy amount in BTC",
  qr: (amount: string) => `QR code to pay ${amount} BTC`,
  qrLabel: (community: string) => `${community} payment order`,
  qrMessage: (id: string) => `Order ${id}`,
  payByHand: (wallet: string) =>
    `${wallet} can't pay from this page. Scan the code, or copy the address and amount and pay in your wallet.`,
  payWallet: "Pay with Wallet",
  paying: "Confirm the payment in your wallet.",
  paidWallet: "Transaction paid via wallet.",
  openApp: "Open in a wallet app",
  rerate: "Rerate order",
  expiredFees: "Please note this request's fees have expired. Please rerate to continue with payment",
  expiredPrice: "Expired price",
  expiredFeesNote: "You see the current price before you pay.",
  cancel: "Cancel",
  cancelNote: "Ends this order and makes its runes available again.",
  cancelAsk:
    "Cancel this order? Its runes become available again. If what you have paid is enough to cover the network " +
    "fee, it is returned to your payment address.",
  cancelAskPaid:
    "Cancel this paid order? Its runes will not be sent and become available again. Your payment is returned to " +
    "your payment address, less the network fee.",
  cancelAskUnpaid: "Cancel this order? Its runes become available again.",
  cancelYes: "Yes, cancel it",
  cancelNo: "Keep the order",
  continue: "Continue to payment",
  complete: "Payment complete. Your runes arrive after 3 block confirmations.",
  completeUnconfirmed:
    "Paid in full. Your runes are sent as soon as the payment confirms, and arrive after 3 more confirmations.",
  deadline: (date: string) => `Pay by ${date}`,
  feeUntil: (left: string) => `This price is valid for ${left}`,
  feeOver: "This price is no longer guaranteed",
  warnFive: "Less than 5 minutes left to pay.",
  warnOne: "Less than 1 minute left to pay.",
  history: "Payment history",
  searchTx: "Search by transaction ID",
  noPayments: "No payment received yet.",
  confirmed: "Confirmed",
  unconfirmed: "Unconfirmed",
  payout: "Delivery transaction",
  refused: (since: string) =>
    `Your delivery is signed, but the network hasn't accepted it yet (since ${since}). We keep trying, and the ` +
    "operator has been notified. You don't need to do anything; your runes are safe.",
  timeline: "Order timeline",
  created: "Created",
  status: {
    PENDING: "Pending",
    CANCELED: "Canceled",
    EXPIRED: "Order Expired",
    PAID: "Paid",
    SENT: "Sent",
    DELIVERED: "Delivered",
    CONFIRMED: "Confirmed",
    PENDING_RERATE: "Rerate needed",
    INVALID: "Invalid",
    AUDIT: "In review",
    CONSOLIDATED: "Delivered",
  },
  /** The state of a closed order. */
  state: {
    PENDING: "Waiting for your payment.",
    CONFIRMED: "We received your first payment. Pay the rest within a week.",
    PENDING_RERATE: "The network fees in this order are out of date. Rerate it to continue.",
    PAID: "Paid. Your runes go out with the next delivery and arrive after 3 confirmations.",
    SENT: "Sent. Your runes arrive after 3 confirmations.",
    DELIVERED: "Delivered. Your runes are in your wallet.",
    CONSOLIDATED: "Delivered. Your runes are in your wallet.",
    CANCELED: "This order was canceled. Its runes are available again.",
    EXPIRED: "This order expired because no payment arrived in time. Its runes are available again.",
    INVALID: "This order can't be completed because some of its runes are no longer on the blockchain.",
    AUDIT: "The operator is reviewing this order. Your payment is safe, and its runes are available again.",
  },
  /** The state of a closed order that received payments. */
  statePaid: {
    EXPIRED: "This order expired because it wasn't paid in full in time. Its runes are available again.",
  },
  costs: (sats: string) => `What it costs: ${sats} sats`,
  paidOf: (paid: string, total: string, sats: string) => `${paid} sats out of ${total} BTC (${sats} sats)`,
  overdue:
    "The payment deadline has passed. Please don't send anything to this order now. If you have already paid, your " +
    "payment appears here within a minute.",
  cancelAskCovered:
    "You have paid this order in full. If you cancel now, its runes are not sent: what you paid is returned to your " +
    "payment address, less the network fee.",
  cancelLoses: (lost: string, returned: string) =>
    `You lose about ${lost} sats to the network fee. About ${returned} sats are returned.`,
  cancelLosesAll: (lost: string) =>
    `You lose the ${lost} sats that you paid: the network fee leaves too little to return.`,
  uncounted: (sats: string, rate: string) =>
    `You paid ${sats} sats, which don't count: at ${rate} sat/vB, spending a payment this small costs about what it ` +
    "is worth. The amount below is still due.",
  uncountedLost: "A payment this small isn't returned either, because the network fee would use it up.",
  uncountedKept: "If the order ends, it is returned less the network fee.",
};
