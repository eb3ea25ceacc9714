package audit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/chain"
	"moonfund/runes"
)

// maxReorg is the deepest reorg that a server follows; deeper ones need a person.
const maxReorg = 6

// chained is what the blocks say, up to the server's tip.
type chained struct {
	headers []header          // from Config.Start on
	index   *index            // every rune and every output that holds runes
	outputs map[string]*found // every output at our scripts, by outpoint
	mined   map[string]int64  // height of each payout and tracked transaction in a block
	first   int64             // height of the first block with runes
}

func newChained(c Config) chained {
	return chained{index: newIndex(), outputs: map[string]*found{}, mined: map[string]int64{}, first: c.Rules.FirstHeight}
}

type header struct {
	height     int64
	hash, prev string
	time       int64
}

// found is an output at one of our scripts, with its spend.
type found struct {
	watched
	txid        string
	vout        int64
	value       int64
	height      int64
	coinbase    bool
	balances    []runes.Balance
	spentBy     string // txid, "" while unspent
	spentHeight int64
	keyPath     bool // spent with one signature of the key itself
	stray       bool // it may bear runes that are not followed
}

// index is a rune index of our own that can also be listed.
type index struct {
	*runes.Memory
	ids     map[runes.ID]bool
	holding map[wire.OutPoint]bool
}

func newIndex() *index {
	return &index{runes.NewMemory(), map[runes.ID]bool{}, map[wire.OutPoint]bool{}}
}

// PutRuneEntry implements runes.Store.
func (i *index) PutRuneEntry(e runes.Entry) error {
	i.ids[e.ID] = true
	return i.Memory.PutRuneEntry(e)
}

// PutRuneBalances implements runes.Store.
func (i *index) PutRuneBalances(o wire.OutPoint, balances []runes.Balance) error {
	i.holding[o] = true
	return i.Memory.PutRuneBalances(o, balances)
}

// DeleteRuneBalances implements runes.Store.
func (i *index) DeleteRuneBalances(o wire.OutPoint) error {
	delete(i.holding, o)
	return i.Memory.DeleteRuneBalances(o)
}

// tip is the height up to which the chain was walked, none for nothing.
func (c chained) tip() int64 {
	if len(c.headers) == 0 {
		return none
	}
	return c.headers[len(c.headers)-1].height
}

// walk compares the indexed headers with the node's best chain and takes in every
// block of the indexed chain.
func (a *auditor) walk(ctx context.Context, node Node) error {
	found := len(a.report.Violations)
	_, height, err := node.Best(ctx)
	if err != nil {
		return fmt.Errorf("audit: %w", err)
	}
	a.report.NodeHeight, a.report.Height = height, none
	if len(a.blocks) > 0 {
		a.report.Height = a.blocks[len(a.blocks)-1].height
	}
	best, err := a.branch(ctx, node)
	if err != nil {
		return err
	}
	rows := a.headerRows()
	prev := ""
	for i, hash := range best {
		row, indexed := rows[a.Start+int64(i)]
		if !indexed {
			row = block{height: a.Start + int64(i), hash: hash}
		}
		if i < len(a.headers) && a.headers[i].is(row) {
			prev = row.hash
			continue // walked before
		}
		if err := a.rewind(a.Start + int64(i)); err != nil { // too deep to be undone
			a.chained, a.report.Violations = newChained(a.Config), a.report.Violations[:found]
			return a.walk(ctx, node)
		}
		block, err := a.fetch(ctx, node, row, hash)
		if err != nil {
			return err
		}
		recorded := row.prev == block.Prev.String() && row.time == block.Time.Unix() && (prev == "" || row.prev == prev)
		if indexed && !recorded {
			a.fail(Chain, name(row), "its header is recorded differently than it is")
		}
		prev = row.hash
		if err := a.take(ctx, node, block); err != nil {
			return err
		}
	}
	return nil
}

// is reports whether a row is recorded as the header that was walked.
func (h header) is(row block) bool {
	return h.height == row.height && h.hash == row.hash && h.time == row.time && h.prev == row.prev
}

