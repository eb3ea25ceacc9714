package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"math"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/state"
	"moonfund/internal/store/sqlc"
)

func toOrder(row sqlc.PaymentOrder) (order.Order, error) {
	o := order.Order{
		ID: row.ID, Number: row.Number, Community: row.Community, Reason: ledger.Reason(row.Reason), Owner: row.Owner,
		Payment: row.Payment, ActionID: row.ActionID, RealUnits: row.RealUnits, SelfUnits: row.SelfUnits,
		Amount:  amount.Runes(row.Amount),
		FeeRate: amount.FeeRate(row.FeeRate),
		Fees: order.Fees{
			Dust: vault.DustSats, Network: amount.Sats(row.NetworkFee), Service: amount.Sats(row.ServiceFee),
			Listed: amount.Sats(row.ListedFee), Rutxos: amount.Sats(row.RutxosFee), PerRutxo: amount.Sats(row.PerRutxo),
		},
		Address: row.Address, Script: row.Script, Status: order.Status(row.Status), Created: instant(row.CreatedAt),
		RateDate: instant(row.RateAt), Deadline: instant(row.Deadline), Seen: amount.Sats(row.Seen),
		Confirmed: amount.Sats(row.Confirmed), Late: amount.Sats(row.Late), PayoutID: row.PayoutID, PayoutTx: row.PayoutTx,
		Refunded: amount.Sats(row.Refunded), Returned: amount.Sats(row.Returned), Updated: instant(row.UpdatedAt),
		Usable: amount.Sats(row.Usable), Anchor: row.Anchor, ByRefund: row.ByRefund != 0,
		Economy: order.Economy{Until: instant(row.LimitAt), EndHeight: row.EndHeight,
			RaisedRate: amount.FeeRate(row.RaisedRate), RaisedAt: instant(row.RaisedAt),
			RaisedFrom: row.RaisedFrom},
		OneTx: row.OneTx != 0,
	}
	if row.RefundDue > 0 {
		o.Owed = order.Refund{Sats: amount.Sats(row.RefundDue), Reason: order.RefundReason(row.RefundReason),
			Since: instant(row.RefundSince), Rate: amount.FeeRate(row.RefundRate), Hold: order.RefundHold(row.RefundHold),
			Retry: instant(row.RefundRetry), Refusal: row.RefundRefusal}
	}
	return o, json.Unmarshal([]byte(row.UnitIds), &o.UnitIDs)
}

// Order returns one order, or state.ErrNotFound.
func (t *Tx) Order(ctx context.Context, id string) (order.Order, error) {
	row, err := t.q.Order(ctx, id)
	if err != nil {
		return order.Order{}, wrap(err)
	}
	return toOrder(row)
}

// InsertOrder inserts an order and assigns its number.
func (t *Tx) InsertOrder(ctx context.Context, o order.Order) error {
	number, err := t.next(ctx, "order")
	if err != nil {
		return err
	}
	unitIDs, err := json.Marshal(o.UnitIDs)
	if err != nil {
		return err
	}
	return wrap(t.q.InsertOrder(ctx, sqlc.InsertOrderParams{
		ID: o.ID, Number: number, Community: o.Community, Reason: string(o.Reason), Owner: o.Owner, Payment: o.Payment,
		ActionID: o.ActionID, UnitIds: string(unitIDs), RealUnits: o.RealUnits, SelfUnits: o.SelfUnits,
		Amount:     int64(o.Amount),
		FeeRate:    int64(o.FeeRate),
		NetworkFee: int64(o.Fees.Network), ServiceFee: int64(o.Fees.Service), RutxosFee: int64(o.Fees.Rutxos),
		PerRutxo: int64(o.Fees.PerRutxo), Address: o.Address, Script: o.Script, Status: string(o.Status),
		CreatedAt: unix(o.Created), RateAt: unix(o.RateDate), Deadline: unix(o.Deadline), Seen: int64(o.Seen),
		Confirmed: int64(o.Confirmed), Late: int64(o.Late), Refunded: int64(o.Refunded), PayoutID: o.PayoutID,
		PayoutTx: o.PayoutTx, UpdatedAt: unix(o.Updated),
		Returned: int64(o.Returned), Usable: int64(o.Usable), Anchor: o.Anchor,
		RefundDue: int64(o.Owed.Sats), RefundReason: string(o.Owed.Reason), RefundSince: unix(o.Owed.Since),
		ByRefund: flag(o.ByRefund), RefundRate: int64(o.Owed.Rate), RefundHold: string(o.Owed.Hold),
		RefundRetry: unix(o.Owed.Retry), LimitAt: unix(o.Economy.Until), EndHeight: o.Economy.EndHeight,
		RaisedRate: int64(o.Economy.RaisedRate), RaisedAt: unix(o.Economy.RaisedAt),
		RaisedFrom: o.Economy.RaisedFrom, OneTx: flag(o.OneTx), ListedFee: int64(o.Fees.Listed),
	}))
}

