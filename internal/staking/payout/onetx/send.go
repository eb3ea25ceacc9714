package onetx

import (
	"context"
	"errors"
	"time"

	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/fault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/state"
)

// answer is the session that an owner answers.
type answer struct {
	order   order.Order
	session payout.Session
	inputs  []vault.Coin
	late    payout.Session // of the same owner, whose time is over and that no Step has ended, or zero
}

// answered returns the session of an order that its owner can sign now. It returns a fault if there is none.
func (s *Service) answered(ctx context.Context, tx payout.Tx, o order.Order, now time.Time) (a answer, err error) {
	a.order = o
	if a.session, err = tx.Sessions.SessionOf(ctx, o.ID); errors.Is(err, state.ErrNotFound) {
		return a, fault.Refuse(fault.OneTxLate)
	} else if err != nil {
		return a, err
	}
	switch {
	case now.After(a.session.Until):
		return a, fault.Refuse(fault.OneTxLate)
	case len(a.session.Coins) == 0: // nothing else of its owner spends its inputs
	case s.Coins == nil:
		return a, fault.Refuse(fault.OneTxOff)
	default:
		if a.late, err = checkOther(ctx, tx, o, now); err != nil {
			return a, err
		}
	}
	a.inputs, err = s.Payouts.Inputs(ctx, tx, o, a.session, now)
	return a, buildFault(err)
}

// SendOneTx accepts the transaction that BeginOneTx issued last for an order, as the owner's wallet signed it: a PSBT
// in base64 or hex. Our signer follows. It returns a fault that says what is wrong with it; then nothing changed.
func (s *Service) SendOneTx(ctx context.Context, community string, w action.Wallet, orderID,
	psbt string) (o order.Order, err error) {
	m, err := s.moment()
	if err != nil {
		return o, err
	}
	var a answer
	read := func(tx payout.Tx) error {
		if o, err = s.Orders.Find(ctx, tx.OrderTx(), community, w.Ordinals, orderID); err != nil {
			return err
		}
		a, err = s.answered(ctx, tx, o, m.Now)
		return err
	}
	if err := s.View(ctx, read); err != nil {
		return o, err
	}
	issued := Issued(a.session).TxHash()
	signed, err := s.Payouts.Read(a.session, psbt, a.inputs) // outside of the transaction: it verifies signatures
	if err != nil {
		return o, err
	}
	err = s.change(ctx, func(tx payout.Tx) error {
		if err := read(tx); err != nil {
			return err
		}
		if Issued(a.session).TxHash() != issued {
			return fault.Refuse(fault.OneTxLate)
		}
		a.session.Tx = signed
		return a.store(ctx, tx, m.Now)
	})
	if err == nil {
		s.Changed(community, o.Owner)
	}
	return o, err
}

// store stores the session as signed.
func (a answer) store(ctx context.Context, tx payout.Tx, now time.Time) error {
	if late := a.late; late.Tx != nil { // the Step that would end it did not run yet
		late.Signed, late.Ended = false, order.OneTxError{Reason: order.OneTxLate}
		if err := tx.Sessions.PutSession(ctx, late); err != nil {
			return err
		}
	}
	a.session.Signed, a.session.Ended = true, order.OneTxError{}
	if err := tx.Sessions.PutSession(ctx, a.session); err != nil || !a.order.NeedsSignature() {
		return err
	}
	a.order.Deadline = now.Add(SignedValid) // it may wait for the mempool or an operator
	return tx.Orders.UpdateOrders(ctx, order.Change{Order: a.order, From: a.order.Status})
}
