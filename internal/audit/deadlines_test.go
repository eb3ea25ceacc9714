package audit_test

import (
	"testing"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/audit"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

const (
	nothingSeen = `WHERE event = 'nothing seen by the deadline'`
	feesExpired = `WHERE event = 'fees expired'`
)

// orderRules has rules of time, amount and state of orders, each with a damage that breaks it, for a ledger with orders
// that are PENDING, CONFIRMED, PENDING_RERATE, PAID and EXPIRED, and a unit that was staked again.
var orderRules = []struct {
	rule string
	corruption
}{
	{"an unpaid order expires after 30 minutes", corruption{audit.Payments,
		`UPDATE journal SET at = at - 60 ` + nothingSeen}},
	{"a price expires after 30 minutes", corruption{audit.Payments, `UPDATE journal SET at = at - 60 ` + feesExpired}},
	{"so does an order whose payments vanished", corruption{audit.Payments,
		`UPDATE journal SET event = 'every payment vanished late', at = at - 60 ` + nothingSeen}},
	{"and one whose payment a reorg undid", corruption{audit.Payments,
		`UPDATE journal SET event = 'payment undone late', at = at - 60 ` + feesExpired}},
	{"an order is not paid in full for a week before it expires", corruption{audit.Payments,
		`UPDATE journal SET event = 'week over' ` + nothingSeen}},
	{"its payment is unconfirmed for 14 days before it expires", corruption{audit.Payments,
		`UPDATE journal SET event = 'unconfirmed for 14 days', at = at + 14 * 86400 - 3600 ` + nothingSeen}},
	{"it is not rerated after 28 days", corruption{audit.Payments,
		`UPDATE journal SET event = 'rerated', at = at + 28 * 86400 ` + nothingSeen}},
	{"it begins to be paid within 30 minutes", corruption{audit.Payments,
		`UPDATE payment_order SET deadline = deadline + 60 WHERE status = 'PENDING'`}},
	{"it is paid within a week of its rate", corruption{audit.Payments,
		`UPDATE payment_order SET deadline = deadline + 86400 WHERE status = 'CONFIRMED'`}},
	{"and not sooner", corruption{audit.Payments,
		`UPDATE payment_order SET deadline = deadline - 86400 WHERE status = 'PENDING_RERATE'`}},
	{"its price is paid while it is valid", corruption{audit.Payments,
		`UPDATE payment_order SET rate_at = rate_at - 3600 WHERE status = 'PAID'`}},
	{"also the price of an order whose difference was paid", corruption{audit.Payments,
		`UPDATE payment_order SET rate_at = rate_at - 3600, raised_rate = fee_rate WHERE status = 'PAID'`}},
	{"an input has the price of its size at the order's rate", corruption{audit.Payments,
		`UPDATE payment_order SET per_rutxo = per_rutxo + 1, rutxos_fee = rutxos_fee + real_units WHERE status = 'PENDING'`}},
	{"the network fee pays for the delivery at the order's rate", corruption{audit.Payments,
		`UPDATE payment_order SET network_fee = network_fee - 1 WHERE status = 'PENDING'`}},
	{"and for the inputs of its payments, and no more", corruption{audit.Payments,
		`UPDATE payment_order SET network_fee = network_fee + 1 WHERE status = 'PENDING'`}},
	{"each of which costs the same", corruption{audit.Payments,
		`UPDATE payment_order SET network_fee = network_fee - 1 WHERE status = 'CONFIRMED'`}},
	{"also the fee of a closed order", corruption{audit.Payments,
		`UPDATE payment_order SET network_fee = network_fee - 1 WHERE status = 'EXPIRED'`}},
	{"the rate is the one of the price", corruption{audit.Payments,
		`UPDATE payment_order SET fee_rate = fee_rate + 20 WHERE status = 'CONFIRMED'`}},
	{"the service fee is not negative", corruption{audit.Payments,
		`UPDATE payment_order SET service_fee = -1 WHERE status = 'EXPIRED'`}},
	{"the service fee is the community's, and not higher", corruption{audit.Payments,
		`UPDATE payment_order SET service_fee = service_fee + 1 WHERE status = 'EXPIRED'`}},
	{"nor lower than what its payments may lack", corruption{audit.Payments,
		`UPDATE payment_order SET service_fee = service_fee - 600 WHERE status = 'EXPIRED'`}},
	{"no community has such a fee", corruption{audit.Payments,
		`UPDATE payment_order SET service_fee = 1000001, listed_fee = 1000001 WHERE status = 'EXPIRED'`}},
	{"each output of a unit has the same price", corruption{audit.Payments,
		`UPDATE payment_order SET rutxos_fee = rutxos_fee - 1, network_fee = network_fee + 1 WHERE status = 'PENDING'`}},
	{"a message is valid for 30 minutes", corruption{audit.Proofs,
		`UPDATE action SET expires_at = expires_at + 60 WHERE type = 'RESTAKE'`}},
	{"a unit that is staked again earns from the epoch that its owner signed", corruption{audit.Proofs,
		`UPDATE unit SET not_before = not_before - 1 WHERE not_before > 1`}},
	{"and not later", corruption{audit.Proofs, `UPDATE unit SET not_before = not_before + 1 WHERE not_before > 1`}},
	{"an unstaked unit earns until the epoch that its owner signed", corruption{audit.Proofs,
		`UPDATE unit SET staked_to = staked_to - 1, unlock_epoch = unlock_epoch - 1 WHERE staked_to > 0`}},
}

func TestRulesOfOrders(t *testing.T) {
	w := newAudited(t)
	var units []string
	for range 5 {
		unit, _ := w.Deposit(w.Anna, 5000)
		units = append(units, unit)
	}
	again, _ := w.Deposit(w.Bert, 5000)
	w.settle(4)
	w.epoch()
	w.epoch()
	w.Act(w.Anna, action.Unstake, units...)
	w.Act(w.Bert, action.Unstake, again)
	w.epoch()
	w.epoch()
	w.settle(10)
	w.Act(w.Bert, action.Restake, again)
	ordered := func(unit string) order.Order { return *w.Act(w.Anna, action.Withdraw, unit).Order }
	expired, rerate := ordered(units[0]), ordered(units[1])
	w.Pay(w.Anna, rerate, rerate.Due()/2)
	w.step()
	w.Clock.Advance(order.FeeValid + 30*time.Second)
	w.step()
	pending, confirmed, paid := ordered(units[2]), ordered(units[3]), ordered(units[4])
	w.Update(func(tx *store.Tx) error {
		return tx.Pause(t.Context(), store.PausePayouts, "a test", w.Clock.Now())
	})
	w.Pay(w.Anna, confirmed, confirmed.Due()/2)
	w.Pay(w.Anna, paid, paid.Due())
	w.settle(1)
	w.WantStatus(expired.ID, order.Expired)
	w.WantStatus(rerate.ID, order.PendingRerate)
	w.WantStatus(pending.ID, order.Pending)
	w.WantStatus(confirmed.ID, order.Confirmed)
	w.WantStatus(paid.ID, order.Paid)
	whole := w.Checkpoint()
	for i, row := range orderRules {
		if !isTried(i) {
			continue
		}
		t.Run(row.rule, func(t *testing.T) {
			address := whole.Copy(t)
			damage(t, address, row.text)
			report, err := w.run(address, w.Node)
			testkit.Must(t, err)
			wantFound(t, report, row.invariant)
		})
	}
}

// An operator changes the service fee: the prices of open orders follow a lower one when the server evaluates them, and
// no higher one.
func TestChangedServiceFeeIsRight(t *testing.T) {
	w := newAudited(t)
	annas, berts := w.Unlocked(w.Anna, 50_000), w.Unlocked(w.Bert, 50_000)
	unpaid, o := w.Act(w.Anna, action.Withdraw, annas).Order, w.Act(w.Bert, action.Withdraw, berts).Order
	w.Pay(w.Bert, *o, o.Due()-1000)
	w.Step()
	for _, fee := range []amount.Sats{500, 3000} {
		w.SetServiceFee(fee)
		w.audit()
		w.Settle(1)
		w.audit()
		if fees := w.Order(unpaid.ID).Fees; fees.Listed != 500 || fees.Service != 500 {
			t.Errorf("with a service fee of %d the fees are %+v, want the lowest service fee, 500", fee, fees)
		}
	}
}
