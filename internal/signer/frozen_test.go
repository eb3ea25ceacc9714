package signer

import (
	"encoding/json"
	"os"
	"testing"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/signed/message"
)

// TestFrozenMessages checks that the signer accepts the signed messages of every layout, because a payout may follow
// long after the signature. The message of both addresses is its own link.
func TestFrozenMessages(t *testing.T) {
	for _, file := range []string{"../signed/message/testdata/layout1.json", "../signed/message/testdata/layout2.json"} {
		raw, err := os.ReadFile(file)
		must(t, err)
		var all []struct {
			Name, Network, Text, OrderID string
			Intent                       message.Intent
			Signatures                   []struct{ Address, Signature string }
		}
		must(t, json.Unmarshal(raw, &all))
		if len(all) == 0 {
			t.Errorf("%s is empty", file)
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
			if err := c.checkOrderID(m.OrderID, m.Text, m.OrderID); err != nil {
				t.Errorf("%s: %v", m.Name, err)
			}
		}
	}
}
