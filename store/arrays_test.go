package store

import (
	"fmt"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/chain"
	"moonfund/ledger"
	"moonfund/runes"
)

// A list that is longer than an array is written, read, updated and deleted completely.
func TestListsLongerThanArrays(t *testing.T) {
	const rows = arraySize + 2*listSize + 3
	ctx := t.Context()
	within(t, func(tx *Tx) {
		var outputs []ledger.Output
		var points []wire.OutPoint
		var held []runes.Held
		var confirmed []ledger.Confirmed
		for n := range rows {
			o := output(n, ledger.PaymentKind)
			o.Height, o.Script, o.Owner = chain.None, fmt.Append(nil, n), fmt.Sprint("owner ", n)
			outputs, points = append(outputs, o), append(points, o.OutPoint)
			held = append(held, runes.Held{OutPoint: o.OutPoint, Holding: runes.Holding{
				Own: []runes.Balance{{ID: runes.ID{Block: 1, Tx: uint32(n)}, Amount: uint128.From64(1)}},
			}})
			confirmed = append(confirmed, ledger.Confirmed{TxID: o.OutPoint.Hash.String(), Height: int64(n), Position: 3})
		}
		must(t, tx.PutOutput(ctx, outputs...))
		got, err := tx.Outputs(ctx, points)
		same(t, "inserted", got, err, outputs)
		must(t, tx.ConfirmOutputs(ctx, confirmed...))
		for n := range outputs {
			outputs[n].Height, outputs[n].Position = int64(n), 3
		}
		got, err = tx.Outputs(ctx, points)
		same(t, "confirmed", got, err, outputs)

		index := tx.Runes(ctx)
		must(t, index.PutRuneBalances(held...))
		stored, err := index.RuneBalances(points...)
		if err != nil || len(stored) != rows {
			t.Errorf("the rune index: got %d rows, %v, want %d", len(stored), err, rows)
		}
		must(t, index.DeleteRuneBalances(points[1:]...))
		stored, err = index.RuneBalances(points...)
		if err != nil || len(stored) != 1 || stored[0].OutPoint != points[0] {
			t.Errorf("the rune index after a deletion: got %d rows, %v, want the first", len(stored), err)
		}
		var ids []string
		for n := range rows {
			ids = append(ids, chainhash.HashH(fmt.Append(nil, n)).String())
		}
		made, err := tx.OutputsOf(ctx, ids...)
		if err != nil || len(made) != rows {
			t.Errorf("outputs of transactions: got %d, %v, want %d", len(made), err, rows)
		}
	})
}
