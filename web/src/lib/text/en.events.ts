/**
 * Events of the server's journal (ledger/stage.go, order/status.go) that a staker knows by another name than a
 * bookkeeper.
 */
export const events: Record<string, string> = {
  BECAME_ELIGIBLE: "Earning from now on",
  LOST_ELIGIBILITY: "Not earning yet",
  UNSTAKE: "Unstaked",
  COOLDOWN_OVER: "Unlocked",
  RESTAKE: "Staked again",
  COMPOUND: "Rewards staked",
  PROOF_ACCEPTED: "Order created",
  NOTHING_SEEN_BY_THE_DEADLINE: "Order expired",
  CANCELED_BY_ITS_OWNER: "Order canceled",
  CANCELED__REFUND_DUE: "Order canceled, refund due",
  WEEK_OVER: "Order expired",
  WEEK_OVER__REFUND_DUE: "Order expired, refund due",
  WEEK_OVER__TOO_LITTLE_RECEIVED_TO_REFUND: "Order expired",
  SEEN_IN_FULL_BUT_UNCONFIRMED_FOR_14_DAYS: "Payment never confirmed",
  PAYMENT_UNDONE_LATE: "Payment undone",
  EVERY_PAYMENT_VANISHED_LATE: "Every payment vanished",
  PAYOUT_SIGNED_AND_STORED: "Runes sent",
  PAYOUT_CONFIRMED: "Runes delivered",
  PAYOUT_UNCONFIRMED: "Delivery unconfirmed again",
  PAYOUT_UNDER_3_CONFIRMATIONS: "Delivery unconfirmed again",
  PAYOUT_DEAD: "Delivery failed, will be sent again",
  PAYOUT_DEAD_BY_ITS_OWN_INPUT: "Delivery failed",
  REFUND_UNDER_3_CONFIRMATIONS: "Refund unconfirmed again",
  REFUND_DEAD: "Refund failed, will be sent again",
  NOTHING_LEFT_TO_SWEEP: "Order completed",
};
