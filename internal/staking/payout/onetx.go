package payout

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
)

// EndedSessions returns the orders whose sessions the last Prepare ended unsigned.
func (s *Service) EndedSessions() []string { return s.ended }

// oneTxs stores the transactions of the signed sessions: new payouts of PENDING orders, and replacements of payouts
// that are not confirmed. A session that can't be sent, because its community is not served or withdrawals in one
// transaction are off, is deleted when its time is over.
func (s *Service) oneTxs(ctx context.Context, tx Tx, watch ledger.WatchList, _ amount.FeeRate,
	now time.Time) (stored []Payout, err error) {
	sessions, err := tx.Sessions.SignedSessions(ctx)
	if err != nil {
		return nil, err
	}
	for _, session := range sessions {
		if !s.terms.Has(session.Community) || s.own == nil {
			if now.After(session.Until) {
				if err := tx.Sessions.EndSession(ctx, session.OrderID); err != nil {
					return nil, err
				}
			}
			continue
		}
		p, err := s.sendSession(ctx, tx, watch, session, now)
		ended := new(order.OneTxError)
		switch {
		case errors.As(err, &ended):
			s.info("a withdrawal in one transaction ended unsigned", "order", session.OrderID, "reason", ended.Error())
			session.Signed, session.Ended = false, *ended
			s.ended = append(s.ended, session.OrderID)
			err = tx.Sessions.PutSession(ctx, session)
		case errors.Is(err, ErrUnitsNotReady), errors.Is(err, vault.ErrCoinsUnavailable):
			s.log.Debug("a withdrawal in one transaction waits", "order", session.OrderID, "reason", err.Error())
			err = nil
		case err == nil:
			stored = append(stored, p)
		}
		if err != nil {
			return nil, err
		}
	}
	return stored, nil
}

// ErrUnitsNotReady means that a unit of an order lacks confirmations, or that another transaction spends it.
var ErrUnitsNotReady = errors.New("a unit lacks confirmations")

// sendSession signs and stores the transaction of a session. It returns a *order.OneTxError if the session ends
// unsigned, and another error if it is tried again.
func (s *Service) sendSession(ctx context.Context, tx Tx, watch ledger.WatchList, session Session,
	now time.Time) (p Payout, err error) {
	o, err := tx.Orders.Order(ctx, session.OrderID)
	if err != nil {
		return p, err
	}
	if now.After(session.Until) {
		return p, &order.OneTxError{Reason: order.OneTxLate}
	}
	d, replaced, err := s.oneTxDelivery(ctx, tx, o, now)
	if err != nil {
		return p, err
	}
	b := built{tx: session.Tx, cost: vault.PayoutCost{VBytes: session.VBytes, Fee: session.Fee}}
	if b.inputs, err = oneTxInputs(session, d.inputs); err != nil {
		return p, err
	}
	if err := s.checkOneTx(b, d, o.Payment); err != nil {
		s.log.Warn("a withdrawal in one transaction is wrong", "order", o.ID, "reason", err.Error())
		return p, &order.OneTxError{Reason: order.OneTxRefused}
	}
	if replaced != nil && !replaced.last().replaceableBy(b.cost) {
		return p, &order.OneTxError{Reason: order.OneTxFee, Value: session.Rate.String()}
	}
	unsigned := Unsigned{Community: o.Community, Tx: b.tx, Inputs: b.inputs, Orders: []Owed{d.Owed}}
	if replaced != nil {
		unsigned.Replaced = replaced.TxIDs()
	}
	signed, err := s.signed(unsigned)
	if err != nil {
		return p, s.notSignedOneTx(ctx, o.ID, err)
	}
	version := Version{Tx: chain.NewTx(signed), Fee: b.cost.Fee, VBytes: b.cost.VBytes, Created: now, Height: chain.None,
		Own: session.Coins}
	if err := tx.Sessions.EndSession(ctx, o.ID); err != nil {
		return p, err
	}
	if replaced != nil {
		return s.addVersion(ctx, tx, watch, *replaced, version, now)
	}
	return s.storeOneTx(ctx, tx, watch, d, b.inputs, version)
}

