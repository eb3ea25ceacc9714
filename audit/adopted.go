package audit

import (
	"fmt"

	"moonfund/chain"
)

// adoptions are the stake addresses that the ledger took over from another copy, and what it has yet to credit there.
type adoptions struct {
	searched map[string]int64 // by address: the ledger's block when deposits were searched for; none until then
	pending  map[string]bool  // outpoints that were found and are not credited yet
}

type adoptedAddress struct {
	address string
	height  int64
}

type adoptedOutput struct {
	txid string
	vout int64
}

var (
	adoptedAddressRows = table[adoptedAddress]{"SELECT address, height FROM adopted_address", func(a *adoptedAddress) []any {
		return []any{&a.address, &a.height}
	}}
	adoptedOutputRows = table[adoptedOutput]{"SELECT txid, vout FROM adopted_output", func(o *adoptedOutput) []any {
		return []any{&o.txid, &o.vout}
	}}
)

func readAdoptions(r *reader) (a adoptions) {
	a.searched = keyed(r, adoptedAddressRows, func(row adoptedAddress) (string, int64) { return row.address, row.height }, "")
	a.pending = keyed(r, adoptedOutputRows, func(row adoptedOutput) (string, bool) { return fmt.Sprintf("%s:%d", row.txid, row.vout), true }, "")
	return a
}

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

// renew forgets what was walked when addresses were adopted since: the walk noted no output of theirs.
func (c *chained) renew(config Config, adopted int) {
	if c.adopted == adopted {
		return
	}
	*c = newChained(config)
	c.adopted = adopted
}