// UpdateOrders writes the changeable fields of orders if the status of each is still From. Otherwise it returns
// state.ErrConflict. The orders must be distinct. It also begins or ends the condition that an order needs an operator.
func (t *Tx) UpdateOrders(ctx context.Context, changes ...order.Change) error {
	if err := writeAll(ctx, t, changes, func(q *sqlc.Queries, c order.Change) error {
		return exactlyOne(q.UpdateOrder(ctx, sqlc.UpdateOrderParams{
			ID: c.ID, StatusWas: string(c.From), Status: string(c.Status), FeeRate: int64(c.FeeRate),
			NetworkFee: int64(c.Fees.Network), ServiceFee: int64(c.Fees.Service), RutxosFee: int64(c.Fees.Rutxos),
			PerRutxo: int64(c.Fees.PerRutxo), RateAt: unix(c.RateDate), Deadline: unix(c.Deadline), Seen: int64(c.Seen),
			Confirmed: int64(c.Confirmed), Late: int64(c.Late), PayoutID: c.PayoutID, PayoutTx: c.PayoutTx,
			UpdatedAt: unix(c.Updated), Refunded: int64(c.Refunded), Returned: int64(c.Returned), Usable: int64(c.Usable),
			Anchor: c.Anchor, RefundDue: int64(c.Owed.Sats), RefundReason: string(c.Owed.Reason),
			RefundSince: unix(c.Owed.Since), ByRefund: flag(c.ByRefund), RefundRate: int64(c.Owed.Rate),
			RefundHold: string(c.Owed.Hold), RefundRetry: unix(c.Owed.Retry), RefundRefusal: c.Owed.Refusal,
			LimitAt: unix(c.Economy.Until), EndHeight: c.Economy.EndHeight, RaisedRate: int64(c.Economy.RaisedRate),
			RaisedAt: unix(c.Economy.RaisedAt), RaisedFrom: c.Economy.RaisedFrom, OneTx: flag(c.OneTx),
			ListedFee: int64(c.Fees.Listed),
		}))
	}); err != nil {
		return err
	}
	for _, c := range changes {
		if err := t.noteOrder(ctx, c.Order, c.From); err != nil {
			return err
		}
	}
	return nil
}

// OrdersInStatus returns the orders of every community in a status, oldest first.
func (t *Tx) OrdersInStatus(ctx context.Context, status order.Status) ([]order.Order, error) {
	rows, err := t.q.OrdersInStatus(ctx, string(status))
	return mapAll(rows, err, toOrder)
}

// EconomyTally returns the number of PAID economy orders whose rates are below a fee rate, by community.
func (t *Tx) EconomyTally(ctx context.Context, network amount.FeeRate) (map[string]int64, error) {
	rows, err := t.q.EconomyTally(ctx, int64(network))
	tally := map[string]int64{}
	for _, row := range rows {
		tally[row.Community] = row.Total
	}
	return tally, wrap(err)
}

// EconomyPayouts returns the number of live payouts of economy orders, whose lowest rates are below a fee rate, by
// community.
func (t *Tx) EconomyPayouts(ctx context.Context, network amount.FeeRate) (map[string]int64, error) {
	rows, err := t.q.EconomyPayouts(ctx, int64(network))
	tally := map[string]int64{}
	for _, row := range rows {
		tally[row.Community] = row.Total
	}
	return tally, wrap(err)
}

// OrderIDsInStatus returns the ids of the orders of every community in a status, oldest first.
func (t *Tx) OrderIDsInStatus(ctx context.Context, status order.Status) ([]string, error) {
	ids, err := t.q.OrderIDsInStatus(ctx, string(status))
	return ids, wrap(err)
}

// OrdersByID returns the existing orders with the ids, in no particular order.
func (t *Tx) OrdersByID(ctx context.Context, ids []string) (orders []order.Order, err error) {
	err = eachList(t, nil, ids, func(q *sqlc.Queries) error {
		rows, err := q.OrdersByID(ctx, "")
		part, err := mapAll(rows, err, toOrder)
		orders = append(orders, part...)
		return err
	})
	return orders, err
}

