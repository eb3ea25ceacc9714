package etching

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/fault"
	"moonfund/internal/state"
)

// ErrUnsigned means that transactions must be signed before Advance can continue.
var ErrUnsigned = vault.ErrUnsigned

// Advance carries out the due steps of every unsettled order. rate is the fee rate of refunds.
// The caller broadcasts the stored transactions after the commit; stored reports whether there are any. An order that
// the signer refuses, or that fails, does not delay other orders; Waits says why it waits.
//
// Advance does not call the signer. If it needs a signature it returns ErrUnsigned. Then the caller rolls the
// transaction back, calls Sign, and calls Advance again in a new transaction. Advance must not be called concurrently.
func (s *Service) Advance(
	ctx context.Context, tx Database, rate amount.FeeRate, now time.Time,
) (stored bool, err error) {
	s.signatures.Begin()
	s.waits = map[string]string{}
	if stored, err = s.advance(ctx, tx, rate, now); err == nil {
		err = s.signatures.Missing()
	}
	return stored && err == nil, err
}

// Sign obtains the signatures that the last Advance needs. It must not be called within a database transaction. It
// returns nil if the signer refuses a transaction; the next Advance handles that.
func (s *Service) Sign(ctx context.Context) error { return s.signatures.Sign(ctx) }

// ForgetSignatures discards signatures that were not stored, and refusals of the signer. It begins a round of Advance.
func (s *Service) ForgetSignatures() {
	s.signatures.Forget()
	s.waited = s.waits
}

func (s *Service) advance(
	ctx context.Context, tx Database, rate amount.FeeRate, now time.Time,
) (stored bool, err error) {
	store := tx.Etchings(ctx)
	due, err := store.Orders.Due(now)
	if err != nil {
		return false, err
	}
	rate = min(max(rate, s.Policy.MinRelay), s.Policy.MaxFeeRate)
	for _, o := range due {
		if s.Rules.Follow != nil {
			if o.State != New {
				s.wait(o.ID, errNotFollowed)
			}
			continue
		}
		added := false
		failed, err := tx.Attempt(ctx, func() (err error) {
			f, err := s.gather(store, o)
			if err != nil {
				return err
			}
			one := &step{Service: s, facts: f, store: store, index: tx.Runes(ctx), rate: rate, now: now}
			before := len(f.txs)
			err = one.run()
			added = len(f.txs) > before
			return err
		})
		if err != nil {
			return stored, err
		}
		if failed != nil {
			s.wait(o.ID, failed)
			continue
		}
		stored = stored || added
	}
	return stored, nil
}

// step is the processing of one order by Advance.
type step struct {
	*Service
	*facts
	store Store
	index runes.Store
	rate  amount.FeeRate
	now   time.Time
}

func (s *step) run() error {
	for range len(Table.Rows) { // one event per pass; no path is longer than the table
		before := s.order.State
		if err := s.decide(); err != nil {
			return err
		}
		if s.order.State == before {
			break
		}
	}
	if err := s.refundRest(); err != nil {
		return err
	}
	if s.isFinal() {
		return s.store.Orders.Settle(s.order.ID)
	}
	return nil
}

func (s *step) move(on Event, cause error) error {
	from := s.order.State
	to, err := Table.Next(from, on, state.Always)
	if err != nil {
		return err
	}
	s.order.State, s.order.Updated = to, s.now
	switch on {
	case Impossible, Ineffective:
		f := fault.From(cause)
		s.order.Cause, s.order.Reason, s.order.ReasonCode, s.order.ReasonValues = on, f.Message, f.Code, f.Values
	case Delivered:
		s.order.Cause, s.order.Reason, s.order.ReasonCode, s.order.ReasonValues = "", "", "", nil
	}
	if s.signatures.Missing() == nil { // otherwise the transaction is rolled back
		s.Log.Info("rune order", "order", s.order.ID, "from", string(from), "on", string(on), "to", string(to), "reason",
			s.order.Reason)
	}
	return s.store.Orders.Change(s.order, from)
}

