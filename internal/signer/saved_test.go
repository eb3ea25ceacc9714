package signer

import (
	"encoding/json"
	"os"
	"testing"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/signed/message"
)

// TestSavedMessages checks that the signer accepts saved messages with each of their signatures. A message that both
// addresses signed is its own link.
func TestSavedMessages(t *testing.T) {
	raw, err := os.ReadFile("../signed/message/testdata/messages.json")
	must(t, err)
	var all []struct {
		Name, Network, Text, OrderID string
		Intent                       message.Intent
		Signatures                   []struct{ Address, Signature string }
	}
	must(t, json.Unmarshal(raw, &all))
	if len(all) == 0 {
		t.Error("there are no messages")
	}
	w := newWorld(t)
	for _, m := range all {
		s := w.signer()
		s.config.Network, err = chain.NetworkByName(m.Network)
		must(t, err)
		c := &check{Signer: s, policy: Policy{Community: m.Intent.Community}}
		link := Link{Text: m.Text}
		for _, signed := range m.Signatures {
			if signed.Address == m.Intent.Ordinals {
				link.OrdinalsSignature = signed.Signature
			} else {
				link.PaymentSignature = signed.Signature
			}
		}
		for _, signed := range m.Signatures {
			p := Proof{Text: m.Text, Signature: signed.Signature, Signer: signed.Address, Link: &link}
			intent, err := c.verifyProof(p, m.Intent.Action)
			if err != nil || intent.Sum != m.Intent.Sum || intent.Digest != m.Intent.Digest {
				t.Errorf("%s, signed by %s: %+v, %v", m.Name, signed.Address, intent, err)
			}
			p.Text += " "
			if _, err := c.verifyProof(p, m.Intent.Action); !refusedFor(err, BadProof) {
				t.Errorf("%s, changed: %v, want a refusal", m.Name, err)
			}
		}
		if err := c.checkOrderID(m.OrderID, m.Text); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
}
