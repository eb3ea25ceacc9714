package follower

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"moonfund/chain"
	"moonfund/ledger"
	"moonfund/runes"
)

// sightedAtOnce bounds the inputs and outputs that one database transaction takes in
// from the mempool: what fits into one standard transaction.
const sightedAtOnce = 3000

// step is one block, or a part of the mempool, within one database transaction. It
// books all payments first and evaluates each of their orders once, at its end: a
// stranger can put thousands of payments to one order into one transaction.
type step struct {
	*Follower
	tx      Tx
	height  int64 // ledger.None for the mempool
	place   int64 // in its block, of the transaction that is taken in
	at      time.Time
	touched *touched
	fetched fetched
	pending map[string]bool // ids of the orders with a booked payment that are not evaluated yet
}

func (f *Follower) newStep(tx Tx, d fetched, height int64, at time.Time, touched *touched) *step {
	return &step{Follower: f, tx: tx, fetched: d, height: height, at: at, touched: touched, pending: map[string]bool{}}
}

// see takes in one transaction.
func (s *step) see(ctx context.Context, t chain.Tx, parents []chain.Tx, allocated func(uint32) []runes.Balance) error {
	err := s.take(ctx, t, parents, allocated)
	if err != nil {
		err = fmt.Errorf("transaction %s: %w", t.ID, err)
	}
	return err
}

func (s *step) take(ctx context.Context, t chain.Tx, parents []chain.Tx, allocated func(uint32) []runes.Balance) error {
	ours, err := s.tx.Watched.IsPayout(ctx, t.ID.String())
	if err != nil {
		return err
	}
	if !ours {
		if err := s.evaluateSpent(ctx, t); err != nil {
			return err
		}
		if ours, err = s.Cashier.Find(ctx, s.tx.PayoutTx(), s.watch, t, s.at); err != nil {
			return err
		}
	}
	strays, err := s.fetched.straysOf(t, s.paysUs(t))
	if err != nil {
		return err
	}
	seen, err := s.Book.See(ctx, s.tx.LedgerTx(), s.watch, ledger.Sighting{
		Tx: t, Height: s.height, Position: s.place, At: s.at, Parents: parents, Allocated: allocated, Strays: strays, Ours: ours,
	})
	if err != nil {
		return err
	}
	s.touched.seen(seen)
	affected, err := s.Orders.Book(ctx, s.tx.OrderTx(), seen.Outputs, seen.Vanished, s.at)
	for _, id := range affected {
		s.pending[id] = true
	}
	return err
}

// evaluateSpent evaluates the orders whose payments a transaction spends: whether it
// is a payout that this ledger does not remember depends on their status. Only our
// own key can spend a payment, so strangers can't cause this.
func (s *step) evaluateSpent(ctx context.Context, t chain.Tx) error {
	if len(s.pending) == 0 {
		return nil
	}
	for _, in := range t.Msg.TxIn {
		if !s.watch.Output(in.PreviousOutPoint) {
			continue
		}
		output, err := s.tx.Outputs.Output(ctx, in.PreviousOutPoint)
		if errors.Is(err, ledger.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if output.Kind != ledger.PaymentKind || !s.pending[output.Ref] {
			continue
		}
		delete(s.pending, output.Ref)
		if err := s.Orders.EvaluateEach(ctx, s.tx.OrderTx(), []string{output.Ref}, s.at); err != nil {
			return err
		}
	}
	return nil
}

// evaluate ends the step: it brings every order in line with what was booked.
func (s *step) evaluate(ctx context.Context) error {
	ids := slices.Sorted(maps.Keys(s.pending))
	clear(s.pending)
	return s.Orders.EvaluateEach(ctx, s.tx.OrderTx(), ids, s.at)
}
