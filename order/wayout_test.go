package order

import (
	"testing"

	"moonfund/state"
)

// hands says who can bring an event about: the owner, the operator, or time and the
// chain by themselves; "others" is what nobody here can count on.
var hands = map[Event]string{
	ProofAccepted: "owner", CanceledByOwner: "owner", Rerated: "owner", FirstPaymentSeen: "owner", PaidInFull: "owner",
	ResolvedByOperator: "operator", ClosedByOperator: "operator", DoubtedByOperator: "operator",
	RefundConfirmed: "operator",
	NothingSeen:     "time", FeesExpired: "time", WeekOver: "time", NeverConfirmed: "time",
	PayoutStored: "time", Swept: "time",
	PayoutConfirmed:  "operator", // who replaces a payout that is stuck
	PaymentsVanished: "others", PaymentsVanishedLate: "others", PaymentUndone: "others", PaymentUndoneLate: "others",
	UnitLost: "others", UnitLostAfterPaying: "others", PayoutDead: "others", PayoutDeadByOwner: "others",
	PayoutUnconfirmed: "others", RefundUnconfirmed: "others",
}

// Every status has a way out that its owner, the operator or time can go; and from
// every status in which the owner's units are locked and no payout is signed yet, one
// step of his own frees them.
func TestEveryStatusHasAWayOut(t *testing.T) {
	final := map[Status]bool{Canceled: true, Expired: true, Invalid: true, Delivered: true, Consolidated: true}
	leadsOut := map[Status]bool{}
	for s := range final {
		leadsOut[s] = true
	}
	for range Statuses.Rows {
		for _, row := range Statuses.Rows {
			if by, known := hands[row.Event]; !known {
				t.Fatalf("nobody said who brings %q about", row.Event)
			} else if by != "others" && leadsOut[row.To] {
				leadsOut[row.From] = true
			}
		}
	}
	for _, row := range Statuses.Rows {
		if !leadsOut[row.From] || !leadsOut[row.To] {
			t.Errorf("no way leads out of %s, or of %s", row.From, row.To)
		}
		if !row.From.Active() {
			continue
		}
		if to, err := Statuses.Next(row.From, CanceledByOwner, state.Always); err != nil || to != Canceled {
			t.Errorf("its owner can't cancel a %s order: %v", row.From, err)
		}
	}
	for event := range hands {
		found := false
		for _, row := range Statuses.Rows {
			found = found || row.Event == event
		}
		if !found {
			t.Errorf("%q is in no row", event)
		}
	}
}
