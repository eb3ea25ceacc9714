package api

import (
	"context"
	"errors"

	"moonfund/internal/fault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
)

// FetchClientPOs is POST fetchClientPOs.
func (h *handler) FetchClientPOs(ctx context.Context,
	r FetchClientPOsRequestObject) (FetchClientPOsResponseObject, error) {
	w, err := h.wallet(r.Body.WWalletCode, r.Body.WWalletCodeOrd)
	if err != nil {
		return nil, err
	}
	orders, err := h.services.Orders.Orders(ctx, visitOf(ctx).site.Prefix, w)
	if err != nil {
		return nil, err
	}
	return FetchClientPOs200JSONResponse{Success: true, Data: &OrderList{Orders: each(orders, wireOrder)}}, nil
}

// FetchPOTxHistory is POST fetchPOTxHistory.
func (h *handler) FetchPOTxHistory(ctx context.Context,
	r FetchPOTxHistoryRequestObject) (FetchPOTxHistoryResponseObject, error) {
	w, err := h.wallet(r.Body.WWalletCode, r.Body.WWalletCodeOrd)
	if err != nil {
		return nil, err
	}
	payments, err := h.services.Orders.Payments(ctx, visitOf(ctx).site.Prefix, w, r.Body.OrderId)
	if err != nil {
		return nil, err
	}
	return FetchPOTxHistory200JSONResponse{Success: true, Data: &PaymentList{PoTxs: each(payments, wirePayment)}}, nil
}

// RearatePO is POST rearatePO.
func (h *handler) RearatePO(ctx context.Context, r RearatePORequestObject) (RearatePOResponseObject, error) {
	w, err := h.changer(ctx, r.Body.WWalletCode, r.Body.WWalletCodeOrd)
	if err != nil {
		return nil, err
	}
	rerated, err := h.services.Orders.Rerate(ctx, visitOf(ctx).site.Prefix, w, r.Body.OrderId)
	if err != nil {
		return nil, err
	}
	wire, err := h.order(ctx, w, rerated.ID)
	if err != nil {
		return nil, err
	}
	return RearatePO200JSONResponse{Success: true, Data: &OrderData{Order: wire}}, nil
}

// CancelPO is POST cancelPO. Without a proof it returns the message to sign, with a proof the canceled order.
func (h *handler) CancelPO(ctx context.Context, r CancelPORequestObject) (CancelPOResponseObject, error) {
	w, err := h.changer(ctx, r.Body.WWalletCode, r.Body.WWalletCodeOrd)
	if err != nil {
		return nil, err
	}
	actionID, signature := value(r.Body.ActionId), value(r.Body.Signature)
	var data Cancel
	switch {
	case actionID == "" && signature == "":
		data, err = h.askCancel(ctx, w, r.Body.OrderId, value(r.Body.Statement))
	case actionID == "":
		err = fault.Reject(fault.MissingKey, "action_id")
	case signature == "":
		err = fault.Reject(fault.MissingKey, "signature")
	default:
		proof := action.SignRequest{Wallet: w, ActionID: actionID, Signature: signature}
		canceled, err := h.services.Actions.SignCancel(ctx, visitOf(ctx).site.Prefix, proof, r.Body.OrderId)
		if err != nil {
			return nil, err
		}
		wire, err := h.order(ctx, w, canceled.ID)
		if err != nil {
			return nil, err
		}
		data.Order = &wire
	}
	if err != nil {
		return nil, err
	}
	return CancelPO200JSONResponse{Success: true, Data: &data}, nil
}

// askCancel returns the message to sign, or the order if it is canceled already (cancel is idempotent).
func (h *handler) askCancel(ctx context.Context, w action.Wallet, orderID, statement string) (Cancel, error) {
	if err := h.limitIntents(ctx); err != nil {
		return Cancel{}, err
	}
	prefix := visitOf(ctx).site.Prefix
	requested, refusal := h.services.Actions.PostCancel(ctx, prefix, w, orderID, statement)
	if refusal == nil {
		return Cancel{ActionId: &requested.ActionID, Messagetosign: &requested.Message}, nil
	}
	view, err := h.services.Orders.Order(ctx, prefix, w, orderID)
	if unknown := new(fault.Error); err != nil && !errors.As(err, &unknown) {
		return Cancel{}, err
	}
	if err == nil && view.Status == order.Canceled {
		wire := wireOrder(view)
		return Cancel{Order: &wire}, nil
	}
	return Cancel{}, refusal
}

// order returns an order of the wallet, for every call whose response is an order.
func (h *handler) order(ctx context.Context, w action.Wallet, id string) (Order, error) {
	view, err := h.services.Orders.Order(ctx, visitOf(ctx).site.Prefix, w, id)
	if err != nil {
		return Order{}, err
	}
	return wireOrder(view), nil
}
