package order

import (
	"testing"

	"moonfund/internal/state"
)

// causes has the cause of each event: "owner", "operator", or "time" for time and the chain; "others" for events that
// none of these can cause.
var causes = map[Event]string{
	ProofAccepted: "owner", CanceledByOwner: "owner", Rerated: "owner", FirstPaymentSeen: "owner", PaidInFull: "owner",
	ResolvedByOperator: "operator", ClosedByOperator: "operator", ReviewedByOperator: "operator",
	RefundConfirmed: "operator",
	NothingSeen:     "time", FeesExpired: "time", PaymentWindowEnded: "time", NeverConfirmed: "time",
	EconomyEnded: "time", NeverSigned: "time",
	PayoutStored: "time", Swept: "time", OneTxStored: "owner", CoinTaken: "owner",
	PayoutConfirmed:  "operator", // replaces a payout that is stuck
	PaymentsVanished: "others", PaymentsVanishedLate: "others", PaymentUndone: "others", PaymentUndoneLate: "others",
	UnitLost: "others", UnitLostAfterPaying: "others", PayoutDead: "others", PayoutDeadByInput: "others",
	PayoutUnconfirmed: "others", RefundUnconfirmed: "others", RefundFound: "others",
}

// From every status, events that the owner, the operator or time cause lead further. In every status that locks units
// before a payout is signed, the owner can cancel.
func TestEveryStatusHasAWayOut(t *testing.T) {
	final := map[Status]bool{Canceled: true, Expired: true, Invalid: true, Delivered: true, Consolidated: true}
	leadsOut := map[Status]bool{}
	for s := range final {
		leadsOut[s] = true
	}
	for range Statuses.Rows {
		for _, row := range Statuses.Rows {
			if by, known := causes[row.Event]; !known {
				t.Fatalf("causes has no entry for %q", row.Event)
			} else if by != "others" && leadsOut[row.To] {
				leadsOut[row.From] = true
			}
		}
	}
	for _, row := range Statuses.Rows {
		if !leadsOut[row.From] || !leadsOut[row.To] {
			t.Errorf("no events lead out of %s, or of %s", row.From, row.To)
		}
		if !row.From.Active() {
			continue
		}
		if to, err := Statuses.Next(row.From, CanceledByOwner, state.Always); err != nil || to != Canceled {
			t.Errorf("its owner can't cancel a %s order: %v", row.From, err)
		}
	}
	for event := range causes {
		found := false
		for _, row := range Statuses.Rows {
			found = found || row.Event == event
		}
		if !found {
			t.Errorf("%q is in no row", event)
		}
	}
}
