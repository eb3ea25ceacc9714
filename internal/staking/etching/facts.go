package etching

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
)

// facts holds the known state of one order. Decisions about the order depend only on these facts, the rune index, the
// time and the node's refusals.
type facts struct {
	order   Order
	plan    *vault.OrderPlan
	outputs []Output
	at      map[wire.OutPoint]int // index of an output in outputs
	txs     map[chainhash.Hash]Tx // transactions of the service
	funding []Tx
	tip     int64

	spentBy map[wire.OutPoint]chainhash.Hash // by confirmed transactions of the service
	current map[chainhash.Hash]bool          // cache of isCurrent
}

// errNotDerivable means that the order's address can't be derived: it belongs to other keys or another network.
var errNotDerivable = errors.New("etching: the order can't be derived")

func (s *Service) gather(store Store, o Order) (*facts, error) {
	plan, err := s.Account.PlanOrder(o.RuneOrder)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNotDerivable, err)
	}
	f := &facts{order: o, plan: plan, txs: map[chainhash.Hash]Tx{}}
	if f.tip, err = store.Txs.Tip(); err != nil {
		return nil, err
	}
	if f.outputs, err = store.Outputs.Outputs(o.ID); err != nil {
		return nil, err
	}
	f.at = make(map[wire.OutPoint]int, len(f.outputs))
	for i, out := range f.outputs {
		f.at[out.OutPoint] = i
	}
	all, err := store.Txs.Txs(o.ID)
	if err != nil {
		return nil, err
	}
	for _, t := range all {
		if t.Role == Funding {
			f.funding = append(f.funding, t)
		} else {
			f.txs[t.ID] = t
		}
	}
	f.index()
	return f, nil
}

func (f *facts) index() {
	f.spentBy, f.current = map[wire.OutPoint]chainhash.Hash{}, map[chainhash.Hash]bool{}
	for _, t := range f.txs {
		if t.Height == chain.None {
			continue
		}
		for _, in := range t.Msg.TxIn {
			f.spentBy[in.PreviousOutPoint] = t.ID
		}
	}
}

// add adds a transaction that was just stored.
func (f *facts) add(t Tx) {
	f.txs[t.ID] = t
	f.index()
}

// confirmations returns the confirmations of a block height; 0 for None.
func (f *facts) confirmations(height int64) int64 {
	if height == chain.None || height > f.tip {
		return 0
	}
	return f.tip - height + 1
}

// isCurrent reports whether an unconfirmed transaction of the service is current: all outputs that it spends exist, and
// no later version replaced it.
func (f *facts) isCurrent(t Tx) bool {
	if known, ok := f.current[t.ID]; ok {
		return known
	}
	f.current[t.ID] = false // ends the recursion; a transaction never depends on itself
	stands := t.Height == chain.None
	for _, in := range t.Msg.TxIn {
		stands = stands && f.isSpendable(in.PreviousOutPoint) && !f.replaced(t, in.PreviousOutPoint)
	}
	f.current[t.ID] = stands
	return stands
}

// isSpendable reports whether an output can be spent, assuming that the current transactions are mined.
func (f *facts) isSpendable(out wire.OutPoint) bool {
	if _, spent := f.spentBy[out]; spent {
		return false
	}
	if parent, ours := f.txs[out.Hash]; ours {
		return parent.Height != chain.None || f.isCurrent(parent)
	}
	i, known := f.at[out]
	return known && !f.outputs[i].Vanished
}

func (f *facts) replaced(t Tx, out wire.OutPoint) bool {
	for _, other := range f.txs {
		if other.Generation > t.Generation && spends(other, out) && f.isCurrent(other) {
			return true
		}
	}
	return false
}

func spends(t Tx, out wire.OutPoint) bool {
	for _, in := range t.Msg.TxIn {
		if in.PreviousOutPoint == out {
			return true
		}
	}
	return false
}

// delivery returns the order's confirmed delivering transaction, if any.
func (f *facts) delivery() (Tx, bool) {
	for _, t := range f.txs {
		if t.Height != chain.None && f.isDelivery(t) {
			return t, true
		}
	}
	return Tx{}, false
}

func (f *facts) isDelivery(t Tx) bool {
	return t.Role == Reveal || t.Role == Minting && t.Position == f.order.Mint.Repeats-1
}

// pending returns the current unconfirmed transactions, parents before children.
func (f *facts) pending() (all []Tx) {
	done := map[chainhash.Hash]bool{}
	var visit func(t Tx)
	visit = func(t Tx) {
		if done[t.ID] || !f.isCurrent(t) {
			return
		}
		done[t.ID] = true
		for _, in := range t.Msg.TxIn {
			if parent, ours := f.txs[in.PreviousOutPoint.Hash]; ours {
				visit(parent)
			}
		}
		all = append(all, t)
	}
	for _, t := range ordered(f.txs) {
		visit(t)
	}
	return all
}

// sendable returns false for a reveal whose commitment has too few confirmations, because no node accepts it.
func (f *facts) sendable(t Tx) bool {
	if t.Role != Reveal {
		return true
	}
	commit := f.txs[t.Msg.TxIn[0].PreviousOutPoint.Hash]
	return f.confirmations(commit.Height) >= vault.RevealSequence
}

