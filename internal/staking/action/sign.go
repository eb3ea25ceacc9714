package action

import (
	"context"
	"errors"

	"moonfund/internal/amount"
	"moonfund/internal/fault"
	"moonfund/internal/signed/message"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/state"
)

// Sign verifies the proof of an action and applies its effect, once. Submitting the proof again returns the first
// result.
func (s *Service) Sign(ctx context.Context, community string, r SignRequest) (Signed, error) {
	w := r.Wallet
	if a, known := s.recent.find(r.ActionID); !known || a.Wallet != w { // otherwise w is canonical
		var err error
		if w, err = s.canonical(w); err != nil {
			return Signed{}, err
		}
	}
	r.Wallet = w
	if r.Type == Stake {
		return s.reportStake(ctx, community, r)
	}
	var signed Signed
	fresh := false
	if err := s.Ready(); err != nil {
		return signed, err
	}
	a, known, err := s.verifyEarly(ctx, community, r)
	if err != nil {
		return signed, err
	}
	var rate amount.FeeRate
	if r.Type == Claim || r.Type == Withdraw { // read before the transaction: the node may be slow
		rate = s.Rate(ctx)
	}
	err = s.changeFor(ctx, r.Type, func(tx Tx, terms Terms, m ledger.Moment) (err error) {
		signed, fresh, err = s.apply(ctx, tx, terms, submission{a, r, known, rate, m})
		return err
	}, community)
	if err == nil && fresh {
		s.recent.drop(a.ID)
		s.Changed(community, w.Ordinals)
	}
	return signed, err
}

// submission is a proof of an action, with what was read before its transaction began.
type submission struct {
	action  Action
	request SignRequest
	known   verified       // signatures that were verified already
	rate    amount.FeeRate // for a claim or a withdrawal
	m       ledger.Moment
}

// apply applies the effect of an action, once. It marks the action as used before it changes anything else, so a
// concurrent submission of the same action gets state.ErrConflict from UseAction and returns the first result.
// fresh reports whether this call applied the effect.
func (s *Service) apply(ctx context.Context, tx Tx, terms Terms,
	sub submission) (signed Signed, fresh bool, err error) {
	a, r, known, m := sub.action, sub.request, sub.known, sub.m
	if m.Now.After(a.Expires) { // it may have been used in time since it was read
		if a, err = s.find(ctx, tx, a.Community, a.Wallet, a.ID, a.Type); err != nil {
			return signed, false, err
		}
	}
	if a.Used {
		if err = s.verifyAgain(ctx, tx, a, r, known); err == nil {
			signed, err = firstResult(ctx, tx, a)
		}
		return signed, false, err
	}
	if err := refuseClosed(ctx, tx, a.Community, a.Type); err != nil {
		return signed, false, err
	}
	if err := s.verify(ctx, tx, &a, r, known, m); err != nil {
		return signed, false, err
	}
	if a.Type == Claim || a.Type == Withdraw {
		a.OrderID = message.OrderID(a.Message)
	}
	if err := tx.Actions.UseAction(ctx, a); errors.Is(err, state.ErrConflict) {
		if a, err = s.find(ctx, tx, a.Community, a.Wallet, a.ID, a.Type); err == nil {
			signed, err = firstResult(ctx, tx, a)
		}
		return signed, false, err
	} else if err != nil {
		return signed, false, err
	}
	units, err := s.recheck(ctx, tx, terms, a, m)
	if err == nil {
		signed, err = s.effect(ctx, tx, a, units, sub.rate, m)
	}
	return signed, true, err
}

// SignCancel verifies the proof of a cancel and cancels the order. It is idempotent.
func (s *Service) SignCancel(ctx context.Context, community string, r SignRequest,
	orderID string) (order.Order, error) {
	w, err := s.canonical(r.Wallet)
	if err != nil {
		return order.Order{}, err
	}
	r.Wallet, r.Type = w, cancel
	var canceled order.Order
	err = order.ReadAhead(ctx, orderID, func(ctx context.Context, fn func(order.Tx) error) error {
		return s.View(ctx, func(tx Tx) error { return fn(tx.OrderTx()) })
	}, func(ahead order.Ahead) error {
		return s.change(ctx, func(tx Tx, terms Terms, m ledger.Moment) (err error) {
			canceled, err = s.applyCancel(ctx, tx, terms, r, cancelOf{community, orderID, ahead}, m)
			return err
		}, community)
	})
	if err != nil {
		return order.Order{}, err
	}
	s.Changed(community, w.Ordinals)
	return canceled, nil
}

