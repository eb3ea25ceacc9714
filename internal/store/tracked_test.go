package store

import (
	"errors"
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
)

func TestTracked(t *testing.T) {
	ctx := t.Context()
	within(t, func(tx *Tx) {
		a := ledger.Tracked{Tx: spend(1, point(1), point(2)), SeenAt: noon, Since: noon, Height: chain.None, Ours: true}
		b := ledger.Tracked{Tx: spend(2, point(2)), SeenAt: noon.Add(time.Second), Since: noon.Add(time.Second), Height: 5}
		child := ledger.Tracked{Tx: spend(3, wire.OutPoint{Hash: a.Tx.ID}), SeenAt: noon.Add(time.Minute),
			Since: noon.Add(time.Minute), Height: chain.None}
		for _, tracked := range []ledger.Tracked{a, b, child} {
			must(t, tx.Track(ctx, tracked))
			must(t, tx.Track(ctx, tracked))
		}
		got, err := tx.TrackedTx(ctx, a.Tx.ID.String())
		same(t, "kept with its witness", got, err, a)
		if _, err := tx.TrackedTx(ctx, point(9).Hash.String()); !errors.Is(err, state.ErrNotFound) {
			t.Errorf("an unknown transaction: got %v, want ErrNotFound", err)
		}
		aID, bID, childID := a.Tx.ID.String(), b.Tx.ID.String(), child.Tx.ID.String()
		states, err := tx.States(ctx, aID, bID, point(9).Hash.String())
		same(t, "states", states, err, map[string]ledger.TxState{
			aID: {ID: aID, Height: chain.None, Ours: true}, bID: {ID: bID, Height: 5},
		})
		spenders, err := tx.Spenders(ctx, point(1))
		same(t, "spending 1", spenders, err, []ledger.TxState{states[aID]})
		spenders, err = tx.Spenders(ctx, point(2))
		if err != nil || len(spenders) != 2 {
			t.Errorf("spending 2: %v, %v", spenders, err)
		}
		children, err := tx.Children(ctx, aID, bID)
		same(t, "children", children, err, []ledger.TxState{{ID: childID, Height: chain.None}})
		list, err := tx.TrackedUnconfirmed(ctx)
		same(t, "unconfirmed", list, err, []ledger.Tracked{a, child})
		a.Vanished = true
		must(t, tx.Track(ctx, a))
		must(t, tx.Unconfirm(ctx, 5, noon.Add(time.Hour)))
		b.Height, b.Since = chain.None, noon.Add(time.Hour)
		list, err = tx.TrackedUnconfirmed(ctx)
		same(t, "after an undone block", list, err, []ledger.Tracked{b, child})
		must(t, tx.ConfirmTxs(ctx, 7, aID, bID))
		must(t, tx.VanishTxs(ctx, childID))
		states, err = tx.States(ctx, aID, bID, childID)
		same(t, "after a block and a conflict", states, err, map[string]ledger.TxState{
			aID: {ID: aID, Height: 7, Vanished: true, Ours: true}, bID: {ID: bID, Height: 7},
			childID: {ID: childID, Height: chain.None, Vanished: true},
		})
	})
}

// Inserting a known output changes nothing.
func TestInsertOutputs(t *testing.T) {
	s, ctx := open(t), t.Context()
	known, other := output(1, ledger.StakeKind), output(2, ledger.StakeKind)
	must(t, s.Update(ctx, func(tx *Tx) error { return tx.InsertOutputs(ctx, known) }))
	changed := known
	changed.Runes++
	if err := s.Update(ctx, func(tx *Tx) error { return tx.InsertOutputs(ctx, other, changed) }); err == nil {
		t.Error("a known output was inserted")
	}
	must(t, s.View(ctx, func(tx *Tx) error {
		got, err := tx.Outputs(ctx, []wire.OutPoint{known.OutPoint, other.OutPoint})
		same(t, "after the error", got, err, []ledger.Output{known})
		return nil
	}))
}
