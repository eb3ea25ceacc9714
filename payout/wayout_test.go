package payout_test

import (
	"testing"

	"moonfund/payout"
	"moonfund/state"
)

// causes says who can bring each event about: "time" for the server, the blocks and the clock together, "operator"
// for a person with a command, "others" for what nobody here can count on.
var causes = map[payout.Event]string{
	payout.Stored: "time", payout.Settled: "time",
	payout.Deep:    "operator", // by a faster version, when the first one does not confirm
	payout.Shallow: "others", payout.InputTaken: "others",
}

// From every status of a payout a way leads to an end that nothing but time and the operator has to go. At an end
// its orders are DELIVERED, or free again for another payout.
func TestEveryPayoutHasAWayOut(t *testing.T) {
	ends := map[payout.Status]bool{payout.Final: true, payout.Dead: true}
	for range payout.Statuses.Rows {
		for _, row := range payout.Statuses.Rows {
			if by, known := causes[row.Event]; !known {
				t.Fatalf("nobody said who brings %q about", row.Event)
			} else if by != "others" && ends[row.To] {
				ends[row.From] = true
			}
		}
	}
	for _, row := range payout.Statuses.Rows {
		if !ends[row.From] || !ends[row.To] {
			t.Errorf("no way leads out of %q or %q", row.From, row.To)
		}
	}
	if _, err := payout.Statuses.Next(payout.Final, payout.Shallow, state.Always); err == nil {
		t.Error("a final payout moves")
	}
}
