package onetx

import (
	"context"
	"errors"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/fault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/state"
)

// BeginOneTx issues the transaction that the owner of a PENDING order signs, of a PAID one with units in self-custody,
// or of a SENT one to replace its transaction. Callers do not prove ownership, so a call does not change a session that
// its owner can still sign at the present rate or has signed: it returns the open session again, and a fault for a
// signed one. It changes no session of another order.
func (s *Service) BeginOneTx(ctx context.Context, community string, w action.Wallet, orderID string,
	key []byte) (draft action.OneTxDraft, err error) {
	m, err := s.moment()
	if err != nil {
		return draft, err
	}
	b := beginning{now: m.Now, rate: s.Rate(ctx)} // before the transactions: the node may be slow
	find := func(tx payout.Tx) error {
		if b.order, err = s.Orders.Find(ctx, tx.OrderTx(), community, w.Ordinals, orderID); err != nil {
			return err
		}
		return b.read(ctx, tx)
	}
	if err := s.View(ctx, find); err != nil {
		return draft, err
	}
	from, err := s.payerOf(b.order, key)
	if err != nil {
		return draft, err
	}
	session, inputs, err := s.reuse(ctx, &b, from)
	if err == nil && session.Tx == nil {
		session, inputs, err = s.issue(ctx, &b, from, find)
	}
	if err != nil {
		return draft, err
	}
	draft = action.OneTxDraft{Address: from.address, Quote: quoteOf(session, from.script), Until: session.Until}
	for i, in := range inputs {
		switch {
		case in.Kind == vault.Own:
			draft.Inputs = append(draft.Inputs, i)
		case in.Self:
			draft.Units = append(draft.Units, i)
		}
	}
	draft.PSBT, err = s.Payouts.PSBT(session, inputs, from.key)
	return draft, err
}

// payerOf returns the payer of an order. If payments of the order pay, its payment address may only receive change.
func (s *Service) payerOf(o order.Order, key []byte) (payer, error) {
	from, unfit := s.payer(o.Payment, o.Owner, key)
	if unfit == nil || !spendsPayments(o) {
		return from, unfit
	}
	address, err := action.ParseAddress(o.Payment, s.Network)
	return payer{address: o.Payment, script: address.Script, unfit: unfit}, err
}

// spendsPayments reports whether what the owner of an order signs spends payments of the order: the delivery of a paid
// order, or its replacement.
func spendsPayments(o order.Order) bool {
	return o.NeedsSignature() || o.Status == order.Sent && o.SelfUnits > 0 && !o.OneTx
}

// reuse returns the open session, or a zero one if another must be issued. It returns a fault while it can't find out
// whether the coins of the session can pay, because another session would make its owner's signature useless.
func (s *Service) reuse(ctx context.Context, b *beginning, from payer) (session payout.Session, inputs []vault.Coin,
	err error) {
	if !b.canReuse() || len(b.open.Coins) > 0 && from.unfit != nil {
		return session, nil, nil
	}
	if len(b.open.Coins) > 0 {
		unfit := new(vault.UnfitCoin)
		switch err := s.Coins.Check(ctx, b.open.Coins, b.earlier.TxIDs()); {
		case errors.As(err, &unfit):
			return session, nil, nil
		case err != nil:
			return session, nil, fault.Refuse(fault.OneTxUnavailable).Because(err)
		}
	}
	err = s.View(ctx, func(tx payout.Tx) error {
		inputs, err = s.Payouts.Inputs(ctx, tx, b.order, b.open, b.now)
		return err
	})
	if ended := new(order.OneTxError); errors.As(err, &ended) && ended.OtherPayments() {
		return session, nil, nil
	}
	return b.open, inputs, buildFault(err)
}

// sessionKept is the time for which a session is stored after its end, with the reason: as long as a paid order waits
// for its owner to sign.
const sessionKept = order.PaymentWindow

// issue stores a new session of an order in place of its earlier one. Coins pay for the replacement of a paid delivery
// only if its change can't.
func (s *Service) issue(ctx context.Context, b *beginning, from payer,
	find func(payout.Tx) error) (session payout.Session, inputs []vault.Coin, err error) {
	if spendsPayments(b.order) {
		session, inputs, err = s.put(ctx, b, nil, find)
		short := new(vault.ErrSatsShort)
		switch {
		case b.order.NeedsSignature() || !errors.As(err, &short):
			return session, inputs, buildFault(err)
		case from.unfit != nil:
			return session, nil, from.unfit
		}
	}
	found, err := s.findFor(ctx, from, b.earlier)
	if err != nil {
		return session, nil, err
	}
	session, inputs, err = s.put(ctx, b, found, find)
	return session, inputs, buildFault(err)
}

