package order

import (
	"testing"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
)

var created = time.Date(2026, 11, 4, 12, 0, 0, 0, time.UTC)

const total = 3000 // sats, of every order below

// at returns an order in a status with the given sums.
func at(s Status, seen, confirmed, late amount.Sats) Order {
	o := Order{
		Status: s, Created: created, RateDate: created, Deadline: created.Add(FeeValid), FeeRate: amount.SatPerVB(2),
		Fees: Fees{Dust: 546, Network: 454, Service: 2000}, Seen: seen, Usable: seen, Confirmed: confirmed, Late: late,
	}
	if s == Confirmed || s == PendingRerate || s == Paid {
		o.Deadline = created.Add(PaymentWindow)
	}
	return o
}

const (
	inTimes  = 29 * time.Minute
	exactly  = FeeValid
	feesLate = FeeValid + time.Second
	weekLate = PaymentWindow + time.Second
	twoWeeks = Unconfirmed + time.Second
)

func TestDecide(t *testing.T) {
	for _, row := range []struct {
		name  string
		order Order
		after time.Duration // since the rate date
		facts facts
		want  Event
	}{
		{"nothing yet", at(Pending, 0, 0, 0), inTimes, facts{atTip: true}, ""},
		{"nothing at the deadline itself", at(Pending, 0, 0, 0), exactly, facts{atTip: true}, ""},
		{"nothing by the deadline", at(Pending, 0, 0, 0), feesLate, facts{atTip: true}, NothingSeen},
		{"the deadline passes only at the tip", at(Pending, 0, 0, 0), feesLate, facts{}, ""},
		{"payment beats expiry", at(Pending, 700, 0, 0), feesLate, facts{atTip: true}, FirstPaymentSeen},
		{"a first payment", at(Pending, 700, 0, 0), inTimes, facts{}, FirstPaymentSeen},
		{"a late payment does not save it", at(Pending, 0, 0, 5000), feesLate, facts{atTip: true}, NothingSeen},

		{"part paid, in time", at(Confirmed, 700, 700, 0), inTimes, facts{atTip: true}, ""},
		{"part paid, fees over", at(Confirmed, 700, 700, 0), feesLate, facts{atTip: true}, FeesExpired},
		{"part paid, fees over, not at the tip", at(Confirmed, 700, 700, 0), feesLate, facts{}, ""},
		{"seen in full, unconfirmed", at(Confirmed, total, 700, 0), inTimes, facts{atTip: true}, ""},
		{"seen in full in time keeps its rate", at(Confirmed, total, 0, 0), feesLate,
			facts{atTip: true, coverage: coverage{inTime: true}}, ""},
		{"seen in full too late", at(Confirmed, total, 700, 0), feesLate, facts{atTip: true}, FeesExpired},
		{"confirmed in full", at(Confirmed, total, total, 0), inTimes, facts{}, PaidInFull},
		{"confirmed in full, long after", at(Confirmed, total, total, 0), weekLate,
			facts{atTip: true, coverage: coverage{inTime: true}}, PaidInFull},
		{"confirmed in full, but too late", at(Confirmed, total, total, 0), feesLate, facts{atTip: true}, FeesExpired},
		{"overpaid", at(Confirmed, 2*total, 2*total, 0), inTimes, facts{atTip: true}, PaidInFull},
		{"one sat short", at(Confirmed, total-1, total-1, 0), inTimes, facts{atTip: true}, ""},
		{"every payment vanished, in time", at(Confirmed, 0, 0, 0), inTimes, facts{atTip: true}, PaymentsVanished},
		{"every payment vanished, too late", at(Confirmed, 0, 0, 0), feesLate, facts{atTip: true}, PaymentsVanishedLate},
		{"every payment vanished under a new rate", at(PendingRerate, 0, 0, 0), inTimes, facts{atTip: true},
			PaymentsVanishedLate},

		{"the week ends, part paid", at(Confirmed, 2500, 2500, 0), weekLate, facts{atTip: true}, PaymentWindowEnded},
		{"the week ends, next to nothing paid", at(Confirmed, 600, 600, 0), weekLate, facts{atTip: true}, PaymentWindowEnded},
		{"the week ends waiting for a rate", at(PendingRerate, 2500, 2500, 0), weekLate, facts{atTip: true},
			PaymentWindowEnded},
		{"the week ends waiting, next to nothing", at(PendingRerate, 600, 0, 0), weekLate, facts{atTip: true},
			PaymentWindowEnded},
		{"a week's end comes before the fees'", at(Confirmed, 2500, 0, 0), weekLate, facts{atTip: true}, PaymentWindowEnded},
		{"seen in full at the week's end", at(Confirmed, total, 0, 0), weekLate,
			facts{atTip: true, coverage: coverage{inTime: true}}, ""},
		{"never confirmed", at(Confirmed, total, 0, 0), twoWeeks, facts{atTip: true, coverage: coverage{inTime: true}},
			NeverConfirmed},
		{"payments under a new rate only add up", at(PendingRerate, total, total, 0), inTimes, facts{atTip: true}, ""},

		{"paid", at(Paid, total, total, 0), twoWeeks, facts{atTip: true}, ""},
		{"paid, then reorged, still seen", at(Paid, total, 0, 0), feesLate, facts{}, PaymentUndone},
		{"paid, then reorged, part is lost in time", at(Paid, 700, 700, 0), inTimes, facts{}, PaymentUndone},
		{"paid, then reorged, part is lost", at(Paid, 700, 700, 0), feesLate, facts{}, PaymentUndoneLate},

		{"a unit lost, nothing paid", at(Pending, 0, 0, 0), inTimes, facts{unitLost: true}, UnitLost},
		{"a unit lost, late money there", at(Pending, 0, 0, 700), inTimes, facts{unitLost: true}, UnitLostAfterPaying},
		{"a unit lost after paying", at(Confirmed, 700, 0, 0), inTimes, facts{unitLost: true}, UnitLostAfterPaying},
		{"a unit lost after its payments vanished", at(Confirmed, 0, 0, 0), inTimes, facts{unitLost: true}, UnitLost},
		{"a unit lost under a new rate", at(PendingRerate, 700, 0, 0), feesLate, facts{unitLost: true}, UnitLostAfterPaying},
		{"a unit lost under a new rate, nothing left", at(PendingRerate, 0, 0, 0), feesLate, facts{unitLost: true}, UnitLost},
		{"a unit lost when paid", at(Paid, total, total, 0), inTimes, facts{unitLost: true}, UnitLostAfterPaying},
		{"a unit lost when paid and undone", at(Paid, 0, 0, 0), inTimes, facts{unitLost: true}, UnitLost},
		{"a unit lost when sent: its payout decides", at(Sent, total, total, 0), inTimes, facts{unitLost: true}, ""},

		{"canceled, then paid", at(Canceled, 0, 0, 700), inTimes, facts{}, ""},
		{"expired, then paid", at(Expired, 0, 0, 700), weekLate, facts{}, ""},
		{"invalid, then paid", at(Invalid, 0, 0, 700), inTimes, facts{}, ""},
		{"expired with too little", at(Expired, 600, 600, 0), twoWeeks, facts{atTip: true}, ""},
		{"sent", at(Sent, total, 0, 0), twoWeeks, facts{atTip: true}, ""},
		{"delivered, and paid again", at(Delivered, 2*total, 2*total, 0), twoWeeks, facts{atTip: true}, ""},
		{"in audit", at(Audit, total, total, 700), twoWeeks, facts{atTip: true}, ""},
	} {
		row.facts.now = created.Add(row.after)
		row.facts.covered, row.facts.paid = row.order.Seen >= total, row.order.Confirmed >= total
		got := decide(row.order, row.facts)
		if got != row.want {
			t.Errorf("%s: got %q, want %q", row.name, got, row.want)
		}
		if got == "" {
			continue
		}
		if _, err := Statuses.Next(row.order.Status, got, state.Always); err != nil {
			t.Errorf("%s: %v", row.name, err)
		}
	}
}

