package etching

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/fault"
)

// build builds all transactions of an order from coins. It returns *vault.ErrSatsShort if the coins do not suffice.
func build(plan *vault.OrderPlan, coins []vault.Coin, target vault.FeeTarget) ([]vault.OrderTx, error) {
	if plan.Order.Mint != nil {
		return plan.Mints(coins, plan.Order.Mint.Repeats, target)
	}
	return plan.CommitAndReveal(coins, target)
}

// Cost is the cost of an order, computed from its built transactions.
type Cost struct {
	Size       int64       // vbytes of all transactions
	Total      amount.Sats // required sum if one payment pays it
	Postage    amount.Sats // sats on the output that carries the runes
	Network    amount.Sats
	ServiceFee amount.Sats
	AppFee     amount.Sats
}

// cost builds the order's transactions for a single payment of the exact amount, and checks them against the relay
// policy.
func (s *Service) cost(o Order) (Cost, error) {
	plan, err := s.Account.PlanOrder(o.RuneOrder)
	if err != nil {
		return Cost{}, err
	}
	if limit := s.Policy.DataCarrier; len(plan.Stone) > limit {
		return Cost{}, fault.Reject(fault.RuneStoneTooLong, len(plan.Stone), limit)
	}
	coin, err := plan.Coin(vault.OrderFund, wire.OutPoint{}, 0)
	if err != nil {
		return Cost{}, err
	}
	target := vault.FeeTarget{Rate: o.FeeRate}
	_, err = build(plan, []vault.Coin{coin}, target)
	var short *vault.ErrSatsShort
	if !errors.As(err, &short) {
		return Cost{}, fmt.Errorf("an order that costs nothing: %w", err)
	}
	coin.Output.Value = int64(short.Missing)
	txs, err := build(plan, []vault.Coin{coin}, target)
	if err != nil {
		return Cost{}, err
	}
	cost := Cost{Total: short.Missing, Postage: vault.DustSats, ServiceFee: o.ServiceFee, AppFee: o.AppFee}
	for _, t := range txs {
		cost.Size += t.VBytes
		cost.Network += t.Fee
		if err := s.checkRelayPolicy(plan, t); err != nil {
			return Cost{}, err
		}
	}
	return cost, nil
}

// checkRelayPolicy checks an unsigned transaction against the relay policy, with witnesses of the size that signing
// adds.
func (s *Service) checkRelayPolicy(plan *vault.OrderPlan, t vault.OrderTx) error {
	if t.Fee > s.Policy.MaxFee {
		return fault.Reject(fault.RuneFeeTooHigh, int64(t.Fee), int64(s.Policy.MaxFee))
	}
	tx := t.Tx.Copy()
	known := map[wire.OutPoint]*wire.TxOut{}
	for i, c := range t.Inputs {
		known[c.OutPoint] = &c.Output
		tx.TxIn[i].Witness = wire.TxWitness{make([]byte, 64)}
		if i == 0 && c.Kind == vault.OrderCommit && plan.Reveals(tx) {
			tx.TxIn[i].Witness = append(tx.TxIn[i].Witness, plan.Leaf.Script, plan.Control)
		}
	}
	limits := s.Policy
	// a transaction may pay for its parents
	limits.MaxFeeRate = max(limits.MaxFeeRate, amount.FeeRate(int64(t.Fee)*1000/max(1, t.VBytes)+1000))
	err := chain.CheckPolicy(tx, func(out wire.OutPoint) (*wire.TxOut, bool) {
		found, ok := known[out]
		return found, ok
	}, limits)
	if violation := chain.Violation(""); errors.As(err, &violation) {
		return fault.Reject(fault.RuneNotRelayed, string(violation))
	}
	return err
}

// signAndStore signs transactions and stores them before they are broadcast, because their bytes must not change
// afterwards. It stores all of them or none. refused is set if the signer or the relay policy rejects one. err is an
// error of the store.
func (s *Service) signAndStore(store Store, f *facts, txs []vault.OrderTx, role func(i int) (Role, int),
	now time.Time) (refused, err error) {
	var kept []Tx
	for i, t := range txs {
		tx, err := s.signed(f, t)
		if err != nil {
			return fmt.Errorf("order %s: %w", f.order.ID, err), nil
		}
		tx.Generation, tx.Created = f.generation(), now
		tx.Role, tx.Position = role(i)
		kept = append(kept, tx)
	}
	for _, tx := range kept {
		if err := store.Txs.PutTx(tx); err != nil {
			return nil, err
		}
		s.watched.addTx(tx.ID, f.order.ID)
		f.add(tx)
	}
	return nil, nil
}