func (s *step) decide() error {
	switch s.order.State {
	case New, Pending:
		return s.decideWaiting()
	case Executing:
		return s.decideExecuting()
	case Complete:
		if _, done := s.delivery(); !done {
			return s.move(Undone, nil)
		}
	case Failed:
		// An abandoned transaction may confirm, and a transaction without effect may have an effect after a reorg.
		last, done := s.delivery()
		ineffective := s.order.Cause == Ineffective
		if ineffective != done {
			return s.move(Undone, nil)
		}
		if !ineffective {
			return s.decideReturned()
		}
		problem, err := s.checkEffect(s.index, s.order, last)
		if err != nil || problem != nil {
			return err
		}
		return s.move(Undone, nil) // a reorg changed the order of this transaction and a competing one
	case Stale:
		return s.decideReturned()
	case Refunded:
		if !s.returned() {
			return s.move(Undone, nil)
		}
	}
	return nil
}

func (s *step) decideWaiting() error {
	if err := s.expirePayments(); err != nil {
		return err
	}
	if s.hasRunes() {
		return s.move(Impossible, fault.Reject(fault.RuneFundingRunes))
	}
	seen, inputs := s.received(false)
	switch enough := seen >= s.needed(inputs); {
	case s.order.State == New && enough:
		return s.move(Funded, nil)
	case s.order.State == New && !s.now.Before(s.order.Deadline):
		return s.move(Expired, nil)
	case s.order.State == New:
		return nil
	case !enough:
		return s.move(Unfunded, nil)
	}
	if mined, inputs := s.received(true); mined < s.needed(inputs) {
		return nil
	}
	if len(s.txs) > 0 && s.hasStarted() {
		return s.move(Sent, nil) // a server with a newer ledger sent the transactions
	}
	problem, err := s.infeasible()
	if err != nil {
		return err
	}
	if problem != nil {
		return s.refuse(problem)
	}
	if s.unrelayedOrder(s.order) != "" {
		return s.waitForNode()
	}
	coins, err := s.free(false)
	if err != nil {
		return err
	}
	txs, err := build(s.plan, coins, vault.FeeTarget{Rate: s.order.FeeRate})
	if err != nil {
		return s.refuse(err)
	}
	refused, err := s.signAndStore(s.store, s.facts, txs, roles(s.order), s.now)
	if err != nil {
		return err
	}
	if refused != nil {
		return s.refuse(refused)
	}
	return s.move(Sent, nil)
}

// expirePayments marks payments as vanished that were unconfirmed for UnconfirmedFor. Otherwise an order whose payment
// never confirms would wait forever, and our transaction that spends the payment would block the refund of other coins.
// A payment that confirms later counts again.
func (s *step) expirePayments() error {
	for i, o := range s.outputs {
		if o.Vanished || o.Height != chain.None || s.now.Before(o.SeenAt.Add(UnconfirmedFor)) {
			continue
		}
		txid := o.OutPoint.Hash.String()
		if err := s.store.Txs.Vanish(txid); err != nil {
			return err
		}
		s.outputs[i].Vanished = true
		s.facts.index()
		if s.signatures.Missing() == nil { // otherwise the transaction is rolled back
			s.Log.Warn("a payment of a rune order was unconfirmed for 14 days", "order", s.order.ID, "txid", txid)
		}
	}
	return nil
}

// infeasible returns the rule that forbids the order now, or nil. err is a failed lookup, for example a database error.
// The caller must return err, without a change of the order.
func (s *step) infeasible() (problem *fault.Error, err error) {
	err = s.feasible(s.index, s.store, s.order, s.tip)
	if errors.As(err, &problem) && problem.Kind == fault.Invalid {
		return problem, nil
	}
	return nil, err
}

// hasStarted reports whether a transaction of the order other than a refund is confirmed or pending.
func (s *step) hasStarted() bool {
	for _, t := range s.txs {
		if t.Role != Refund && (t.Height != chain.None || s.isCurrent(t)) {
			return true
		}
	}
	return false
}

func (s *step) decideExecuting() error {
	if last, done := s.delivery(); done {
		problem, err := s.checkEffect(s.index, s.order, last)
		if err != nil {
			return err
		}
		if problem != nil {
			return s.move(Ineffective, problem)
		}
		return s.move(Delivered, nil)
	}
	if len(s.pending()) == 0 {
		txs, role, err := s.rebuildLost()
		if err != nil {
			return s.refuse(err)
		}
		if len(txs) == 0 {
			return s.move(Unfunded, nil)
		}
		refused, err := s.signAndStore(s.store, s.facts, txs, role, s.now)
		if err != nil || refused == nil {
			return err
		}
		return s.refuse(refused)
	}
	if s.stoppable() {
		problem, err := s.infeasible()
		if err != nil {
			return err
		}
		if problem != nil {
			return s.move(Impossible, problem)
		}
		refused, err := s.refusedForLong()
		if err != nil {
			return err
		}
		if refused {
			return s.move(Impossible, fault.Reject(fault.RuneOrderRefused))
		}
	}
	return s.bump()
}

