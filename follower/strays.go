package follower

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/chain"
	"moonfund/ledger"
	"moonfund/runes"
)

// strays says which outputs of a transaction that pays us may bear runes that the
// index does not follow; nil when it follows every rune. In the mempool what can't
// be looked up counts as not clear: the block decides.
func (f *Follower) strays(ctx context.Context, tx Tx, t chain.Tx, height int64) ([]bool, error) {
	if f.Rules.Follow == nil || !slices.ContainsFunc(t.Msg.TxOut, func(out *wire.TxOut) bool {
		_, ours := f.watch.Script(out.PkScript)
		return ours
	}) {
		return nil, nil
	}
	p := f.provenance(ctx, tx)
	strays, err := p.Strays(ctx, t)
	if errors.Is(err, chain.ErrNotFound) && height == ledger.None {
		return strays, nil
	}
	return strays, err
}

// provenance knows what was judged before: every output of ours in a block.
func (f *Follower) provenance(ctx context.Context, tx Tx) runes.Provenance {
	return runes.Provenance{
		Rules: f.Rules, Entries: tx.Runes(ctx), Node: f.Node, Limit: cmp.Or(f.LookBack, runes.ProvenanceLimit),
		Known: func(ctx context.Context, out wire.OutPoint) (bool, error) {
			output, err := tx.Output(ctx, out)
			if err == ledger.ErrNotFound {
				return false, nil
			}
			return err == nil && output.Height != ledger.None && output.Quarantine != ledger.Unfollowed, err
		},
	}
}
