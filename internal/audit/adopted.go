package audit

import (
	"context"
	"fmt"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/internal/bitcoin/chain"
)

// firstStakes is the lowest index of the first addresses of owners. Lower indexes come from a counter.
const firstStakes = 1 << 30

// adoptions are the stake addresses that the ledger adopted from another copy or issued again after they expired, and
// their uncredited deposits.
type adoptions struct {
	searched map[string]int64 // by address: the ledger's height when deposits were searched for; chain.None before
	pending  map[string]bool  // outpoints that the search found and that are not credited yet
	first    map[script]bool  // scripts of the first addresses among them
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
	adoptedAddressRows = table[adoptedAddress]{`SELECT a.address, a.height, s.position
		FROM adopted_address a JOIN stake_address s ON s.address = a.address`,
		func(a *adoptedAddress) []any { return []any{&a.address, &a.height, &a.position} }}
	adoptedOutputRows = table[adoptedOutput]{"SELECT txid, vout FROM adopted_output", func(o *adoptedOutput) []any {
		return []any{&o.txid, &o.vout}
	}}
)

func readAdoptions(r *reader, network chain.Network) (a adoptions) {
	a.searched, a.first = map[string]int64{}, map[script]bool{}
	each(r, adoptedAddressRows, "", func(row adoptedAddress) {
		a.searched[row.address] = row.height
		if address, err := chain.ParseAddress(row.address, network); err == nil && row.position >= firstStakes {
			a.first[scriptOf(address.Script)] = true
		}
	})
	a.pending = keyed(r, adoptedOutputRows, func(row adoptedOutput) (string, bool) {
		return fmt.Sprintf("%s:%d", row.txid, row.vout), true
	}, "")
	return a
}

// counted returns the number of adopted addresses with an index from the counter. Only an operator, or the server's
// search for known stakers, adopts such an address.
func (a adoptions) counted() int { return len(a.searched) - len(a.first) }

// mayBeMissing reports whether an output at a stake address may be missing from the ledger: its address was adopted
// after its block was followed, and the deposit has not been searched for or credited yet, is spent, or can't be
// credited.
func (a *auditor) mayBeMissing(point string, o *output) bool {
	searched, adopted := a.adoptions.searched[o.script.address(a.Rules.Network)]
	switch {
	case o.kind != "stake" || !adopted:
		return false
	case searched == chain.None || a.adoptions.pending[point]:
		return true
	case o.height > searched:
		return false
	}
	_, creditable, certain := a.credit(o)
	return o.spentBy != "" || !creditable || !certain
}

// resetIfAdopted resets the walk if addresses with an index from the counter were adopted since, because the walk did
// not record their outputs. Anyone can make the server issue a first address again; recordAdopted handles these.
func (c *chainState) resetIfAdopted(config Config, adopted int) error {
	if c.adopted == adopted {
		return nil
	}
	c.adopted = adopted
	return c.reset(config)
}

// recordAdopted records the credited deposits at first addresses in blocks that were walked before the address was
// issued again. It reads only the blocks of the deposits. If a walked block spends a deposit, it walks the chain from
// the start.
func (a *auditor) recordAdopted(ctx context.Context, r *reader, node Node) error {
	if len(a.adoptions.first) == 0 {
		return nil
	}
	deposits := list(r, custodyRows, "WHERE c.kind = 'stake' AND c.ref IN (SELECT address FROM adopted_address)")
	for _, c := range deposits {
		point, valid := pointOf(c.outpoint())
		walked := c.height >= a.Start && c.height <= a.tip()
		if !valid || !walked || a.outputs[point] != nil || !a.adoptions.first[scriptOf(c.script)] {
			continue
		}
		held, err := a.index.RuneBalances(point)
		if err != nil {
			return err
		}
		if len(held) == 0 {
			if err := a.reset(a.Config); err != nil {
				return err
			}
			return a.walk(ctx, node)
		}
		if err := a.recordAdoptedOutput(ctx, node, c); err != nil {
			return err
		}
	}
	if r.err != nil {
		return r.err
	}
	return a.save(a.ledger())
}

// recordAdoptedOutput reads a deposit's block and records the deposit's output.
func (a *auditor) recordAdoptedOutput(ctx context.Context, node Node, c custody) error {
	hash, err := chainhash.NewHashFromStr(a.headers[c.height-a.Start].hash)
	if err != nil {
		return err
	}
	block, err := node.Block(ctx, *hash, c.height)
	if err != nil {
		return fmt.Errorf("audit: %w", err)
	}
	for i, tx := range block.Txs {
		if tx.ID.String() != c.txid || int(c.vout) >= len(tx.Msg.TxOut) {
			continue
		}
		untracked, err := a.untracked(ctx, node, tx)
		if err != nil {
			return err
		}
		o := output{height: c.height, coinbase: i == 0, balances: a.heldBy(c.outpoint())}
		a.record(tx, int(c.vout), o, untracked)
	}
	return nil
}
