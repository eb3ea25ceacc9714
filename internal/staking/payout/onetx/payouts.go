package onetx

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/staking/payout/delivery"
	"moonfund/internal/state"
)

// Payouts builds withdrawals that their owners sign, sends them when they are signed, and finds them after a restore.
// Only Estimate, Draft, Inputs and PSBT are safe for concurrent use.
type Payouts struct {
	book       *payout.Book
	deliveries *delivery.Service // confirms them, too
}

// NewPayouts returns the payouts of kind OneTx.
func NewPayouts(book *payout.Book, deliveries *delivery.Service) *Payouts {
	return &Payouts{book: book, deliveries: deliveries}
}

// owed is an order with the outputs of ours that the transaction spends.
type owed struct {
	payout.Owed
	terms    payout.Terms
	units    []vault.Coin
	payments []vault.Coin // none if the owner's coins pay
}

// ours returns the inputs that are not the owner's own coins.
func (d owed) ours() []vault.Coin { return slices.Concat(d.units, d.payments) }

// targets returns the outputs of the transaction, besides the runestone.
func (s *Payouts) targets(d owed) (vault.OneTxTargets, error) {
	payment, err := chain.ParseAddress(d.Order.Payment, s.book.Network)
	t := vault.OneTxTargets{Delivery: d.Delivery, Change: payment.Script}
	if service := d.Order.Fees.Service; len(d.payments) > 0 && service >= vault.DustSats {
		treasury, _ := d.terms.Account.TreasurySats()
		t.Service.Value, t.Service.PkScript = int64(service), treasury.Script
	}
	return t, err
}

// isCold reports whether an operator must sign the order by hand, for its units that our key alone can move.
func (d owed) isCold() bool {
	movable := d.Delivery
	for _, unit := range d.Units {
		if unit.Self {
			movable.Amount -= unit.Amount
		}
	}
	return d.terms.Cold(movable)
}

// Prepare stores the transactions of the signed sessions: new payouts of PENDING orders, and replacements of payouts
// that are not confirmed. A session that can't be sent, because its community is not served or own coins can't pay, is
// deleted when its time is over.
func (s *Payouts) Prepare(ctx context.Context, r payout.Round) (stored []payout.Payout, err error) {
	sessions, err := r.Tx.Sessions.SignedSessions(ctx)
	if err != nil {
		return nil, err
	}
	for _, session := range sessions {
		if !s.book.Communities.Has(session.Community) || len(session.Coins) > 0 && !s.book.PaysOwnCoins() {
			if r.Now.After(session.Until) {
				if err := r.Tx.Sessions.EndSession(ctx, session.OrderID); err != nil {
					return nil, err
				}
			} else {
				s.book.Wait("session "+session.OrderID, "its community is not served here, or own coins can't pay now")
			}
			continue
		}
		var p payout.Payout
		done, err := s.book.Attempt(ctx, r.Tx, "session "+session.OrderID, func() (err error) {
			p, err = s.sendOrEnd(ctx, r, session)
			return err
		})
		if err != nil {
			return nil, err
		}
		if done && p.ID != "" {
			stored = append(stored, p)
		}
	}
	return stored, nil
}

// sendOrEnd sends the transaction of a session, ends the session unsigned, or leaves it for the next step.
func (s *Payouts) sendOrEnd(ctx context.Context, r payout.Round, session payout.Session) (payout.Payout, error) {
	p, err := s.send(ctx, r, session)
	ended := new(order.OneTxError)
	switch {
	case errors.As(err, &ended):
		s.book.Info("a withdrawal in one transaction ended unsigned", "order", session.OrderID, "reason", ended.Error())
		session.Signed, session.Until, session.Ended = false, r.Now.Add(-time.Second), *ended
		s.book.Changed = append(s.book.Changed, session.OrderID)
		return payout.Payout{}, r.Tx.Sessions.PutSession(ctx, session)
	case errors.Is(err, ErrUnitsNotReady), errors.Is(err, vault.ErrCoinsUnavailable):
		s.book.Wait("session "+session.OrderID, "its owner signed it: "+err.Error())
		return payout.Payout{}, nil
	}
	return p, err
}