// minPayment is the minimum value of a payment that counts: the cost of its input at the order's fee rate. Smaller
// payments, which anyone can send, are ignored.
func (f *facts) minPayment() amount.Sats {
	return f.order.FeeRate.Fee(vault.InputVBytes(vault.OrderFund))
}

// counts reports whether an output counts as payment: it exists, carries no runes, and its value is at least the cost
// of its input.
func (f *facts) counts(o Output) bool {
	return !o.Vanished && len(o.Runes) == 0 && o.Value >= f.minPayment()
}

// received returns the sum and number of payments that count and were not refunded. blocks restricts it to confirmed
// ones.
func (f *facts) received(blocks bool) (sats amount.Sats, inputs int) {
	for _, o := range f.outputs {
		if !f.counts(o) || blocks && o.Height == chain.None {
			continue
		}
		if spender, spent := f.spentBy[o.OutPoint]; spent && f.txs[spender].Role == Refund {
			continue
		}
		sats += o.Value
		inputs++
	}
	return sats, inputs
}

// needed returns the sum that an order needs if it is paid by this many payments.
func (f *facts) needed(inputs int) amount.Sats {
	more := f.order.FeeRate.Fee(int64(max(0, inputs-1)) * vault.InputVBytes(vault.OrderFund))
	return f.order.FundAmount + more
}

// hasRunes reports whether a payment carries runes and would otherwise count.
func (f *facts) hasRunes() bool {
	for _, o := range f.outputs {
		if _, spent := f.spentBy[o.OutPoint]; !spent && !o.Vanished && len(o.Runes) > 0 && o.Value >= f.minPayment() {
			return true
		}
	}
	return false
}

// isSpentByPending reports whether an unconfirmed transaction of the service spends an output.
func (f *facts) isSpentByPending(out wire.OutPoint) bool {
	return slices.ContainsFunc(f.pending(), func(t Tx) bool { return spends(t, out) })
}

// free returns the confirmed coins that no confirmed transaction of the service spends. Unless all is set, it omits
// coins that an unconfirmed transaction spends and coins that do not count.
func (f *facts) free(all bool) (coins []vault.Coin, err error) {
	use := func(kind vault.CoinKind, out wire.OutPoint, value amount.Sats, held []runes.Balance) error {
		if _, spent := f.spentBy[out]; spent {
			return nil
		}
		if !all && f.isSpentByPending(out) {
			return nil
		}
		coin, err := f.plan.Coin(kind, out, value)
		coin.Runes = held
		coins = append(coins, coin)
		return err
	}
	for _, o := range f.outputs {
		if o.Height == chain.None || o.Vanished || !all && !f.counts(o) {
			continue
		}
		if err := use(vault.OrderFund, o.OutPoint, o.Value, o.Runes); err != nil {
			return nil, err
		}
	}
	for _, t := range ordered(f.txs) {
		kind, ours := outputKind(t, f)
		if t.Height == chain.None || !ours {
			continue
		}
		if err := use(kind, wire.OutPoint{Hash: t.ID}, amount.Sats(t.Msg.TxOut[0].Value), nil); err != nil {
			return nil, err
		}
	}
	return coins, nil
}

// outputKind returns the kind of the first output of one of the service's transactions, and whether it belongs to the
// order.
func outputKind(t Tx, f *facts) (vault.CoinKind, bool) {
	switch {
	case t.Role == Commit:
		return vault.OrderCommit, true
	case t.Role == Minting && !f.isDelivery(t):
		return vault.OrderWork, true
	}
	return "", false
}

// coinsOf returns the coins that one of the service's transactions spends.
func (f *facts) coinsOf(t Tx) (coins []vault.Coin, err error) {
	for _, in := range t.Msg.TxIn {
		kind, value := vault.OrderFund, amount.Sats(0)
		if parent, ours := f.txs[in.PreviousOutPoint.Hash]; ours {
			kind, _ = outputKind(parent, f)
			value = amount.Sats(parent.Msg.TxOut[in.PreviousOutPoint.Index].Value)
		}
		if i, known := f.at[in.PreviousOutPoint]; known {
			value = f.outputs[i].Value
		}
		coin, err := f.plan.Coin(kind, in.PreviousOutPoint, value)
		if err != nil {
			return nil, err
		}
		coins = append(coins, coin)
	}
	return coins, nil
}

// ordered returns transactions sorted by generation and then position.
func ordered(txs map[chainhash.Hash]Tx) []Tx {
	return slices.SortedFunc(maps.Values(txs), func(a, b Tx) int {
		return cmp.Or(cmp.Compare(a.Generation, b.Generation), cmp.Compare(a.Position, b.Position),
			cmp.Compare(a.Role, b.Role), bytes.Compare(a.ID[:], b.ID[:]))
	})
}

// generation returns the number of the next generation.
func (f *facts) generation() int64 {
	var last int64
	for _, t := range f.txs {
		last = max(last, t.Generation)
	}
	return last + 1
}
