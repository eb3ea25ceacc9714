package audit

import (
	"bytes"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
)

// custody is an output in the ledger's custody.
type custody struct {
	txid                        string
	vout                        int64
	community, kind, ref, owner string
	script                      []byte
	value, runes                int64
	quarantine                  string
	booked, coinbase            bool
	height                      int64
	vanished                    bool
	spentBy                     string
	spentOurs                   bool
	spentHeight                 int64
	seenAt                      int64
}

func (c custody) outpoint() string { return outpoint(c.txid, c.vout) }

var custodyRows = table[custody]{`SELECT c.txid, c.vout, c.community, c.kind, c.ref, c.owner, c.script, c.value,
		c.runes, c.quarantine, c.booked, c.coinbase, c.height, c.vanished, c.spent_by, c.spent_ours, c.spent_height, c.seen_at
	FROM custody c`, func(c *custody) []any {
	return []any{&c.txid, &c.vout, &c.community, &c.kind, &c.ref, &c.owner, &c.script, &c.value, &c.runes,
		&c.quarantine, &c.booked, &c.coinbase, &c.height, &c.vanished, &c.spentBy, &c.spentOurs, &c.spentHeight, &c.seenAt}
}}

// tracked is a transaction that the ledger tracks.
type tracked struct {
	txid     string
	raw      []byte
	height   int64
	vanished bool
}

var trackedRows = table[tracked]{"SELECT txid, raw, height, vanished FROM tracked", func(t *tracked) []any {
	return []any{&t.txid, &t.raw, &t.height, &t.vanished}
}}

// invariantOf returns the invariant for outputs of a kind.
func invariantOf(kind string) int {
	switch kind {
	case "stake":
		return Stakes
	case "payment":
		return Payments
	}
	return Backing
}

// checkCustody compares every custody row with the chain, and every output of the chain at our scripts with its row. It
// stores the rows that payments, payouts and the treasury refer to.
func (a *auditor) checkCustody(r *reader) {
	for _, o := range a.outputs {
		o.recorded = false
	}
	var unconfirmed []custody
	transactions := map[string]bool{}
	for _, s := range a.unexplained {
		transactions[s.txid] = true
	}
	a.readKeys(r, "")
	each(r, custodyRows, "", func(c custody) {
		a.report.Checked.Outputs++
		point := c.outpoint()
		o := a.outputs.at(point)
		if o != nil {
			o.recorded = true
		}
		if c.kind != "stake" || c.quarantine != "" || a.needed[point] {
			a.custody[point] = c
		}
		a.checkWatched(c)
		if c.kind == "stake" && c.quarantine == "" && !c.vanished {
			a.deposits++
		}
		spending := c.spentBy != "" && c.spentHeight == chain.None
		if spending {
			transactions[c.spentBy] = true
		}
		if c.height == chain.None {
			transactions[c.txid] = true
		}
		if spending || c.height == chain.None {
			unconfirmed = append(unconfirmed, c)
			return
		}
		a.checkOutput(c, o)
	})
	a.issued, a.keys = nil, nil
	a.readTracked(r, sortedKeys(transactions))
	for _, c := range unconfirmed {
		a.checkOutput(c, a.outputs.at(c.outpoint()))
	}
	for point, o := range a.outputs {
		if !o.recorded {
			a.checkMissing(point, o)
		}
	}
	a.checkUnitless(r)
}

// readTracked reads the tracked transactions with the ids, in pages.
func (a *auditor) readTracked(r *reader, txids []string) {
	const page = 500
	for len(txids) > 0 {
		n := min(page, len(txids))
		condition, args := among("txid", txids[:n])
		each(r, trackedRows, condition, func(t tracked) { a.tracked[t.txid] = t }, args...)
		txids = txids[n:]
	}
}

// checkMissing checks an output of the chain that the ledger does not have. A payment to a treasury address from before
// the server watched it may be missing, because it affects no balance of a staker.
func (a *auditor) checkMissing(point wire.OutPoint, o *output) {
	// A stake address without a credited deposit expires; the walk may have recorded outputs at it before.
	if a.watch[o.script] == nil && o.kind == "stake" {
		return
	}
	if !a.isPayout(point.Hash.String()) && o.kind != "stake" && o.kind != "payment" {
		return
	}
	if text := point.String(); !a.mayBeMissing(text, o) {
		a.fail(invariantOf(o.kind), a.onOutputAt(text, *o.purpose),
			"an output of %d sats at our %s address %s is not in the ledger",
			o.value, o.kind, a.recipient(o))
	}
}

// recipient returns the address of a stake, or the order of a payment.
func (a *auditor) recipient(o *output) string {
	if o.kind == "stake" {
		return o.script.address(a.Rules.Network)
	}
	return o.ref
}

// checkOutput compares one custody row with its output on the chain, which is nil if it is in no block.
func (a *auditor) checkOutput(c custody, o *output) {
	if o != nil {
		a.checkMined(c, o)
	} else {
		a.checkUnmined(c)
	}
	a.checkSpend(c, o)
}

