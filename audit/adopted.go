package audit

import (
	"context"
	"fmt"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/chain"
)

// firstStakes is the lowest index of the first addresses of owners; the indexes below are counted.
const firstStakes = 1 << 30

// adoptions are the stake addresses that the ledger took over from another copy or handed out again after they expired,
// and what it has yet to credit there.
type adoptions struct {
	searched map[string]int64 // by address: the ledger's block when deposits were searched for; none until then
	first    map[mark]bool    // scripts of those that are the first address of their owner
	pending  map[string]bool  // outpoints that were found and are not credited yet
}

type adoptedAddress struct {
	address          string
	height, position int64
}

type adoptedOutput struct {
	txid string
	vout int64
}

var (
	adoptedAddressRows = table[adoptedAddress]{`SELECT adopted_address.address, adopted_address.height, stake_address.position
		FROM adopted_address JOIN stake_address ON stake_address.address = adopted_address.address`, func(a *adoptedAddress) []any {
		return []any{&a.address, &a.height, &a.position}
	}}
	adoptedOutputRows = table[adoptedOutput]{"SELECT txid, vout FROM adopted_output", func(o *adoptedOutput) []any {
		return []any{&o.txid, &o.vout}
	}}
)

func readAdoptions(r *reader, network chain.Network) (a adoptions) {
	a.searched, a.first = map[string]int64{}, map[mark]bool{}
	each(r, adoptedAddressRows, "", func(row adoptedAddress) {
		a.searched[row.address] = row.height
		if address, err := chain.ParseAddress(row.address, network); err == nil && row.position >= firstStakes {
			a.first[scriptMark(address.Script)] = true
		}
	})
	a.pending = keyed(r, adoptedOutputRows, func(row adoptedOutput) (string, bool) {
		return fmt.Sprintf("%s:%d", row.txid, row.vout), true
	}, "")
	return a
}

// counted is how many adopted addresses have a counted index. Only an operator, or a search of the server for known
// stakers, adopts one.
func (a adoptions) counted() int { return len(a.searched) - len(a.first) }

// excuses reports whether an output at a stake address may be missing from the ledger: its address was adopted after
// its block was followed, and the deposit is yet to be searched for or credited, or nobody is owed anything for it.
func (a *auditor) excuses(point string, o *found) bool {
	searched, adopted := a.adoptions.searched[o.script.address(a.Rules.Network)]
	switch {
	case o.kind != "stake" || !adopted:
		return false
	case searched == chain.None || a.adoptions.pending[point]:
		return true
	case o.height > searched:
		return false
	}
	_, creditable, sure := a.credit(o)
	return o.spentBy != "" || !creditable || !sure
}

// renew forgets what was walked when addresses with a counted index were adopted since: the walk noted no output of
// theirs. Strangers can have first addresses handed out again: see recall.
func (c *chained) renew(config Config, adopted int) {
	if c.adopted == adopted {
		return
	}
	*c = newChained(config)
	c.adopted = adopted
}

// recall notes the credited deposits at first addresses in blocks that were walked before the address was handed out
// again. It reads only their blocks. One that a walked block spends needs a walk from the start.
func (a *auditor) recall(ctx context.Context, node Node) error {
	if len(a.adoptions.first) == 0 {
		return nil
	}
	for text, c := range a.custody.all() {
		point, plain := pointOf(text)
		if _, noted := a.outputs.rows[point]; noted || !plain || c.kind != "stake" || c.height < a.Start || c.height > a.tip() ||
			!a.adoptions.first[c.mark] {
			continue
		}
		if !a.index.holding[point] {
			adopted := a.adopted
			a.chained = newChained(a.Config)
			a.adopted = adopted
			return a.walk(ctx, node)
		}
		hash, err := chainhash.NewHashFromStr(a.headers[c.height-a.Start].hash)
		if err != nil {
			return err
		}
		block, err := node.Block(ctx, *hash, c.height)
		if err != nil {
			return fmt.Errorf("audit: %w", err)
		}
		for i, tx := range block.Txs {
			if tx.ID != point.Hash || int(point.Index) >= len(tx.Msg.TxOut) {
				continue
			}
			held, err := a.index.RuneBalances(point)
			if err != nil {
				return err
			}
			strays, err := a.strays(ctx, node, tx)
			if err != nil {
				return err
			}
			a.note(tx, point, found{height: c.height, coinbase: i == 0, balances: held}, strays)
		}
	}
	return nil
}
