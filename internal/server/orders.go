package server

import (
	"context"
	"slices"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/api"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout/refund"
	"moonfund/internal/store"
)

// Orders implements api.Orders.
func (v views) Orders(ctx context.Context, prefix string, w action.Wallet) (all []api.OrderView, err error) {
	r, err := v.orderReader(ctx, prefix)
	if err != nil {
		return nil, err
	}
	err = v.readShort(ctx, func(tx *store.Tx, m ledger.Moment) error {
		orders, err := tx.OrdersOf(ctx, prefix, w.Ordinals)
		if err != nil {
			return err
		}
		all, err = r.orders(ctx, tx, orders, m.Now)
		return err
	})
	return all, err
}

// Order implements api.Orders.
func (v views) Order(ctx context.Context, prefix string, w action.Wallet, id string) (view api.OrderView, err error) {
	r, err := v.orderReader(ctx, prefix)
	if err != nil {
		return view, err
	}
	err = v.read(ctx, func(tx *store.Tx, m ledger.Moment) error {
		o, err := v.Server.Orders.Find(ctx, tx.OrderTx(), prefix, w.Ordinals, id)
		if err != nil {
			return err
		}
		all, err := r.orders(ctx, tx, []order.Order{o}, m.Now)
		if err == nil {
			view = all[0]
		}
		return err
	})
	return view, err
}

// orderReader reads the owner's view of orders, for every call that answers with an order.
type orderReader struct {
	server  views
	network amount.FeeRate // the network's rate
	rate    amount.FeeRate // the community's: at most its MaxFeeRate
}

func (v views) orderReader(ctx context.Context, prefix string) (r orderReader, err error) {
	site, err := v.manifest(prefix)
	if err != nil {
		return r, err
	}
	network := v.Rates.Rate(ctx) // before the transaction: the node may be slow
	return orderReader{server: v, network: network, rate: min(network, site.Limits.MaxFeeRate)}, nil
}

// orders returns the owner's view of each order. A new field of api.OrderView is computed here.
func (r orderReader) orders(ctx context.Context, tx *store.Tx, orders []order.Order,
	now time.Time) (all []api.OrderView, err error) {
	all = make([]api.OrderView, len(orders))
	if len(orders) == 0 {
		return all, nil
	}
	refusals, err := tx.Refusals(ctx)
	if err != nil {
		return nil, err
	}
	refused := map[string]*ledger.Refusal{}
	for i, refusal := range refusals {
		refused[refusal.TxID] = &refusals[i]
	}
	for i, o := range orders {
		if o.Status == order.Sent {
			o.Refusal = refused[o.PayoutTx]
		}
		all[i] = api.OrderView{Order: o, Rate: r.rate}
		if all[i].PayoutHeight, err = payoutHeight(ctx, tx, o); err != nil {
			return nil, err
		}
		if all[i].Economy, err = r.server.economy(ctx, tx, o, r.network, now); err != nil {
			return nil, err
		}
		if all[i].OneTx, err = oneTx(ctx, tx, o); err != nil {
			return nil, err
		}
		if all[i].SignUntil, err = signUntil(ctx, tx, o); err != nil {
			return nil, err
		}
		if all[i].Refunds, err = refundsOf(ctx, tx, o, refused, r.rate); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// payoutHeight returns the block of a SENT order's payout, or 0. For other orders it runs no query.
func payoutHeight(ctx context.Context, tx *store.Tx, o order.Order) (int64, error) {
	if o.Status != order.Sent {
		return 0, nil
	}
	p, err := tx.Payout(ctx, o.PayoutID)
	if err != nil {
		return 0, err
	}
	return max(0, p.Height()), nil
}

// economy returns the state of an economy order, and the zero value for a normal one.
func (v views) economy(ctx context.Context, tx *store.Tx, o order.Order, network amount.FeeRate,
	now time.Time) (e api.EconomyView, err error) {
	if !o.IsEconomy() {
		return e, nil
	}
	tip, err := tx.Tip(ctx)
	if err != nil {
		return e, err
	}
	e = api.EconomyView{Network: network, Ends: o.EndsAt(), AtLimit: o.LimitReached(now), Now: now,
		WaitUntil: o.NextLimit(now, tip.Height)}
	if end := o.Economy.EndHeight; end > 0 {
		left := time.Duration(max(0, end-tip.Height)) * 24 * time.Hour / order.BlocksPerDay
		at := now.Add(left).UTC().Truncate(time.Minute)
		e.Ends, e.WaitUntil = earlier(e.Ends, at), earlier(e.WaitUntil, at)
	}
	if e.Ended, err = endedUnsent(ctx, tx, o); err != nil {
		return e, err
	}
	e.Difference, err = v.Server.Orders.DifferenceOf(ctx, tx.OrderTx(), o)
	return e, err
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// endedUnsent reports whether a paid economy order expired at its end. The sums of its payments do not show this,
// because they change with the refund.
func endedUnsent(ctx context.Context, tx *store.Tx, o order.Order) (bool, error) {
	if o.Status != order.Expired {
		return false, nil
	}
	lines, err := tx.JournalAbout(ctx, o.Community, o.ID)
	return slices.ContainsFunc(lines, func(l store.JournalLine) bool {
		return l.Event == string(order.EconomyEnded) && l.From == "order:"+string(order.Paid)
	}), err
}

// refundsOf returns the refunds of an order. For most orders, which have none, it runs no query.
func refundsOf(ctx context.Context, tx *store.Tx, o order.Order, refused map[string]*ledger.Refusal,
	rate amount.FeeRate) ([]refund.Status, error) {
	if !o.HasRefunds() {
		return nil, nil
	}
	view := refund.View{Order: o, Refused: map[string]bool{}, Rate: rate}
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
