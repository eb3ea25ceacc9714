package etching

import (
	"bytes"
	"slices"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
)

// adopt records an unknown transaction that spends an order's funds. Only the service's key can have signed it, so the
// ledger was restored from an older backup. adopt derives the transaction's role from its outputs, so that the
// transaction is not built again. Whether it is known is read from the store: the watch list may have it from a
// transaction of the database that was rolled back.
func (s *Service) adopt(store Store, t chain.Tx, now time.Time) error {
	id, ok := s.watched.spent(t)
	if !ok {
		return nil
	}
	stored, err := store.Txs.Txs(id)
	if err != nil || slices.ContainsFunc(stored, func(own Tx) bool { return own.ID == t.ID && own.Role != Funding }) {
		return err
	}
	o, err := store.Orders.Order(id)
	if err != nil {
		return err
	}
	f, err := s.gather(store, o)
	if err != nil {
		return err
	}
	in, ours := f.fundsSpent(t)
	if !ours {
		return nil // it spends delivered runes, which belong to their owner
	}
	role, position := f.role(t)
	var out int64
	for _, output := range t.Msg.TxOut {
		out += output.Value
	}
	s.watched.addTx(t.ID, id)
	s.Log.Warn("a rune order's transaction was not known", "order", id, "txid", t.ID.String(), "role", string(role))
	return store.Txs.PutTx(Tx{
		Tx: t, OrderID: id, Role: role, Generation: f.generation(), Position: position, Fee: in - amount.Sats(out),
		VBytes: chain.VSize(t.Msg), Created: now, Height: chain.None,
	})
}

// fundsSpent returns the sum of the order's funds that a transaction spends, and whether it spends any.
func (f *facts) fundsSpent(t chain.Tx) (sats amount.Sats, ours bool) {
	for _, in := range t.Msg.TxIn {
		if parent, known := f.txs[in.PreviousOutPoint.Hash]; known && in.PreviousOutPoint.Index == 0 {
			if _, carried := outputKind(parent, f); carried {
				sats, ours = sats+amount.Sats(parent.Msg.TxOut[0].Value), true
			}
		}
		for _, o := range f.outputs {
			if o.OutPoint == in.PreviousOutPoint {
				sats, ours = sats+o.Value, true
			}
		}
	}
	return sats, ours
}

// role derives the role of one of the service's transactions from its outputs.
func (f *facts) role(t chain.Tx) (Role, int) {
	outs := t.Msg.TxOut
	switch {
	case len(outs) == 1 && f.plan.Commit != nil && bytes.Equal(outs[0].PkScript, f.plan.Commit):
		return Commit, 0
	case len(outs) < 2:
		return Refund, 0
	case f.plan.Order.Etch != nil:
		return Reveal, 0
	case !bytes.Equal(outs[0].PkScript, f.plan.Work):
		return Minting, f.order.Mint.Repeats - 1
	}
	if parent, known := f.txs[t.Msg.TxIn[0].PreviousOutPoint.Hash]; known {
		return Minting, parent.Position + 1
	}
	return Minting, 0
}

// rebuildLost builds the last transactions of an order that are missing from a restored ledger. They spend outputs of
// the order's earlier transactions.
func (f *facts) rebuildLost() ([]vault.OrderTx, func(int) (Role, int), error) {
	coins, err := f.free(false)
	if err != nil {
		return nil, nil, err
	}
	target := vault.FeeTarget{Rate: f.order.FeeRate}
	for _, c := range coins {
		switch c.Kind {
		case vault.OrderCommit:
			tx, err := f.plan.Finish([]vault.Coin{c}, target)
			return []vault.OrderTx{tx}, func(int) (Role, int) { return Reveal, 0 }, err
		case vault.OrderWork:
			next := f.txs[c.OutPoint.Hash].Position + 1
			txs, err := f.plan.Mints([]vault.Coin{c}, f.order.Mint.Repeats-next, target)
			return txs, func(i int) (Role, int) { return Minting, next + i }, err
		}
	}
	return nil, nil, nil
}
