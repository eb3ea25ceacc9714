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

	"moonfund/amount"
	"moonfund/chain"
	"moonfund/runes"
	"moonfund/vault"
)

// facts are all that is known of one order. Everything about it is decided from
// them: what is not in a fact is not remembered.
type facts struct {
	order   Order
	plan    *vault.OrderPlan
	outputs []Output
	txs     map[chainhash.Hash]Tx // ours
	funding []Tx
	tip     int64

	spentBy map[wire.OutPoint]chainhash.Hash // by a transaction of ours that is in a block
	going   map[chainhash.Hash]bool          // memory of goes
}

// errPromise is returned for an order that this server can't derive: of other keys, or another network.
var errPromise = errors.New("etching: the order can't be derived")

func (d *Desk) gather(store Store, o Order) (*facts, error) {
	plan, err := d.Account.PlanOrder(o.RuneOrder)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errPromise, err)
	}
	f := &facts{order: o, plan: plan, txs: map[chainhash.Hash]Tx{}}
	if f.tip, err = store.Txs.Tip(); err != nil {
		return nil, err
	}
	if f.outputs, err = store.Outputs.Outputs(o.ID); err != nil {
		return nil, err
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
	f.spentBy, f.going = map[wire.OutPoint]chainhash.Hash{}, map[chainhash.Hash]bool{}
	for _, t := range f.txs {
		if t.Height == chain.None {
			continue
		}
		for _, in := range t.Msg.TxIn {
			f.spentBy[in.PreviousOutPoint] = t.ID
		}
	}
}

// add takes in a transaction that was just stored.
func (f *facts) add(t Tx) {
	f.txs[t.ID] = t
	f.index()
}

// confirmations of a height under the tip; 0 for chain.None.
func (f *facts) confirmations(height int64) int64 {
	if height == chain.None || height > f.tip {
		return 0
	}
	return f.tip - height + 1
}

// goes says whether an unconfirmed transaction of ours is the one that stands: all
// that it spends is there, and no later version took its place.
func (f *facts) goes(t Tx) bool {
	if known, ok := f.going[t.ID]; ok {
		return known
	}
	f.going[t.ID] = false // a transaction never depends on itself; this ends no loop wrongly
	stands := t.Height == chain.None
	for _, in := range t.Msg.TxIn {
		stands = stands && f.there(in.PreviousOutPoint) && !f.replaced(t, in.PreviousOutPoint)
	}
	f.going[t.ID] = stands
	return stands
}

// there says whether an output can be spent by a block that holds what stands.
func (f *facts) there(out wire.OutPoint) bool {
	if _, spent := f.spentBy[out]; spent {
		return false
	}
	if parent, ours := f.txs[out.Hash]; ours {
		return parent.Height != chain.None || f.goes(parent)
	}
	for _, o := range f.outputs {
		if o.OutPoint == out {
			return !o.Vanished
		}
	}
	return false
}

