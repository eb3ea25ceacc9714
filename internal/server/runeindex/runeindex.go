// Package runeindex decides which runes a database indexes: every rune (full), or only the runes of its communities
// (followed). A database has the index of its first start until it is rebuilt.
package runeindex

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/audit"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/community"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
	"moonfund/internal/store"
)

// The values of the option --index.
const (
	Full     = "full"
	Followed = "followed"
)

// Remedy returns the instruction to the operator for changing the index to the given value of --index.
type Remedy func(index string) string

// RebuildLedger is the remedy for a server's ledger.
func RebuildLedger(index string) string {
	return "stop every server on this ledger and run `moonfund rebuild --from-chain --index " + index +
		"` with the same manifests"
}

// DeleteIndex is the remedy for the index of a signer process.
func DeleteIndex(string) string {
	return "stop the signer, delete index.db in its folder and nothing else, and start it again: it reads the chain again"
}

// Choice is the index that an operator chose.
type Choice struct {
	Index       string // Full or Followed
	Network     chain.Network
	Communities []community.Manifest
	Node        audit.Node
}

// Rules returns the rules of a database's index. For a database without an index it stores the choice and returns its
// rules. It returns an error that contains the remedy if the index differs from the choice.
func (c Choice) Rules(ctx context.Context, db *store.Store, remedy Remedy) (runes.Rules, error) {
	rules := runes.RulesFor(c.Network)
	wanted, err := c.wanted(ctx)
	if err != nil {
		return rules, err
	}
	err = db.Update(ctx, func(tx *store.Tx) error {
		tip, err := tx.Tip(ctx)
		if err != nil {
			return err
		}
		if tip.Height == chain.None {
			rules = following(rules, wanted)
			return tx.PutFollowed(ctx, wanted)
		}
		kept, err := tx.Followed(ctx)
		if err != nil {
			return err
		}
		rules = following(rules, kept)
		return c.check(kept, remedy)
	})
	return rules, err
}

// RebuildRules returns the rules of the index that a rebuild makes. A followed rune stays followed. An empty Index does
// not change the kind of index. narrower reports whether the index covered every rune before and will cover only some.
func (c Choice) RebuildRules(ctx context.Context, db *store.Store) (rules runes.Rules, narrower bool, err error) {
	var kept []runes.ID
	if err := db.View(ctx, func(tx *store.Tx) error {
		kept, err = tx.Followed(ctx)
		return err
	}); err != nil {
		return rules, false, err
	}
	rules = runes.RulesFor(c.Network)
	if c.Index == "" && kept != nil {
		c.Index = Followed
	}
	wanted, err := c.wanted(ctx)
	if err != nil || wanted == nil {
		return rules, false, err
	}
	return rules.Only(append(wanted, kept...)...), kept == nil, nil
}

// wanted returns the runes of the communities, or nil for every rune. An index of some runes begins at their etchings,
// so each must be etched.
func (c Choice) wanted(ctx context.Context) (ids []runes.ID, err error) {
	if c.Index != Followed {
		return nil, nil
	}
	rules := runes.RulesFor(c.Network)
	for _, m := range c.Communities {
		id, err := m.RuneID()
		if err != nil {
			return nil, err
		}
		_, at, err := etched(ctx, c.Node, rules, id)
		if err != nil {
			return nil, fmt.Errorf("community %s: rune.id %s: %w", m.Prefix, id, err)
		}
		if rules.Only(id).Start() > rules.Start() && !m.Genesis.IsZero() && m.Genesis.Before(at) {
			return nil, fmt.Errorf("community %s: its genesis %s is before its rune's etching at %s: "+
				"an index of the followed runes alone does not contain that time",
				m.Prefix, dateTime(m.Genesis), dateTime(at))
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func dateTime(t time.Time) string { return t.UTC().Format(time.DateTime) }

// etched returns the transaction that etched a rune and the time of its block. It returns an error for a rune that the
// chain does not etch.
func etched(
	ctx context.Context, node audit.Node, rules runes.Rules, id runes.ID,
) (txid chainhash.Hash, at time.Time, err error) {
	_, best, err := node.Best(ctx)
	if err != nil {
		return txid, at, fmt.Errorf("the node does not respond: %w", err)
	}
	if id.Block > uint64(best) {
		return txid, at, fmt.Errorf("it is not etched yet, the chain ends at block %d. "+
			"With --index %s a server starts once it is", best, Followed)
	}
	hash, err := node.BlockHash(ctx, int64(id.Block))
	if err != nil {
		return txid, at, err
	}
	block, err := node.Block(ctx, hash, int64(id.Block))
	if err != nil {
		return txid, at, err
	}
	txid, err = rules.Etched(id, block)
	return txid, block.Time, err
}

func following(rules runes.Rules, ids []runes.ID) runes.Rules {
	if ids == nil {
		return rules
	}
	return rules.Only(ids...)
}

// check returns an error for an index other than the chosen one; kept is nil for an index of every rune.
func (c Choice) check(kept []runes.ID, remedy Remedy) error {
	has := Full
	if kept != nil {
		has = Followed
	}
	if has != c.Index {
		return fmt.Errorf("this index of runes was created with --index %s, not %s. "+
			"Start with --index %s; or, to change it, %s",
			has, c.Index, has, remedy(c.Index))
	}
	for _, m := range c.Communities {
		if id, err := m.RuneID(); kept != nil && (err != nil || !slices.Contains(kept, id)) {
			return fmt.Errorf("community %s: this index does not follow its rune %s. To add it, %s",
				m.Prefix, m.Rune.ID, remedy(c.Index))
		}
	}
	return nil
}

// Describe returns the runes that the rules index, as the end of a sentence.
func Describe(rules runes.Rules) string {
	if rules.Follow == nil {
		return ", with every rune"
	}
	var texts []string
	for _, id := range slices.SortedFunc(maps.Keys(rules.Follow), runes.ID.Compare) {
		texts = append(texts, id.String())
	}
	return ", with only the runes " + strings.Join(texts, ", ")
}

// SignerProvenanceLimit is the maximum number of transactions that a signer traces back to find the origin of an
// output. It is larger than the server's limit because the signer's index has proofs of the treasury's outputs only.
const SignerProvenanceLimit = 10 * runes.ProvenanceLimit

// Untracked reports whether an output may hold a rune that the database's index does not follow, for a signer. It uses
// earlier proofs of the database's outputs.
func Untracked(
	ctx context.Context, db *store.Store, node runes.Node, rules runes.Rules, out wire.OutPoint,
) (untracked bool, err error) {
	err = db.View(ctx, func(tx *store.Tx) error {
		origin := runes.Provenance{
			Rules: rules, Node: node, Limit: SignerProvenanceLimit, Entries: tx.Runes(ctx),
			Known: func(ctx context.Context, out wire.OutPoint) (bool, error) {
				output, err := tx.Output(ctx, out)
				if errors.Is(err, state.ErrNotFound) {
					return false, nil
				}
				return err == nil && output.Height != chain.None && output.Quarantine != ledger.Unfollowed, err
			},
		}
		untracked, err = origin.Untracked(ctx, out)
		return err
	})
	return untracked, err
}
