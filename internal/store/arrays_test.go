package store

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/ledger"
)

// A column with the same value in all rows is a single argument, unless all columns are constant or singles is false.
func TestUnnested(t *testing.T) {
	for _, c := range []struct {
		name, row string
		singles   bool
		width     int
		args      []any
		want      string
		values    []any
	}{
		{"arrays only", "$1, $2", false, 2, []any{"a", int64(1), "a", int64(2)},
			"SELECT p1, p2 FROM unnest($1::TEXT[], $2::BIGINT[]) AS listed (p1, p2)",
			[]any{[]string{"a", "a"}, []int64{1, 2}}},
		{"every value differs", "$1, $2", true, 2, []any{"a", int64(1), "b", int64(2)},
			"SELECT p1, p2 FROM unnest($1::TEXT[], $2::BIGINT[]) AS listed (p1, p2)",
			[]any{[]string{"a", "b"}, []int64{1, 2}}},
		{"some are the same", "$1, CAST($2 AS BIGINT), $3", true, 3,
			[]any{[]byte("s"), int64(1), "c", []byte("s"), int64(2), "c"},
			"SELECT $1::BYTEA, CAST(p2 AS BIGINT), $3::TEXT FROM unnest($2::BIGINT[]) AS listed (p2)",
			[]any{[]byte("s"), []int64{1, 2}, "c"}},
		{"the last one is the same", "$1, $2", true, 2, []any{[]byte("a"), int64(1), []byte("b"), int64(1)},
			"SELECT p1, $2::BIGINT FROM unnest($1::BYTEA[]) AS listed (p1)",
			[]any{[][]byte{[]byte("a"), []byte("b")}, int64(1)}},
		{"all are the same", "$1, $2", true, 2, []any{"a", int64(1), "a", int64(1), "a", int64(1)},
			"SELECT $1::TEXT, p2 FROM unnest($2::BIGINT[]) AS listed (p2)",
			[]any{"a", []int64{1, 1, 1}}},
	} {
		text, values := unnested(c.row, c.width, c.args, c.singles)
		if text != c.want || !reflect.DeepEqual(values, c.values) {
			t.Errorf("%s: got %s with %v, want %s with %v", c.name, text, values, c.want, c.values)
		}
	}
}

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
		again, err := tx.Outputs(ctx, slices.Repeat(points[:1], rows))
		if err != nil || len(again) != rows {
			t.Errorf("an output that is listed %d times: got %d, %v", rows, len(again), err)
		}
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