func (f *facts) replaced(t Tx, out wire.OutPoint) bool {
	for _, other := range f.txs {
		if other.Generation > t.Generation && spends(other, out) && f.goes(other) {
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

// last returns the order's delivering transaction that is in a block, if any.
func (f *facts) last() (Tx, bool) {
	for _, t := range f.txs {
		if t.Height != chain.None && f.isLast(t) {
			return t, true
		}
	}
	return Tx{}, false
}

func (f *facts) isLast(t Tx) bool {
	return t.Role == Reveal || t.Role == Minting && t.Position == f.order.Mint.Repeats-1
}

// standing returns the transactions that are on their way, each after those it spends.
func (f *facts) standing() (all []Tx) {
	done := map[chainhash.Hash]bool{}
	var visit func(t Tx)
	visit = func(t Tx) {
		if done[t.ID] || !f.goes(t) {
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

// sendable leaves out a reveal whose commitment is too young: no node would take it.
func (f *facts) sendable(t Tx) bool {
	if t.Role != Reveal {
		return true
	}
	commit := f.txs[t.Msg.TxIn[0].PreviousOutPoint.Hash]
	return f.confirmations(commit.Height) >= vault.RevealSequence
}

// floor is the least value of a payment that counts: what its input costs at the
// order's rate. Anybody can send less, and nobody pays an order with it.
func (f *facts) floor() amount.Sats {
	return f.order.FeeRate.Fee(vault.InputVBytes(vault.OrderFund))
}

// counts reports whether an output is money for the order: there, without runes,
// and worth its input.
func (f *facts) counts(o Output) bool {
	return !o.Vanished && len(o.Runes) == 0 && o.Value >= f.floor()
}

// received sums the money that counts and is not given back; blocks restricts it to
// what is in one. inputs is how many outputs that is.
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

// needed is what an order needs that is paid by so many payments.
func (f *facts) needed(inputs int) amount.Sats {
	more := f.order.FeeRate.Fee(int64(max(0, inputs-1)) * vault.InputVBytes(vault.OrderFund))
	return f.order.FundAmount + more
}

// tainted reports whether money that bears runes came in, and would count without them.
func (f *facts) tainted() bool {
	for _, o := range f.outputs {
		if _, spent := f.spentBy[o.OutPoint]; !spent && !o.Vanished && len(o.Runes) > 0 && o.Value >= f.floor() {
			return true
		}
	}
	return false
}

// taken reports whether a transaction of ours on its way spends an output.
func (f *facts) taken(out wire.OutPoint) bool {
	return slices.ContainsFunc(f.standing(), func(t Tx) bool { return spends(t, out) })
}

// free returns the coins in blocks that no transaction of ours in a block spends:
// all of them, or those that nothing on its way spends either and that count.
func (f *facts) free(all bool) (coins []vault.Coin, err error) {
	use := func(kind vault.CoinKind, out wire.OutPoint, value amount.Sats, held []runes.Balance) error {
		if _, spent := f.spentBy[out]; spent {
			return nil
		}
		if !all && f.taken(out) {
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
		kind, ours := carries(t, f)
		if t.Height == chain.None || !ours {
			continue
		}
		if err := use(kind, wire.OutPoint{Hash: t.ID}, amount.Sats(t.Msg.TxOut[0].Value), nil); err != nil {
			return nil, err
		}
	}
	return coins, nil
}

// carries says what kind the first output of a transaction of ours is, if it is the order's.
func carries(t Tx, f *facts) (vault.CoinKind, bool) {
	switch {
	case t.Role == Commit:
		return vault.OrderCommit, true
	case t.Role == Minting && !f.isLast(t):
		return vault.OrderWork, true
	}
	return "", false
}

// coinsOf returns what a transaction of ours spends.
func (f *facts) coinsOf(t Tx) (coins []vault.Coin, err error) {
	for _, in := range t.Msg.TxIn {
		kind, value := vault.OrderFund, amount.Sats(0)
		if parent, ours := f.txs[in.PreviousOutPoint.Hash]; ours {
			kind, _ = carries(parent, f)
			value = amount.Sats(parent.Msg.TxOut[in.PreviousOutPoint.Index].Value)
		}
		for _, o := range f.outputs {
			if o.OutPoint == in.PreviousOutPoint {
				value = o.Value
			}
		}
		coin, err := f.plan.Coin(kind, in.PreviousOutPoint, value)
		if err != nil {
			return nil, err
		}
		coins = append(coins, coin)
	}
	return coins, nil
}

// ordered returns transactions by generation, then by their place in it.
func ordered(txs map[chainhash.Hash]Tx) []Tx {
	return slices.SortedFunc(maps.Values(txs), func(a, b Tx) int {
		return cmp.Or(cmp.Compare(a.Generation, b.Generation), cmp.Compare(a.Position, b.Position),
			cmp.Compare(a.Role, b.Role), bytes.Compare(a.ID[:], b.ID[:]))
	})
}

// generation is the next one's number.
func (f *facts) generation() int64 {
	var last int64
	for _, t := range f.txs {
		last = max(last, t.Generation)
	}
	return last + 1
}
