package etching_test

import (
	"testing"

	"moonfund/internal/staking/etching"
	"moonfund/internal/testkit"
)

func TestEtchAndMint(t *testing.T) {
	w := newWorld(t)
	o := w.etch()
	w.want(o, etching.New)
	funding := w.pay(o, o.FundAmount)
	w.Step()
	w.want(o, etching.Pending)
	executed, err := w.Etching.Execute(t.Context(), etching.Etch, o.ID, funding.ID.String())
	testkit.Must(t, err)
	if executed.Executed != funding.ID.String() || executed.Address != o.Address {
		t.Errorf("executed: %+v", executed)
	}
	w.Settle(1)
	w.want(o, etching.Executing)
	p := w.settle(o, etching.Complete)
	commit, reveal := w.role(p, etching.Commit), w.role(p, etching.Reveal)
	if depth := reveal.Height - commit.Height; depth != 5 {
		t.Errorf("the reveal is %d blocks after its commitment, want 5", depth)
	}
	entry, found := w.entry(name)
	if !found || entry.Etching != reveal.ID || entry.SpacedName().String() != name || *entry.Symbol != '🐺' ||
		entry.Divisibility != 2 {
		t.Fatalf("entry: got %+v", entry)
	}
	if p.RuneID != entry.ID.String() {
		t.Errorf("rune id: got %s, want %s", p.RuneID, entry.ID)
	}
	w.holds(first(reveal), entry.ID, 1000)
	if out := reveal.Msg.TxOut[0]; out.Value != 546 || string(out.PkScript) != string(w.Anna.Ordinals.Script) {
		t.Errorf("output of the premine: got script %x with %d sats", out.PkScript, out.Value)
	}

	m := w.mint(3)
	w.pay(m, m.FundAmount) // without a call of Execute
	p = w.settle(m, etching.Complete)
	last := w.role(p, etching.Minting)
	w.holds(first(last), entry.ID, 150)
	if entry, _ = w.entry(name); entry.Mints.Lo != 3 {
		t.Errorf("got %s mints, want 3", entry.Mints)
	}
	if p.RuneID != entry.ID.String() || len(p.Txs) != 4 {
		t.Errorf("progress: got %+v", p)
	}
}