// Each event that decide returns is in the table, and the sequence of events ends, whatever payments the order has.
func TestDecideIsTotal(t *testing.T) {
	sums := []amount.Sats{0, 600, 2500, total - 1, total, 2 * total}
	for _, status := range []Status{Pending, Confirmed, PendingRerate, Paid, Sent, Delivered, Consolidated, Canceled,
		Expired, Invalid, Audit} {
		for _, seen := range sums {
			for _, confirmed := range sums {
				for _, late := range []amount.Sats{0, 700} {
					for _, after := range []time.Duration{0, exactly, feesLate, weekLate, twoWeeks} {
						for mask := range 8 {
							if confirmed > seen {
								continue
							}
							f := facts{atTip: mask&1 > 0, unitLost: mask&2 > 0, now: created.Add(after)}
							f.coverage = coverage{covered: seen >= total, inTime: mask&4 > 0, paid: confirmed >= total}
							o := at(status, seen, confirmed, late)
							for steps := 0; ; steps++ {
								event := decide(o, f)
								if event == "" {
									break
								}
								next, err := Statuses.Next(o.Status, event, state.Always)
								if err != nil || steps > len(Statuses.Rows) {
									t.Fatalf("%s, after %d steps: %v (%s, %d/%d/%d, %+v)", o.Status, steps, err, status, seen, confirmed,
										late, f)
								}
								o.Status = next
								if change := deadlineAfter(event, o); change != nil {
									change(&o)
								}
							}
						}
					}
				}
			}
		}
	}
}

