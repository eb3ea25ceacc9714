package dispatch_test

import (
	"testing"

	"moonfund/internal/staking/payout"
	"moonfund/internal/state"
)

// causes has the cause of each event: "time" for the server, the blocks and the clock together, "operator" for a
// command, "others" for events that none of these can cause.
var causes = map[payout.Event]string{
	payout.Stored: "time", payout.Settled: "time",
	payout.Deep:    "operator", // by a version with a higher fee rate, if the first one does not confirm
	payout.Shallow: "others", payout.InputTaken: "others",
}

// From every status of a payout, events that only time and the operator cause lead to a final status. There its orders
// are DELIVERED, or can get another payout.
func TestEveryPayoutHasAWayOut(t *testing.T) {
	ends := map[payout.Status]bool{payout.Final: true, payout.Dead: true}
	for range payout.Statuses.Rows {
		for _, row := range payout.Statuses.Rows {
			if by, known := causes[row.Event]; !known {
				t.Fatalf("causes has no entry for %q", row.Event)
			} else if by != "others" && ends[row.To] {
				ends[row.From] = true
			}
		}
	}
	for _, row := range payout.Statuses.Rows {
		if !ends[row.From] || !ends[row.To] {
			t.Errorf("no events lead out of %q or %q", row.From, row.To)
		}
	}
	if _, err := payout.Statuses.Next(payout.Final, payout.Shallow, state.Always); err == nil {
		t.Error("Next accepted an event of a final payout")
	}
}
