package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"

	"moonfund/audit"
	"moonfund/community"
	"moonfund/runes"
)

// runesFit refuses a manifest whose rune the chain does not have under its id, or has under another name: a community is bound to
// its rune for good, so a mistyped id must be found before anything is. A name that is left to the chain is filled in. A
// rune that is not etched yet is only said to be none, since it may be etched here. One that can have more base units than
// an amount holds is refused, too: no sum of the ledger may overflow.
func runesFit(ctx context.Context, node audit.Node, rules runes.Rules, manifests []community.Manifest, log *slog.Logger) error {
	_, best, err := node.Best(ctx)
	if err != nil {
		return fmt.Errorf("the node can't be asked: %w", err)
	}
	for i, m := range manifests {
		id, err := runes.ParseID(m.Rune.ID)
		if err != nil {
			return fmt.Errorf("community %s: rune.id: %w", m.Prefix, err)
		}
		if id.Block > uint64(best) {
			log.Warn("the chain does not have the community's rune yet", "community", m.Prefix, "rune", m.Rune.ID, "height", best)
			continue
		}
		name, err := nameOf(ctx, node, rules, id)
		if err != nil {
			return fmt.Errorf("community %s: rune.id is %s: %w", m.Prefix, id, err)
		}
		if m.Rune.Name != "" && name != "" && m.Rune.Name != name {
			return fmt.Errorf("community %s: rune.name: found %q, want %q, which is the name of rune %s on the chain", m.Prefix, m.Rune.Name, name, id)
		}
		if m.Rune.Name == "" {
			manifests[i].Rune.Name = name
		}
	}
	return nil
}

// nameOf reads the name that a rune was etched with, with its spacers; "" for the one that no transaction etched. A rune
// of which there can be 2^63 base units or more is an error.
func nameOf(ctx context.Context, node audit.Node, rules runes.Rules, id runes.ID) (string, error) {
	hash, err := node.BlockHash(ctx, int64(id.Block))
	if err != nil {
		return "", err
	}
	block, err := node.Block(ctx, hash, int64(id.Block))
	if err != nil {
		return "", err
	}
	txid, err := rules.Etched(id, block)
	if err != nil || int(id.Tx) >= len(block.Txs) || block.Txs[id.Tx].ID != txid {
		return "", err
	}
	a := runes.Decipher(block.Txs[id.Tx].Msg)
	if a.Cenotaph != nil {
		return a.Cenotaph.Etching.String(), nil
	}
	etching := a.Runestone.Etching
	if supply, fits := etching.MaxSupply(); !fits || supply.Cmp64(math.MaxInt64) > 0 {
		return "", errors.New("there can be more than 9223372036854775807 base units of this rune, the most that an amount holds here")
	}
	spaced := runes.SpacedName{Name: runes.ReservedName(id)}
	if etching.Name != nil {
		spaced.Name = *etching.Name
	}
	if etching.Spacers != nil {
		spaced.Spacers = *etching.Spacers
	}
	return spaced.String(), nil
}
