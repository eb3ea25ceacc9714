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

// Find stores a transaction that is not in this ledger and that its owner's own coins pay. Only our key can spend the
// outputs of units through the key path, and output 0 shows which order it delivers.
func (s *Payouts) Find(ctx context.Context, r payout.Round, f payout.Found) (found bool, err error) {
	if len(f.Orders) > 0 || !f.Unexplained || len(f.Spent) == 0 {
		return false, nil
	}
	var o order.Order
	var inputs, own []vault.Coin
	for i, in := range f.Tx.Msg.TxIn {
		output, inLedger := f.Spent[in.PreviousOutPoint]
		switch {
		case !inLedger:
			own = append(own, vault.Coin{OutPoint: in.PreviousOutPoint, Kind: vault.Own})
			continue
		case output.Kind != ledger.StakeKind || len(in.Witness) != 1:
			return false, nil
		}
		unit, err := r.Tx.Units.Unit(ctx, output.Community, in.PreviousOutPoint.String())
		if errors.Is(err, state.ErrNotFound) || (err == nil && (unit.OrderID == "" || o.ID != "" && unit.OrderID != o.ID)) {
			return false, nil
		}
		if err == nil && o.ID == "" {
			o, err = r.Tx.Orders.Order(ctx, unit.OrderID)
		}
		if err != nil {
			return false, err
		}
		terms, err := s.book.Communities.Of(o.Community)
		if err != nil {
			return false, nil // not served here, so an operator must decide
		}
		inputs = append(inputs, vault.Coin{OutPoint: f.Tx.Msg.TxIn[i].PreviousOutPoint, Runes: terms.Holding(unit.Amount)})
	}
	if len(inputs) == 0 || len(inputs) != len(o.UnitIDs) || len(own) == 0 {
		return false, nil
	}
	delivers, err := s.delivers(ctx, r.Tx, o, f.Tx, inputs)
	if err != nil || !delivers {
		return false, err
	}
	v := f.Version(r.Now)
	v.Fee, v.Own = 1, own // until ValueCoins: the values of own coins are not known, so neither is the fee
	switch {
	case o.Status == order.Pending:
		_, err := s.store(ctx, r, o, inputs, v)
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