// put stores a new session of an order, which coins may pay. It returns an error for buildFault.
func (s *Service) put(ctx context.Context, b *beginning, coins []vault.Coin,
	find func(payout.Tx) error) (session payout.Session, inputs []vault.Coin, err error) {
	err = s.change(ctx, func(tx payout.Tx) error {
		if err := find(tx); err != nil {
			return err
		}
		if session, inputs, err = s.Payouts.Draft(ctx, tx, b.order, coins, b.rate, b.now); err != nil {
			return err
		}
		if len(session.Coins) > 0 && spendsPayments(b.order) { // otherwise find checked them
			if _, err := checkOther(ctx, tx, b.order, b.now); err != nil {
				return err
			}
		}
		session.Ended = b.open.Ended // its owner may not have read it: callers do not prove ownership
		if err := tx.Sessions.ForgetSessions(ctx, b.now.Add(-sessionKept)); err != nil {
			return err
		}
		return tx.Sessions.PutSession(ctx, session)
	})
	return session, inputs, err
}

// beginning is the state of an order for which a transaction is to be issued.
type beginning struct {
	now     time.Time
	rate    amount.FeeRate
	order   order.Order
	open    payout.Session // its session, or zero
	earlier payout.Payout  // that the transaction replaces, or zero
}

// read reads the session and the payout of the order. It returns a fault if the order can't be delivered by a
// transaction of own coins, or if its owner signed a session of it, or has another one that checkOther refuses.
func (b *beginning) read(ctx context.Context, tx payout.Tx) (err error) {
	o := b.order
	if err := o.CheckOneTx(b.now); err != nil {
		return buildFault(err)
	}
	if o.NeedsSignature() && o.IsEconomy() {
		b.rate = o.FeeRate
	}
	if b.earlier = (payout.Payout{}); o.Status == order.Sent {
		if b.earlier, err = tx.Payouts.Payout(ctx, o.PayoutID); err != nil {
			return err
		}
		if !b.earlier.KnowsFee() {
			return fault.Refuse(fault.OneTxFeeUnknown)
		}
	}
	b.open, err = tx.Sessions.SessionOf(ctx, o.ID)
	switch {
	case errors.Is(err, state.ErrNotFound):
		b.open = payout.Session{}
	case err != nil:
		return err
	case b.open.Signed && !b.now.After(b.open.Until):
		return fault.Refuse(fault.OneTxSession, b.open.OrderID)
	}
	if spendsPayments(o) { // put checks the others if coins pay
		return nil
	}
	_, err = checkOther(ctx, tx, o, b.now)
	return err
}

// checkOther returns a fault if the owner of an order signed the session of another order, or has another SENT order
// that own coins pay. An unsigned session of another order does not count, because anybody can have it issued.
// checkOther returns a signed session whose time is over, or a zero one: the next Step ends it.
func checkOther(ctx context.Context, tx payout.Tx, o order.Order, now time.Time) (late payout.Session, err error) {
	signed, err := tx.Sessions.SignedSession(ctx, o.Community, o.Owner)
	switch {
	case errors.Is(err, state.ErrNotFound) || err == nil && signed.OrderID == o.ID:
	case err != nil:
		return late, err
	case now.After(signed.Until):
		late = signed
	default:
		return late, fault.Refuse(fault.OneTxSession, signed.OrderID)
	}
	sent, err := tx.Orders.SentOneTxOrders(ctx, o.Community, o.Owner)
	if err != nil {
		return late, err
	}
	for _, other := range sent {
		if other != o.ID {
			return late, fault.Refuse(fault.OneTxSession, other)
		}
	}
	return late, nil
}

// canReuse reports whether the owner can still sign the open session, at a rate that is at least three quarters of the
// present one. That of a paid order, whose rate depends on what was paid, is new enough for as long as a rate is valid.
func (b *beginning) canReuse() bool {
	s := b.open
	near := s.Rate >= b.rate/4*3
	if b.order.NeedsSignature() {
		near = !b.now.After(s.Until.Add(order.FeeValid - SignedValid))
	}
	return s.Tx != nil && !b.now.After(s.Until) && near
}

// findFor returns the coins of a payer. Those that the payout to replace spends come first, because Esplora does not
// list them any more.
func (s *Service) findFor(ctx context.Context, from payer, earlier payout.Payout) (all []vault.Coin, err error) {
	known := map[string]bool{}
	for _, v := range earlier.Versions {
		for _, coin := range v.Own {
			point := coin.OutPoint.String()
			if known[point] {
				continue
			}
			known[point] = true // also if it can't pay, so that the node is asked once
			err := s.Coins.Check(ctx, []vault.Coin{coin}, earlier.TxIDs())
			unfit := new(vault.UnfitCoin)
			switch {
			case errors.As(err, &unfit):
				continue
			case err != nil:
				return nil, fault.Refuse(fault.OneTxUnavailable).Because(err)
			}
			all = append(all, coin)
		}
	}
	found, err := available(s.Coins.Find(ctx, from.address, from.script))
	if err != nil {
		return nil, err
	}
	for _, coin := range found {
		if !known[coin.OutPoint.String()] {
			all = append(all, coin)
		}
	}
	return all, nil
}
