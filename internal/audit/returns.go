package audit

import (
	"bytes"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

// checkReturned compares a return with the quarantined output that it returns: to the output's owner, with every rune
// on the output, and with sats of the treasury for the fee (invariant 6).
func (a *auditor) checkReturned(p payout, tx chain.Tx) {
	on := p.transaction(tx.ID.String())
	deposit := a.custody[tx.Msg.TxIn[0].PreviousOutPoint.String()]
	owner, err := chain.ParseAddress(deposit.owner, a.Rules.Network)
	ours := (deposit.kind == "stake" || deposit.kind == "payment") && deposit.community == p.community
	if !ours || deposit.quarantine == "" || err != nil {
		a.fail(Payouts, on, "it returns %s, which is not in quarantine at a staker's or an order's address",
			tx.Msg.TxIn[0].PreviousOutPoint)
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