// notSignedOneTx returns a *order.OneTxError if a coin is unfit or the signer refuses the transaction, and err if a
// later attempt may succeed.
func (s *Service) notSignedOneTx(ctx context.Context, orderID string, err error) error {
	unfit := new(vault.UnfitCoin)
	var refused interface{ OverLimit() bool }
	switch {
	case ctx.Err() != nil:
		return err
	case errors.As(err, &unfit):
		return &order.OneTxError{Reason: order.OneTxCoin, Value: unfit.OutPoint.String()}
	case errors.As(err, &refused):
		s.log.Warn("the signer refuses a withdrawal in one transaction", "order", orderID, "reason", err.Error())
		return &order.OneTxError{Reason: order.OneTxRefused}
	case errors.Is(err, vault.ErrCoinsUnavailable):
		return err
	}
	return fmt.Errorf("%w: the signer: %w", ErrUnitsNotReady, err)
}

// checkOwn asks the node again about the coins of stakers that a transaction spends, immediately before it is signed.
func (s *Service) checkOwn(ctx context.Context, u Unsigned) error {
	own := ownOf(u.Inputs)
	if len(own) == 0 {
		return nil
	}
	return s.own.Check(ctx, own, u.Replaced)
}

func ownOf(inputs []vault.Coin) (own []vault.Coin) {
	for _, coin := range inputs {
		if coin.Kind == vault.Own {
			own = append(own, coin)
		}
	}
	return own
}

// oneTxDelivery returns the delivery of an order by a transaction that its owner's coins pay, with the inputs that are
// ours, and the payout that it replaces or nil. It returns a *order.OneTxError if the order is not one for that, and
// ErrUnitsNotReady while a unit can't be spent.
func (s *Service) oneTxDelivery(ctx context.Context, tx Tx, o order.Order,
	now time.Time) (d dueDelivery, replaced *Payout, err error) {
	terms, err := s.terms.Of(o.Community)
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
		if p.Kind != OneTx || p.Status != Live || p.inBlock() {
			return d, nil, &order.OneTxError{Reason: order.OneTxStatus, Value: string(o.Status)}
		}
		replaced = &p
	}
	units, err := tx.Orders.UnitsOfOrder(ctx, o)
	if err != nil {
		return d, nil, err
	}
	if d, err = s.unitsToDeliver(ctx, tx, o, units); err != nil {
		return d, nil, err
	}
	if terms.cold(d.Delivery) {
		return d, nil, &order.OneTxError{Reason: order.OneTxAmount}
	}
	d.Proof, err = tx.Proofs.ProofOf(ctx, o.ActionID)
	return d, replaced, err
}

// unitsToDeliver returns the delivery of an order whose units have custody outputs, with these outputs as inputs.
func (s *Service) unitsToDeliver(ctx context.Context, tx Tx, o order.Order,
	units []ledger.Unit) (d dueDelivery, err error) {
	terms, err := s.terms.Of(o.Community)
	if err != nil {
		return d, err
	}
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return d, err
	}
	d.Order, d.Units, d.height = o, units, tip.Height
	if len(units) != len(o.UnitIDs) || slices.ContainsFunc(units, ledger.Unit.Virtual) {
		return d, &order.OneTxError{Reason: order.OneTxUnits}
	}
	for _, unit := range units {
		if unit.Contested || unit.Vanished ||
			ledger.Confirmations(unit.Height, tip.Height) < InputDepth {
			return d, ErrUnitsNotReady
		}
		coin, err := s.unitCoin(ctx, tx, terms, unit, o.ID)
		if err != nil {
			return d, err
		}
		d.inputs = append(d.inputs, coin)
	}
	d.Delivery, err = s.delivery(terms, o, units)
	return d, err
}

// oneTxInputs returns the inputs of a session's transaction in its order.
func oneTxInputs(session Session, units []vault.Coin) (inputs []vault.Coin, err error) {
	known := map[wire.OutPoint]vault.Coin{}
	for _, coin := range slices.Concat(units, session.Coins) {
		known[coin.OutPoint] = coin
	}
	for _, in := range session.Tx.TxIn {
		coin, found := known[in.PreviousOutPoint]
		if !found {
			return nil, fmt.Errorf("order %s: its transaction spends %s, which is neither a unit nor a coin",
				session.OrderID, in.PreviousOutPoint)
		}
		inputs = append(inputs, coin)
	}
	return inputs, nil
}