// ErrUnitsNotReady means that a unit of an order lacks confirmations, or that another transaction spends it.
var ErrUnitsNotReady = errors.New("a unit lacks confirmations")

// send signs and stores the transaction of a session. It returns a *order.OneTxError if the session ends unsigned, and
// another error if it is tried again.
func (s *Payouts) send(ctx context.Context, r payout.Round, session payout.Session) (p payout.Payout, err error) {
	o, err := r.Tx.Orders.Order(ctx, session.OrderID)
	if err != nil {
		return p, err
	}
	if reason := s.book.Unevaluated[o.ID]; reason != "" {
		return p, fmt.Errorf("%w: %s%s", ErrUnitsNotReady, order.EvaluationFails, reason)
	}
	if r.Now.After(session.Until) {
		return p, &order.OneTxError{Reason: order.OneTxLate}
	}
	d, replaced, inputs, err := s.deliveryOfSession(ctx, r.Tx, o, session, r.Now)
	if err != nil {
		return p, err
	}
	cost := vault.PayoutCost{VBytes: session.VBytes, Fee: session.Fee}
	if err := s.check(session.Tx, inputs, d); err != nil {
		s.book.Log.Warn("a withdrawal in one transaction is wrong", "order", o.ID, "reason", err.Error())
		return p, &order.OneTxError{Reason: order.OneTxRefused}
	}
	if replaced != nil && !replaced.Last().ReplaceableBy(cost) {
		return p, &order.OneTxError{Reason: order.OneTxFee, Value: session.Rate.String()}
	}
	switch least := s.book.RefusedBelow(cost); {
	case least > 0 && o.NeedsSignature(): // nothing else can spend its inputs
		return p, fmt.Errorf("%w: the node's mempool requires %s sat/vB now", ErrUnitsNotReady, least)
	case least > 0:
		return p, &order.OneTxError{Reason: order.OneTxMempool, Value: least.String()}
	}
	unsigned := payout.Unsigned{Community: o.Community, Tx: session.Tx, Inputs: inputs, Orders: []payout.Owed{d.Owed}}
	if replaced != nil {
		unsigned.Replaced = replaced.TxIDs()
	}
	signed, err := s.book.Signed(unsigned)
	if err != nil {
		return p, s.notSigned(ctx, o.ID, err)
	}
	version := r.NewVersion(signed, cost)
	version.Own = session.Coins
	if err := r.Tx.Sessions.EndSession(ctx, o.ID); err != nil {
		return p, err
	}
	if replaced != nil {
		return s.book.AddVersion(ctx, r, *replaced, version)
	}
	return s.store(ctx, r, d, inputs, version)
}

// notSigned returns a *order.OneTxError if a coin is unfit or the signer refuses the transaction, and err if a later
// attempt may succeed.
func (s *Payouts) notSigned(ctx context.Context, orderID string, err error) error {
	unfit := new(vault.UnfitCoin)
	var refused interface{ OverLimit() bool }
	switch {
	case ctx.Err() != nil:
		return err
	case errors.As(err, &unfit):
		return &order.OneTxError{Reason: order.OneTxCoin, Value: unfit.OutPoint.String()}
	case errors.As(err, &refused):
		s.book.Log.Warn("the signer refuses a withdrawal in one transaction", "order", orderID, "reason", err.Error())
		return &order.OneTxError{Reason: order.OneTxRefused}
	case errors.Is(err, vault.ErrCoinsUnavailable):
		return err
	}
	return fmt.Errorf("%w: the signer: %w", ErrUnitsNotReady, err)
}

// deliveryOfSession is deliveryOf for the order of a session, with the inputs of the session's transaction. It returns
// a *order.OneTxError also if the payments of the order are not the ones that the transaction spends.
func (s *Payouts) deliveryOfSession(ctx context.Context, tx payout.Tx, o order.Order, session payout.Session,
	now time.Time) (d owed, replaced *payout.Payout, inputs []vault.Coin, err error) {
	if open := o.Status == order.Pending || o.Status == order.Confirmed; open && len(session.Coins) == 0 {
		return d, nil, nil, &order.OneTxError{Reason: order.OneTxPaymentGone}
	}
	if d, replaced, err = s.deliveryOf(ctx, tx, o, now); err != nil {
		return d, nil, nil, err
	}
	inputs, err = inputsOf(session, d.ours())
	return d, replaced, inputs, err
}

