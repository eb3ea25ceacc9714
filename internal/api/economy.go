package api

import (
	"context"
	"math"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/fault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
)

// EconomyView is the state of an economy order.
type EconomyView struct {
	Network    amount.FeeRate // of a normal order
	Ends       time.Time      // if its owner chooses nothing
	Ended      bool           // the order was paid, and closed at its end
	AtLimit    bool
	WaitUntil  time.Time // limit after a wait, or the end if it is sooner; zero if the owner can't choose to wait
	Difference order.Difference
	Now        time.Time
}

// WaitPO is POST waitPO.
func (h *handler) WaitPO(ctx context.Context, r WaitPORequestObject) (WaitPOResponseObject, error) {
	data, err := h.changeOrder(ctx, r.Body, h.services.Orders.Wait)
	if err != nil {
		return nil, err
	}
	return WaitPO200JSONResponse{Success: true, Data: data}, nil
}

// PayDifferencePO is POST payDifferencePO.
func (h *handler) PayDifferencePO(ctx context.Context,
	r PayDifferencePORequestObject) (PayDifferencePOResponseObject, error) {
	data, err := h.changeOrder(ctx, r.Body, h.services.Orders.Raise)
	if err != nil {
		return nil, err
	}
	return PayDifferencePO200JSONResponse{Success: true, Data: data}, nil
}

// changeOrder changes an order of the caller and returns it.
func (h *handler) changeOrder(ctx context.Context, r *OrderRequest,
	change func(ctx context.Context, community string, w action.Wallet, orderID string) (order.Order, error)) (
	*OrderData, error) {
	w, err := h.changer(ctx, r.WWalletCode, r.WWalletCodeOrd)
	if err != nil {
		return nil, err
	}
	changed, err := change(ctx, visitOf(ctx).site.Prefix, w, r.OrderId)
	if err != nil {
		return nil, err
	}
	wire, err := h.order(ctx, w, changed.ID)
	return &OrderData{Order: wire}, err
}

// economyRequest returns the speed in a request, or the zero value if there is none.
func economyRequest(r *ActionRequest) (e action.EconomyRequest, err error) {
	if r.Economy == nil {
		return e, nil
	}
	perVB := r.Economy.Feerate
	if !(perVB > 0 && perVB <= 1_000_000) {
		return e, fault.Reject(fault.NumberOutOfRange, "economy.feerate", int64(0), int64(1_000_000))
	}
	e.Rate = amount.FeeRate(math.Round(perVB * 1000))
	if math.Abs(e.Rate.Float()-perVB) > 1e-9 {
		return e, fault.Reject(fault.WrongType, "economy.feerate", "a number with at most 3 decimals")
	}
	if r.Economy.Days == nil {
		return e, nil
	}
	if e.Days = *r.Economy.Days; e.Days < 1 || e.Days > order.EconomyDays {
		return e, fault.Reject(fault.NumberOutOfRange, "economy.days", int64(1), int64(order.EconomyDays))
	}
	return e, nil
}

// economyEstimate sets the economy part of an estimate.
func economyEstimate(q action.EconomyQuote, estimate *Estimate) {
	switch {
	case q.MaxDays < 1:
		estimate.EconomyUnavailable = new(EstimateEconomyUnavailableNearRecovery)
		return
	case q.MaxRate < q.MinRate:
		estimate.EconomyUnavailable = new(EstimateEconomyUnavailableRateAtMinimum)
		return
	}
	estimate.Economy = &EconomyEstimate{
		Estimate: Sats(q.Economy.Total()), Fees: wireFees(q.Economy, q.Rate),
		Saved: int64(q.Normal.Total() - q.Economy.Total()), Until: q.Until,
		MinFeerate: q.MinRate.Float(), MaxFeerate: q.MaxRate.Float(), MaxDays: q.MaxDays,
	}
}

func wireFees(f order.Fees, rate amount.FeeRate) Fees {
	return Fees{
		Total: Sats(f.Total()), Network: Sats(f.Network), Service: Sats(f.Service), Rutxos: Sats(f.Rutxos),
		Dust: Sats(f.Dust), Feerate: rate.Float(),
	}
}

// wireEconomy converts the speed of an order; nil at normal speed.
func wireEconomy(o OrderView) *Economy {
	if !o.IsEconomy() {
		return nil
	}
	e := o.Economy
	wire := &Economy{
		Feerate: o.FeeRate.Float(), NetworkFeerate: e.Network.Float(), WaitsFor: waitsFor(o), Until: o.Order.Economy.Until,
		LimitReached: e.AtLimit, Ends: e.Ends, Ended: e.Ended, Choices: []EconomyChoices{},
		WaitUntil: dateOrNull(e.WaitUntil),
	}
	if o.Status != order.Paid {
		if o.Cancelable() == nil {
			wire.Choices = append(wire.Choices, EconomyChoicesCancel)
		}
		return wire
	}
	if wire.WaitUntil != nil {
		wire.Choices = append(wire.Choices, EconomyChoicesWait)
	}
	d := e.Difference
	valid := d.Total > 0 && !e.Now.After(d.Until)
	if e.Network > o.FeeRate && !(valid && d.Seen) {
		wire.Choices = append(wire.Choices, EconomyChoicesPayDifference)
	}
	wire.Choices = append(wire.Choices, EconomyChoicesCancel)
	if d.Seen || valid {
		wire.Difference = &Difference{Feerate: d.Rate.Float(), TotalFee: int64(d.Total), Due: int64(d.Due),
			Until: d.Until.UTC(), Seen: d.Seen}
	}
	return wire
}

func waitsFor(o OrderView) EconomyWaitsFor {
	switch {
	case o.Status == order.Paid && o.Economy.Network > o.FeeRate:
		return EconomyWaitsForRate
	case o.Status == order.Paid:
		return EconomyWaitsForDelivery
	case o.Status.Active():
		return EconomyWaitsForPayment
	}
	return EconomyWaitsForNothing
}
