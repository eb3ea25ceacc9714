package server

import (
	"context"

	"moonfund/action"
	"moonfund/amount"
	"moonfund/api"
	"moonfund/ledger"
	"moonfund/order"
	"moonfund/payout"
	"moonfund/store"
)

// Orders implements api.Orders.
func (v views) Orders(ctx context.Context, prefix string, w action.Wallet) (all []api.OrderView, err error) {
	rate := min(v.Rates.Rate(ctx), v.manifest(prefix).Limits.MaxFeeRate)
	err = v.read(ctx, func(tx *store.Tx, _ ledger.Moment) error {
		orders, err := tx.OrdersOf(ctx, prefix, w.Ordinals)
		if err != nil {
			return err
		}
		refusals, err := tx.Refusals(ctx)
		if err != nil {
			return err
		}
		refused := map[string]*ledger.Refusal{}
		for i, r := range refusals {
			refused[r.TxID] = &refusals[i]
		}
		all = make([]api.OrderView, len(orders))
		for i, o := range orders {
			if o.Status == order.Sent {
				o.Refusal = refused[o.PayoutTx]
			}
			all[i] = api.OrderView{Order: o, Rate: rate}
			if all[i].Refunds, err = refundsOf(ctx, tx, o, refused, rate); err != nil {
				return err
			}
		}
		return nil
	})
	return all, err
}

// refundsOf returns the refunds of an order. For most orders, which have none, it runs no query.
func refundsOf(ctx context.Context, tx *store.Tx, o order.Order, refused map[string]*ledger.Refusal,
	rate amount.FeeRate) ([]payout.RefundStatus, error) {
	if !o.HasRefunds() {
		return nil, nil
	}
	view := payout.RefundView{Order: o, Refused: map[string]bool{}, Rate: rate}
	for txid := range refused {
		view.Refused[txid] = true
	}
	tip, err := tx.Tip(ctx)
	if err != nil {
		return nil, err
	}
	view.Tip = tip.Height
	if view.Payments, err = tx.PaymentsOf(ctx, o.ID); err != nil {
		return nil, err
	}
	if view.Signed, err = tx.RefundsOf(ctx, o.ID); err != nil {
		return nil, err
	}
	return view.Refunds(), nil
}
