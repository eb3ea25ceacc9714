/** English words for payments on their way, for the proof that a wallet can sign, and for the rehearsal of a recovery. */

export const payment = {
  sent: (txid: string) => `Payment sent, waiting for the network: ${txid}`,
  looking: "Checking whether your payment was sent …",
  checking: "Checking …",
  unseen: "No payment has arrived. You can try again.",
  arrived: "Your wallet reported an error, but your payment was sent and has arrived.",
  unclear: (sats: string, date: string) =>
    `Your wallet was asked to pay ${sats} sats on ${date}, and we don't know if it did. Check your wallet's history before you pay again.`,
  away: (sats: string, date: string) =>
    `We couldn't reach the server to check whether your payment of ${sats} sats from ${date} was sent. Check your wallet's history before you pay again.`,
  fragile: "Your browser's storage is full, so this payment is forgotten when you close this page. Keep it open until the payment arrives.",
  giveUp: "My wallet shows nothing",
  lookAgain: "Check again",
  again: "Pay again",
  risk: "If the first payment arrives as well, you pay twice. What is above the price is returned only if it is enough to be sent, less the network fee.",
  againYes: "Pay again anyway",
  againNo: "Keep waiting",
  cancelRisk: "You sent a payment that hasn't arrived yet. If it arrives after you cancel, it is returned only if it is enough to be sent, less the network fee.",
};
