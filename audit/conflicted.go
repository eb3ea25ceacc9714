package audit

import "moonfund/chain"

// conflicted reports whether a transaction of ours can't confirm in the present chain: it is in no block, and a block
// spends one of its inputs, or an output that it spends is in no block and no transaction of ours that can confirm
// creates it. The treasury and the units count as if it had never been sent.
func (a *auditor) conflicted(txid string) bool {
	v, ours := a.versions[txid]
	if _, mined := a.mined[txid]; mined || !ours {
		return false
	}
	known, checked := a.conflicts[txid]
	if checked {
		return known
	}
	tx, err := chain.DecodeTx(v.raw)
	if err != nil {
		return false // reported by another check
	}
	for _, in := range tx.Msg.TxIn {
		created := a.outputs[in.PreviousOutPoint]
		parent := in.PreviousOutPoint.Hash.String()
		_, own := a.versions[parent]
		if created != nil && created.spentBy != "" || created == nil && (!own || a.conflicted(parent)) {
			known = true
			break
		}
	}
	a.conflicts[txid] = known
	return known
}
