package audit

import (
	"encoding/json"
	"testing"
)

// The list of violations is [] rather than null if there are none.
func TestView(t *testing.T) {
	for want, r := range map[string]Report{
		`{"height":7,"node_height":8,"behind":1,"ok":true,"violations":[]}`: {Height: 7, NodeHeight: 8, Behind: 1},
		`{"height":7,"node_height":7,"behind":0,"follows":"1:1","ok":false,` +
			`"violations":[{"invariant":3,"subject":"a","detail":"b"}]}`: {
			Height: 7, NodeHeight: 7, Follows: "1:1", Violations: []Violation{{3, "a", "b"}},
		},
	} {
		got, err := json.Marshal(r.View())
		if err != nil || string(got) != want {
			t.Errorf("%s, %v; want %s", got, err, want)
		}
	}
}
