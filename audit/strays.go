package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/chain"
	"moonfund/runes"
)

// follow takes over which runes the ledger's index follows, ids parted by spaces. The server may follow no more than it says, or what it credits
// could not be proved here; and no less, or the indices would differ.
func (c *Config) follow(text string) error {
	var ids []runes.ID
	for part := range strings.FieldsSeq(text) {
		id, err := runes.ParseID(part)
		if err != nil {
			return fmt.Errorf("audit: the runes that the index follows are %q: %w", text, err)
		}
		ids = append(ids, id)
	}
	c.Rules = c.Rules.Only(ids...)
	c.Start = c.Rules.Start()
	return nil
}

// strays says which outputs of a transaction that pays us may bear runes that are
// not followed; nil when every rune is. What was found of ours before needs no
// second proof.
func (a *auditor) strays(ctx context.Context, node Node, tx chain.Tx) ([]bool, error) {
	if a.Rules.Follow == nil || !slices.ContainsFunc(tx.Msg.TxOut, func(out *wire.TxOut) bool {
		_, ours := a.watch.at(out.PkScript)
		return ours
	}) {
		return nil, nil
	}
	p := runes.Provenance{
		Rules: a.Rules, Entries: a.index, Node: node, Limit: runes.ProvenanceLimit,
		Known: func(_ context.Context, out wire.OutPoint) (bool, error) {
			o := a.outputs.at(out.String())
			return o != nil && !o.stray, nil
		},
	}
	strays, err := p.Strays(ctx, tx)
	if err != nil {
		return nil, fmt.Errorf("audit: %w", err)
	}
	return strays, nil
}
