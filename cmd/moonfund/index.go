package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/audit"
	"moonfund/chain"
	"moonfund/community"
	"moonfund/console"
	"moonfund/ledger"
	"moonfund/runes"
	"moonfund/store"
)

// indexFlag chooses which runes an index follows.
type indexFlag struct {
	Index string `enum:"full,followed" default:"full" env:"MOONFUND_INDEX" help:"full: index every rune. followed: only the communities' own, from their etchings on; smaller, without the mint and etch service, and what may bear another rune is not credited. A ledger keeps what it began with."`
}

const indexFollowed = "followed"

func (f indexFlag) followed() bool { return f.Index == indexFollowed }

// remedy says what to do to have the index that was asked for.
type remedy func(index string) string

func rebuildLedger(index string) string {
	return "stop every server on this ledger and run `moonfund rebuild --from-chain --index " + index + "` with the same manifests"
}

func deleteIndex(string) string {
	return "stop the signer, delete index.db in its folder and nothing else, and start it again: it reads the chain anew"
}

// rules are those of the index that a database is to have: what was asked for,
// where it has none yet; else what it has, which must be what was asked for.
func (f indexFlag) rules(ctx context.Context, db *store.Store, node *chain.Client, network chain.Network, manifests []community.Manifest, how remedy) (runes.Rules, error) {
	rules := runes.RulesFor(network)
	wanted, err := f.wanted(ctx, node, rules, manifests)
	if err != nil {
		return rules, err
	}
	err = db.Update(ctx, func(tx *store.Tx) error {
		tip, err := tx.Tip(ctx)
		if err != nil {
			return err
		}
		if tip.Height == ledger.None {
			rules = following(rules, wanted)
			return tx.PutFollowed(ctx, wanted)
		}
		kept, err := tx.Followed(ctx)
		if err != nil {
			return err
		}
		rules = following(rules, kept)
		return f.agrees(kept, manifests, how)
	})
	return rules, err
}

