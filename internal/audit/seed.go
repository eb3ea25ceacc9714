package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"lukechampine.com/uint128"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

var (
	undoRows = table[undoRow]{"SELECT height, data FROM rune_undo", func(u *undoRow) []any {
		return []any{&u.height, &u.record}
	}}
	// firstOutputRows has the lowest block with an output of ours.
	firstOutputRows = table[int64]{"SELECT COALESCE(MIN(height), -1) FROM custody WHERE height >= 0",
		func(h *int64) []any { return []any{h} }}
)

type undoRow struct {
	height int64
	record []byte
}

// seed begins the walk of a new server with a copy of the server's rune index, because reading the whole chain takes
// hours with the index of mainnet, and payouts wait for the first audit. It does so only if the ledger has no output
// older than the index can be undone and no adopted address, which can get older ones: then nobody was owed anything
// before. The walk applies all later blocks itself. Every rune of the copy must add up to its supply; otherwise, and
// without Config.WalkFile, as in `moonfund audit`, the walk reads every block.
func (a *auditor) seed(ctx context.Context, r *reader, node Node) error {
	if a.path == "" || len(a.headers) > 0 || a.blocksToWalk() <= maxHeldWalk || a.adoptions.counted() > 0 {
		return nil
	}
	tip := a.blocks[len(a.blocks)-1].height
	own := list(r, firstOutputRows, "")
	if r.err != nil {
		return r.err
	}
	a.report.Height = tip
	best, err := a.hashes(ctx, node)
	if err != nil {
		return err
	}
	first := a.firstOther(best)
	if own[0] != chain.None {
		first = min(first, own[0])
	}
	if tip-first >= runes.UndoDepth {
		return nil
	}
	whole, err := a.copyIndex(r)
	if err == nil && whole {
		err = a.rewind(first)
	}
	if err == nil && !whole || errors.Is(err, runes.ErrEncoding) || errors.Is(err, runes.ErrNoUndo) {
		return a.reset(a.Config) // the walk names what is wrong
	}
	return err
}

// isEarly reports whether nothing was walked yet and the ledger is far behind the node.
func (a *auditor) isEarly(ctx context.Context, node Node) (bool, error) {
	if len(a.headers) > 0 {
		return false, nil
	}
	_, best, err := node.Best(ctx)
	if err != nil {
		return false, fmt.Errorf("audit: %w", err)
	}
	return best-(max(a.tip(), a.Start-1)+a.blocksToWalk()) > maxHeldWalk, nil
}

// firstOther returns the height of the first block from which on the ledger's headers are not the given chain.
func (a *auditor) firstOther(best []string) int64 {
	for i, row := range a.blocks {
		linked := i == 0 || row.prev == a.blocks[i-1].hash
		if i >= len(best) || row.height != a.Start+int64(i) || row.hash != best[i] || !linked {
			return a.Start + int64(i)
		}
	}
	return a.Start + int64(len(a.blocks))
}

// copyIndex copies the headers and the rune index of the ledger. It reports whether every rune adds up to its supply.
func (a *auditor) copyIndex(r *reader) (whole bool, err error) {
	if err := a.file.begin(); err != nil {
		return false, err
	}
	for _, b := range a.blocks {
		if err := a.append(header(b)); err != nil {
			return false, err
		}
	}
	t := tally{left: map[runes.ID]uint128.Uint128{}, sharing: map[string]uint64{}}
	each(r, entryRows, "", func(row stored) {
		entry, err := runes.DecodeEntry([]byte(row.text))
		if err != nil {
			t.wrong = true
			return
		}
		t.left[entry.ID] = entry.Supply()
		t.take(entry.ID, entry.Burned, 1)
		_ = a.index.PutRuneEntry(entry)
	})
	copied := int64(0)
	each(r, balanceRows, "ORDER BY outpoint", func(row stored) {
		t.output(row)
		_ = a.file.exec("INSERT INTO balance (outpoint, holding) VALUES (?, ?)", []byte(row.key), []byte(row.text))
		if copied++; a.Copying != nil && copied%100_000 == 0 {
			a.Copying(copied)
		}
	})
	each(r, listRows, "", func(row stored) {
		t.list(row)
		_ = a.file.exec("INSERT INTO list (tx, balances) VALUES (?, ?)", []byte(row.key), []byte(row.text))
	})
	each(r, undoRows, "", func(u undoRow) {
		_ = a.index.PutRuneUndo(runes.BlockUndo{Height: u.height, Data: u.record})
	})
	if counters := a.settings["rune_counters"]; counters != "" {
		_ = a.file.setState("rune_counters", counters)
	}
	return t.isEven(), cmp.Or(r.err, a.file.err) // exec keeps the first error
}

// tally subtracts what outputs hold from the supply of each rune.
type tally struct {
	left    map[runes.ID]uint128.Uint128
	sharing map[string]uint64 // number of outputs that share the list of a transaction
	wrong   bool              // a row can't be read, or outputs hold more than was issued
}

// take subtracts an amount, in base units, that each of a number of outputs holds.
func (t *tally) take(id runes.ID, amount uint128.Uint128, outputs uint64) {
	left := t.left[id]
	if amount.Cmp(left.Div64(outputs)) > 0 {
		t.wrong = true
		return
	}
	t.left[id] = left.Sub(amount.Mul64(outputs))
}

func (t *tally) output(row stored) {
	point, err := runes.DecodeOutPoint([]byte(row.key))
	if err != nil {
		t.wrong = true
		return
	}
	own, shares, err := runes.DecodeHolding([]byte(row.text))
	t.wrong = t.wrong || err != nil
	for _, b := range own {
		t.take(b.ID, b.Amount, 1)
	}
	if shares {
		t.sharing[string(point.Hash[:])]++
	}
}

func (t *tally) list(row stored) {
	balances, err := runes.DecodeBalances([]byte(row.text))
	outputs := t.sharing[row.key]
	if t.wrong = t.wrong || err != nil || outputs == 0; t.wrong {
		return
	}
	delete(t.sharing, row.key)
	for _, b := range balances {
		t.take(b.ID, b.Amount, outputs)
	}
}

// isEven reports whether the outputs hold exactly what was issued and not burned.
func (t *tally) isEven() bool {
	for _, left := range t.left {
		t.wrong = t.wrong || !left.IsZero()
	}
	return !t.wrong && len(t.sharing) == 0
}