// deliveryOf returns the delivery of an order by a transaction that its owner signs, with the inputs that are ours, and
// the payout that it replaces or nil. It returns a *order.OneTxError if the order can't use one transaction, and
// ErrUnitsNotReady while a unit can't be spent.
func (s *Payouts) deliveryOf(ctx context.Context, tx payout.Tx, o order.Order,
	now time.Time) (d owed, replaced *payout.Payout, err error) {
	terms, err := s.book.Communities.Of(o.Community)
	if err != nil {
		return d, nil, err
	}
	if err := o.CheckOneTx(now); err != nil {
		return d, nil, err
	}
	if o.Status == order.Sent {
		p, err := tx.Payouts.Payout(ctx, o.PayoutID)
		if err != nil {
			return d, nil, err
		}
		if p.Kind != payout.OneTx || p.Status != payout.Live || p.InBlock() {
			return d, nil, &order.OneTxError{Reason: order.OneTxStatus, Value: string(o.Status)}
		}
		replaced = &p
	}
	units, err := tx.Orders.UnitsOfOrder(ctx, o)
	if err != nil {
		return d, nil, err
	}
	if d, err = s.unitsToDeliver(ctx, tx, terms, o, units); err != nil {
		return d, nil, err
	}
	switch {
	case d.isCold():
		return d, nil, &order.OneTxError{Reason: order.OneTxAmount}
	case replaced != nil:
		d.payments, err = terms.PaymentsOf(ctx, tx, *replaced)
	case o.NeedsSignature():
		err = s.addPayments(ctx, tx, &d)
	}
	if err != nil {
		return d, nil, err
	}
	d.Proof, err = tx.Proofs.ProofOf(ctx, o.ActionID)
	return d, replaced, err
}

// addPayments adds the confirmed payments that pay the order, the anchor first. It returns ErrUnitsNotReady while they
// don't.
func (s *Payouts) addPayments(ctx context.Context, tx payout.Tx, d *owed) error {
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return err
	}
	payments, err := tx.Payments.PaymentsOf(ctx, d.Order.ID)
	if err != nil {
		return err
	}
	spent, o, ready, err := s.paymentsToSpend(ctx, tx, d.Order, payments, tip.Height)
	if err == nil && !ready {
		err = ErrUnitsNotReady
	}
	if err != nil {
		return err
	}
	d.Order = o
	for _, p := range spent {
		coin, err := d.terms.Account.Coin(vault.Payment, p.OutPoint, p.Value, nil, o.ID)
		if err != nil {
			return err
		}
		d.payments = append(d.payments, coin)
	}
	return nil
}

// paymentsToSpend is order.Service.PaymentsToSpend. While the payments that a signed session spends pay the price, it
// returns these, so that a larger payment, by anybody, does not end the session.
func (s *Payouts) paymentsToSpend(ctx context.Context, tx payout.Tx, o order.Order, payments []order.Payment,
	tip int64) (spent []order.Payment, priced order.Order, ready bool, err error) {
	session, err := tx.Sessions.SessionOf(ctx, o.ID)
	if err != nil && !errors.Is(err, state.ErrNotFound) {
		return nil, o, false, err
	}
	if session.Signed {
		signed := slices.DeleteFunc(slices.Clone(payments), func(p order.Payment) bool {
			return !slices.ContainsFunc(session.Tx.TxIn, func(in *wire.TxIn) bool { return in.PreviousOutPoint == p.OutPoint })
		})
		spent, priced, ready, err = s.book.Orders.PaymentsToSpend(o, signed, tip)
		if err != nil || ready && len(spent) == len(signed) {
			return spent, priced, ready, err
		}
	}
	return s.book.Orders.PaymentsToSpend(o, payments, tip)
}

