package audit

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/runes"
)

// index is the audit's own rune index, in the file of the walk. It implements runes.Store.
type index struct{ *walkFile }

// RuneEntry implements runes.Store.
func (i index) RuneEntry(id runes.ID) (runes.Entry, bool, error) {
	return i.entry("SELECT entry FROM entry WHERE id = ?", id.String())
}

// RuneEntryByName implements runes.Store.
func (i index) RuneEntryByName(name runes.Name) (runes.Entry, bool, error) {
	return i.entry("SELECT entry FROM entry WHERE name = ?", name.String())
}

func (i index) entry(query, key string) (e runes.Entry, exists bool, err error) {
	var data []byte
	if exists, err = i.row(query, []any{key}, &data); !exists {
		return e, false, err
	}
	if e, err = runes.DecodeEntry(data); err != nil {
		return e, false, i.failed(err)
	}
	return e, true, nil
}

// PutRuneEntry implements runes.Store.
func (i index) PutRuneEntry(entries ...runes.Entry) error {
	for _, e := range entries {
		if err := i.exec("INSERT OR REPLACE INTO entry (id, name, entry) VALUES (?, ?, ?)",
			e.ID.String(), e.Name.String(), runes.EncodeEntry(e)); err != nil {
			return err
		}
	}
	return nil
}

// DeleteRuneEntry implements runes.Store.
func (i index) DeleteRuneEntry(ids ...runes.ID) error {
	for _, id := range ids {
		if err := i.exec("DELETE FROM entry WHERE id = ?", id.String()); err != nil {
			return err
		}
	}
	return nil
}

// lookupSize is the number of outpoints that one query looks up. The inputs of a block are some thousand outpoints.
const lookupSize = 64

var balancesQuery = "SELECT outpoint, holding FROM balance WHERE outpoint IN (?" +
	strings.Repeat(", ?", lookupSize-1) + ")"

// RuneBalances implements runes.Store.
func (i index) RuneBalances(outs ...wire.OutPoint) (held []runes.Held, err error) {
	lists := map[chainhash.Hash][]runes.Balance{}
	var key, holding sql.RawBytes
	for len(outs) > 0 {
		args := make([]any, lookupSize) // the values beyond the last outpoint are NULL, which is not in the table
		n := min(len(outs), lookupSize)
		for k, out := range outs[:n] {
			args[k] = runes.EncodeOutPoint(out)
		}
		outs = outs[n:]
		if err := i.each(balancesQuery, args, []any{&key, &holding}, func() error {
			h, err := i.decode(key, holding, lists)
			held = append(held, h)
			return err
		}); err != nil {
			return nil, err
		}
	}
	return held, nil
}

// decode returns the runes of a row of balances. lists has the shared lists that were decoded before.
func (i index) decode(key, holding []byte, lists map[chainhash.Hash][]runes.Balance) (h runes.Held, err error) {
	if h.OutPoint, err = runes.DecodeOutPoint(key); err != nil {
		return h, err
	}
	var shares bool
	if h.Own, shares, err = runes.DecodeHolding(holding); err != nil || !shares {
		return h, err
	}
	if known := lists[h.OutPoint.Hash]; known != nil {
		h.Shared = known
		return h, nil
	}
	data, err := i.list(h.OutPoint.Hash)
	if err == nil {
		h.Shared, err = runes.DecodeBalances(data)
	}
	if err == nil && len(h.Shared) == 0 {
		err = fmt.Errorf("the list that %s shares is missing: %w", h.OutPoint, runes.ErrEncoding)
	}
	lists[h.OutPoint.Hash] = h.Shared
	return h, err
}

// list returns the encoded runes that the outputs of a transaction share, or nil.
func (i index) list(tx chainhash.Hash) (data []byte, err error) {
	_, err = i.row("SELECT balances FROM list WHERE tx = ?", []any{tx[:]}, &data)
	return data, err
}

