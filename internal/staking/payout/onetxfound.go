package payout

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
	"moonfund/internal/state"
)

// findOneTx is Find for a transaction that its owner's own coins pay. Only our key can spend the outputs of units
// through the key path, and output 0 shows which order it delivers.
func (s *Service) findOneTx(ctx context.Context, tx Tx, watch ledger.WatchList, f finding) (found bool, err error) {
	var o order.Order
	var inputs, own []vault.Coin
	for i, in := range f.tx.Msg.TxIn {
		output, inLedger := f.spent[in.PreviousOutPoint]
		switch {
		case !inLedger:
			own = append(own, vault.Coin{OutPoint: in.PreviousOutPoint, Kind: vault.Own})
			continue
		case output.Kind != ledger.StakeKind || len(in.Witness) != 1:
			return false, nil
		}
		unit, err := tx.Units.Unit(ctx, output.Community, in.PreviousOutPoint.String())
		if errors.Is(err, state.ErrNotFound) || (err == nil && (unit.OrderID == "" || o.ID != "" && unit.OrderID != o.ID)) {
			return false, nil
		}
		if err == nil && o.ID == "" {
			o, err = tx.Orders.Order(ctx, unit.OrderID)
		}
		if err != nil {
			return false, err
		}
		terms, err := s.terms.Of(o.Community)
		if err != nil {
			return false, nil // not served here, so an operator must decide
		}
		inputs = append(inputs, vault.Coin{OutPoint: f.tx.Msg.TxIn[i].PreviousOutPoint, Runes: held(terms.Rune, unit.Amount)})
	}
	if len(inputs) == 0 || len(inputs) != len(o.UnitIDs) || len(own) == 0 {
		return false, nil
	}
	delivers, err := s.deliversOneTx(ctx, tx, o, f.tx, inputs)
	if err != nil || !delivers {
		return false, err
	}
	v := f.version()
	v.Fee, v.Own = 1, own // until ValueCoins: the values of own coins are not known, so neither is the fee
	switch {
	case o.Status == order.Pending:
		_, err := s.storeOneTx(ctx, tx, watch, dueDelivery{Owed: Owed{Order: o}}, inputs, v)
		return true, err
	case o.Status == order.Sent:
		p, err := tx.Payouts.Payout(ctx, o.PayoutID)
		if err != nil || p.Kind != OneTx {
			return false, err
		}
		_, err = s.addVersion(ctx, tx, watch, p, v, f.at)
		return true, err
	}
	return false, nil
}

// deliversOneTx reports whether output 0 of a transaction, and no other, delivers an order.
func (s *Service) deliversOneTx(ctx context.Context, tx Tx, o order.Order, t chain.Tx,
	inputs []vault.Coin) (bool, error) {
	terms, err := s.terms.Of(o.Community)
	if err != nil {
		return false, err
	}
	units, err := tx.Orders.UnitsOfOrder(ctx, o)
	if err != nil || len(units) != len(o.UnitIDs) {
		return false, err
	}
	d, err := s.delivery(terms, o, units)
	if err != nil {
		return false, err
	}
	balances := map[wire.OutPoint][]runes.Balance{}
	for _, coin := range inputs {
		balances[coin.OutPoint] = coin.Runes
	}
	outputs, burned, cenotaph, err := s.allocate(t.Msg, func(out wire.OutPoint) []runes.Balance { return balances[out] })
	if err != nil || cenotaph || len(burned) > 0 || len(outputs) == 0 || len(outputs[0]) != 1 {
		return false, err
	}
	out, got := t.Msg.TxOut[0], outputs[0][0]
	return out.Value == int64(d.Value) && bytes.Equal(out.PkScript, d.To) && got.ID == d.Rune &&
		got.Amount == uint128.From64(uint64(amount.Runes(d.Amount))), nil
}