// cancelOf is an order to cancel, with its payments if they were read before the transaction.
type cancelOf struct {
	community, orderID string
	ahead              order.Ahead
}

func (s *Service) applyCancel(
	ctx context.Context, tx Tx, terms Terms, r SignRequest, c cancelOf, m ledger.Moment,
) (canceled order.Order, err error) {
	a, err := s.find(ctx, tx, c.community, r.Wallet, r.ActionID, cancel)
	if err != nil {
		return canceled, err
	}
	o, err := s.Orders.Find(ctx, tx.OrderTx(), c.community, r.Wallet.Ordinals, c.orderID)
	if err != nil {
		return canceled, err
	}
	if a.OrderID != o.ID {
		return canceled, fault.Refuse(fault.ActionUnknown)
	}
	if a.Used {
		return o, s.verifyAgain(ctx, tx, a, r, nil)
	}
	if a, err = s.restore(ctx, tx, terms, a, m); err != nil {
		return canceled, err
	}
	if err := s.verify(ctx, tx, &a, r, nil, m); err != nil {
		return canceled, err
	}
	if _, err := s.recheck(ctx, tx, terms, a, m); err != nil {
		return canceled, err
	}
	if canceled, err = s.Orders.Cancel(ctx, c.ahead.Use(tx.OrderTx()), o, a.ID, m.Now); err != nil {
		return canceled, err
	}
	return canceled, tx.Actions.UseAction(ctx, a)
}

// find reads an action and checks that it belongs to the caller.
func (s *Service) find(ctx context.Context, tx Tx, community string, w Wallet, id string, kind Type) (Action, error) {
	a, err := tx.Actions.Action(ctx, id)
	if errors.Is(err, state.ErrNotFound) {
		return a, fault.Refuse(fault.ActionUnknown)
	}
	if err == nil {
		err = a.checkCaller(community, w, kind)
	}
	return a, err
}

// checkCaller returns a fault if the action belongs to another wallet or community, or is of another type. All wallets
// of an owner share the owner's stake addresses, whatever their payment address.
func (a Action) checkCaller(community string, w Wallet, kind Type) error {
	if a.Type == Stake && kind == Stake {
		w.Payment = a.Wallet.Payment
	}
	if a.Community != community || a.Wallet != w {
		return fault.Refuse(fault.ActionUnknown)
	}
	if a.Type != kind {
		return fault.Refuse(fault.ActionOtherType, a.Type)
	}
	return nil
}

// verifyAgain verifies the proof of an action that was used before, because only its owner may get the result. The
// expiry does not apply.
func (s *Service) verifyAgain(ctx context.Context, tx Tx, a Action, r SignRequest, known verified) error {
	if r.Signature == a.Signature {
		return nil
	}
	r.PaymentSignature = "" // a repeated proof links no addresses
	return s.verify(ctx, tx, &a, r, known, ledger.Moment{Now: a.UsedAt})
}

// firstResult returns the result of an action that was used before.
func firstResult(ctx context.Context, tx Tx, a Action) (Signed, error) {
	signed := Signed{Applied: true}
	if a.OrderID == "" {
		return signed, nil
	}
	o, err := tx.Orders.Order(ctx, a.OrderID)
	signed.Order = &o
	return signed, err
}

// recheck renders the message again and returns a fault if it differs from the signed one. It returns the action's
// units.
func (s *Service) recheck(ctx context.Context, tx Tx, terms Terms, a Action,
	m ledger.Moment) (units []ledger.Unit, err error) {
	if err := checkStatement(ctx, tx, a.Community, a.Statement); err != nil {
		return nil, err
	}
	units, o, err := s.subject(ctx, tx, terms, a)
	if err != nil {
		return nil, err
	}
	text, err := s.render(ctx, tx, terms, a, units, o, m)
	if err != nil {
		return nil, err
	}
	if text != a.Message {
		return nil, changedSince()
	}
	return units, nil
}

