package audit

import (
	"bytes"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

// checkReturned compares a return with the quarantined output that it returns: to the output's owner, with every rune
// on the output, and with sats of the treasury for the fee (invariant 6). Sats at the treasury's address for runes go
// to its address for sats.
func (a *auditor) checkReturned(p payout, tx chain.Tx) {
	on := p.transaction(tx.ID.String())
	point := tx.Msg.TxIn[0].PreviousOutPoint.String()
	deposit := a.custody[point]
	if deposit.kind == "runes" && deposit.community == p.community && len(a.balancesOf(point)) == 0 {
		w, ours := a.watch.at(tx.Msg.TxOut[0].PkScript)
		if !ours || w.kind != "sats" || w.community != p.community || len(tx.Msg.TxIn) > 1 || len(tx.Msg.TxOut) > 1 {
			a.fail(Payouts, on, "it does not bring the sats of %s to the treasury's address for sats", point)
		}
		return
	}
	owner, err := chain.ParseAddress(deposit.owner, a.Rules.Network)
	ours := (deposit.kind == "stake" || deposit.kind == "payment") && deposit.community == p.community
	if !ours || deposit.quarantine == "" || err != nil {
		a.fail(Payouts, on, "it returns %s, which is not in quarantine at a staker's or an order's address", point)
		return
	}
	for _, in := range tx.Msg.TxIn[1:] {
		point := in.PreviousOutPoint.String()
		if c := a.custody[point]; c.kind != "sats" || c.community != p.community || len(a.balancesOf(point)) > 0 {
			a.fail(Payouts, on, "it spends %s for its fee, which is not the treasury's plain sats", point)
		}
	}
	if runes.Decipher(tx.Msg) != nil || !bytes.Equal(tx.Msg.TxOut[0].PkScript, owner.Script) {
		a.fail(Payouts, on, "it does not bring everything to %s", deposit.owner)
	}
	for i, out := range tx.Msg.TxOut[1:] {
		if w, ours := a.watch.at(out.PkScript); !ours || w.kind != "sats" || w.community != p.community {
			a.fail(Payouts, on, "output %d pays %d sats to nobody we know", i+1, out.Value)
		}
	}
}
