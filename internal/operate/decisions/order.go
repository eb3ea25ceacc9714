package decisions

import (
	"context"
	"errors"
	"slices"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/staking/payout/refund"
	"moonfund/internal/state"
	"moonfund/internal/store"
)

// OrderView is a payment order. Amounts of the rune are in base units.
type OrderView struct {
	ID          string        `json:"id"`
	Community   string        `json:"community"`
	Status      order.Status  `json:"status"`
	Reason      ledger.Reason `json:"reason"` // the action that made it
	Owner       string        `json:"owner"`
	Payment     string        `json:"payment_address"`
	Units       []string      `json:"units"`
	Amount      amount.Runes  `json:"amount,string"`
	FeeRate     string        `json:"fee_rate"`
	Total       amount.Sats   `json:"total_sats"`
	Network     amount.Sats   `json:"network_sats"`
	Service     amount.Sats   `json:"service_sats"`
	Rutxos      amount.Sats   `json:"rutxos_sats"`
	Seen        amount.Sats   `json:"seen_sats"`
	Confirmed   amount.Sats   `json:"confirmed_sats"`
	Late        amount.Sats   `json:"late_sats"`
	Refunded    amount.Sats   `json:"refunded_sats"`
	Overpayment amount.Sats   `json:"overpayment_sats"`
	Address     string        `json:"address"`
	Created     time.Time     `json:"created"`
	RateDate    time.Time     `json:"rate_date"`
	Deadline    time.Time     `json:"deadline"`
	Updated     time.Time     `json:"updated"`
	PayoutID    string        `json:"payout_id"`
	PayoutTx    string        `json:"payout_txid"`
	Anchor      string        `json:"anchor"`
	Economy     *EconomyView  `json:"economy"`    // null at normal speed
	RefundDue   *RefundDue    `json:"refund_due"` // null if nothing is due
	InAudit     *AuditReason  `json:"in_audit"`   // null if the order is not in AUDIT

	Refused *RefusalView `json:"not_accepted_by_node,omitempty"`
	Waits   []WaitView   `json:"waits,omitempty"`
}

// RefundDue is the refund that is due for an order, before the network fee.
type RefundDue struct {
	Sats    amount.Sats `json:"sats"`
	Address string      `json:"address"`
	Reason  string      `json:"reason"`
	Since   time.Time   `json:"since"`
	State   string      `json:"state"` // as in the API, except for states that depend on the current fee rate
	Refusal string      `json:"refusal,omitempty"`
}

// viewOrder returns the view of an order.
func viewOrder(o order.Order) OrderView {
	v := OrderView{
		ID: o.ID, Community: o.Community, Status: o.Status, Reason: o.Reason, Owner: o.Owner, Payment: o.Payment,
		Units: o.UnitIDs, Amount: o.Amount, FeeRate: o.FeeRate.String(), Total: o.Fees.Total(),
		Network: o.Fees.Network, Service: o.Fees.Service, Rutxos: o.Fees.Rutxos, Seen: o.Seen, Confirmed: o.Confirmed,
		Late: o.Late, Refunded: o.Refunded, Overpayment: o.Overpayment(), Address: o.Address, Created: o.Created,
		RateDate: o.RateDate, Deadline: o.Deadline, Updated: o.Updated, PayoutID: o.PayoutID, PayoutTx: o.PayoutTx,
		Anchor: o.Anchor, Refused: viewRefusal(o.Refusal),
	}
	v.Economy = viewEconomy(o)
	if o.Owed.Sats > 0 {
		v.RefundDue = &RefundDue{o.Owed.Sats, o.Payment, string(o.Owed.Reason), o.Owed.Since, dueState(o),
			o.Owed.Refusal}
	}
	return v
}

// dueState returns the state of an order's due refund, by its name in the API.
func dueState(o order.Order) string {
	switch {
	case o.Status == order.Audit:
		return string(refund.WaitingPerson)
	case o.Owed.Hold == order.HoldLimit:
		return string(refund.OverLimit)
	case o.Owed.Hold == order.HoldConfirmation:
		return string(refund.WaitingConfirmation)
	case o.Owed.Hold.NeedsPerson():
		return string(refund.WaitingPerson)
	}
	return string(refund.Due)
}

// DueState returns the state of the due refund, or "".
func (v OrderView) DueState() string {
	if v.RefundDue == nil {
		return ""
	}
	return v.RefundDue.State
}

// DueSats returns the sats of the due refund, or 0.
func (v OrderView) DueSats() amount.Sats {
	if v.RefundDue == nil {
		return 0
	}
	return v.RefundDue.Sats
}

// OrderFilter selects payment orders. Empty fields select all.
type OrderFilter struct {
	Community string
	Status    order.Status
	Owner     string // its ordinals or payment address
	RefundDue bool   // only orders with a due refund
	Limit     int    // maximum number; the newest are returned
}

// Orders returns the selected orders, newest first.
func Orders(ctx context.Context, tx *store.Tx, f OrderFilter) (views []OrderView, err error) {
	found, err := f.read(ctx, tx)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(o order.Order) bool {
		return (f.Status != "" && o.Status != f.Status) || (f.RefundDue && o.Owed.Sats == 0)
	})
	slices.SortStableFunc(found, func(a, b order.Order) int { return b.Created.Compare(a.Created) })
	for _, o := range found[:min(len(found), f.Limit)] {
		view := viewOrder(o)
		if o.Status == order.Audit {
			moves, err := statusMoves(ctx, tx, o)
			if err != nil {
				return nil, err
			}
			view.InAudit = auditReason(o, moves)
		}
		views = append(views, view)
	}
	return views, nil
}

