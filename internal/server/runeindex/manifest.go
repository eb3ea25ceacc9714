package runeindex

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"

	"moonfund/internal/amount"
	"moonfund/internal/audit"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/community"
)

// CheckManifests returns an error for a manifest whose rune id names no rune of the chain, or a rune with another name,
// because a community's rune never changes and a mistyped id must be found first. It fills in an empty name from the
// chain. It only logs a rune of a future block, because this server may etch it. A rune with a maximum supply of 2^63
// base units or more is also an error, because no sum of the ledger may overflow.
func CheckManifests(
	ctx context.Context, node audit.Node, rules runes.Rules, manifests []community.Manifest, log *slog.Logger,
) error {
	_, best, err := node.Best(ctx)
	if err != nil {
		return fmt.Errorf("the node does not respond: %w", err)
	}
	for i, m := range manifests {
		id, err := m.RuneID()
		if err != nil {
			return err
		}
		if id.Block > uint64(best) {
			log.Warn("the chain does not have the community's rune yet", "community", m.Prefix, "rune", m.Rune.ID, "height",
				best)
			continue
		}
		etched, err := LookUp(ctx, node, rules, id)
		if err != nil {
			return fmt.Errorf("community %s: rune.id is %s: %w", m.Prefix, id, err)
		}
		name := etched.Name
		if m.Rune.Name != "" && name != "" && m.Rune.Name != name {
			return fmt.Errorf("community %s: rune.name: found %q, want %q, which is the name of rune %s on the chain",
				m.Prefix, m.Rune.Name, name, id)
		}
		if m.Rune.Name == "" {
			manifests[i].Rune.Name = name
		}
	}
	return nil
}

// Rune contains the properties of an etched rune.
type Rune struct {
	Name         string // with spacers; "" for the one rune that no transaction etched
	Symbol       string // "" if the etching has none
	Divisibility int
	MaxSupply    amount.Runes // base units, mints included
}

// LookUp reads a rune from the block of its etching. It returns an error if the block does not etch the rune, or if the
// maximum supply is 2^63 base units or more.
func LookUp(ctx context.Context, node audit.Node, rules runes.Rules, id runes.ID) (found Rune, err error) {
	hash, err := node.BlockHash(ctx, int64(id.Block))
	if err != nil {
		return found, err
	}
	block, err := node.Block(ctx, hash, int64(id.Block))
	if err != nil {
		return found, err
	}
	txid, err := rules.Etched(id, block)
	if err != nil || int(id.Tx) >= len(block.Txs) || block.Txs[id.Tx].ID != txid {
		return found, err
	}
	a := runes.Decipher(block.Txs[id.Tx].Msg)
	if a.Cenotaph != nil {
		found.Name = a.Cenotaph.Etching.String()
		return found, nil
	}
	etching := a.Runestone.Etching
	supply, fits := etching.MaxSupply()
	if !fits || supply.Cmp64(math.MaxInt64) > 0 {
		return found, errors.New("there can be more than 9223372036854775807 base units of this rune, " +
			"the maximum of an amount here")
	}
	found.MaxSupply = amount.Runes(supply.Lo)
	spaced := runes.SpacedName{Name: runes.ReservedName(id)}
	if etching.Name != nil {
		spaced.Name = *etching.Name
	}
	if etching.Spacers != nil {
		spaced.Spacers = *etching.Spacers
	}
	found.Name = spaced.String()
	if etching.Symbol != nil {
		found.Symbol = string(*etching.Symbol)
	}
	if etching.Divisibility != nil {
		found.Divisibility = int(*etching.Divisibility)
	}
	return found, nil
}
