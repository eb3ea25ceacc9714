package follower

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/payout"
)

// step records one block or part of the mempool within one database transaction. It records all payments first and
// evaluates each of their orders once at the end, because one transaction can make thousands of payments to one order.
type step struct {
	*Follower
	tx       Tx
	at       time.Time
	touched  *touched
	fetched  fetched
	pending  map[string]bool // ids of orders with recorded payments that are not evaluated
	ahead    bool            // orders may be stored as unevaluated
	rebuilds bool            // collect payments and evaluate no order
	payments []ledger.Output // collected payments
}

func (f *Follower) newStep(tx Tx, d fetched, p pass, at time.Time) *step {
	return &step{
		Follower: f, tx: tx, at: at, touched: p.touched, fetched: d, pending: map[string]bool{}, rebuilds: p.rebuild != nil,
	}
}

// record records a transaction that concerns us, with its payments. It completes seen from the ledger and from the
// fetched data.
func (s *step) record(ctx context.Context, seen ledger.Observation) error {
	s.growth.since += sizeOf(seen.Tx)
	if err := s.complete(ctx, &seen); err != nil {
		return fmt.Errorf("transaction %s: %w", seen.Tx.ID, err)
	}
	changed, err := s.Ledger.RecordTx(ctx, s.tx.LedgerTx(), s.watch, seen)
	if err == nil {
		err = s.recordPayments(ctx, changed)
	}
	if err == nil && seen.Ours && seen.Height != chain.None && !s.rebuilds {
		err = s.Payouts.RecordMined(ctx, s.round(), seen.Tx.ID.String())
	}
	if err != nil {
		return fmt.Errorf("transaction %s: %w", seen.Tx.ID, err)
	}
	return nil
}

func (s *step) round() payout.Round {
	return payout.Round{Tx: s.tx.PayoutTx(), Watch: s.watch, Moment: ledger.Moment{Now: s.at}}
}

// confirm records the transactions of a block that it only confirms, with their payments, and returns the others. A
// rebuild records each transaction by itself, because it collects payments that may be missing.
func (s *step) confirm(ctx context.Context, seen []ledger.Observation) (others []ledger.Observation, err error) {
	if s.rebuilds {
		return seen, nil
	}
	var ids []string
	for _, obs := range seen {
		ids = append(ids, obs.Tx.ID.String())
	}
	payouts, err := s.tx.Watched.PayoutTxs(ctx, ids...)
	if err != nil {
		return nil, err
	}
	var foreign, ours []ledger.Observation
	for i, obs := range seen {
		if payouts[ids[i]] {
			ours = append(ours, obs)
			continue
		}
		if obs.Untracked, err = s.fetched.untrackedOf(obs.Tx, s.paysUs(obs.Tx)); err != nil {
			return nil, fmt.Errorf("transaction %s: %w", ids[i], err)
		}
		foreign = append(foreign, obs)
	}
	changed, others, err := s.Ledger.ConfirmTxs(ctx, s.tx.LedgerTx(), s.watch, foreign)
	if err != nil {
		return nil, err
	}
	others = append(others, ours...)
	slices.SortFunc(others, func(a, b ledger.Observation) int { return cmp.Compare(a.Position, b.Position) })
	return others, s.recordPayments(ctx, changed)
}

// complete sets whether the transaction is a payout of ours, and which of its outputs may hold untracked runes.
func (s *step) complete(ctx context.Context, seen *ledger.Observation) (err error) {
	txid := seen.Tx.ID.String()
	payouts, err := s.tx.Watched.PayoutTxs(ctx, txid)
	if err != nil {
		return err
	}
	seen.Ours = payouts[txid]
	if !seen.Ours && !s.rebuilds {
		if err := s.evaluateSpent(ctx, seen.Tx); err != nil {
			return err
		}
		if seen.Ours, err = s.Payouts.Find(ctx, s.round(), seen.Tx); err != nil {
			return err
		}
		s.valued = s.valued && !seen.Ours
	}
	seen.Untracked, err = s.fetched.untrackedOf(seen.Tx, s.paysUs(seen.Tx))
	return err
}

// recordPayments records the payments among changed outputs. A rebuild collects them instead, because the stored orders
// already include most of them.
func (s *step) recordPayments(ctx context.Context, changed ledger.Changes) error {
	if s.rebuilds {
		for _, output := range changed.Outputs {
			if output.Kind == ledger.PaymentKind {
				output.Unchanged = false // its payment may be missing
				s.payments = append(s.payments, output)
			}
		}
		return nil
	}
	s.touched.seen(changed)
	affected, err := s.Orders.RecordOutputs(ctx, s.tx.OrderTx(), changed.Outputs, changed.Vanished, s.at)
	for _, id := range affected {
		s.pending[id] = true
	}
	return err
}

// evaluateSpent evaluates the orders whose payments a transaction spends. The transaction may be a payout that is not
// in this ledger, and whether it is depends on the orders' status. Only our own key can spend a payment, so others
// can't cause this work.
func (s *step) evaluateSpent(ctx context.Context, t chain.Tx) error {
	if len(s.pending) == 0 {
		return nil
	}
	outputs, err := s.tx.Outputs.Outputs(ctx, t.Spends(s.watch.Output))
	if err != nil {
		return err
	}
	for _, output := range outputs {
		if output.Kind != ledger.PaymentKind || !s.pending[output.Ref] {
			continue
		}
		delete(s.pending, output.Ref)
		if _, err := s.Orders.Evaluate(ctx, s.tx.OrderTx(), []string{output.Ref}, s.at, false); err != nil {
			return err
		}
	}
	return nil
}
