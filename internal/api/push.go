package api

import (
	"context"

	"moonfund/internal/fault"
)

// Calls about messages to a wallet's owner by Web Push.

// PushState is POST pushState.
func (h *handler) PushState(ctx context.Context, r PushStateRequestObject) (PushStateResponseObject, error) {
	w, err := h.wallet(r.Body.WWalletCode, r.Body.WWalletCodeOrd)
	if err != nil {
		return nil, err
	}
	reply := PushState{PublicKey: h.services.Push.PushKey()}
	if reply.PublicKey == "" { // so that the page offers nothing
		return nil, fault.Refuse(fault.PushEndpoint)
	}
	if r.Body.Endpoint != nil {
		reply.Subscribed, err = h.services.Push.IsSubscribed(ctx, visitOf(ctx).site.Prefix, w, *r.Body.Endpoint)
	}
	return PushState200JSONResponse{PushAnswerJSONResponse{Success: true, Data: &reply}}, err
}

// PushSubscribe is POST pushSubscribe.
func (h *handler) PushSubscribe(ctx context.Context,
	r PushSubscribeRequestObject) (PushSubscribeResponseObject, error) {
	w, err := h.wallet(r.Body.WWalletCode, r.Body.WWalletCodeOrd)
	if err != nil {
		return nil, err
	}
	if err := h.limitIntents(ctx); err != nil { // one signature can subscribe repeatedly
		return nil, err
	}
	if err := h.services.Push.Subscribe(ctx, visitOf(ctx).site.Prefix, PushRequest{
		Wallet: w, ActionID: r.Body.ActionId, Signature: r.Body.Signature,
		Endpoint: r.Body.Endpoint, Key: r.Body.P256dh, Auth: r.Body.Auth,
	}); err != nil {
		return nil, err
	}
	reply := PushState{PublicKey: h.services.Push.PushKey(), Subscribed: true}
	return PushSubscribe200JSONResponse{PushAnswerJSONResponse{Success: true, Data: &reply}}, nil
}

// PushEnd is POST pushEnd.
func (h *handler) PushEnd(ctx context.Context, r PushEndRequestObject) (PushEndResponseObject, error) {
	if err := h.limitIntents(ctx); err != nil { // anyone can call it, and it may take the write lock
		return nil, err
	}
	if err := h.services.Push.Unsubscribe(ctx, r.Body.Endpoint); err != nil {
		return nil, err
	}
	reply := PushState{PublicKey: h.services.Push.PushKey()}
	return PushEnd200JSONResponse{PushAnswerJSONResponse{Success: true, Data: &reply}}, nil
}