// signed checks a transaction against the relay policy and returns it with its signatures, or without them if Sign has
// not been called for them yet.
func (s *Service) signed(f *facts, t vault.OrderTx) (Tx, error) {
	if err := s.checkRelayPolicy(f.plan, t); err != nil {
		return Tx{}, err
	}
	msg, err := s.signatures.Of(t.Tx, func(ctx context.Context) (*wire.MsgTx, error) {
		return s.Signer.SignRuneOrder(ctx, f.order.RuneOrder, t)
	})
	if err != nil {
		return Tx{}, err
	}
	return Tx{Tx: chain.NewTx(msg), OrderID: f.order.ID, Fee: t.Fee, VBytes: t.VBytes, Height: chain.None}, nil
}

// roles returns the role and position of each transaction of an order.
func roles(o Order) func(int) (Role, int) {
	return func(i int) (Role, int) {
		switch {
		case o.Kind == Mint:
			return Minting, i
		case i == 0:
			return Commit, 0
		}
		return Reveal, 0
	}
}

// replacement is a newer version of unconfirmed transactions, at a higher fee rate and with additional coins.
type replacement struct {
	txs  []vault.OrderTx
	role func(int) (Role, int)
}

// buildReplacement builds the replacement of the order's transactions for a quote: the last mint, which pays for its
// parents, or the reveal, with a new commitment if the old one is unconfirmed. It returns *vault.ErrSatsShort if the
// coins do not suffice, and a *fault.Error if there is nothing to replace.
func (f *facts) buildReplacement(q Quote, more []vault.Coin) (replacement, error) {
	if _, done := f.delivery(); done {
		return replacement{}, fault.Reject(fault.RuneOrderMined)
	}
	pending := f.pending()
	if len(pending) == 0 {
		return replacement{}, fault.Reject(fault.RuneOrderNotSent)
	}
	target := vault.FeeTarget{Rate: q.Rate}
	first, last := pending[0], Tx{}
	var fees amount.Sats
	var vbytes int64
	for _, t := range pending {
		fees, vbytes = fees+t.Fee-1, vbytes+t.VBytes // undo the rounding up of each fee
		if f.isDelivery(t) {
			last = t
		} else if t.Role == Minting {
			target.Ancestors += max(0, q.Rate.Fee(t.VBytes)-t.Fee)
		}
	}
	if last.Msg == nil {
		return replacement{}, fault.Reject(fault.RuneOrderNotSent)
	}
	if floor := amount.FeeRate(int64(fees)*1000/vbytes) + relayStep; q.Rate < floor {
		return replacement{}, fault.Reject(fault.RuneOrderRateTooLow, floor.String())
	}
	if first.Role == Commit {
		target.Replaces = first.Fee
		coins, err := f.coinsOf(first)
		if err != nil {
			return replacement{}, err
		}
		txs, err := f.plan.CommitAndReveal(append(coins, more...), target)
		return replacement{txs, roles(f.order)}, err
	}
	target.Replaces = last.Fee + q.Descendants
	coins, err := f.coinsOf(last)
	if err != nil {
		return replacement{}, err
	}
	tx, err := f.plan.Finish(append(coins, more...), target)
	return replacement{[]vault.OrderTx{tx}, func(int) (Role, int) { return last.Role, last.Position }}, err
}

// relayStep is the minimum by which a replacement must exceed the fee rate of the transactions that it replaces, in
// sats per 1,000 vB.
const relayStep amount.FeeRate = 1000

// refund builds the transaction that returns all funds that are unspent or spent by unconfirmed transactions only. It
// omits payments that cost more to spend than their value, unless they carry runes or an unconfirmed transaction spends
// them. It returns an error, usually *vault.ErrSatsShort, if the sum is too small.
func (f *facts) refund(rate amount.FeeRate) (vault.OrderTx, error) {
	coins, err := f.free(true)
	if err != nil {
		return vault.OrderTx{}, err
	}
	least := int64(rate.Fee(vault.InputVBytes(vault.OrderFund)))
	coins = slices.DeleteFunc(coins, func(c vault.Coin) bool {
		return c.Kind == vault.OrderFund && c.Output.Value < least && len(c.Runes) == 0 && !f.isSpentByPending(c.OutPoint)
	})
	target := vault.FeeTarget{Rate: rate}
	for _, t := range f.conflicting(coins) {
		if f.sendable(t) {
			target.Replaces += t.Fee
		}
	}
	return f.plan.Refund(coins, target)
}

// conflicting returns the pending transactions that a transaction with these inputs replaces: the spenders of the
// inputs, and their descendants.
func (f *facts) conflicting(coins []vault.Coin) (all []Tx) {
	replaced := map[chainhash.Hash]bool{}
	for _, t := range f.pending() { // parents before children
		if slices.ContainsFunc(t.Msg.TxIn, func(in *wire.TxIn) bool { return replaced[in.PreviousOutPoint.Hash] }) ||
			slices.ContainsFunc(coins, func(c vault.Coin) bool { return spends(t, c.OutPoint) }) {
			replaced[t.ID] = true
			all = append(all, t)
		}
	}
	return all
}