// Every row of the status table can be reached from the start, and every status leads to an end or to an operator's
// decision.
func TestStatusTable(t *testing.T) {
	reached := map[Status]bool{nowhere: true}
	seen := map[[2]string]bool{}
	for range Statuses.Rows {
		for _, row := range Statuses.Rows {
			if reached[row.From] {
				reached[row.To] = true
			}
		}
	}
	for _, row := range Statuses.Rows {
		if !reached[row.From] {
			t.Errorf("no row leads to %s", row.From)
		}
		key := [2]string{string(row.From), string(row.Event)}
		if seen[key] {
			t.Errorf("two rows for a %s order on %q", row.From, row.Event)
		}
		seen[key] = true
	}
	if _, err := Statuses.Next(Delivered, PaidInFull, state.Always); err == nil {
		t.Error("Next accepted a row that is not in the table")
	}
	for _, s := range []Status{Canceled, Expired, Invalid, Audit} {
		if !s.Closed() || s.Active() {
			t.Errorf("%s: want closed and not active", s)
		}
	}
	for _, s := range []Status{Pending, Confirmed, PendingRerate, Paid} {
		if s.Closed() || !s.Active() {
			t.Errorf("%s: want active and not closed", s)
		}
	}
	for _, s := range []Status{Sent, Delivered, Consolidated} {
		if s.Closed() || s.Active() {
			t.Errorf("%s: want neither active nor closed", s)
		}
	}
}

// locked returns the stages that an order's status implies for its units.
func locked(s Status, reason ledger.Reason) []ledger.Stage {
	claim := reason == ledger.ForClaim
	switch s {
	case Pending:
		if claim {
			return []ledger.Stage{ledger.POClaimed}
		}
		return []ledger.Stage{ledger.POLocked}
	case Confirmed, PendingRerate:
		if claim {
			return []ledger.Stage{ledger.POClaimed}
		}
		return []ledger.Stage{ledger.PendingWithdraw}
	case Paid, Sent:
		return []ledger.Stage{ledger.BatchLocked}
	case Delivered, Consolidated:
		return []ledger.Stage{ledger.Withdrawn}
	case Canceled, Expired, Invalid, Audit:
		if claim {
			return []ledger.Stage{ledger.Claimable}
		}
		return []ledger.Stage{ledger.Unlocked}
	}
	return nil
}

// The two tables agree: each move of an order moves its units to the stage that the new status implies.
func TestUnitsFollowTheirOrder(t *testing.T) {
	for _, row := range Statuses.Rows {
		if row.From == nowhere {
			continue
		}
		for _, reason := range []ledger.Reason{ledger.ForClaim, ledger.ForWithdraw} {
			for _, stage := range locked(row.From, reason) {
				to := stage
				if event := unitEvent(row.From, row.To, reason); event != "" {
					var err error
					if to, err = ledger.Stages.Next(stage, event, reason); err != nil {
						t.Errorf("%s → %s (%s): %v", row.From, row.To, reason, err)
						continue
					}
				}
				if want := locked(row.To, reason); to != want[0] {
					t.Errorf("%s → %s (%s): got units in %s, want %s", row.From, row.To, reason, to, want[0])
				}
			}
		}
	}
}

func TestDueAndOverpayment(t *testing.T) {
	for _, row := range []struct {
		seen, due, overpayment amount.Sats
	}{
		{0, total, 0}, {700, total - 700, 0}, {total - 700, 700, 0}, {total - 1, 546, 0}, {total, 0, 0}, {total + 5, 0, 5},
	} {
		o := at(Confirmed, row.seen, 0, 0)
		if o.Due() != row.due || o.Overpayment() != row.overpayment {
			t.Errorf("seen %d: due %d, overpayment %d; want %d, %d", row.seen, o.Due(), o.Overpayment(), row.due,
				row.overpayment)
		}
	}
	for status, due := range map[Status]amount.Sats{
		Pending: 700, Confirmed: 700, PendingRerate: 700, Sent: 0, Delivered: 0, Consolidated: 0, Canceled: 0, Expired: 0,
		Invalid: 0, Audit: 0,
	} {
		o := at(status, total-700, 0, 0)
		if o.FeeRate = amount.SatPerVB(20); o.Due() != due || due > 0 && o.Balance()+due != total {
			t.Errorf("%s: %d sats are due and %d paid, want %d due of %d", status, o.Due(), o.Balance(), due, total)
		}
	}
}