// PutRuneBalances implements runes.Store.
func (i index) PutRuneBalances(held ...runes.Held) error {
	listed := map[chainhash.Hash]bool{}
	for _, h := range held {
		if tx := h.OutPoint.Hash; len(h.Shared) > 0 && !listed[tx] {
			listed[tx] = true
			if err := i.exec("INSERT OR REPLACE INTO list (tx, balances) VALUES (?, ?)",
				tx[:], runes.EncodeBalances(h.Shared)); err != nil {
				return err
			}
		}
		if err := i.exec("INSERT OR REPLACE INTO balance (outpoint, holding) VALUES (?, ?)",
			runes.EncodeOutPoint(h.OutPoint), runes.EncodeHolding(h.Holding)); err != nil {
			return err
		}
	}
	return nil
}

// DeleteRuneBalances implements runes.Store. A list is deleted with the last output that may share it.
func (i index) DeleteRuneBalances(outs ...wire.OutPoint) error {
	for _, out := range outs {
		if err := i.exec("DELETE FROM balance WHERE outpoint = ?", runes.EncodeOutPoint(out)); err != nil {
			return err
		}
		last := runes.EncodeOutPoint(wire.OutPoint{Hash: out.Hash, Index: math.MaxUint32})
		if err := i.exec(`DELETE FROM list WHERE tx = ?1
			AND NOT EXISTS (SELECT 1 FROM balance WHERE outpoint >= ?1 AND outpoint <= ?2)`, out.Hash[:], last); err != nil {
			return err
		}
	}
	return nil
}

// PutRuneUndo implements runes.Store.
func (i index) PutRuneUndo(records ...runes.BlockUndo) error {
	for _, r := range records {
		if err := i.exec("INSERT OR REPLACE INTO undo (height, record) VALUES (?, ?)", r.Height, r.Data); err != nil {
			return err
		}
	}
	return nil
}

// RuneUndo implements runes.Store.
func (i index) RuneUndo(height int64) (data []byte, exists bool, err error) {
	exists, err = i.row("SELECT record FROM undo WHERE height = ?", []any{height}, &data)
	return data, exists, err
}

// DeleteRuneUndo implements runes.Store.
func (i index) DeleteRuneUndo(heights ...int64) error {
	for _, height := range heights {
		if err := i.exec("DELETE FROM undo WHERE height = ?", height); err != nil {
			return err
		}
	}
	return nil
}

// RuneCounters implements runes.Store.
func (i index) RuneCounters() (c runes.Counters, err error) {
	text, err := i.state("rune_counters")
	if err != nil || text == "" {
		return c, err
	}
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		return c, i.failed(err)
	}
	return c, nil
}

// PutRuneCounters implements runes.Store.
func (i index) PutRuneCounters(c runes.Counters) error {
	return i.setState("rune_counters", jsonText(c))
}

// holdings is a cursor over the encoded balances, in the order of the outpoints.
type holdings struct {
	file         *walkFile
	rows         *sql.Rows
	key, holding string
	valid        bool // key and holding belong to a row
	read         int  // number of rows
}

// holdings returns a cursor before the first row. The caller must close it.
func (i index) holdings() *holdings {
	h := &holdings{file: i.walkFile}
	s, err := i.statement("SELECT outpoint, holding FROM balance ORDER BY outpoint")
	if err != nil {
		return h
	}
	if h.rows, err = s.QueryContext(context.Background()); err != nil {
		_ = i.failed(err)
	}
	return h
}

// next reads the next row. After an error no row is valid.
func (h *holdings) next() {
	h.valid = h.rows != nil && h.rows.Next()
	if !h.valid {
		return
	}
	h.read++
	if err := h.rows.Scan(&h.key, &h.holding); err != nil {
		h.valid, _ = false, h.file.failed(err)
	}
}

func (h *holdings) close() {
	if h.rows == nil {
		return
	}
	if err := errors.Join(h.rows.Err(), h.rows.Close()); err != nil {
		_ = h.file.failed(err)
	}
}
