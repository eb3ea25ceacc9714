package api

import (
	"context"
	"slices"
	"time"

	"moonfund/internal/fault"
	"moonfund/internal/staking/action"
)

// featureOneTx is the feature of every community if the server offers withdrawals in one transaction.
const featureOneTx = "one_tx"

// The states of OneTxView.
const (
	OneTxSigned = OrderOneTxStateSigned // the owner's signatures are accepted; the server has not signed
	OneTxSent   = OrderOneTxStateSent   // signed by both
	OneTxEnded  = OrderOneTxStateEnded  // the last attempt ended before the server signed
)

// OneTxView is the transaction of an order that its owner signs. The zero value is for other orders.
type OneTxView struct {
	State OrderOneTxState
	Quote action.OneTxQuote // Fee, VBytes and Rate are used
	Until time.Time         // OneTxSigned, or a signed replacement: end of the attempt
	Ended string            // OneTxEnded, or a replacement that ended: the code of the fault for which it ended
}

// EstimateOneTx is POST estimateOneTx.
func (h *handler) EstimateOneTx(ctx context.Context,
	r EstimateOneTxRequestObject) (EstimateOneTxResponseObject, error) {
	w, err := h.wallet(r.Body.WWalletCode, r.Body.WWalletCodeOrd)
	if err != nil {
		return nil, err
	}
	key, err := optionalKey(r.Body.WWalletCodePk)
	if err != nil {
		return nil, err
	}
	switch units := r.Body.Utxos; {
	case len(units) == 0:
		return nil, fault.Reject(fault.NoUnits)
	case len(slices.Compact(slices.Sorted(slices.Values(units)))) < len(units):
		return nil, fault.Reject(fault.UnitTwice)
	}
	v := visitOf(ctx)
	q, err := h.services.OneTx.EstimateOneTx(ctx, action.OneTxEstimate{Community: v.site.Prefix, Wallet: w,
		UnitIDs: r.Body.Utxos, Key: key, Source: v.source})
	if err != nil {
		return nil, err
	}
	return EstimateOneTx200JSONResponse{Success: true, Data: &OneTxEstimate{
		Fee: int64(q.Fee), Vbytes: q.VBytes, Feerate: q.Rate.Float(), Coins: q.Coins, Change: int64(q.Change),
		EstimationDate: h.services.Now().UTC(),
	}}, nil
}

// BeginOneTx is POST beginOneTx.
func (h *handler) BeginOneTx(ctx context.Context, r BeginOneTxRequestObject) (BeginOneTxResponseObject, error) {
	w, err := h.changer(ctx, r.Body.WWalletCode, r.Body.WWalletCodeOrd)
	if err != nil {
		return nil, err
	}
	key, err := optionalKey(r.Body.WWalletCodePk)
	if err != nil {
		return nil, err
	}
	draft, err := h.services.OneTx.BeginOneTx(ctx, visitOf(ctx).site.Prefix, w, r.Body.OrderId, key)
	if err != nil {
		return nil, err
	}
	return BeginOneTx200JSONResponse{Success: true, Data: &OneTxDraft{
		Psbt: draft.PSBT, Inputs: append([]int{}, draft.Inputs...),
		OwnerInputs: append([]int{}, draft.Units...), Address: draft.Address, Fee: int64(draft.Quote.Fee),
		Vbytes: draft.Quote.VBytes, Feerate: draft.Quote.Rate.Float(), Until: draft.Until.UTC(),
	}}, nil
}

// SendOneTx is POST sendOneTx.
func (h *handler) SendOneTx(ctx context.Context, r SendOneTxRequestObject) (SendOneTxResponseObject, error) {
	w, err := h.changer(ctx, r.Body.WWalletCode, r.Body.WWalletCodeOrd)
	if err != nil {
		return nil, err
	}
	o, err := h.services.OneTx.SendOneTx(ctx, visitOf(ctx).site.Prefix, w, r.Body.OrderId, r.Body.Psbt)
	if err != nil {
		return nil, err
	}
	wire, err := h.order(ctx, w, o.ID)
	if err != nil {
		return nil, err
	}
	return SendOneTx200JSONResponse{Success: true, Data: &OrderData{Order: wire}}, nil
}

// optionalKey decodes the payment address's public key; nil if it is absent.
func optionalKey(text *string) ([]byte, error) {
	if value(text) == "" {
		return nil, nil
	}
	return publicKey(*text, "w_wallet_code_pk")
}

// wireOneTx converts the withdrawal in one transaction of an order; nil for an order without one.
func wireOneTx(v OneTxView) *OrderOneTx {
	if v.State == "" {
		return nil
	}
	wire := &OrderOneTx{State: v.State, Fee: Sats(v.Quote.Fee), Vbytes: v.Quote.VBytes, Feerate: v.Quote.Rate.Float(),
		Until: dateOrNull(v.Until)}
	if v.Ended != "" {
		wire.Ended = &v.Ended
	}
	return wire
}