// stoppable reports whether a refund can still save funds: no mint and no reveal is confirmed.
func (s *step) stoppable() bool {
	for _, t := range s.txs {
		if t.Height != chain.None && t.Role != Commit {
			return false
		}
	}
	return true
}

// bump replaces pending transactions by the version with the highest fee rate that was quoted and is paid.
func (s *step) bump() error {
	more, err := s.free(false)
	if err != nil || len(more) == 0 {
		return err
	}
	quotes := slices.SortedFunc(slices.Values(s.order.Quotes), func(a, b Quote) int { return int(b.Rate - a.Rate) })
	for _, q := range quotes {
		r, err := s.buildReplacement(q, more)
		if err != nil {
			continue // not paid in full, or superseded
		}
		refused, err := s.signAndStore(s.store, s.facts, r.txs, r.role, s.now)
		if refused != nil {
			s.wait(s.order.ID, fmt.Errorf("it is not replaced: %w", refused))
		}
		return err
	}
	return nil
}

// returned reports whether a refund is confirmed.
func (s *step) returned() bool {
	for _, t := range s.txs {
		if t.Role == Refund && t.Height != chain.None {
			return true
		}
	}
	return false
}

func (s *step) decideReturned() error {
	if s.returned() {
		return s.move(Returned, nil)
	}
	return nil
}

// refundRest refunds the remaining funds of an order that is finished.
func (s *step) refundRest() error {
	switch s.order.State {
	case New, Pending, Executing:
		return nil
	}
	if err := s.expirePayments(); err != nil {
		return err
	}
	for _, t := range s.pending() {
		if t.Role == Refund && s.canBeMined(t) && s.rate < 2*amount.FeeRate(int64(t.Fee)*1000/t.VBytes) {
			return nil // one refund at a time, unless its fee rate is at most half of the current one
		}
	}
	coins, err := s.free(true)
	if err != nil || len(coins) == 0 {
		return err
	}
	tx, err := s.refund(s.rate)
	if err != nil {
		if _, never := s.refund(s.Policy.MinRelay); never == nil {
			s.wait(s.order.ID, errRefundDear)
		}
		return nil
	}
	refused, err := s.signAndStore(s.store, s.facts, []vault.OrderTx{tx},
		func(int) (Role, int) { return Refund, 0 }, s.now)
	if refused != nil {
		s.wait(s.order.ID, fmt.Errorf("its refund is not sent: %w", refused))
	}
	return err
}

// canBeMined reports whether every payment that a transaction spends is confirmed. A payment that a reorg undid may
// never confirm again, and must not delay the refund of other funds.
func (s *step) canBeMined(t Tx) bool {
	for _, in := range t.Msg.TxIn {
		for _, o := range s.outputs {
			if o.OutPoint == in.PreviousOutPoint && o.Height == chain.None {
				return false
			}
		}
	}
	return true
}

// isFinal reports whether the order is final: all its transactions are deeper than any reorg that the follower accepts.
func (s *step) isFinal() bool {
	switch s.order.State {
	case New:
		return len(s.outputs) == 0
	case Pending, Executing:
		return false
	}
	if len(s.pending()) > 0 {
		return false
	}
	for _, t := range s.txs {
		if t.Height != chain.None && s.confirmations(t.Height) <= MaxReorg {
			return false
		}
	}
	for _, o := range s.outputs {
		if !o.Vanished && s.confirmations(o.Height) <= MaxReorg {
			return false
		}
	}
	_, tooLittle := s.refund(s.Policy.MinRelay)
	return tooLittle != nil // otherwise keep it until a refund costs less than its value
}

// Waiting returns the unconfirmed transactions to broadcast again: the seen payments, and the service's transactions
// that are old enough.
func (s *Service) Waiting(ctx context.Context, store Store, now time.Time) (payments, ours []Tx, err error) {
	if payments, err = store.Txs.UnconfirmedFunding(); err != nil {
		return nil, nil, err
	}
	due, err := store.Orders.Due(now)
	if err != nil {
		return nil, nil, err
	}
	for _, o := range due {
		f, err := s.gather(store, o)
		if errors.Is(err, errNotDerivable) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		for _, t := range f.pending() {
			if f.sendable(t) {
				ours = append(ours, t)
			}
		}
	}
	return payments, ours, nil
}
