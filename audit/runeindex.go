package audit

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/runes"
)

var (
	entryRows   = table[stored]{"SELECT id, entry FROM rune_entry", pair}
	balanceRows = table[stored]{"SELECT outpoint, balances FROM rune_balance", pair}
	listRows    = table[stored]{"SELECT tx, balances FROM rune_list", pair}
)

// checkIndex compares the stored rune index with the index of the walk (invariant 8).
func (a *auditor) checkIndex(r *reader) {
	known := map[runes.ID]bool{}
	each(r, entryRows, "", func(row stored) {
		entry, err := runes.DecodeEntry([]byte(row.text))
		if err != nil || entry.ID.String() != row.key {
			a.fail(Chain, "rune "+row.key, "its entry can't be read")
			return
		}
		known[entry.ID] = true
		own, exists, _ := a.index.RuneEntry(entry.ID)
		if !exists || jsonText(own) != jsonText(entry) {
			a.fail(Chain, "rune "+row.key, "the blocks say %s, the index %s", jsonText(own), jsonText(entry))
		}
	})
	for id := range a.index.ids {
		if _, exists, _ := a.index.RuneEntry(id); exists && !known[id] {
			a.fail(Chain, "rune "+id.String(), "it is not in the index")
		}
	}
	a.checkBalances(r)
	counters, _ := a.index.RuneCounters()
	if text := a.settings["rune_counters"]; text != "" && text != jsonText(counters) {
		a.fail(Chain, "rune counters", "the blocks say %s, the index %s", jsonText(counters), text)
	}
	a.report.Checked.Runes, a.report.Checked.RuneOutputs = len(a.index.ids), len(a.index.holding)
}

// checkBalances compares the stored balances with those of the walk.
func (a *auditor) checkBalances(r *reader) {
	if a.compareBalances(r) == len(a.index.holding) {
		return
	}
	missing := map[wire.OutPoint]bool{}
	for point := range a.index.holding {
		missing[point] = true
	}
	each(r, balanceRows, "", func(row stored) {
		if point, err := runes.DecodeOutPoint([]byte(row.key)); err == nil {
			delete(missing, point)
		}
	})
	for point := range missing {
		a.fail(Chain, point.String(), "it holds runes that are not in the index")
	}
}

// compareBalances checks each stored balance, and returns the number of the walk's outputs that are stored.
func (a *auditor) compareBalances(r *reader) (known int) {
	lists := map[string][]runes.Balance{}
	each(r, listRows, "", func(row stored) {
		balances, err := runes.DecodeBalances([]byte(row.text))
		if err != nil {
			a.fail(Chain, fmt.Sprintf("%x", row.key), "the runes that its outputs share can't be read")
		}
		lists[row.key] = balances
	})
	each(r, balanceRows, "", func(row stored) {
		point, err := runes.DecodeOutPoint([]byte(row.key))
		if err != nil {
			a.fail(Chain, fmt.Sprintf("%x", row.key), "it is not an outpoint")
			return
		}
		if a.index.holding[point] {
			known++
		}
		balances, shares, err := runes.DecodeHolding([]byte(row.text))
		indexed := runes.Holding{Own: balances}
		if shares {
			indexed.Shared = lists[string(point.Hash[:])]
		}
		if err != nil || shares && len(indexed.Shared) == 0 {
			a.fail(Chain, point.String(), "its runes can't be read")
			return
		}
		if own, _ := runes.BalancesOf(a.index, point); !slices.Equal(own, indexed.All()) {
			a.fail(Chain, point.String(), "by the blocks it holds runes %s, by the index %s",
				textOf(own), textOf(indexed.All()))
		}
	})
	return known
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
