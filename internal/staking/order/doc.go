// Package order handles payment orders: the price of a claim or a withdrawal in sats, the payments of the price, and
// the order's status.
//
// # Economy delivery
//
// An order with economy delivery (ADR 66) names a fee rate and a limit of 1 to 28 days in its signed message. The rate
// is at least the server's minimum and below the normal rate when the message is issued. The price is the normal one at
// this rate, paid in the usual windows: 30 minutes to start, a week to complete. The rate never expires, so there is no
// rerate. A later increase of the service fee does not apply to it; a decrease does.
//
// A paid order stays PAID while the network's rate is above its own. At the limit its owner chooses:
//
//   - Wait (Service.Wait): the limit moves to 14 days from then.
//   - Pay the difference (Service.Raise), at any time while the order is PAID: a normal rate is set for 30 minutes. If
//     payments that arrive after it, in this time, raise the sum to the price at that rate, the order is a normal one
//     once they are confirmed. An earlier overpayment does not count. The cost of spending a stranger's small payment
//     is at most its value, so that it does not raise the difference.
//   - Cancel, as any order.
//
// Until a choice the order is still sent if the rate falls. Without one it expires 14 days after the limit: the rows
// PAID → EXPIRED and CONFIRMED → EXPIRED. It expires at the latest 84 days after its creation and RecoveryMargin
// blocks before the first of its units can be recovered. A request whose limit is estimated to be later than that is
// refused. A reorg to below the height of the end does not open the order again. The end does not wait for a difference
// that is not confirmed, which is refunded with the rest.
//
// Wait and Raise need no signature. A stranger's call can only lower a valid difference, and payments that were seen in
// time keep counting. A stranger can wait at most once in 14 days, which takes nothing that a cancel does not return.
//
// The owner of an order that is SENT or in AUDIT can't choose. If it becomes PAID again, because its payout is dead or
// an operator resumes it, a limit that passed moves to that moment. A pause moves the limit, but neither the 84 days,
// the height nor the 30 minutes. A wait or a difference that was set after a backup is lost with its restore.
package order
