package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

// follow sets which runes the ledger's index follows: ids separated by spaces. The audit must follow exactly the same
// runes: with fewer runes it could not prove the ledger's credits, and with more runes its index would differ.
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

// untracked reports for each output of a transaction whether it may hold runes that are not followed. It returns nil if
// every rune is followed, or if the transaction does not pay us. It relies on the earlier proofs of our outputs.
func (a *auditor) untracked(ctx context.Context, node Node, tx chain.Tx) ([]bool, error) {
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
			return o != nil && !o.untracked, nil
		},
	}
	outputs, err := p.UntrackedOutputs(ctx, tx)
	if err != nil {
		return nil, fmt.Errorf("audit: %w", err)
	}
	return outputs, nil
}