// checkWatched compares a custody row with the row of its script and with the keys of its stake address.
func (a *auditor) checkWatched(c custody) {
	if !a.issued.has(string(c.script), c.community, c.kind, c.ref, c.owner) {
		a.fail(invariantOf(c.kind), a.onOutput(c), "it is not recorded as what its script was handed out for")
		return
	}
	if c.kind != "stake" {
		return
	}
	address, err := chain.ParseAddress(c.ref, a.Rules.Network)
	if err != nil || !bytes.Equal(address.Script, c.script) || !a.keys.has(c.ref, c.community, c.owner) {
		a.fail(Stakes, a.onOutput(c), "the keys of its stake address %s are not recorded", c.ref)
	}
}

// checkMined compares a confirmed output with the chain.
func (a *auditor) checkMined(c custody, o *output) {
	invariant := invariantOf(c.kind)
	if c.height != o.height {
		a.fail(invariant, a.onOutput(c), "the ledger has it in block %d, the chain in block %d", c.height, o.height)
		return
	}
	if c.value != o.value || scriptOf(c.script) != o.script || c.coinbase != o.coinbase {
		a.fail(invariant, a.onOutput(c), "the ledger has it with %d sats, the chain with %d, or with another script",
			c.value, o.value)
	}
	if c.vanished && c.kind != "stake" {
		a.fail(invariant, a.onOutput(c), "it counts as vanished, but is in block %d", o.height)
	}
	runes, creditable, certain := a.credit(o)
	if c.runes != runes {
		a.fail(invariant, a.onOutput(c), "the ledger has %d base units on it, the chain %d", c.runes, runes)
	}
	if certain && creditable != (c.quarantine == "") {
		a.fail(invariant, a.onOutput(c), "the ledger says %q of it, but by its runes it is creditable: %t",
			c.quarantine, creditable)
	}
}

// checkUnmined compares an unconfirmed output with its stored transaction.
func (a *auditor) checkUnmined(c custody) {
	invariant := invariantOf(c.kind)
	if c.height != chain.None {
		a.fail(invariant, a.onOutput(c), "the ledger has it in block %d, the chain has no such output", c.height)
		return
	}
	tx, err := chain.DecodeTx(a.tracked[c.txid].raw)
	if err != nil || tx.ID.String() != c.txid || c.vout < 0 || c.vout >= int64(len(tx.Msg.TxOut)) {
		a.fail(invariant, a.onOutput(c), "it is in no block, and its transaction is not kept")
		return
	}
	if out := tx.Msg.TxOut[c.vout]; out.Value != c.value || !bytes.Equal(out.PkScript, c.script) {
		a.fail(invariant, a.onOutput(c), "its transaction says something else")
	}
}

// checkSpend compares the recorded spend of an output with the chain. o is nil if the output is in no block.
func (a *auditor) checkSpend(c custody, o *output) {
	invariant := invariantOf(c.kind)
	spender, height := "", int64(chain.None)
	if o != nil {
		spender, height = o.spentBy, o.spentHeight
	}
	if ours := a.isPayout(c.spentBy); ours != c.spentOurs {
		a.fail(invariant, a.onOutput(c),
			"spent by a payout of ours: the ledger says %t, the payouts %t", c.spentOurs, ours)
	}
	switch {
	case spender != "" && (c.spentBy != spender || c.spentHeight != height):
		a.fail(invariant, a.onOutput(c), "the chain spends it by %s in block %d, the ledger by %q in block %d",
			spender, height, c.spentBy, c.spentHeight)
	case spender == "" && c.spentHeight != chain.None:
		a.fail(invariant, a.onOutput(c), "the ledger has it spent in block %d, the chain does not", c.spentHeight)
	case spender == "" && c.spentBy != "" && !a.spends(c.spentBy, c.outpoint()):
		a.fail(invariant, a.onOutput(c), "its spend %s is not kept, or does not spend it", c.spentBy)
	}
}

// spends reports whether a stored transaction spends an output.
func (a *auditor) spends(txid, point string) bool {
	tx, err := chain.DecodeTx(a.tracked[txid].raw)
	if err != nil || tx.ID.String() != txid {
		return false
	}
	for _, in := range tx.Msg.TxIn {
		if in.PreviousOutPoint.String() == point {
			return true
		}
	}
	return false
}

// onChain returns the runes on an output by the chain, or by the ledger while the output is unconfirmed.
func (a *auditor) onChain(c custody) int64 {
	return a.heldOnChain(a.outputs.at(c.outpoint()), c.runes)
}

// heldOnChain returns the runes on an output by the chain, or by its row while it is in no block.
func (a *auditor) heldOnChain(o *output, recorded int64) int64 {
	if o == nil {
		return recorded
	}
	base, _, _ := a.credit(o)
	return base
}
