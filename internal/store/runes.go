package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/state"
	"moonfund/internal/store/sqlc"
)

// Runes returns the rune index within this transaction.
func (t *Tx) Runes(ctx context.Context) runes.Store { return runeIndex{t, ctx} }

// runeIndex implements runes.Store. Outpoints, balances and entries are stored in the encodings of package runes.
type runeIndex struct {
	tx  *Tx
	ctx context.Context
}

// absent converts the error of a read: ok is false, without an error, if there is no row.
func absent(err error) (ok bool, _ error) {
	err = wrap(err)
	if errors.Is(err, state.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

func (r runeIndex) RuneEntry(id runes.ID) (runes.Entry, bool, error) {
	data, err := r.tx.q.RuneEntry(r.ctx, id.String())
	return readEntry(data, err)
}

func (r runeIndex) RuneEntryByName(name runes.Name) (runes.Entry, bool, error) {
	data, err := r.tx.q.RuneEntryByName(r.ctx, name.String())
	return readEntry(data, err)
}

func readEntry(data []byte, err error) (entry runes.Entry, ok bool, _ error) {
	if ok, err = absent(err); !ok {
		return entry, false, err
	}
	if entry, err = runes.DecodeEntry(data); err != nil {
		return entry, false, fmt.Errorf("store: rune entry: %w", err)
	}
	return entry, true, nil
}

func (r runeIndex) PutRuneEntry(entries ...runes.Entry) error {
	return writeAll(r.ctx, r.tx, entries, func(q *sqlc.Queries, e runes.Entry) error {
		return q.PutRuneEntry(r.ctx, sqlc.PutRuneEntryParams{
			ID: e.ID.String(), Name: e.Name.String(), Entry: runes.EncodeEntry(e),
		})
	})
}

func (r runeIndex) DeleteRuneEntry(ids ...runes.ID) error {
	keys := make([]string, len(ids))
	for i, id := range ids {
		keys[i] = id.String()
	}
	return eachList(r.tx, nil, keys, func(q *sqlc.Queries) error { return q.DeleteRuneEntry(r.ctx, "") })
}

func (r runeIndex) RuneBalances(outs ...wire.OutPoint) (held []runes.Held, _ error) {
	var sharing []int // positions of the outputs with a shared list
	if err := eachList(r.tx, nil, outpointKeys(outs), func(q *sqlc.Queries) error {
		rows, err := q.RuneBalances(r.ctx, nil)
		if err != nil {
			return err
		}
		for _, row := range rows {
			h, shares, err := toHeld(row)
			if err != nil {
				return err
			}
			if shares {
				sharing = append(sharing, len(held))
			}
			held = append(held, h)
		}
		return nil
	}); err != nil || len(sharing) == 0 {
		return held, err
	}
	return held, r.readShared(held, sharing)
}

func toHeld(row sqlc.RuneBalance) (h runes.Held, shares bool, err error) {
	if h.OutPoint, err = runes.DecodeOutPoint(row.Outpoint); err != nil {
		return h, false, err
	}
	if h.Own, shares, err = runes.DecodeHolding(row.Balances); err != nil {
		return h, false, fmt.Errorf("store: rune balances of %s: %w", h.OutPoint, err)
	}
	return h, shares, nil
}

// readShared sets the shared lists of the outputs at the given positions. It decodes each list once.
func (r runeIndex) readShared(held []runes.Held, sharing []int) error {
	lists := map[chainhash.Hash][]runes.Balance{}
	for _, i := range sharing {
		lists[held[i].OutPoint.Hash] = nil
	}
	if err := eachList(r.tx, nil, hashKeys(lists), func(q *sqlc.Queries) error {
		rows, err := q.RuneLists(r.ctx, nil)
		if err != nil {
			return err
		}
		for _, row := range rows {
			balances, err := runes.DecodeBalances(row.Balances)
			if err != nil {
				return fmt.Errorf("store: shared runes of %x: %w", row.Tx, err)
			}
			lists[chainhash.Hash(row.Tx)] = balances
		}
		return nil
	}); err != nil {
		return err
	}
	for _, i := range sharing {
		if held[i].Shared = lists[held[i].OutPoint.Hash]; len(held[i].Shared) == 0 {
			return fmt.Errorf("store: rune balances of %s: its shared list is missing: %w",
				held[i].OutPoint, runes.ErrEncoding)
		}
	}
	return nil
}

// hashKeys returns the keys of lists in the table of shared lists, ordered.
func hashKeys(lists map[chainhash.Hash][]runes.Balance) [][]byte {
	keys := make([][]byte, 0, len(lists))
	for hash := range lists {
		keys = append(keys, hash[:])
	}
	slices.SortFunc(keys, bytes.Compare)
	return keys
}

func outpointKeys(outs []wire.OutPoint) [][]byte {
	keys := make([][]byte, len(outs))
	for i, out := range outs {
		keys[i] = runes.EncodeOutPoint(out)
	}
	return keys
}

func (r runeIndex) PutRuneBalances(held ...runes.Held) error {
	lists := map[chainhash.Hash][]runes.Balance{}
	for _, h := range held {
		if len(h.Shared) > 0 {
			lists[h.OutPoint.Hash] = h.Shared
		}
	}
	if err := writeAll(r.ctx, r.tx, hashKeys(lists), func(q *sqlc.Queries, key []byte) error {
		hash := chainhash.Hash(key)
		return q.PutRuneList(r.ctx, sqlc.PutRuneListParams{
			Tx: key, LastOutpoint: runes.EncodeOutPoint(wire.OutPoint{Hash: hash, Index: math.MaxUint32}),
			Balances: runes.EncodeBalances(lists[hash]),
		})
	}); err != nil {
		return err
	}
	return writeAll(r.ctx, r.tx, held, func(q *sqlc.Queries, h runes.Held) error {
		return q.PutRuneBalances(r.ctx, sqlc.PutRuneBalancesParams{
			Outpoint: runes.EncodeOutPoint(h.OutPoint), Balances: runes.EncodeHolding(h.Holding),
		})
	})
}

func (r runeIndex) DeleteRuneBalances(outs ...wire.OutPoint) error {
	if err := eachList(r.tx, nil, outpointKeys(outs), func(q *sqlc.Queries) error {
		return q.DeleteRuneBalances(r.ctx, nil)
	}); err != nil {
		return err
	}
	txs := map[chainhash.Hash][]runes.Balance{}
	for _, out := range outs {
		txs[out.Hash] = nil
	}
	return eachList(r.tx, nil, hashKeys(txs), func(q *sqlc.Queries) error {
		return q.DeleteUnusedRuneLists(r.ctx, nil)
	})
}

func (r runeIndex) PutRuneUndo(records ...runes.BlockUndo) error {
	return writeAll(r.ctx, r.tx, records, func(q *sqlc.Queries, u runes.BlockUndo) error {
		return q.PutRuneUndo(r.ctx, sqlc.PutRuneUndoParams{Height: u.Height, Data: u.Data})
	})
}

func (r runeIndex) RuneUndo(height int64) ([]byte, bool, error) {
	data, err := r.tx.q.RuneUndo(r.ctx, height)
	ok, err := absent(err)
	return data, ok, err
}

func (r runeIndex) DeleteRuneUndo(heights ...int64) error {
	return eachList(r.tx, nil, heights, func(q *sqlc.Queries) error { return q.DeleteRuneUndo(r.ctx, 0) })
}

func (r runeIndex) RuneCounters() (c runes.Counters, err error) {
	text, err := r.tx.Setting(r.ctx, "rune_counters")
	if err != nil || text == "" {
		return c, err
	}
	return c, json.Unmarshal([]byte(text), &c)
}

func (r runeIndex) PutRuneCounters(c runes.Counters) error {
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return r.tx.PutSetting(r.ctx, "rune_counters", string(text))
}

// RuneOutputs returns the number of outputs that hold runes.
func (t *Tx) RuneOutputs(ctx context.Context) (n int, err error) {
	err = t.db.QueryRowContext(ctx, "SELECT count(*) FROM rune_balance").Scan(&n)
	return n, wrap(err)
}

// EachRuneOutput calls visit for every output that holds runes, in no particular order.
func (t *Tx) EachRuneOutput(ctx context.Context, visit func(wire.OutPoint)) (err error) {
	rows, err := t.db.QueryContext(ctx, "SELECT outpoint FROM rune_balance")
	if err != nil {
		return wrap(err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var data sql.RawBytes
		if err := rows.Scan(&data); err != nil {
			return wrap(err)
		}
		point, err := runes.DecodeOutPoint(data)
		if err != nil {
			return wrap(err)
		}
		visit(point)
	}
	return wrap(rows.Err())
}

// followed is the name of the setting with the runes that the index follows: ids separated by spaces, "" for every
// rune.
const followed = "index_follows"

// Followed returns the runes that this database's index follows, or nil for every rune.
func (t *Tx) Followed(ctx context.Context) (ids []runes.ID, err error) {
	text, err := t.Setting(ctx, followed)
	if err != nil {
		return nil, err
	}
	for part := range strings.FieldsSeq(text) {
		id, err := runes.ParseID(part)
		if err != nil {
			return nil, fmt.Errorf("store: %s: %w", followed, err)
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// PutFollowed records which runes the index follows, or nil for every rune. Call it in the transaction that begins or
// deletes the index.
func (t *Tx) PutFollowed(ctx context.Context, ids []runes.ID) error {
	var parts []string
	for _, id := range slices.SortedFunc(slices.Values(ids), runes.ID.Compare) {
		parts = append(parts, id.String())
	}
	return t.PutSetting(ctx, followed, strings.Join(slices.Compact(parts), " "))
}