// RefundsToSend implements payout.PayoutStore. It examines at most s.Examine orders with a due refund.
func (t *Tx) RefundsToSend(ctx context.Context, s payout.RefundSearch) ([]order.Order, payout.RefundPosition, error) {
	after, last := s.After, payout.RefundPosition{Sats: math.MaxInt64, Number: math.MaxInt64}
	var next payout.RefundPosition
	window, err := t.q.RefundWindow(ctx, sqlc.RefundWindowParams{
		Community: s.Community, AfterDue: int64(after.Sats), AfterNumber: after.Number, Offset: int32(s.Examine - 1),
	})
	switch {
	case err == nil:
		last = payout.RefundPosition{Sats: amount.Sats(window.RefundDue), Number: window.Number}
		next = last
	case !errors.Is(err, sql.ErrNoRows):
		return nil, next, err
	}
	rows, err := t.q.RefundsToSend(ctx, sqlc.RefundsToSendParams{
		Community: s.Community, RefundRate: int64(s.Rate), RefundRetry: unix(s.At), Limit: int32(s.Most),
		AfterDue: int64(after.Sats), AfterNumber: after.Number, ToDue: int64(last.Sats), ToNumber: last.Number,
	})
	orders, err := mapAll(rows, err, toOrder)
	return orders, next, err
}

// OrdersOf returns an owner's orders, newest first.
func (t *Tx) OrdersOf(ctx context.Context, community, owner string) ([]order.Order, error) {
	rows, err := t.q.OrdersOf(ctx, sqlc.OrdersOfParams{Community: community, Owner: owner})
	return mapAll(rows, err, toOrder)
}

// HasActiveClaim reports whether an owner has a claim whose status is active.
func (t *Tx) HasActiveClaim(ctx context.Context, community, owner string) (bool, error) {
	n, err := t.q.ActiveClaims(ctx, sqlc.ActiveClaimsParams{Community: community, Owner: owner})
	return n > 0, wrap(err)
}

// SentOneTxOrders returns the ids of an owner's SENT orders in one transaction, newest first.
func (t *Tx) SentOneTxOrders(ctx context.Context, community, owner string) ([]string, error) {
	ids, err := t.q.SentOneTxOrders(ctx, sqlc.SentOneTxOrdersParams{Community: community, Owner: owner})
	return ids, wrap(err)
}

// InsertPayments inserts new payments, without the data that is in their outputs. It returns state.ErrConflict if a
// payment exists.
func (t *Tx) InsertPayments(ctx context.Context, payments []order.Payment) error {
	if len(payments) == 0 {
		return nil
	}
	last, err := t.reserve(ctx, "payment", int64(len(payments)))
	if err != nil {
		return err
	}
	number := last - int64(len(payments))
	return writeAll(ctx, t, payments, func(q *sqlc.Queries, p order.Payment) error {
		number++
		rows, err := q.InsertPayment(ctx, sqlc.InsertPaymentParams{
			Txid: p.OutPoint.Hash.String(), Vout: int64(p.OutPoint.Index), Number: number, OrderID: p.OrderID,
			Counted: flag(p.Counted), Late: flag(p.Late), Waiting: int64(p.Waiting),
		})
		if err == nil && rows == 0 {
			err = state.ErrConflict
		}
		return err
	})
}

// UpdatePayments stores Counted, Waiting and Late of payments. It returns state.ErrConflict if a payment does not
// exist. The payments must be distinct.
func (t *Tx) UpdatePayments(ctx context.Context, payments ...order.Payment) error {
	return writeAll(ctx, t, payments, func(q *sqlc.Queries, p order.Payment) error {
		return exactlyOne(q.UpdatePayment(ctx, sqlc.UpdatePaymentParams{
			Txid: p.OutPoint.Hash.String(), Vout: int64(p.OutPoint.Index), Counted: flag(p.Counted), Late: flag(p.Late),
			Waiting: int64(p.Waiting),
		}))
	})
}

// PaymentsOf returns the payments of an order in the order of arrival.
func (t *Tx) PaymentsOf(ctx context.Context, orderID string) ([]order.Payment, error) {
	rows, err := t.q.PaymentsOf(ctx, orderID)
	return mapAll(rows, err, toPayment)
}

// PaymentsOfOrders returns the payments of orders, in the order of arrival within each order.
func (t *Tx) PaymentsOfOrders(ctx context.Context, orderIDs []string) (payments []order.Payment, err error) {
	err = eachList(t, nil, orderIDs, func(q *sqlc.Queries) error {
		rows, err := q.PaymentsOfOrders(ctx, "")
		part, err := mapAll(rows, err, func(row sqlc.PaymentsOfOrdersRow) (order.Payment, error) {
			return toPayment(sqlc.PaymentsOfRow(row))
		})
		payments = append(payments, part...)
		return err
	})
	return payments, err
}

// CountStoredPayments implements order.PaymentStore.
func (t *Tx) CountStoredPayments(ctx context.Context, orderIDs []string) (n int64, err error) {
	err = eachList(t, nil, orderIDs, func(q *sqlc.Queries) error {
		parts, err := q.CountStoredPayments(ctx, "")
		for _, part := range parts {
			n += part
		}
		return err
	})
	return n, err
}

