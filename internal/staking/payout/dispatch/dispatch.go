// Package dispatch prepares, confirms, replaces and finds the payouts of all kinds. It calls the packages of the kinds
// in a fixed order, and carries out the operators' requests about payouts.
package dispatch

import (
	"context"
	"maps"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/staking/payout/delivery"
	"moonfund/internal/staking/payout/onetx"
	"moonfund/internal/staking/payout/refund"
	"moonfund/internal/staking/payout/returns"
	"moonfund/internal/staking/payout/treasury"
)

// Service dispatches payouts. Only Waiting is safe for concurrent use.
type Service struct {
	book   *payout.Book
	export func(payout.Unsigned) (string, error) // encodes a PSBT to sign by hand; nil: no exports

	deliveries  *delivery.Service
	refunds     *refund.Service
	returns     *returns.Service
	withdrawals *treasury.Service
	oneTxs      *onetx.Payouts
	kinds       map[payout.Kind]kind
}

// kind replaces and confirms the stored payouts of one kind.
type kind interface {
	// BumpRate returns the fee rate at which a payout that is stuck is replaced automatically, given the network's one,
	// or 0 if it is not.
	BumpRate(p payout.Payout, rate amount.FeeRate) amount.FeeRate
	// Bump stores a version of a payout at the rate of the round, as Service.Bump.
	Bump(ctx context.Context, r payout.Round, p payout.Payout) (payout.Payout, error)
	// Confirm applies at most one event to a payout, and returns the orders that change. It updates p.
	Confirm(ctx context.Context, r payout.Round, p *payout.Payout, tip ledger.Header) ([]order.Order, error)
}

// NewService returns the service for payouts. export encodes a PSBT to sign by hand; nil: no exports.
func NewService(book *payout.Book, export func(payout.Unsigned) (string, error)) *Service {
	s := &Service{book: book, export: export, deliveries: delivery.NewService(book), refunds: refund.NewService(book),
		returns: returns.NewService(book), withdrawals: treasury.NewService(book)}
	s.oneTxs = onetx.NewPayouts(book, s.deliveries)
	s.kinds = map[payout.Kind]kind{payout.Delivery: s.deliveries, payout.Split: s.deliveries, payout.Refund: s.refunds,
		payout.Return: s.returns, payout.Withdraw: s.withdrawals, payout.OneTx: s.oneTxs}
	return s
}

// OneTx returns the payouts that coins of stakers pay.
func (s *Service) OneTx() *onetx.Payouts { return s.oneTxs }

// Waiting returns the reasons why the last Prepare did not send PAID orders, by order id, and the reasons and errors of
// what else waits or failed, by subject as in payout.Book.Attempt. All are texts for operators.
func (s *Service) Waiting() map[string]string {
	waiting := s.deliveries.Waiting()
	maps.Copy(waiting, s.book.Waits())
	return waiting
}

// AttemptEpochs calls fn, which advances the epochs of a community, and reports whether it succeeded. See
// payout.Book.AttemptEpochs.
func (s *Service) AttemptEpochs(ctx context.Context, tx payout.Tx, community string, fn func() error) (bool, error) {
	return s.book.AttemptEpochs(ctx, tx, community, fn)
}

// BeginEpochs begins a round of AttemptEpochs.
func (s *Service) BeginEpochs() { s.book.BeginEpochs() }

// EpochsFailed reports whether the last AttemptEpochs of a community failed.
func (s *Service) EpochsFailed(community string) bool { return s.book.EpochsFailed(community) != "" }

// Failures returns the errors of what failed in the last Step, by subject.
func (s *Service) Failures() map[string]string { return s.book.Failures() }

// Changed returns the orders that the last Prepare changed without a payout: it ended the session unsigned, or a refund
// waits for another reason.
func (s *Service) Changed() []string { return s.book.Changed }

// Sign calls the signer for the payouts of the last Prepare. It must not be called within a database transaction, since
// signing can take long. It does not return a refusal of the signer, which the next Prepare handles.
func (s *Service) Sign(ctx context.Context) error { return s.book.Signatures.Sign(ctx) }

