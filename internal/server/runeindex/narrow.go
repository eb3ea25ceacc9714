package runeindex

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/audit"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/store"
)

// CheckNarrower returns an error if an index of only the followed runes can't replace an index of every rune: it can't
// prove a credited output, so that a stake or payment would no longer count, or mint and etch orders are open.
func CheckNarrower(ctx context.Context, db *store.Store, node audit.Node, rules runes.Rules) error {
	origin := runes.Provenance{Rules: rules, Entries: etchings{}, Node: node, Limit: runes.ProvenanceLimit}
	for id := range rules.Follow {
		tx, _, err := etched(ctx, node, rules, id)
		if err != nil {
			return err
		}
		origin.Entries.(etchings)[id] = runes.Entry{ID: id, Etching: tx}
	}
	return db.View(ctx, func(tx *store.Tx) error {
		open, err := tx.Etchings(ctx).Orders.Due(endOfTime)
		if err != nil {
			return err
		}
		if len(open) > 0 {
			return fmt.Errorf("%d mint and etch orders are open, and --index %s can't complete them: wait until they are closed",
				len(open), Followed)
		}
		return checkCredited(ctx, tx, origin)
	})
}

// endOfTime is later than every deadline.
var endOfTime = time.Unix(1<<40, 0)

// etchings are the entries of the followed runes, for a proof before an index of them exists.
type etchings map[runes.ID]runes.Entry

// RuneEntry implements runes.EntryReader.
func (e etchings) RuneEntry(id runes.ID) (runes.Entry, bool, error) {
	entry, found := e[id]
	return entry, found, nil
}

// checkCredited proves the credited outputs in the order of their blocks, so that each proof can use earlier ones.
func checkCredited(ctx context.Context, tx *store.Tx, origin runes.Provenance) error {
	facts, err := tx.CustodyFacts(ctx)
	if err != nil {
		return err
	}
	proved := map[wire.OutPoint]bool{}
	origin.Known = func(_ context.Context, out wire.OutPoint) (bool, error) { return proved[out], nil }
	for _, point := range slices.SortedFunc(maps.Keys(facts), func(a, b wire.OutPoint) int {
		return cmp.Or(cmp.Compare(facts[a].Height, facts[b].Height), cmp.Compare(a.String(), b.String()))
	}) {
		output, err := tx.Output(ctx, point)
		if err != nil {
			return err
		}
		if output.Height == chain.None || output.Vanished {
			continue
		}
		untracked, err := origin.Untracked(ctx, point)
		if err != nil {
			return err
		}
		if untracked && output.Quarantine == "" {
			return fmt.Errorf("the %s output %s counts, and --index %s could not prove that it holds no other rune: "+
				"keep the full index", output.Kind, point, Followed)
		}
		proved[point] = !untracked
	}
	return nil
}
