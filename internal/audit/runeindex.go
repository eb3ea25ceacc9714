package audit

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/runes"
)

var (
	entryRows   = table[stored]{"SELECT id, entry FROM rune_entry", pair}
	balanceRows = table[stored]{"SELECT outpoint, balances FROM rune_balance", pair}
	listRows    = table[stored]{"SELECT tx, balances FROM rune_list", pair}
)

// checkIndex compares the stored rune index with the index of the walk (invariant 8). Both have the same encodings, and
// each value has exactly one encoding.
func (a *auditor) checkIndex(r *reader) {
	a.checkEntries(r)
	a.checkBalances(r)
	counters, _ := a.index.RuneCounters()
	if text := a.settings["rune_counters"]; text != "" && text != jsonText(counters) {
		a.fail(Chain, onServer(otherRunes, "rune counters"), "the blocks say %s, the index %s", jsonText(counters), text)
	}
}

// checkEntries compares the stored entries with the walk's.
func (a *auditor) checkEntries(r *reader) {
	known := map[string]bool{}
	each(r, entryRows, "", func(row stored) {
		var own []byte
		exists, _ := a.index.row("SELECT entry FROM entry WHERE id = ?", []any{row.key}, &own)
		known[row.key] = exists
		if string(own) == row.text {
			return
		}
		entry, err := runes.DecodeEntry([]byte(row.text))
		if err != nil || entry.ID.String() != row.key {
			a.fail(Chain, onServer(otherRunes, "rune "+row.key), "its entry can't be read")
			return
		}
		e, _, _ := a.index.RuneEntry(entry.ID)
		a.fail(Chain, onServer(otherRunes,
			"rune "+row.key), "the blocks say %s, the index %s", jsonText(e), jsonText(entry))
	})
	a.report.Checked.Runes = 0
	var id string
	_ = a.index.each("SELECT id FROM entry", nil, []any{&id}, func() error {
		if a.report.Checked.Runes++; !known[id] {
			a.fail(Chain, onServer(otherRunes, "rune "+id), "it is not in the index")
		}
		return nil
	})
}

// checkBalances compares the stored balances with the walk's. It reads both in the order of the outpoints.
func (a *auditor) checkBalances(r *reader) {
	lists := keyed(r, listRows, stored.entry, "")
	own := a.index.holdings()
	defer own.close()
	missing := func() {
		a.fail(Chain, onServer(otherRunes, pointText(own.key)), "it holds runes that are not in the index")
	}
	own.next()
	each(r, balanceRows, "ORDER BY outpoint", func(row stored) {
		for ; own.valid && own.key < row.key; own.next() {
			missing()
		}
		if !own.valid || own.key > row.key {
			a.compareHolding(row, "", lists)
			return
		}
		a.compareHolding(row, own.holding, lists)
		own.next()
	})
	for ; own.valid && r.err == nil; own.next() {
		missing()
	}
	a.report.Checked.RuneOutputs = own.read
}

// compareHolding compares a stored row of balances with the encoded holding that the walk found, "" if none.
func (a *auditor) compareHolding(row stored, holding string, lists map[string]string) {
	point, err := runes.DecodeOutPoint([]byte(row.key))
	if err != nil {
		a.fail(Chain, onServer(otherRunes, fmt.Sprintf("%x", row.key)), "it is not an outpoint")
		return
	}
	balances, shares, err := runes.DecodeHolding([]byte(row.text))
	if err == nil && row.text == holding && !shares {
		return
	}
	indexed := runes.Holding{Own: balances}
	if shares && err == nil {
		own, _ := a.index.list(point.Hash)
		if list := lists[string(point.Hash[:])]; row.text == holding && list == string(own) {
			return
		}
		indexed.Shared, err = runes.DecodeBalances([]byte(lists[string(point.Hash[:])]))
	}
	if err != nil {
		a.fail(Chain, onServer(otherRunes, point.String()), "its runes can't be read")
		return
	}
	if own, _ := runes.BalancesOf(a.index, point); !slices.Equal(own, indexed.All()) {
		a.fail(Chain, onServer(otherRunes, point.String()),
			"by the blocks it holds runes %s, by the index %s", textOf(own), textOf(indexed.All()))
	}
}

// pointText returns an encoded outpoint as text.
func pointText(key string) string {
	point, err := runes.DecodeOutPoint([]byte(key))
	if err != nil {
		return fmt.Sprintf("%x", key)
	}
	return point.String()
}

// textOf returns balances as text, for a violation.
func textOf(balances []runes.Balance) string {
	texts := make([]string, len(balances))
	for i, b := range balances {
		texts[i] = fmt.Sprintf("%s of %s", b.Amount, b.ID)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// heldBy returns the runes on an unspent output.
func (a *auditor) heldBy(outpoint string) []runes.Balance {
	point, err := wire.NewOutPointFromString(outpoint)
	if err != nil {
		return nil
	}
	balances, _ := runes.BalancesOf(a.index, *point)
	return balances
}

func jsonText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