// rewind takes back what was walked from a height on.
func (c *chained) rewind(height int64) error {
	for len(c.headers) > 0 && c.tip() >= height {
		if c.tip() >= c.first {
			if err := runes.Undo(c.index, c.tip()); err != nil {
				return fmt.Errorf("audit: %w", err)
			}
		}
		for point, o := range c.outputs {
			if o.height == c.tip() {
				delete(c.outputs, point)
			} else if o.spentHeight == c.tip() {
				o.spentBy, o.spentHeight, o.keyPath = "", none, false
			}
		}
		for txid, at := range c.mined {
			if at == c.tip() {
				delete(c.mined, txid)
			}
		}
		c.headers = c.headers[:len(c.headers)-1]
	}
	return nil
}

func name(b block) string { return fmt.Sprint("block ", b.height) }

func (a *auditor) headerRows() map[int64]block {
	return byKey(a.blocks, func(b block) (int64, block) { return b.height, b })
}

// branch returns the node's hash at every height from Config.Start to the
// server's tip ("" above the node's own), and says whether the indexed chain is
// the node's, one behind it, or neither.
func (a *auditor) branch(ctx context.Context, node Node) (best []string, err error) {
	rows := a.headerRows()
	a.report.Behind = max(0, a.report.NodeHeight-max(a.report.Height, a.Start-1))
	var off []block // not in the node's best chain
	rejoined := false
	if best, err = a.hashes(ctx, node); err != nil {
		return nil, err
	}
	for i, text := range best {
		height := a.Start + int64(i)
		row, indexed := rows[height]
		switch {
		case !indexed:
			a.fail(Chain, fmt.Sprint("block ", height), "it is not indexed, but later ones are")
		case row.hash != text:
			off = append(off, row)
		case len(off) > 0:
			rejoined = true
		}
	}
	if len(a.blocks) > 0 && a.blocks[0].height < a.Start {
		a.fail(Chain, name(a.blocks[0]), "it is indexed, but lies below the first followed block %d", a.Start)
	}
	if len(off) > maxReorg || rejoined {
		a.fail(Chain, name(off[0]), "the indexed hash %s is not the one of the node's best chain", off[0].hash)
	}
	if len(off) > 0 {
		a.report.Behind = max(a.report.Behind, a.report.NodeHeight-off[0].height+1)
	}
	return best, nil
}

// hashes asks the node for its hash at every height from Config.Start to the
// server's tip. A block names the one before it: below one that was walked and is
// still the node's, nothing need be asked for.
func (a *auditor) hashes(ctx context.Context, node Node) ([]string, error) {
	best := make([]string, max(0, a.report.Height-a.Start+1))
	for i := len(best) - 1; i >= 0; i-- {
		if above := i + 1; above < min(len(best), len(a.headers)) && best[above] == a.headers[above].hash {
			best[i] = a.headers[above].prev
			continue
		}
		hash, err := node.BlockHash(ctx, a.Start+int64(i))
		if err == nil {
			best[i] = hash.String()
		} else if !errors.Is(err, chain.ErrNotFound) {
			return nil, fmt.Errorf("audit: %w", err)
		}
	}
	return best, nil
}

// fetch returns the block that was indexed or, when the node never had it, the
// node's own of that height.
func (a *auditor) fetch(ctx context.Context, node Node, row block, best string) (chain.Block, error) {
	for _, text := range []string{row.hash, best} {
		hash, err := chainhash.NewHashFromStr(text)
		if err == nil && len(text) == 2*chainhash.HashSize {
			fetched, err := node.Block(ctx, *hash, row.height)
			if err == nil {
				return fetched, nil
			}
			if !errors.Is(err, chain.ErrNotFound) {
				return fetched, fmt.Errorf("audit: %w", err)
			}
		}
		if text == row.hash {
			a.fail(Chain, name(row), "the node does not know its hash %q", row.hash)
		}
	}
	return chain.Block{}, fmt.Errorf("audit: the node has no block %d", row.height)
}

