package audit

import "moonfund/internal/bitcoin/chain"

// readConflicted finds the transactions of live payouts that can't confirm in the present chain: they are in no block
// and spend an output of a transaction that vanished or can't confirm either. The treasury and the units count as if
// they had never been sent.
func (a *auditor) readConflicted(r *reader) {
	parents := map[string][]string{} // of each transaction
	var all []string
	for txid, v := range a.versions {
		if _, mined := a.mined[txid]; mined || a.payouts[v.payoutID].status != "live" {
			continue
		}
		tx, err := chain.DecodeTx(v.raw)
		if err != nil {
			continue // reported by another check
		}
		for _, in := range tx.Msg.TxIn {
			parents[txid] = append(parents[txid], in.PreviousOutPoint.Hash.String())
		}
		all = append(all, parents[txid]...)
	}
	a.readTracked(r, all)
	for found := true; found; {
		found = false
		for txid, spent := range parents {
			for _, parent := range spent {
				if !a.conflicted[txid] && (a.tracked[parent].vanished || a.conflicted[parent]) {
					a.conflicted[txid], found = true, true
				}
			}
		}
	}
}
