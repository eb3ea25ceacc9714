package message

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/btcsuite/btcd/chaincfg/v2"
)

// frozenMessage is a message that a released version issued, what it means, and signatures of its addresses.
type frozenMessage struct {
	Name, Network, Text, OrderID string
	Intent                       Intent
	Signatures                   []struct{ Address, Form, Signature string }
}

// frozen has the messages of each layout and the SHA-256 of their file. The version that introduced the layout wrote
// the file. Nobody may write it again: stakers signed such messages, and payouts need them.
var frozen = map[string]string{
	"testdata/layout1.json":     "d97c4e15720eddf53faed541837de8d30a690da7a406f496c778c0658548272f",
	"testdata/layout2.json":     "cec0889c426ecafff49403b4dde426c3371c1effef1f636e8357c485ebc7c5dd",
	"testdata/layout3.json":     "121f921b1d57d4c4f77b8c00137880c00aaadb8e7c06473c7a19bb142554f914",
	"testdata/compounding.json": "46b5ccb7c9278b4c622cae5f44232e07569241666fdb5a1c2dba475a8b0f4aa6",
}

// TestFrozenMessages checks that every message that was ever issued keeps its meaning, its text, the id of its order
// and its valid signatures.
func TestFrozenMessages(t *testing.T) {
	for file, sum := range frozen {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := hex.EncodeToString(sha(raw)); got != sum {
			t.Errorf("%s was changed: its SHA-256 is %s", file, got)
		}
		var all []frozenMessage
		if err := json.Unmarshal(raw, &all); err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, m := range all {
			t.Run(m.Name, func(t *testing.T) { m.check(t) })
			seen[m.Intent.Action] = true
		}
		for _, action := range actions {
			if !slices.Contains(frozenActions(file), action) == seen[action] {
				t.Errorf("%s has messages of %s: %t", file, action, seen[action])
			}
		}
	}
}

// frozenActions returns the actions of which a file has messages. Those about compounding were added to both layouts
// after their own files, and layout 3 is only that of orders.
func frozenActions(file string) []string {
	switch file {
	case "testdata/compounding.json":
		return []string{AutoCompound, EndAutoCompound}
	case "testdata/layout3.json":
		return []string{"CLAIM", "WITHDRAW"}
	}
	return []string{"UNSTAKE", "RESTAKE", "CLAIM", "COMPOUND", "WITHDRAW", Cancel}
}

func (m frozenMessage) check(t *testing.T) {
	got, err := Parse(m.Text)
	if err != nil || !reflect.DeepEqual(got, m.Intent) {
		t.Fatalf("got %+v, %v, want %+v", got, err, m.Intent)
	}
	if text := m.Intent.Text(); text != m.Text {
		t.Errorf("the text is now\n%s\nwant\n%s", text, m.Text)
	}
	if id := OrderID(m.Text); id != m.OrderID {
		t.Errorf("the order is now %s, want %s", id, m.OrderID)
	}
	params := map[string]*chaincfg.Params{"mainnet": mainnet, "regtest": &chaincfg.RegressionNetParams}[m.Network]
	for _, s := range m.Signatures {
		if err := Verify(s.Address, params, m.Text, s.Signature); err != nil {
			t.Errorf("%s signature of %s: %v", s.Form, s.Address, err)
		}
		if Verify(s.Address, params, m.Text+" ", s.Signature) == nil {
			t.Errorf("%s signature of %s is valid for another text", s.Form, s.Address)
		}
	}
}
