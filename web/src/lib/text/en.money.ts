/** English words for what things cost, what they bring and when: payment orders. */

export const order = {
  costs: (sats: string) => `What it costs: ${sats} sats`,
  paidOf: (paid: string, total: string) => `${paid} of ${total} sats paid`,
  overdue:
    "The payment deadline has passed. Please don't send anything to this order now. If you have already paid, your " +
    "payment appears here within a minute.",
  cancelAskCovered:
    "You have paid this order in full. Your runes are sent as soon as a block confirms your payment. If you cancel " +
    "now, they are not sent: what you paid is returned to your payment address, less the network fee.",
};
