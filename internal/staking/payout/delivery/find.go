package delivery

import (
	"context"

	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
)

// Find stores a delivery that is not in this ledger. found is false if the transaction does not deliver exactly what
// its orders are owed.
func (s *Service) Find(ctx context.Context, r payout.Round, f payout.Found) (found bool, err error) {
	if len(f.Orders) == 0 || f.Unexplained {
		return false, nil
	}
	o := f.Orders[0]
	if delivers, err := s.delivers(ctx, r.Tx, f, o.Status); err != nil || !delivers {
		return false, err
	}
	switch o.Status {
	case order.Paid:
		_, err := s.storeFound(ctx, r, f)
		return true, err
	case order.Sent:
		p, err := r.Tx.Payouts.Payout(ctx, o.PayoutID)
		if err != nil || p.Kind != payout.Delivery || !p.IsOf(f.Orders) {
			return false, err
		}
		return true, s.book.StoreFoundVersion(ctx, r, f, p)
	}
	return false, nil
}

// delivers reports whether a transaction delivers exactly the amounts that its orders are owed, and all orders are in
// status.
func (s *Service) delivers(ctx context.Context, tx payout.Tx, f payout.Found, status order.Status) (bool, error) {
	terms, err := s.book.Communities.Of(f.Community)
	if err != nil {
		return false, err
	}
	coins, err := terms.Coins(ctx, tx, f.Tx.Msg)
	if err != nil {
		return false, err
	}
	var deliveries []vault.Delivery
	for _, o := range f.Orders {
		units, err := tx.Orders.UnitsOfOrder(ctx, o)
		if err != nil || o.Status != status || len(units) != len(o.UnitIDs) {
			return false, err
		}
		d, err := s.book.Delivery(terms, o, units)
		if err != nil {
			return false, err
		}
		deliveries = append(deliveries, d)
	}
	runeChange, _ := terms.Account.TreasuryRunes()
	satsChange, _ := terms.Account.TreasurySats()
	err = vault.VerifyPayout(f.Tx.Msg, coins, deliveries, runeChange.Script, satsChange.Script, s.book.Allocate)
	return err == nil, nil
}

// storeFound stores a found delivery as if this server had signed it.
func (s *Service) storeFound(ctx context.Context, r payout.Round, f payout.Found) (payout.Payout, error) {
	p, err := s.book.InsertFound(ctx, r, f, payout.Delivery)
	if err != nil {
		return p, err
	}
	if err := s.book.RecordFound(ctx, r, f); err != nil {
		return p, err
	}
	cause := ledger.Cause{Kind: "payout", ID: p.ID, At: r.Now}
	for _, o := range f.Orders {
		spent, err := f.SpentOf(ctx, r.Tx, o)
		if err != nil {
			return p, err
		}
		o = o.Anchored(spent)
		if _, err := s.book.Orders.Apply(ctx, r.Tx.OrderTx(), o, order.PayoutStored, cause, func(o *order.Order) {
			o.PayoutID, o.PayoutTx = p.ID, f.Tx.ID.String()
		}); err != nil {
			return p, err
		}
	}
	return p, nil
}
