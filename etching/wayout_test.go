package etching_test

import (
	"testing"

	"moonfund/etching"
)

// causes says who can bring each event about: whoever ordered by a payment, "time" for the server, the blocks and
// the clock together, "others" for what nobody here can count on.
var causes = map[etching.Event]string{
	etching.Funded: "owner", etching.Expired: "time", etching.Sent: "time", etching.Delivered: "time",
	// the rules, or a node that refuses for a day: TestRefusedRevealIsRefunded and
	// TestOrdersWaitForANodeThatRelaysThem
	etching.Impossible: "time",
	etching.Returned:   "time", // the server sends what goes back
	etching.Unfunded:   "others", etching.Ineffective: "others", etching.Undone: "others",
}

// From every state of a mint or etch order a way leads to an end that needs nothing but time: the runes are
// delivered, or the money is back. No state that holds money depends on the network taking the order's transactions.
func TestEveryStateHasAWayOut(t *testing.T) {
	reach := func(end etching.State, without etching.Event) map[etching.State]bool {
		out := map[etching.State]bool{end: true}
		for range etching.Table.Rows {
			for _, row := range etching.Table.Rows {
				if by, known := causes[row.Event]; !known {
					t.Fatalf("nobody said who brings %q about", row.Event)
				} else if by == "time" && row.Event != without && out[row.To] {
					out[row.From] = true
				}
			}
		}
		return out
	}
	delivered, returned := reach(etching.Complete, ""), reach(etching.Refunded, etching.Delivered)
	for _, row := range etching.Table.Rows {
		for _, state := range []etching.State{row.From, row.To} {
			if !delivered[state] && !returned[state] {
				t.Errorf("no way leads out of %s", state)
			}
			if state != etching.Complete && !returned[state] {
				t.Errorf("the money of a %s order can't go back", state)
			}
		}
	}
}