// subject returns the units of an action and, for a cancel, the order in the state that its message names.
func (s *Service) subject(ctx context.Context, tx Tx, terms Terms,
	a Action) (units []ledger.Unit, o order.Order, err error) {
	if a.Type.compounding() {
		return nil, o, checkCompounding(ctx, tx, a)
	}
	if a.Type != cancel {
		units, err = s.chooseUnits(ctx, tx, terms, a.Wallet, a.Type, a.UnitIDs)
		return units, o, err
	}
	if o, err = s.Orders.Find(ctx, tx.OrderTx(), a.Community, a.Wallet.Ordinals, a.OrderID); err != nil {
		return nil, o, err
	}
	if units, err = tx.Orders.UnitsOfOrder(ctx, o); err == nil {
		o, err = cancelAsSigned(o, a)
	}
	return units, o, err
}

// cancelAsSigned returns the order in the state that the signed message names. After further payments the message is
// still true, because it says "at least". cancelAsSigned returns a fault if payments vanished since.
func cancelAsSigned(o order.Order, a Action) (order.Order, error) {
	if err := o.Cancelable(); err != nil {
		return o, err
	}
	status, seen, err := a.orderState()
	if err != nil {
		return o, err
	}
	if o.Seen+o.Late < seen {
		return o, fault.Refuse(fault.ActionPaymentUndone)
	}
	o.Status, o.Seen, o.Late = status, seen, 0
	return o, nil
}

// signedText is a text signed by an address's key.
type signedText struct{ address, text, signature string }

// verified maps a signed text to the result of its verification, nil if the signature is valid.
type verified map[signedText]error

func (s *Service) verifySignature(c signedText) error {
	return message.Verify(c.address, s.Network.Params, c.text, c.signature)
}

// verifyEarly finds the action and verifies the ordinals address's signature before the transaction takes the write
// lock. The result is valid only for this text and signature.
func (s *Service) verifyEarly(ctx context.Context, community string,
	r SignRequest) (a Action, known verified, err error) {
	a, found := s.recent.find(r.ActionID)
	if found {
		err = a.checkCaller(community, r.Wallet, r.Type)
	} else {
		a, err = s.findEarly(ctx, community, r)
	}
	if err == nil && !a.Used && r.Signature != "" {
		c := signedText{a.Wallet.Ordinals, a.Message, r.Signature}
		verifications <- struct{}{}
		defer func() { <-verifications }()
		known = verified{c: s.verifySignature(c)}
	}
	return a, known, err
}

// findEarly reads an action that is not cached, and renders its message.
func (s *Service) findEarly(ctx context.Context, community string, r SignRequest) (a Action, err error) {
	m, err := s.Moment()
	if err != nil {
		return a, fault.Refuse(fault.ClockUncertain).Because(err)
	}
	terms, err := s.termsOf(community)
	if err != nil {
		return a, err
	}
	err = s.View(ctx, func(tx Tx) (err error) {
		if a, err = s.find(ctx, tx, community, r.Wallet, r.ActionID, r.Type); err != nil {
			return err
		}
		a, err = s.restore(ctx, tx, terms, a, m)
		return err
	})
	return a, err
}

// verify accepts the signature of the ordinals address. It accepts the signature of the payment address if both
// addresses signed a message together before. It stores the proof in a.
func (s *Service) verify(ctx context.Context, tx Tx, a *Action, r SignRequest, known verified, m ledger.Moment) error {
	if m.Now.After(a.Expires) {
		return fault.Refuse(fault.ActionExpired)
	}
	if r.Signature == "" {
		return fault.Refuse(fault.SignatureNeeded)
	}
	check := func(address, signature string) error {
		proof := signedText{address, a.Message, signature}
		err, done := known[proof]
		if !done {
			err = s.verifySignature(proof)
		}
		switch {
		case errors.Is(err, message.ErrFormat):
			return fault.Refuse(fault.SignatureMalformed).Because(err)
		case err != nil:
			return fault.Refuse(fault.SignatureWrong, address).Because(err)
		}
		return nil
	}
	a.Used, a.UsedAt = true, m.Now
	a.Signature, a.Signer = r.Signature, a.Wallet.Ordinals
	if err := check(a.Wallet.Ordinals, r.Signature); err != nil {
		_, linked := tx.Links.Link(ctx, a.Community, a.Wallet)
		if linked != nil && !errors.Is(linked, state.ErrNotFound) {
			return linked
		}
		if linked != nil || check(a.Wallet.Payment, r.Signature) != nil {
			return err
		}
		a.Signer = a.Wallet.Payment
		return nil
	}
	if r.PaymentSignature == "" {
		return nil
	}
	if err := check(a.Wallet.Payment, r.PaymentSignature); err != nil {
		return err
	}
	return tx.Links.PutLink(ctx, a.Community, a.Wallet, Link{
		Message: a.Message, OrdinalsSignature: r.Signature, PaymentSignature: r.PaymentSignature,
	})
}