// checkOneTx decodes a transaction as the rune index does. It returns an error if it does not deliver exactly the order
// and return all else to its owner, or if nodes would not relay it.
func (s *Service) checkOneTx(b built, d dueDelivery, payment string) error {
	change, err := chain.ParseAddress(payment, s.network)
	if err != nil {
		return err
	}
	if err := vault.VerifyOneTx(b.tx, b.inputs, d.Delivery, change.Script, s.allocate); err != nil {
		return err
	}
	terms, err := s.terms.Of(d.Order.Community)
	if err != nil {
		return err
	}
	policy := s.policy
	policy.DataCarrier = max(policy.DataCarrier, terms.MaxRunestone)
	return chain.CheckPolicy(b.tx, vault.Outputs(b.inputs), policy)
}

// storeOneTx stores a new payout, and moves its order to SENT.
func (s *Service) storeOneTx(ctx context.Context, tx Tx, watch ledger.WatchList, d dueDelivery, inputs []vault.Coin,
	v Version) (p Payout, err error) {
	p = Payout{Community: d.Order.Community, Kind: OneTx, OrderIDs: []string{d.Order.ID}, Status: Live,
		Created: v.Created, Versions: []Version{v}}
	if p.ID, err = s.newID(); err != nil {
		return p, err
	}
	if err := tx.Payouts.InsertPayout(ctx, p); err != nil {
		return p, err
	}
	if err := s.recordVersion(ctx, tx, watch, inputs, v, v.Created); err != nil {
		return p, err
	}
	o, err := tx.Orders.Order(ctx, d.Order.ID) // recordVersion may have changed it
	if err != nil {
		return p, err
	}
	cause := ledger.Cause{Kind: "payout", ID: p.ID, At: v.Created}
	_, err = s.orders.Apply(ctx, tx.OrderTx(), o, order.OneTxStored, cause, func(o *order.Order) {
		o.PayoutID, o.PayoutTx, o.OneTx = p.ID, v.Tx.ID.String(), true
	})
	s.info("payout stored", "payout", p.ID, "txid", v.Tx.ID.String(), "orders", 1, "own_coins", len(v.Own))
	return p, err
}

// addVersion adds a version to a payout, which becomes the current one.
func (s *Service) addVersion(ctx context.Context, tx Tx, watch ledger.WatchList, p Payout, v Version,
	now time.Time) (Payout, error) {
	if err := tx.Payouts.InsertVersion(ctx, p.ID, v); err != nil {
		return p, err
	}
	last := p.last()
	p.Versions = append(p.Versions, v)
	s.info("payout replaced", "payout", p.ID, "txid", v.Tx.ID.String(), "fee_sats", int64(v.Fee), "was_sats",
		int64(last.Fee))
	return p, s.recordCurrent(ctx, tx, watch, p, now)
}

// last returns the newest version.
func (p Payout) last() Version { return p.Versions[len(p.Versions)-1] }

// inBlock reports whether a version is in a block.
func (p Payout) inBlock() bool {
	return slices.ContainsFunc(p.Versions, func(v Version) bool { return v.Height != chain.None })
}

// isOwn reports whether an input is one that the owner of the order signed.
func (v Version) isOwn(point wire.OutPoint) bool {
	return slices.ContainsFunc(v.Own, func(coin vault.Coin) bool { return coin.OutPoint == point })
}

// TxIDs returns the ids of a payout's versions.
func (p Payout) TxIDs() (ids []chainhash.Hash) {
	for _, v := range p.Versions {
		ids = append(ids, v.Tx.ID)
	}
	return ids
}

// replaceableBy reports whether nodes accept a transaction with a cost in place of the version: it pays the version's
// fee plus the relay fee of its own size, and a higher fee rate (BIP-125). It returns false if the version's fee is not
// known.
func (v Version) replaceableBy(cost vault.PayoutCost) bool {
	return v.KnowsFee() && cost.Fee >= v.Fee+minRelay.Fee(cost.VBytes) &&
		cost.Fee*amount.Sats(v.VBytes) > v.Fee*amount.Sats(cost.VBytes)
}
