package etching_test

import (
	"testing"

	"moonfund/internal/staking/etching"
)

// causes names who can cause each event: "owner" for the client, by a payment; "time" for the server, blocks and the
// clock together; "others" for events that none of these can cause.
var causes = map[etching.Event]string{
	etching.Funded: "owner", etching.Expired: "time", etching.Sent: "time", etching.Delivered: "time",
	// a rule, or a node that refuses for a day: TestRefusedRevealIsRefunded and TestOrdersWaitForANodeThatRelaysThem
	etching.Impossible: "time",
	etching.Returned:   "time", // the server sends the refund
	etching.Unfunded:   "others", etching.Ineffective: "others", etching.Undone: "others",
}

// From every state of a mint or etch order, events that only time causes lead to Complete or Refunded. From every state
// except Complete they lead to Refunded even if the node refuses the order's transactions.
func TestEveryStateHasAWayOut(t *testing.T) {
	reach := func(end etching.State, without etching.Event) map[etching.State]bool {
		out := map[etching.State]bool{end: true}
		for range etching.Table.Rows {
			for _, row := range etching.Table.Rows {
				if by, known := causes[row.Event]; !known {
					t.Fatalf("causes has no entry for %q", row.Event)
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
				t.Errorf("no events lead out of %s", state)
			}
			if state != etching.Complete && !returned[state] {
				t.Errorf("a %s order can't be refunded", state)
			}
		}
	}
}