// take applies one block to our own index and notes what concerns us.
func (a *auditor) take(ctx context.Context, node Node, block chain.Block) error {
	var allocated map[wire.OutPoint][]runes.Balance
	if block.Height >= a.Rules.FirstHeight {
		var err error
		if allocated, err = a.Rules.Apply(ctx, a.index, runes.NodeCommitments{Node: node}, block); err != nil {
			return fmt.Errorf("audit: %w", err)
		}
	}
	a.headers = append(a.headers, header{block.Height, block.Hash.String(), block.Prev.String(), block.Time.Unix()})
	for i, tx := range block.Txs {
		txid := tx.ID.String()
		if _, ours := a.versions[txid]; ours {
			a.mined[txid] = block.Height
		} else if _, kept := a.tracked[txid]; kept {
			a.mined[txid] = block.Height
		}
		for _, in := range tx.Msg.TxIn {
			if o := a.outputs[in.PreviousOutPoint.String()]; o != nil {
				o.spentBy, o.spentHeight, o.keyPath = txid, block.Height, keyPath(in.Witness)
			}
		}
		strays, err := a.strays(ctx, node, tx)
		if err != nil {
			return err
		}
		for vout, out := range tx.Msg.TxOut {
			w, ours := a.watch[string(out.PkScript)]
			if !ours {
				continue
			}
			point := wire.OutPoint{Hash: tx.ID, Index: uint32(vout)}
			a.outputs[point.String()] = &found{
				watched: w, txid: txid, vout: int64(vout), value: out.Value, height: block.Height, coinbase: i == 0,
				balances: allocated[point], spentHeight: none, stray: strays != nil && strays[vout],
			}
		}
	}
	return nil
}

// keyPath tells a taproot key-path spend, with or without an annex, from a script-path spend (BIP-341).
func keyPath(w wire.TxWitness) bool {
	const annex = 0x50
	return len(w) == 1 || (len(w) == 2 && len(w[1]) > 0 && w[1][0] == annex)
}

// held returns how much of a rune the balances hold, and whether any other.
func held(balances []runes.Balance, id runes.ID) (amount uint128.Uint128, foreign bool) {
	for _, b := range balances {
		if b.ID == id {
			amount = b.Amount
		} else {
			foreign = true
		}
	}
	return amount, foreign
}

// checkIndex compares the stored rune index with our own (invariant 8).
func (a *auditor) checkIndex() {
	known := map[runes.ID]bool{}
	for _, row := range a.entries {
		var entry runes.Entry
		if err := json.Unmarshal([]byte(row.text), &entry); err != nil || entry.ID.String() != row.key {
			a.fail(Chain, "rune "+row.key, "its entry can't be read")
			continue
		}
		known[entry.ID] = true
		own, exists, _ := a.index.RuneEntry(entry.ID)
		if !exists || jsonText(own) != jsonText(entry) {
			a.fail(Chain, "rune "+row.key, "the blocks say %s, the index %s", jsonText(own), jsonText(entry))
		}
	}
	for id := range a.index.ids {
		if _, exists, _ := a.index.RuneEntry(id); exists && !known[id] {
			a.fail(Chain, "rune "+id.String(), "it is not in the index")
		}
	}
	a.checkBalances()
	counters, _ := a.index.RuneCounters()
	if text := a.settings["rune_counters"]; text != "" && text != jsonText(counters) {
		a.fail(Chain, "rune counters", "the blocks say %s, the index %s", jsonText(counters), text)
	}
}

func (a *auditor) checkBalances() {
	type balance struct{ ID, Amount string }
	stored := map[string]bool{}
	for _, row := range a.balances {
		stored[row.key] = true
		var indexed, own []balance
		if err := json.Unmarshal([]byte(row.text), &indexed); err != nil {
			a.fail(Chain, row.key, "its runes can't be read")
			continue
		}
		for _, b := range a.heldBy(row.key) {
			own = append(own, balance{b.ID.String(), b.Amount.String()})
		}
		if jsonText(own) != jsonText(indexed) {
			a.fail(Chain, row.key, "by the blocks it holds runes %s, by the index %s", jsonText(own), jsonText(indexed))
		}
	}
	for point := range a.index.holding {
		if !stored[point.String()] {
			a.fail(Chain, point.String(), "it holds runes that are not in the index")
		}
	}
}

// heldBy returns the runes on an unspent output.
func (a *auditor) heldBy(outpoint string) []runes.Balance {
	point, err := wire.NewOutPointFromString(outpoint)
	if err != nil {
		return nil
	}
	balances, _ := a.index.RuneBalances(*point)
	return balances
}

func jsonText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
