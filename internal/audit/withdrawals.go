package audit

import (
	"bytes"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

// withdrawal is the request that a withdrawal from a treasury carries out.
type withdrawal struct {
	payoutID    string
	sats, runes int64
	address     string
}

var withdrawalRows = table[withdrawal]{"SELECT payout_id, sats, runes, address FROM operator_request",
	func(w *withdrawal) []any { return []any{&w.payoutID, &w.sats, &w.runes, &w.address} }}

func (w withdrawal) entry() (string, withdrawal) { return w.payoutID, w }

// readWithdrawals reads the requests that withdrawals carry out, by payout.
func (b *rows) readWithdrawals(r *reader) {
	b.withdrawals = keyed(r, withdrawalRows, withdrawal.entry,
		"WHERE address <> '' AND payout_id <> '' AND status = 'done'")
}

// checkWithdrawn compares a withdrawal with its request: it spends only the treasury, pays exactly the amount to the
// address, and leaves everything else in the treasury (invariant 6).
func (a *auditor) checkWithdrawn(p payout, tx chain.Tx) {
	on := p.transaction(tx.ID.String())
	w, requested := a.withdrawals[p.id]
	to, err := chain.ParseAddress(w.address, a.Rules.Network)
	if !requested || err != nil || (w.sats > 0) == (w.runes > 0) {
		a.fail(Payouts, on, "it withdraws from the treasury, and nobody requested it")
		return
	}
	for _, in := range tx.Msg.TxIn {
		point := in.PreviousOutPoint.String()
		a.checkInput(p, on, point)
		if kind := a.custody[point].kind; kind != "sats" && (kind != "runes" || w.runes == 0) {
			a.fail(Payouts, on, "it spends %s, a %s output, for a withdrawal", point, kind)
		}
	}
	if w.runes > 0 {
		a.checkAllocation(p, tx, []owed{{order: "of the withdrawal", script: to.Script, amount: w.runes, value: dust}})
		return
	}
	if runes.Decipher(tx.Msg) != nil {
		a.fail(Payouts, on, "it withdraws sats and has a runestone")
	}
	paid := 0
	for i, out := range tx.Msg.TxOut {
		watched, ours := a.watch.at(out.PkScript)
		switch {
		case ours && watched.kind == "sats" && watched.community == p.community:
		case bytes.Equal(out.PkScript, to.Script) && out.Value == w.sats:
			paid++
		default:
			a.fail(Payouts, on, "output %d pays %d sats to nobody we know", i, out.Value)
		}
	}
	if paid != 1 {
		a.fail(Payouts, on, "it pays %d sats to %s %d times", w.sats, w.address, paid)
	}
}

// checkLeft checks that while a withdrawal is not final, the treasury covers the rewards and the budgets of running
// epochs without it (invariant 2).
func (a *auditor) checkLeft() {
	withdrawing, running := map[string]bool{}, map[string]int64{}
	for _, p := range a.payouts {
		if p.kind == "withdrawal" && (p.status == "live" || p.status == "confirmed") {
			withdrawing[p.community] = true
		}
	}
	for _, e := range a.epochs {
		if !e.settled {
			running[e.community] = a.sumOf(Backing, e.key().subject(), running[e.community], e.reserved)
		}
	}
	for _, c := range a.communities {
		on, t := onCommunity(c.prefix), a.report.Totals[c.prefix]
		needed := a.sumOf(Backing, on, t.VirtualUnits, running[c.prefix])
		if withdrawing[c.prefix] && needed-a.deliveredEarlier(c.prefix) > t.VirtualFunds {
			a.fail(Backing, on, "a withdrawal leaves %d base units in the treasury, and %d are owed or reserved",
				t.VirtualFunds, needed)
		}
	}
}

// checkWithdrawnSums compares the journal's sums of withdrawn amounts and network fees with the final withdrawals
// (invariant 3).
func (a *auditor) checkWithdrawnSums() {
	sums := a.withdrawalFees()
	for id, w := range a.withdrawals {
		p := a.payouts[id]
		if p.status != "final" {
			continue
		}
		on, sats := p.subject(), w.sats
		if w.runes > 0 {
			sats = dust
			account := "withdrawn-runes:" + p.community
			sums[account] = a.sumOf(Journal, on, sums[account], w.runes)
		}
		account := "withdrawn:" + p.community
		sums[account] = a.sumOf(Journal, on, sums[account], sats)
	}
	for _, c := range a.communities {
		for _, account := range []string{"withdrawn:", "withdrawn-runes:", "withdrawal-fees:"} {
			if account += c.prefix; a.accounts[account] != sums[account] {
				on := onCommunity(c.prefix)
				on.name = "account " + account
				a.fail(Journal, on, "the journal has %d in it, the final withdrawals are %d",
					a.accounts[account], sums[account])
			}
		}
	}
}

// withdrawalFees returns the sums of the network fees of final withdrawals, by account.
func (a *auditor) withdrawalFees() map[string]int64 {
	sums := map[string]int64{}
	for _, v := range a.versions {
		p := a.payouts[v.payoutID]
		if p.kind != "withdrawal" || p.status != "final" || v.height == chain.None {
			continue
		}
		tx, err := chain.DecodeTx(v.raw)
		if err != nil {
			continue // reported by another check
		}
		var spent, paid []int64
		for _, in := range tx.Msg.TxIn {
			spent = append(spent, a.custody[in.PreviousOutPoint.String()].value)
		}
		for _, out := range tx.Msg.TxOut {
			paid = append(paid, out.Value)
		}
		on, account := p.subject(), "withdrawal-fees:"+p.community
		fee := a.sumOf(Journal, on, spent...) - a.sumOf(Journal, on, paid...)
		sums[account] = a.sumOf(Journal, on, sums[account], fee)
	}
	return sums
}