// effect applies a verified action to its units.
func (s *Service) effect(ctx context.Context, tx Tx, a Action, units []ledger.Unit, rate amount.FeeRate,
	m ledger.Moment) (Signed, error) {
	switch a.Type {
	case Claim, Withdraw:
		return s.open(ctx, tx, a, units, rate, m)
	case AutoCompound, EndAutoCompound:
		return Signed{Applied: true}, applyCompounding(ctx, tx, a, m)
	}
	calendar, err := tx.Epochs.Calendar(ctx, a.Community)
	if err != nil {
		return Signed{}, err
	}
	now := calendar.At(m.Chain)
	stakeAgain := func(u *ledger.Unit) { u.StakeFrom(now + 1) }
	effects := map[Type]struct {
		event  ledger.Event
		change func(*ledger.Unit)
	}{
		Unstake:  {ledger.UnstakeSigned, func(u *ledger.Unit) { u.UnstakeIn(now) }},
		Restake:  {ledger.RestakeSigned, stakeAgain},
		Compound: {ledger.CompoundSigned, stakeAgain},
	}
	chosen := effects[a.Type]
	cause := ledger.Cause{Kind: "action", ID: a.ID, At: m.Now}
	var b ledger.Batch
	for _, unit := range units {
		if _, err := b.Move(unit, chosen.event, ledger.Any, cause, chosen.change); err != nil {
			return Signed{}, err
		}
	}
	return Signed{Applied: true}, b.Write(ctx, tx.Units)
}

// open opens the order of a claim or withdrawal.
func (s *Service) open(ctx context.Context, tx Tx, a Action, units []ledger.Unit, rate amount.FeeRate,
	m ledger.Moment) (Signed, error) {
	reason := ledger.ForWithdraw
	if a.Type == Claim {
		reason = ledger.ForClaim
	}
	request := order.Request{
		ID: a.OrderID, Community: a.Community, Reason: reason, Owner: a.Wallet.Ordinals, Payment: a.Wallet.Payment,
		ActionID: a.ID, Units: units, Rate: rate,
	}
	if a.Economy.Rate > 0 {
		end, err := endHeight(ctx, tx, units)
		if err != nil {
			return Signed{}, err
		}
		request.Rate, request.Economy = a.Economy.Rate, order.Economy{Until: a.Economy.Until, EndHeight: end}
	}
	o, err := s.Orders.Open(ctx, tx.OrderTx(), request, m.Now)
	return Signed{Applied: true, Order: &o}, err
}

// reportStake uses the txid from the client to find its deposit sooner. Only the chain determines units, so a wrong
// txid has no effect, and the txid is optional.
func (s *Service) reportStake(ctx context.Context, community string, r SignRequest) (Signed, error) {
	look := func() (seen bool, err error) {
		err = s.View(ctx, func(tx Tx) error {
			if _, err := s.find(ctx, tx, community, r.Wallet, r.ActionID, Stake); err != nil {
				return err
			}
			seen, err = tx.Stakes.StakeSeen(ctx, r.ActionID)
			return err
		})
		return
	}
	seen, err := look()
	if err != nil || seen || r.TxID == "" {
		return Signed{Applied: seen}, err
	}
	s.Hint(ctx, r.TxID)
	seen, err = look()
	return Signed{Applied: seen}, err
}