// wanted are the runes of the manifests, nil for every rune. Each must be etched:
// an index of theirs begins there.
func (f indexFlag) wanted(ctx context.Context, node audit.Node, rules runes.Rules, manifests []community.Manifest) (ids []runes.ID, err error) {
	if !f.followed() {
		return nil, nil
	}
	for _, m := range manifests {
		id, err := runes.ParseID(m.Rune.ID)
		if err != nil {
			return nil, fmt.Errorf("community %s: rune_id: %w", m.Prefix, err)
		}
		_, at, err := etched(ctx, node, rules, id)
		if err != nil {
			return nil, fmt.Errorf("community %s: rune_id %s: %w", m.Prefix, id, err)
		}
		if rules.Only(id).Start() > rules.Start() && !m.Genesis.IsZero() && m.Genesis.Before(at) {
			return nil, fmt.Errorf("community %s: its genesis %s is before its rune's etching at %s: an index of the followed runes alone has no blocks to tell when that was",
				m.Prefix, console.Time(m.Genesis), console.Time(at))
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// etched returns the transaction that etches a rune and the time of its block, and refuses one that the chain does not etch.
func etched(ctx context.Context, node audit.Node, rules runes.Rules, id runes.ID) (txid chainhash.Hash, at time.Time, err error) {
	_, best, err := node.Best(ctx)
	if err != nil {
		return txid, at, fmt.Errorf("the node can't be asked: %w", err)
	}
	if id.Block > uint64(best) {
		return txid, at, fmt.Errorf("it is not etched yet, the chain ends at block %d. With --index %s a server starts once it is", best, indexFollowed)
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

// agrees refuses an index that is not what was asked for.
func (f indexFlag) agrees(kept []runes.ID, manifests []community.Manifest, how remedy) error {
	has := "full"
	if kept != nil {
		has = indexFollowed
	}
	if has != f.Index {
		return fmt.Errorf("this index of runes was made with --index %s, not %s. Start with --index %s; or, to change it, %s", has, f.Index, has, how(f.Index))
	}
	for _, m := range manifests {
		if id, err := runes.ParseID(m.Rune.ID); kept != nil && (err != nil || !slices.Contains(kept, id)) {
			return fmt.Errorf("community %s: its rune %s is not among those that this index follows. To take it in, %s", m.Prefix, m.Rune.ID, how(f.Index))
		}
	}
	return nil
}

// rules are those of the index to come: a rune that is followed stays followed.
// narrower says that every rune was followed before.
func (c rebuildCommand) rules(ctx context.Context, db *store.Store, node *chain.Client, network chain.Network, manifests []community.Manifest) (rules runes.Rules, narrower bool, err error) {
	var kept []runes.ID
	if err := db.View(ctx, func(tx *store.Tx) error {
		kept, err = tx.Followed(ctx)
		return err
	}); err != nil {
		return rules, false, err
	}
	rules = runes.RulesFor(network)
	index := indexFlag{c.Index}
	if c.Index == "" && kept != nil {
		index.Index = indexFollowed
	}
	wanted, err := index.wanted(ctx, node, rules, manifests)
	if err != nil || wanted == nil {
		return rules, false, err
	}
	return rules.Only(append(wanted, kept...)...), kept == nil, nil
}

func indexWords(rules runes.Rules) string {
	if rules.Follow == nil {
		return ", with every rune"
	}
	return ", with no runes but " + idsText(slices.Collect(maps.Keys(rules.Follow)))
}

func idsText(ids []runes.ID) string {
	var texts []string
	for _, id := range slices.SortedFunc(slices.Values(ids), runes.ID.Compare) {
		texts = append(texts, id.String())
	}
	return strings.Join(texts, ", ")
}

// provable refuses to give up an index of every rune where one of some could not
// prove what is credited already, since stakes and payments would no longer count
// then, or where it would leave mint and etch orders as they are.
func provable(ctx context.Context, db *store.Store, node audit.Node, rules runes.Rules) error {
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
			return fmt.Errorf("%d mint and etch orders are open, and --index %s can't carry them out: let them end first", len(open), indexFollowed)
		}
		return proveCredited(ctx, tx, origin)
	})
}

// endOfTime is after every deadline.
var endOfTime = time.Unix(1<<40, 0)

// etchings are followed runes before there is an index of them.
type etchings map[runes.ID]runes.Entry

// RuneEntry implements runes.EntryReader.
func (e etchings) RuneEntry(id runes.ID) (runes.Entry, bool, error) {
	entry, found := e[id]
	return entry, found, nil
}

// proveCredited looks at outputs in the order of their blocks, so that each rests on the ones before.
func proveCredited(ctx context.Context, tx *store.Tx, origin runes.Provenance) error {
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
		if output.Height == ledger.None || output.Vanished {
			continue
		}
		stray, err := origin.Stray(ctx, point)
		if err != nil {
			return err
		}
		if stray && output.Quarantine == "" {
			return fmt.Errorf("the %s output %s counts, and --index %s could not prove that it bears no other rune: keep the full index", output.Kind, point, indexFollowed)
		}
		proved[point] = !stray
	}
	return nil
}

// stray reports whether an output may bear a rune that the ledger's index does not
// follow; for the signer in this process.
func (h *house) stray(ctx context.Context, out wire.OutPoint) (stray bool, err error) {
	err = h.store.View(ctx, func(tx *store.Tx) error {
		stray, err = provenance(tx, h.node, h.rules).Stray(ctx, out)
		return err
	})
	return stray, err
}

// signerLooks is how much farther than a server its signer looks: it remembers the
// treasury's outputs alone.
const signerLooks = 10

// provenance rests on what was proved of this database's outputs before.
func provenance(tx *store.Tx, node *chain.Client, rules runes.Rules) runes.Provenance {
	return runes.Provenance{
		Rules: rules, Node: node, Limit: signerLooks * runes.ProvenanceLimit, Entries: tx.Runes(context.Background()),
		Known: func(ctx context.Context, out wire.OutPoint) (bool, error) {
			output, err := tx.Output(ctx, out)
			if errors.Is(err, ledger.ErrNotFound) {
				return false, nil
			}
			return err == nil && output.Height != ledger.None && output.Quarantine != ledger.Unfollowed, err
		},
	}
}
