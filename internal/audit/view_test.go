package audit

import (
	"encoding/json"
	"testing"
)

// The lists of violations are [] rather than null if there are none.
func TestView(t *testing.T) {
	v := Violation{Invariant: 3, Subject: "a", Detail: "b", Scope: OneOrder, Orders: []string{"a"}}
	for want, r := range map[string]Report{
		`{"height":7,"node_height":8,"behind":1,"ok":true,"violations":[],"accepted":[]}`: {
			Height: 7, NodeHeight: 8, Behind: 1,
		},
		`{"height":7,"node_height":7,"behind":0,"follows":"1:1","ok":false,"violations":[{"id":"` + v.ID() +
			`","invariant":3,"subject":"a","detail":"b","scope":"order","orders":["a"]}],"accepted":[]}`: {
			Height: 7, NodeHeight: 7, Follows: "1:1", Violations: []Violation{v},
		},
	} {
		got, err := json.Marshal(r.View())
		if err != nil || string(got) != want {
			t.Errorf("%s, %v; want %s", got, err, want)
		}
	}
}