// PaymentsIn returns the payments that a transaction makes, in no particular order.
func (t *Tx) PaymentsIn(ctx context.Context, txids ...string) (payments []order.Payment, err error) {
	err = eachList(t, nil, txids, func(q *sqlc.Queries) error {
		rows, err := q.PaymentsIn(ctx, "")
		part, err := mapAll(rows, err, func(row sqlc.PaymentsInRow) (order.Payment, error) {
			return toPayment(sqlc.PaymentsOfRow(row))
		})
		payments = append(payments, part...)
		return err
	})
	return payments, err
}

// Payment returns one payment, or state.ErrNotFound.
func (t *Tx) Payment(ctx context.Context, out wire.OutPoint) (order.Payment, error) {
	row, err := t.q.Payment(ctx, sqlc.PaymentParams{Txid: out.Hash.String(), Vout: int64(out.Index)})
	if err != nil {
		return order.Payment{}, wrap(err)
	}
	return toPayment(sqlc.PaymentsOfRow(row))
}

func toPayment(row sqlc.PaymentsOfRow) (order.Payment, error) {
	point, err := outPoint(row.Txid, row.Vout)
	return order.Payment{
		OutPoint: point, OrderID: row.OrderID, Value: amount.Sats(row.Value), SeenAt: instant(row.SeenAt),
		Counted: row.Counted != 0, Late: row.Late != 0, Height: row.Height, Coinbase: row.Coinbase != 0,
		Vanished: row.Vanished != 0, SpentBy: row.SpentBy, Refunded: row.Refunded != 0,
		Kept: row.Kept != 0, Number: row.Number, Position: row.Position, Plain: row.Plain != 0,
		Waiting: order.Waiting(row.Waiting),
	}, err
}

// InsertPayout inserts a payout with its versions.
func (t *Tx) InsertPayout(ctx context.Context, p payout.Payout) error {
	orderIDs, err := json.Marshal(p.OrderIDs)
	if err != nil {
		return err
	}
	if err := t.q.InsertPayout(ctx, sqlc.InsertPayoutParams{
		ID: p.ID, Community: p.Community, Kind: string(p.Kind), OrderIds: string(orderIDs), Status: string(p.Status),
		CreatedAt: unix(p.Created),
	}); err != nil {
		return wrap(err)
	}
	for _, v := range p.Versions {
		if err := t.InsertVersion(ctx, p.ID, v); err != nil {
			return err
		}
	}
	return nil
}

// UpdatePayout writes a payout's status if the stored one is still from, and returns state.ErrConflict otherwise.
func (t *Tx) UpdatePayout(ctx context.Context, p payout.Payout, from payout.Status) error {
	return exactlyOne(t.q.UpdatePayout(ctx, sqlc.UpdatePayoutParams{ID: p.ID, Status: string(p.Status),
		Status_2: string(from)}))
}

// PayoutsIn returns the payouts in any of the statuses, with their versions, oldest first within each status.
func (t *Tx) PayoutsIn(ctx context.Context, statuses ...payout.Status) (all []payout.Payout, err error) {
	for _, status := range statuses {
		rows, err := t.q.PayoutsInStatus(ctx, string(status))
		if err != nil {
			return nil, wrap(err)
		}
		for _, row := range rows {
			p, err := t.toPayout(ctx, row)
			if err != nil {
				return nil, err
			}
			all = append(all, p)
		}
	}
	return all, nil
}

func (t *Tx) toPayout(ctx context.Context, row sqlc.Payout) (payout.Payout, error) {
	p := payout.Payout{
		ID: row.ID, Community: row.Community, Kind: payout.Kind(row.Kind), Status: payout.Status(row.Status),
		Created: instant(row.CreatedAt),
	}
	if err := json.Unmarshal([]byte(row.OrderIds), &p.OrderIDs); err != nil {
		return p, err
	}
	versions, err := t.q.VersionsOf(ctx, p.ID)
	p.Versions, err = mapAll(versions, err, toVersion)
	return p, err
}

func toVersion(row sqlc.PayoutVersion) (payout.Version, error) {
	tx, err := chain.DecodeTx(row.Raw)
	if err != nil {
		return payout.Version{}, err
	}
	own, err := toOwnCoins(row.OwnCoins)
	return payout.Version{
		Tx: tx, Fee: amount.Sats(row.Fee), VBytes: row.Vbytes, Created: instant(row.CreatedAt), Height: row.Height, Own: own,
	}, err
}

// PayoutTxs returns the ids of our payouts among the transactions.
func (t *Tx) PayoutTxs(ctx context.Context, txids ...string) (map[string]bool, error) {
	ours := map[string]bool{}
	err := eachList(t, nil, txids, func(q *sqlc.Queries) error {
		part, err := q.PayoutVersionsAmong(ctx, "")
		for _, txid := range part {
			ours[txid] = true
		}
		return err
	})
	return ours, err
}
