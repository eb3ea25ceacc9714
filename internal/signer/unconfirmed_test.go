package signer

import (
	"math"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
)

// hidden returns a claim of 1 base unit that also spends a treasury output with an undeclared million base units, which
// go where the runestone directs them.
func (w *world) hidden(stone func(*runes.Runestone)) Request {
	w.Helper()
	var r Request
	w.claim(&r, newWallet(w, 9, chain.P2TR, w.network), "order-x", 1)
	secret := w.coin(vault.TreasuryRunes, 546, 0, "")
	secret.Runes = []runes.Balance{{ID: lobo}} // an amount of 0
	r.Inputs = append(r.Inputs, w.coin(vault.TreasuryRunes, 546, 1, ""), secret)
	w.build(&r)
	change := uint32(2)
	s := runes.Runestone{Edicts: []runes.Edict{{ID: lobo, Amount: uint128.From64(1), Output: 0}}, Pointer: &change}
	stone(&s)
	script, err := s.Script()
	must(w, err)
	r.Tx.TxOut[1].PkScript = script
	outputs, _, _, err := runes.RulesFor(w.network).Allocate(r.Tx, func(o wire.OutPoint) []runes.Balance {
		if o == secret.OutPoint {
			return balance(1_000_000)
		}
		return w.balances[o]
	}, nil, math.MaxInt32)
	must(w, err)
	if len(outputs[0]) != 1 || outputs[0][0].Amount != uint128.From64(1_000_001) {
		w.Fatalf("the transaction would deliver %v", outputs[0])
	}
	return r
}

// TestUnknownRunes checks that a compromised server can't take more out of the treasury than counts against the limit:
// neither by spending the change of an unconfirmed payout, whose runes are not in the index, nor by hiding the balance
// of an output from the operator who signs.
func TestUnknownRunes(t *testing.T) {
	first := uint32(0)
	shapes := map[string]func(*runes.Runestone){
		"by the pointer":    func(s *runes.Runestone) { s.Pointer = &first },
		"without a pointer": func(s *runes.Runestone) { s.Pointer = nil },
		"by one more edict": func(s *runes.Runestone) {
			s.Edicts = append(s.Edicts, runes.Edict{ID: lobo, Amount: uint128.From64(1_000_000)})
		},
	}
	for name, shape := range shapes {
		for _, index := range []bool{true, false} {
			w := newWorld(t)
			if !index {
				w.config.Balances = nil
			}
			if tx, err := w.signer().Sign(t.Context(), w.hidden(shape)); tx != nil || err == nil {
				t.Errorf("%s, with an index: %v: signed", name, index)
			}
		}
	}
}
