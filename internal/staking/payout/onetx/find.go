package onetx

import (
	"bytes"
	"context"
	"errors"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/state"
)

// Find stores a transaction that is not in this ledger and that its owner signed. Only our key can have signed for the
// outputs of units too, and output 0 shows which order it delivers.
func (s *Payouts) Find(ctx context.Context, r payout.Round, f payout.Found) (found bool, err error) {
	if len(f.Orders) > 1 || len(f.Spent) == 0 {
		return false, nil
	}
	d, own, err := s.spentBy(ctx, r.Tx, f)
	o := d.Order
	if err != nil || len(d.units) == 0 || len(d.units) != len(o.UnitIDs) || len(own)+len(d.payments) == 0 {
		return false, err
	}
	delivers, err := s.delivers(ctx, r.Tx, o, f.Tx, d.units)
	if err != nil || !delivers {
		return false, err
	}
	v := f.Version(r.Now)
	if v.Own = own; len(own) > 0 {
		v.Fee = 1 // until ValueCoins: the values of own coins are not known, so neither is the fee
	}
	switch {
	case o.IsUnpaid() && len(d.payments) == 0, o.NeedsSignature() && len(d.payments) > 0:
		if d.Order, err = s.pricedBy(ctx, r.Tx, d.Order, f); err != nil {
			return false, err
		}
		_, err := s.store(ctx, r, d, d.ours(), v)
		return true, err
	case o.Status == order.Sent:
		p, err := r.Tx.Payouts.Payout(ctx, o.PayoutID)
		if err != nil || p.Kind != payout.OneTx {
			return false, err
		}
		_, err = s.book.AddVersion(ctx, r, p, v)
		return true, err
	}
	return false, nil
}

// spentBy returns the order whose units a found transaction spends as a delivery that its owner signs, with the inputs
// of ours, and the other inputs. It returns no units if the transaction is none.
func (s *Payouts) spentBy(ctx context.Context, tx payout.Tx, f payout.Found) (d owed, own []vault.Coin, err error) {
	if len(f.Orders) > 0 {
		d.Order = f.Orders[0]
	}
	none := owed{}
	for _, in := range f.Tx.Msg.TxIn {
		output, inLedger := f.Spent[in.PreviousOutPoint]
		switch {
		case !inLedger:
			own = append(own, vault.Coin{OutPoint: in.PreviousOutPoint, Kind: vault.Own})
			continue
		case output.Kind == ledger.PaymentKind:
			d.payments = append(d.payments, vault.Coin{OutPoint: in.PreviousOutPoint, Kind: vault.Payment})
			continue
		case output.Kind != ledger.StakeKind:
			return none, nil, nil
		}
		unit, err := tx.Units.Unit(ctx, output.Community, in.PreviousOutPoint.String())
		switch {
		case errors.Is(err, state.ErrNotFound):
			return none, nil, nil
		case err != nil:
			return none, nil, err
		case unit.OrderID == "" || d.Order.ID != "" && unit.OrderID != d.Order.ID,
			!vault.SignedByCommunity(in.Witness):
			return none, nil, nil
		case d.Order.ID == "":
			if d.Order, err = tx.Orders.Order(ctx, unit.OrderID); err != nil {
				return none, nil, err
			}
		}
		terms, err := s.book.Communities.Of(d.Order.Community)
		if err != nil {
			return none, nil, nil // not served here, so an operator must decide
		}
		d.units = append(d.units, vault.Coin{OutPoint: in.PreviousOutPoint, Runes: terms.Holding(unit.Amount)})
	}
	if spent, err := f.SpentOf(ctx, tx, d.Order); err != nil || len(d.payments) > 0 {
		d.Order = d.Order.Anchored(spent)
		return d, own, err
	}
	return d, own, nil
}

// pricedBy returns a PAID order with the price of the payments that a found transaction spends, as when it was signed:
// further payments may have changed the price since.
func (s *Payouts) pricedBy(ctx context.Context, tx payout.Tx, o order.Order, f payout.Found) (order.Order, error) {
	spent, err := f.SpentOf(ctx, tx, o)
	if err != nil || len(spent) == 0 {
		return o, err
	}
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return o, err
	}
	taken, priced, paid, err := s.book.Orders.PaymentsToSpend(o, spent, tip.Height)
	if err != nil || !paid || len(taken) != len(spent) {
		return o, err
	}
	return priced, nil
}

// delivers reports whether output 0 of a transaction, and no other, delivers an order.
func (s *Payouts) delivers(ctx context.Context, tx payout.Tx, o order.Order, t chain.Tx,
	inputs []vault.Coin) (bool, error) {
	terms, err := s.book.Communities.Of(o.Community)
	if err != nil {
		return false, err
	}
	units, err := tx.Orders.UnitsOfOrder(ctx, o)
	if err != nil || len(units) != len(o.UnitIDs) {
		return false, err
	}
	d, err := s.book.Delivery(terms, o, units)
	if err != nil {
		return false, err
	}
	balances := map[wire.OutPoint][]runes.Balance{}
	for _, coin := range inputs {
		balances[coin.OutPoint] = coin.Runes
	}
	held := func(out wire.OutPoint) []runes.Balance { return balances[out] }
	outputs, burned, cenotaph, err := s.book.Allocate(t.Msg, held)
	if err != nil || cenotaph || len(burned) > 0 || len(outputs) == 0 || len(outputs[0]) != 1 {
		return false, err
	}
	out, got := t.Msg.TxOut[0], outputs[0][0]
	return out.Value == int64(d.Value) && bytes.Equal(out.PkScript, d.To) && got.ID == d.Rune &&
		got.Amount == uint128.From64(uint64(amount.Runes(d.Amount))), nil
}
