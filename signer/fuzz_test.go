package signer

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"
)

// forgetful keeps no outflows, so that one run does not depend on those before it.
type forgetful struct{}

func (forgetful) Load() ([]Outflow, error) { return nil, nil }
func (forgetful) Store([]Outflow) error    { return nil }

// FuzzRequest asks the signer for anything. It may sign only what pays nobody that
// the honest requests among the seeds do not pay.
func FuzzRequest(f *testing.F) {
	w := newWorld(f)
	w.config.Outflows = forgetful{}
	honest := []Request{w.mixed(), w.claimOf(900), w.returning()}
	var payees [][]byte
	for _, r := range honest {
		body, err := json.Marshal(r)
		must(f, err)
		f.Add(body)
		for _, out := range r.Tx.TxOut {
			payees = append(payees, out.PkScript)
		}
	}
	f.Add([]byte(`{"Tx":{"Version":2,"TxIn":[{}],"TxOut":[{}]},"Inputs":[{}],"Orders":[{}]}`))
	known := func(out *wire.TxOut) bool {
		for _, script := range payees {
			if bytes.Equal(script, out.PkScript) {
				return true
			}
		}
		return false
	}
	s := w.signer()
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := readRequest(bytes.NewReader(body))
		if err != nil {
			return
		}
		tx, err := s.Sign(t.Context(), r)
		if refusal := new(Refusal); err != nil && !errors.As(err, &refusal) {
			t.Fatalf("neither signed nor refused: %v", err)
		}
		if err != nil {
			return
		}
		for _, out := range tx.TxOut {
			if !known(out) {
				t.Fatalf("signed to %x for %s", out.PkScript, body)
			}
		}
	})
}