// read returns the orders of the selected communities or owner.
func (f OrderFilter) read(ctx context.Context, tx *store.Tx) (found []order.Order, err error) {
	if f.Owner != "" {
		owners, err := Owners(ctx, tx, f.Community, f.Owner)
		if err != nil {
			return nil, err
		}
		for _, o := range owners {
			orders, err := tx.OrdersOf(ctx, o.Community, o.Address)
			if err != nil {
				return nil, err
			}
			found = append(found, orders...)
		}
		return found, nil
	}
	communities, err := Communities(ctx, tx, f.Community)
	if err != nil {
		return nil, err
	}
	for _, community := range communities {
		orders, err := tx.OrdersOfCommunity(ctx, community)
		if err != nil {
			return nil, err
		}
		found = append(found, orders...)
	}
	return found, nil
}

// OrderFacts is an order with the changes of its status, its payments, units, requests, refunds and log entries.
type OrderFacts struct {
	order.Order
	Moves    []MoveView
	Payments []order.Payment
	Units    []ledger.Unit
	Requests []payout.Request
	Refunds  []payout.Payout
	Waits    []WaitView
	Log      []store.OperatorLine
}

// FindOrder returns an order, or an Unknown error if the ledger has no order with the id.
func FindOrder(ctx context.Context, tx *store.Tx, id string) (order.Order, error) {
	o, err := tx.Order(ctx, id)
	if errors.Is(err, state.ErrNotFound) {
		err = unknown("the ledger has no order %q", id)
	}
	return o, err
}

// ReadOrder returns an order with all related records, or an Unknown error if the ledger has no order with the id.
func ReadOrder(ctx context.Context, tx *store.Tx, id string) (f OrderFacts, err error) {
	if f.Order, err = FindOrder(ctx, tx, id); err != nil {
		return f, err
	}
	if f.Status == order.Sent {
		refusal, err := tx.Refusal(ctx, f.PayoutTx)
		if err == nil {
			f.Refusal = &refusal
		} else if !errors.Is(err, state.ErrNotFound) {
			return f, err
		}
	}
	if f.Moves, err = statusMoves(ctx, tx, f.Order); err != nil {
		return f, err
	}
	if f.Payments, err = tx.PaymentsOf(ctx, id); err != nil {
		return f, err
	}
	if f.Units, err = tx.UnitsByID(ctx, f.Community, f.UnitIDs); err != nil {
		return f, err
	}
	if f.Requests, err = tx.RequestsAbout(ctx, id); err != nil {
		return f, err
	}
	if f.Refunds, err = tx.RefundsOf(ctx, id); err != nil {
		return f, err
	}
	if err = f.readWaits(ctx, tx); err != nil {
		return f, err
	}
	f.Log, err = tx.OperatorLinesAbout(ctx, id)
	return f, err
}

// AuditReason returns the reason why the order is in AUDIT, or nil if it is not.
func (f OrderFacts) AuditReason() *AuditReason { return auditReason(f.Order, f.Moves) }

// PaymentView is one payment of an order.
type PaymentView struct {
	OutPoint string      `json:"outpoint"`
	Value    amount.Sats `json:"value_sats"`
	SeenAt   time.Time   `json:"seen_at"`
	Height   int64       `json:"height"` // -1 while unconfirmed
	Counted  bool        `json:"counted"`
	Late     bool        `json:"late"`
	Vanished bool        `json:"vanished"`
	SpentBy  string      `json:"spent_by"`
	Refunded bool        `json:"refunded"`
}

// OrderDetail is the view of an order with all related records.
type OrderDetail struct {
	OrderView
	Moves    []MoveView    `json:"moves"`
	Payments []PaymentView `json:"payments"`
	UnitList []UnitView    `json:"unit_list"`
	Requests []RequestView `json:"requests"`
	Refunds  []PayoutView  `json:"refunds"`
	Log      []LogLine     `json:"log"`
}

// View returns the view of an order with all related records.
func (f OrderFacts) View() OrderDetail {
	d := OrderDetail{
		OrderView: viewOrder(f.Order), Moves: f.Moves, Payments: []PaymentView{}, UnitList: []UnitView{},
		Requests: []RequestView{}, Refunds: []PayoutView{}, Log: logLines(f.Log),
	}
	d.InAudit, d.Waits = f.AuditReason(), f.Waits
	for _, p := range f.Payments {
		d.Payments = append(d.Payments, PaymentView{
			p.OutPoint.String(), p.Value, p.SeenAt, p.Height, p.Counted, p.Late, p.Vanished, p.SpentBy, p.Refunded,
		})
	}
	for _, u := range f.Units {
		d.UnitList = append(d.UnitList, viewUnit(u))
	}
	for _, r := range f.Requests {
		d.Requests = append(d.Requests, ViewRequest(r))
	}
	for _, p := range f.Refunds {
		d.Refunds = append(d.Refunds, viewPayout(p))
	}
	return d
}