// ForgetSignatures discards signatures that were not stored and refusals of the signer, so that the signer is called
// again.
func (s *Service) ForgetSignatures() { s.book.Signatures.Forget() }

// Prepare stores and returns the payouts that are due: replacements of stuck payouts, payouts that operators requested,
// due refunds, withdrawals in one transaction, and deliveries of PAID orders. The caller broadcasts the payouts after
// the commit.
//
// Prepare does not call the signer. If signatures are missing it returns payout.ErrUnsigned. Then the caller must roll
// the transaction back, call Sign, and call Prepare in a new transaction. That call reads all data again, and stores a
// signed payout only if it builds the identical transaction. Only one goroutine at a time may do this.
func (s *Service) Prepare(ctx context.Context, r payout.Round) ([]payout.Payout, error) {
	r.Tx = r.Tx.Caching()
	s.book.Signatures.Begin()
	s.book.BeginAttempts("replacement", "request", "refund", "session")
	s.book.Changed = nil
	s.deliveries.Begin()
	stored, err := s.prepareAll(ctx, r)
	s.deliveries.End()
	if err == nil {
		err = s.book.Signatures.Missing()
	}
	if err != nil {
		return nil, err
	}
	s.refunds.End()
	return stored, nil
}

func (s *Service) prepareAll(ctx context.Context, r payout.Round) (stored []payout.Payout, err error) {
	paid, err := r.Tx.Orders.OrdersInStatus(ctx, order.Paid)
	if err != nil {
		return nil, err
	}
	if reason, err := r.Tx.Pauses.PausedPayouts(ctx); err != nil || reason != "" {
		s.deliveries.Hold(paid, "payouts are paused: "+reason)
		return nil, err
	}
	if s.book.Paused, err = s.paused(ctx, r.Tx); err != nil {
		return nil, err
	}
	if s.book.Unevaluated, err = unevaluated(ctx, r.Tx); err != nil {
		return nil, err
	}
	if paid, err = s.hold(ctx, r.Tx, paid); err != nil {
		return nil, err
	}
	for _, prepare := range []func(context.Context, payout.Round) ([]payout.Payout, error){
		s.bumpStuck, s.refunds.ServeRequests, s.serveRequests, s.refunds.Prepare, s.oneTxs.Prepare,
		func(ctx context.Context, r payout.Round) ([]payout.Payout, error) {
			return s.deliveries.Prepare(ctx, r, paid)
		},
	} {
		payouts, err := prepare(ctx, r)
		if err != nil {
			return nil, err
		}
		stored = append(stored, payouts...)
	}
	return stored, nil
}

// paused returns why payouts of single communities are paused, or wait for their epochs, by community.
func (s *Service) paused(ctx context.Context, tx payout.Tx) (map[string]string, error) {
	paused, err := tx.Pauses.PausedCommunities(ctx)
	if err != nil {
		return nil, err
	}
	for _, community := range s.book.Ledger.Communities() {
		if failed := s.book.EpochsFailed(community); failed != "" && paused[community] == "" {
			paused[community] = failed
		}
	}
	return paused, nil
}

// unevaluated returns why the evaluations of orders failed, by order id. Their sums may be wrong.
func unevaluated(ctx context.Context, tx payout.Tx) (map[string]string, error) {
	failed, err := tx.Evaluations.FailedEvaluations(ctx)
	reasons := map[string]string{}
	for _, f := range failed {
		reasons[f.OrderID] = f.Reason
	}
	return reasons, err
}

