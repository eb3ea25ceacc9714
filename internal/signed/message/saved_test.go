package message

import (
	"encoding/json"
	"os"
	"reflect"
	"testing"

	"github.com/btcsuite/btcd/chaincfg/v2"
)

// savedMessage is a message, its meaning, and signatures of its addresses.
type savedMessage struct {
	Name, Network, Text, OrderID string
	Intent                       Intent
	Signatures                   []struct{ Address, Form, Signature string }
}

// TestSavedMessages checks that the messages in testdata keep their meaning, their text, the id of their order and
// their valid signatures, because a payout may follow months after a staker signed. Once a version is released,
// messages are only added to the file.
func TestSavedMessages(t *testing.T) {
	raw, err := os.ReadFile("testdata/messages.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []savedMessage
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, m := range all {
		t.Run(m.Name, func(t *testing.T) { m.check(t) })
		seen[m.Intent.Action] = true
	}
	if len(seen) != len(actions) {
		t.Errorf("there are messages of %d actions, want %d", len(seen), len(actions))
	}
}

func (m savedMessage) check(t *testing.T) {
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
