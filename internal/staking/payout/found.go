package payout

import (
	"bytes"
	"context"
	"slices"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
)

// Find stores a payout that is not in this ledger, because this ledger was restored from a backup and a server signed
// the payout after that backup. Only our own key can spend a payment, and the outputs of t show which orders it
// delivers or refunds. The delivered orders become SENT, so that they are not paid again. found is false if t spends no
// payment, or if its inputs and outputs can't be explained completely. Then t is not treated as ours, and an operator
// must decide.
func (s *Service) Find(ctx context.Context, tx Tx, watch ledger.WatchList, t chain.Tx,
	now time.Time) (found bool, err error) {
	f := finding{tx: t, at: now}
	if err := s.explain(ctx, tx, &f, watch.Output); err != nil {
		return false, err
	}
	if len(f.orders) == 0 && f.unexplained && len(f.spent) > 0 {
		return s.findOneTx(ctx, tx, watch, f)
	}
	if len(f.orders) == 0 || f.unexplained {
		return false, nil
	}
	o := f.orders[0]
	if len(f.orders) == 1 && (o.Owed.Sats > 0 || o.Status.Active()) && s.isRefundOf(f, o) {
		return true, s.storeFoundRefund(ctx, tx, watch, f)
	}
	if delivers, err := s.delivers(ctx, tx, f, o.Status); err != nil || !delivers {
		return false, err
	}
	switch o.Status {
	case order.Paid:
		_, err := s.storeFound(ctx, tx, watch, f, Delivery, order.PayoutStored)
		return true, err
	case order.Sent:
		p, err := tx.Payouts.Payout(ctx, o.PayoutID)
		if err != nil || p.Kind != Delivery || !p.isOf(f.orders) {
			return false, err
		}
		return true, s.storeFoundVersion(ctx, tx, watch, f, p)
	}
	return false, nil
}

// storeFoundRefund stores a refund that another server signed. If the order is active in this ledger, storeFoundRefund
// closes it, because the order was closed when the refund was signed.
func (s *Service) storeFoundRefund(ctx context.Context, tx Tx, watch ledger.WatchList, f finding) error {
	if o := f.orders[0]; o.Status.Active() {
		cause := ledger.Cause{Kind: "chain", ID: f.tx.ID.String(), At: f.at}
		closed, err := s.orders.Apply(ctx, tx.OrderTx(), o, order.RefundFound, cause, nil)
		if err != nil {
			return err
		}
		f.orders[0] = closed
	}
	_, err := s.storeFound(ctx, tx, watch, f, Refund, "")
	return err
}

// isOf reports whether a payout delivers exactly these orders.
func (p Payout) isOf(orders []order.Order) bool {
	return len(orders) == len(p.OrderIDs) && !slices.ContainsFunc(orders, func(o order.Order) bool {
		return o.PayoutID != p.ID
	})
}

// finding is a signed transaction that is not stored, with the orders whose payments it spends.
type finding struct {
	tx          chain.Tx
	at          time.Time
	community   string
	orders      []order.Order
	spent       map[wire.OutPoint]ledger.Output // the outputs in the ledger that it spends
	fee         amount.Sats
	unexplained bool // it spends outputs that are not in the ledger, or payments of several communities
	byHand      bool // an operator signed it by hand and submitted it
}

// explain sets the orders whose payments a transaction spends, and its fee. It does not read an input for which
// mayBeOurs returns false.
func (s *Service) explain(ctx context.Context, tx Tx, f *finding, mayBeOurs func(wire.OutPoint) bool) error {
	outputs, err := tx.Outputs.Outputs(ctx, f.tx.Spends(mayBeOurs))
	if err != nil {
		return err
	}
	f.unexplained = len(outputs) < len(f.tx.Msg.TxIn)
	f.spent = map[wire.OutPoint]ledger.Output{}
	for _, output := range outputs {
		f.spent[output.OutPoint] = output
		f.fee += output.Value
		if output.Kind != ledger.PaymentKind || slices.ContainsFunc(f.orders, func(o order.Order) bool {
			return o.ID == output.Ref
		}) {
			continue
		}
		o, err := tx.Orders.Order(ctx, output.Ref)
		if err != nil {
			return err
		}
		f.unexplained = f.unexplained || !s.terms.Has(o.Community) ||
			(len(f.orders) > 0 && f.orders[0].Community != o.Community)
		f.orders, f.community = append(f.orders, o), o.Community
	}
	for _, out := range f.tx.Msg.TxOut {
		f.fee -= amount.Sats(out.Value)
	}
	return nil
}

// delivers reports whether a transaction delivers exactly the amounts that its orders are owed, and all orders are in
// status.
func (s *Service) delivers(ctx context.Context, tx Tx, f finding, status order.Status) (bool, error) {
	terms, err := s.terms.Of(f.community)
	if err != nil {
		return false, err
	}
	coins, err := s.coins(ctx, tx, terms, f.tx.Msg)
	if err != nil {
		return false, err
	}
	var deliveries []vault.Delivery
	for _, o := range f.orders {
		units, err := tx.Orders.UnitsOfOrder(ctx, o)
		if err != nil || o.Status != status || len(units) != len(o.UnitIDs) {
			return false, err
		}
		d, err := s.delivery(terms, o, units)
		if err != nil {
			return false, err
		}
		deliveries = append(deliveries, d)
	}
	runeChange, _ := terms.Account.TreasuryRunes()
	satsChange, _ := terms.Account.TreasurySats()
	return vault.VerifyPayout(f.tx.Msg, coins, deliveries, runeChange.Script, satsChange.Script, s.allocate) == nil, nil
}