// hold returns the PAID orders without those of communities that are not served or whose payouts are paused, without
// those that can't be evaluated, and without those that are about to go to AUDIT.
func (s *Service) hold(ctx context.Context, tx payout.Tx, paid []order.Order) (rest []order.Order, err error) {
	requests, err := tx.Requests.OpenRequests(ctx)
	if err != nil {
		return nil, err
	}
	reviewed := map[string]string{}
	for _, q := range requests {
		if q.Kind == payout.RequestReview {
			reviewed[q.OrderID] = q.Why
		}
	}
	for _, o := range paid {
		switch {
		case !s.book.Communities.Has(o.Community):
			s.deliveries.Hold([]order.Order{o}, "its community "+o.Community+" is not served here")
		case s.book.Paused[o.Community] != "":
			s.deliveries.Hold([]order.Order{o}, "the payouts of "+o.Community+" are paused: "+s.book.Paused[o.Community])
		case s.book.Unevaluated[o.ID] != "":
			s.deliveries.Hold([]order.Order{o}, order.EvaluationFails+s.book.Unevaluated[o.ID])
		case reviewed[o.ID] != "":
			s.deliveries.Hold([]order.Order{o}, "its review was requested: "+reviewed[o.ID])
		default:
			rest = append(rest, o)
		}
	}
	return rest, nil
}

// Confirm updates payouts and their orders after the numbers of confirmations of payouts changed, up or down. The
// result depends only on the current chain, not on the blocks at which Confirm was called. Confirm returns the orders
// that changed. A payout that fails changes nothing, and does not stop the others.
func (s *Service) Confirm(ctx context.Context, r payout.Round) (changed []order.Order, err error) {
	payouts, err := r.Tx.Payouts.PayoutsIn(ctx, payout.Live, payout.Confirmed)
	if err != nil {
		return nil, err
	}
	tip, err := r.Tx.Headers.Tip(ctx)
	if err != nil {
		return nil, err
	}
	s.book.BeginAttempts("payout")
	together := func() (err error) { // one savepoint while none fails
		for _, p := range payouts {
			orders, err := s.confirm(ctx, r, p, tip)
			if err != nil {
				return err
			}
			changed = append(changed, orders...)
		}
		return nil
	}
	if failed, err := r.Tx.Attempts.Attempt(ctx, together); err != nil || failed == nil {
		return changed, err
	}
	changed = nil
	for _, p := range payouts {
		var orders []order.Order
		done, err := s.book.Attempt(ctx, r.Tx, "payout "+p.ID, func() (err error) {
			orders, err = s.confirm(ctx, r, p, tip)
			return err
		})
		if err != nil {
			return nil, err
		}
		if done {
			changed = append(changed, orders...)
		}
	}
	return changed, nil
}

// RecordMined records in the ledger that a block contains a version of a payout, so the others of the payout vanish. An
// epoch that begins before the next Confirm would count the change of each version as free.
func (s *Service) RecordMined(ctx context.Context, r payout.Round, txid string) error {
	p, err := r.Tx.Payouts.PayoutOf(ctx, txid)
	if err != nil {
		return err
	}
	return s.book.RecordCurrent(ctx, r, p)
}

// confirm applies all events that follow to a payout and its orders, and returns the orders that changed.
func (s *Service) confirm(ctx context.Context, r payout.Round, p payout.Payout,
	tip ledger.Header) (changed []order.Order, err error) {
	if err := s.book.RecordCurrent(ctx, r, p); err != nil {
		return nil, err
	}
	for before := payout.Status(""); p.Status != before; {
		before = p.Status
		orders, err := s.kinds[p.Kind].Confirm(ctx, r, &p, tip)
		if err != nil {
			return nil, err
		}
		changed = append(changed, orders...)
	}
	return changed, nil
}

// Find stores a payout that is not in this ledger, because this ledger was restored from a backup and a server signed
// the payout after that backup. Only our own key can spend a payment, and the outputs of t show which orders it
// delivers or refunds. The delivered orders become SENT, so that they are not paid again. found is false if t spends no
// payment, or if its inputs and outputs can't be explained completely. Then t is not treated as ours, and an operator
// must decide.
func (s *Service) Find(ctx context.Context, r payout.Round, t chain.Tx) (found bool, err error) {
	f := payout.Found{Tx: t}
	if err := s.book.Explain(ctx, r.Tx, &f, r.Watch.Output); err != nil {
		return false, err
	}
	for _, find := range []func(context.Context, payout.Round, payout.Found) (bool, error){
		s.oneTxs.Find, s.refunds.Find, s.deliveries.Find,
	} {
		if found, err := find(ctx, r, f); found || err != nil {
			return found, err
		}
	}
	return false, nil
}