// unitsToDeliver returns the delivery of an order whose units have custody outputs, with these outputs as inputs.
func (s *Payouts) unitsToDeliver(ctx context.Context, tx payout.Tx, terms payout.Terms, o order.Order,
	units []ledger.Unit) (d owed, err error) {
	d.Order, d.Units, d.terms = o, units, terms
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return d, err
	}
	if len(units) != len(o.UnitIDs) || slices.ContainsFunc(units, ledger.Unit.Virtual) {
		return d, &order.OneTxError{Reason: order.OneTxUnits}
	}
	for _, unit := range units {
		if unit.Contested || unit.Vanished ||
			ledger.Confirmations(unit.Height, tip.Height) < payout.InputDepth {
			return d, ErrUnitsNotReady
		}
		coin, err := terms.UnitCoin(ctx, tx, unit, o.ID)
		if err != nil {
			return d, err
		}
		d.units = append(d.units, coin)
	}
	d.Delivery, err = s.book.Delivery(terms, o, units)
	return d, err
}

// inputsOf returns the inputs of a session's transaction in its order. ours are those that are not own coins. It
// returns a *order.OneTxError if the order has other payments now: units do not change.
func inputsOf(session payout.Session, ours []vault.Coin) (inputs []vault.Coin, err error) {
	known := map[wire.OutPoint]vault.Coin{}
	for _, coin := range slices.Concat(ours, session.Coins) {
		known[coin.OutPoint] = coin
	}
	for _, in := range session.Tx.TxIn {
		coin, found := known[in.PreviousOutPoint]
		if !found {
			return nil, &order.OneTxError{Reason: order.OneTxPaymentGone}
		}
		inputs = append(inputs, coin)
	}
	if len(known) != len(inputs) {
		return nil, &order.OneTxError{Reason: order.OneTxPaymentAdded}
	}
	return inputs, nil
}

// check decodes a transaction as the rune index does. It returns an error if it does not deliver exactly the order and
// return all else to its owner, or if nodes would not relay it.
func (s *Payouts) check(tx *wire.MsgTx, inputs []vault.Coin, d owed) error {
	targets, err := s.targets(d)
	if err != nil {
		return err
	}
	if err := vault.VerifyOneTx(tx, inputs, targets, s.book.Allocate); err != nil {
		return err
	}
	return s.book.CheckPolicy(tx, inputs, d.terms.MaxRunestone)
}

// store stores a new payout, and moves its order to SENT.
func (s *Payouts) store(ctx context.Context, r payout.Round, d owed, inputs []vault.Coin,
	v payout.Version) (p payout.Payout, err error) {
	o := d.Order
	p = payout.Payout{Community: o.Community, Kind: payout.OneTx, OrderIDs: []string{o.ID},
		Versions: []payout.Version{v}}
	if p, err = s.book.Insert(ctx, r.Tx, p); err != nil {
		return p, err
	}
	if err := s.book.RecordVersion(ctx, r, inputs, v); err != nil {
		return p, err
	}
	o, err = r.Tx.Orders.Order(ctx, o.ID) // RecordVersion may have changed it
	if err != nil {
		return p, err
	}
	event, fees := order.OneTxStored, o.Fees
	if len(d.payments) > 0 {
		event, fees = order.PayoutStored, d.Order.Fees
	}
	cause := ledger.Cause{Kind: "payout", ID: p.ID, At: r.Now}
	_, err = s.book.Orders.Apply(ctx, r.Tx.OrderTx(), o, event, cause, func(o *order.Order) {
		o.PayoutID, o.PayoutTx = p.ID, v.Tx.ID.String()
		o.OneTx, o.Anchor, o.Fees = len(d.payments) == 0, d.Order.Anchor, fees
	})
	s.book.Info("payout stored", "payout", p.ID, "txid", v.Tx.ID.String(), "orders", 1, "own_coins", len(v.Own))
	return p, err
}

// BumpRate returns 0: a transaction that its owner signs is replaced only by its owner.
func (s *Payouts) BumpRate(payout.Payout, amount.FeeRate) amount.FeeRate { return 0 }

// Bump returns a *order.Refusal.
func (s *Payouts) Bump(_ context.Context, _ payout.Round, p payout.Payout) (payout.Payout, error) {
	return p, payout.NotReplaceable("its owner must sign the replacement")
}

// Confirm applies at most one event to a payout and its order, like delivery.Service.Confirm.
func (s *Payouts) Confirm(ctx context.Context, r payout.Round, p *payout.Payout,
	tip ledger.Header) ([]order.Order, error) {
	return s.deliveries.Confirm(ctx, r, p, tip)
}