// isRefundOf reports whether a transaction has one output, to the payment address in an order's message, and no
// runestone.
func (s *Service) isRefundOf(f finding, o order.Order) bool {
	to, err := chain.ParseAddress(o.Payment, s.network)
	out := f.tx.Msg.TxOut
	return err == nil && len(out) == 1 && bytes.Equal(out[0].PkScript, to.Script) && runes.Decipher(f.tx.Msg) == nil
}

// anyOutput is a filter that selects every output.
func anyOutput(wire.OutPoint) bool { return true }

func (f finding) version() Version {
	return Version{Tx: f.tx, Fee: f.fee, VBytes: chain.VSize(f.tx.Msg), Created: f.at, Height: chain.None}
}

// storeFound stores a found payout as if this server had signed it. event is applied to the orders of a delivery.
func (s *Service) storeFound(ctx context.Context, tx Tx, watch ledger.WatchList, f finding, kind Kind,
	event order.Event) (p Payout, err error) {
	p = Payout{Community: f.community, Kind: kind, Status: Live, Created: f.at, Versions: []Version{f.version()}}
	for _, o := range f.orders {
		p.OrderIDs = append(p.OrderIDs, o.ID)
	}
	if p.ID, err = s.newID(); err != nil {
		return p, err
	}
	if err := tx.Payouts.InsertPayout(ctx, p); err != nil {
		return p, err
	}
	s.log.Warn("stored a payout that was not signed here", "payout", p.ID, "kind", string(kind), "txid",
		f.tx.ID.String(), "orders", len(f.orders))
	cause := ledger.Cause{Kind: "payout", ID: p.ID, At: f.at}
	if kind == Refund {
		if err := s.chargeFound(ctx, tx, p, f); err != nil {
			return p, err
		}
		_, err = s.orders.ChangeSpends(ctx, tx.OrderTx(), f.orders[0].ID, "refund sent", cause, func() error {
			return s.recordFound(ctx, tx, watch, f)
		})
		return p, err
	}
	if err := s.recordFound(ctx, tx, watch, f); err != nil {
		return p, err
	}
	for _, o := range f.orders {
		spent, err := f.spentOf(ctx, tx, o)
		if err != nil {
			return p, err
		}
		if _, err := s.orders.Apply(ctx, tx.OrderTx(), o.Anchored(spent), event, cause, func(o *order.Order) {
			o.PayoutID, o.PayoutTx = p.ID, f.tx.ID.String()
		}); err != nil {
			return p, err
		}
	}
	return p, nil
}

// chargeFound counts a found refund against the limits, because the signer counted the refund when it was signed. It
// does not count a refund that an operator signed by hand.
func (s *Service) chargeFound(ctx context.Context, tx Tx, p Payout, f finding) error {
	if f.byHand {
		return nil
	}
	coins, err := s.foundCoins(ctx, tx, f)
	if err != nil {
		return err
	}
	return chargeRefund(ctx, tx, p.ID, f.orders[0], coins, f.at)
}

// foundCoins returns the inputs of a found transaction with the data needed to spend them. All must be outputs of ours.
func (s *Service) foundCoins(ctx context.Context, tx Tx, f finding) ([]vault.Coin, error) {
	terms, err := s.terms.Of(f.community)
	if err != nil {
		return nil, err
	}
	return s.coins(ctx, tx, terms, f.tx.Msg)
}

// spentOf returns the payments of an order that the found transaction spends.
func (f finding) spentOf(ctx context.Context, tx Tx, o order.Order) ([]order.Payment, error) {
	payments, err := tx.Payments.PaymentsOf(ctx, o.ID)
	return slices.DeleteFunc(payments, func(p order.Payment) bool {
		return !slices.ContainsFunc(f.tx.Msg.TxIn, func(in *wire.TxIn) bool { return in.PreviousOutPoint == p.OutPoint })
	}), err
}

// storeFoundVersion adds a found replacement to the payout that it replaces.
func (s *Service) storeFoundVersion(ctx context.Context, tx Tx, watch ledger.WatchList, f finding, p Payout) error {
	if err := tx.Payouts.InsertVersion(ctx, p.ID, f.version()); err != nil {
		return err
	}
	s.log.Warn("stored a replacement that was not signed here", "payout", p.ID, "txid", f.tx.ID.String())
	p.Versions = append(p.Versions, f.version())
	return s.recordCurrent(ctx, tx, watch, p, f.at)
}

// recordFound records a found transaction in the ledger.
func (s *Service) recordFound(ctx context.Context, tx Tx, watch ledger.WatchList, f finding) error {
	coins, err := s.foundCoins(ctx, tx, f)
	if err != nil {
		return err
	}
	return s.recordVersion(ctx, tx, watch, coins, f.version(), f.at)
}
