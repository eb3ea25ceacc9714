package api

import (
	"context"
	"encoding/hex"

	"moonfund/internal/amount"
	"moonfund/internal/fault"
	"moonfund/internal/staking/action"
)

// Calls that change state or concern one wallet.

// wallet returns the addresses of a request in canonical form, or a fault if one is invalid.
func (h *handler) wallet(payment, ordinals string) (w action.Wallet, err error) {
	if w.Payment, err = h.services.Address(payment); err != nil {
		return action.Wallet{}, err
	}
	if w.Ordinals, err = h.services.Address(ordinals); err != nil {
		return action.Wallet{}, err
	}
	return w, nil
}

// changer is like wallet, for calls that change state. It returns an error while changes are refused.
func (h *handler) changer(ctx context.Context, payment, ordinals string) (action.Wallet, error) {
	w, err := h.wallet(payment, ordinals)
	if err != nil {
		return w, err
	}
	return w, h.services.State.MayChange(ctx)
}

// actor is like changer, but does not check for a pause before an END_AUTO_COMPOUND: package action accepts it while
// everything is paused.
func (h *handler) actor(ctx context.Context, kind action.Type, payment, ordinals string) (action.Wallet, error) {
	if kind == action.EndAutoCompound {
		return h.wallet(payment, ordinals)
	}
	return h.changer(ctx, payment, ordinals)
}

// PostInfoWallet is POST postInfoWallet.
func (h *handler) PostInfoWallet(ctx context.Context,
	r PostInfoWalletRequestObject) (PostInfoWalletResponseObject, error) {
	w, err := h.wallet(r.Body.WWalletCode, r.Body.WWalletCodeOrd)
	if err != nil {
		return nil, err
	}
	totals, err := h.services.Ledger.Totals(ctx, visitOf(ctx).site.Prefix, w)
	if err != nil {
		return nil, err
	}
	return PostInfoWallet200JSONResponse{Success: true, Data: &InfoWallet{
		PendingStake: totals.PendingStake.String(), WalletStaked: totals.Staked.String(),
		ClaimableRewards: totals.Claimable.String(), LockedUnstaked: totals.PendingUnlock.String(),
		UnlockedUnstaked: totals.Unlocked.String(),
		WalletShare:      amount.Share(totals.Staked, totals.AllStaked, shareDigits),
	}}, nil
}

// shareDigits is the maximum number of decimals of wallet_share.
const shareDigits = 18

// FetchWalletUtxos is POST fetchWalletUtxos.
func (h *handler) FetchWalletUtxos(ctx context.Context,
	r FetchWalletUtxosRequestObject) (FetchWalletUtxosResponseObject, error) {
	w, err := h.wallet(r.Body.WWalletCode, r.Body.WWalletCodeOrd)
	if err != nil {
		return nil, err
	}
	spent := r.Body.IncludeSpent != nil && bool(*r.Body.IncludeSpent)
	units, err := h.services.Ledger.Units(ctx, visitOf(ctx).site.Prefix, w, spent)
	if err != nil {
		return nil, err
	}
	return FetchWalletUtxos200JSONResponse{Success: true, Data: &UnitList{UtxosList: each(units, wireUnit)}}, nil
}

// PostDemoStake is POST postDemoStake.
func (h *handler) PostDemoStake(ctx context.Context,
	r PostDemoStakeRequestObject) (PostDemoStakeResponseObject, error) {
	w, err := h.changer(ctx, r.Body.WWalletCode, r.Body.WWalletCodeOrd)
	if err != nil {
		return nil, err
	}
	request := action.StakeRequest{Wallet: w, Amount: amount.Runes(r.Body.WaAmount),
		Self: r.Body.CustodyKind != nil && string(*r.Body.CustodyKind) == string(CustodyKindSelf)}
	if request.PaymentKey, err = publicKey(r.Body.WWalletCodePk, "w_wallet_code_pk"); err != nil {
		return nil, err
	}
	if request.OrdinalsKey, err = publicKey(r.Body.WWalletCodeOrdPk, "w_wallet_code_ord_pk"); err != nil {
		return nil, err
	}
	if wait := h.newStakes.wait(visitOf(ctx).source); wait > 0 {
		return nil, fault.New(fault.TooMany, fault.TooManyRequests, int64(wait.Seconds())+1)
	}
	stake, err := h.services.Actions.NewStake(ctx, visitOf(ctx).site.Prefix, request)
	if err != nil {
		return nil, err
	}
	return PostDemoStake200JSONResponse{Success: true, Data: &StakeTarget{StakeAddrss: stake.Address,
		WaId: stake.ActionID, CustodyKind: wireCustody(stake.Self), CommunityKey: stake.CommunityKey,
		RecoveryDelay: int64(stake.Delay)}}, nil
}

// publicKey decodes a hex key of 32 bytes (x-only), 33 (compressed) or 65 (uncompressed). It does not check the curve
// or the address; the action does.
func publicKey(text, name string) ([]byte, error) {
	key, err := hex.DecodeString(text)
	if err != nil || len(key) != 32 && len(key) != 33 && len(key) != 65 {
		return nil, fault.Refuse(fault.InvalidKey, name)
	}
	return key, nil
}

// PostAction is POST postAction.
func (h *handler) PostAction(ctx context.Context, r PostActionRequestObject) (PostActionResponseObject, error) {
	w, err := h.actor(ctx, action.Type(r.Body.WaActionType), r.Body.WWalletCode, r.Body.WWalletCodeOrd)
	if err != nil {
		return nil, err
	}
	if err := h.limitIntents(ctx); err != nil {
		return nil, err
	}
	kind, prefix, statement := action.Type(r.Body.WaActionType), visitOf(ctx).site.Prefix, value(r.Body.Statement)
	var requested action.Requested
	if kind == action.AutoCompound || kind == action.EndAutoCompound {
		var epochs int64
		if epochs, err = compoundedEpochs(r.Body); err == nil {
			requested, err = h.services.Actions.PostCompounding(ctx, prefix, w, kind, epochs, statement)
		}
	} else if economy, bad := economyRequest(r.Body); bad != nil {
		err = bad
	} else if r.Body.Economy != nil {
		a := action.Action{Community: prefix, Type: kind, Wallet: w}
		requested, err = h.services.Actions.PostEconomy(ctx, a, r.Body.Utxos, statement, economy)
	} else {
		requested, err = h.services.Actions.Post(ctx, prefix, w, kind, r.Body.Utxos, statement)
	}
	if err != nil {
		return nil, err
	}
	return PostAction200JSONResponse{Success: true, Data: &MessageToSign{
		ActionId: requested.ActionID, Messagetosign: requested.Message,
	}}, nil
}

// limitIntents returns an error if a source requested too many messages to sign. Each is stored, at most 1 KB, until a
// day after it expires.
func (h *handler) limitIntents(ctx context.Context) error {
	if wait := h.newIntents.wait(visitOf(ctx).source); wait > 0 {
		return fault.New(fault.TooMany, fault.TooManyRequests, int64(wait.Seconds())+1)
	}
	return nil
}

// SignWalletAction is POST signWalletAction. messageHash is ignored: the server computes its own.
func (h *handler) SignWalletAction(ctx context.Context,
	r SignWalletActionRequestObject) (SignWalletActionResponseObject, error) {
	w, err := h.actor(ctx, action.Type(r.Body.WaActionType), r.Body.WWalletCode, r.Body.WWalletCodeOrd)
	if err != nil {
		return nil, err
	}
	signed, err := h.services.Actions.Sign(ctx, visitOf(ctx).site.Prefix, action.SignRequest{
		Wallet: w, ActionID: r.Body.WaActionId, Type: action.Type(r.Body.WaActionType), TxID: value(r.Body.Txid),
		Signature: value(r.Body.Signature), PaymentSignature: value(r.Body.SignaturePayment),
	})
	if err != nil {
		return nil, err
	}
	effect := Effect{TransactionCreated: signed.Applied}
	if signed.Order != nil {
		wire, err := h.order(ctx, w, signed.Order.ID)
		if err != nil {
			return nil, err
		}
		effect.PaymentOrder = &wire
	}
	return SignWalletAction200JSONResponse{Success: true, Data: &effect}, nil
}

// EstimateAction is POST estimateAction.
func (h *handler) EstimateAction(ctx context.Context,
	r EstimateActionRequestObject) (EstimateActionResponseObject, error) {
	w, err := h.wallet(r.Body.WWalletCode, r.Body.WWalletCodeOrd)
	if err != nil {
		return nil, err
	}
	fees, rate, err := h.services.Actions.Estimate(ctx, visitOf(ctx).site.Prefix, w, action.Type(r.Body.WaActionType),
		r.Body.Utxos)
	if err != nil {
		return nil, err
	}
	economy, err := economyRequest(r.Body)
	if err != nil {
		return nil, err
	}
	a := action.Action{Community: visitOf(ctx).site.Prefix, Type: action.Type(r.Body.WaActionType), Wallet: w}
	quote, err := h.services.Actions.EstimateEconomy(ctx, a, r.Body.Utxos, economy)
	if err != nil {
		return nil, err
	}
	estimate := Estimate{
		WaActionType: r.Body.WaActionType, Estimate: Sats(fees.Total()), EstimationDate: h.services.Now().UTC(),
		Fees: wireFees(fees, rate),
	}
	economyEstimate(quote, &estimate)
	return EstimateAction200JSONResponse{Success: true, Data: &estimate}, nil
}

// RecoveryKit is POST recoveryKit.
func (h *handler) RecoveryKit(ctx context.Context, r RecoveryKitRequestObject) (RecoveryKitResponseObject, error) {
	w, err := h.wallet(r.Body.WWalletCode, r.Body.WWalletCodeOrd)
	if err != nil {
		return nil, err
	}
	kit, err := h.services.Proofs.RecoveryKit(ctx, visitOf(ctx).site.Prefix, w)
	if err != nil {
		return nil, err
	}
	return RecoveryKit200JSONResponse{Success: true, Data: &kit}, nil
}

// SendRecovery is POST sendRecovery.
func (h *handler) SendRecovery(ctx context.Context, r SendRecoveryRequestObject) (SendRecoveryResponseObject, error) {
	w, err := h.changer(ctx, r.Body.WWalletCode, r.Body.WWalletCodeOrd)
	if err != nil {
		return nil, err
	}
	raw, err := hex.DecodeString(r.Body.Tx)
	if err != nil {
		return nil, fault.Refuse(fault.TransactionUnreadable).Because(err)
	}
	txid, err := h.services.Recoveries.SendRecovery(ctx, visitOf(ctx).site.Prefix, w, raw)
	if err != nil {
		return nil, err
	}
	return SendRecovery200JSONResponse{Success: true, Data: &SentTransaction{Txid: txid}}, nil
}

// value returns an optional text, or "".
func value(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// Earnings is GET earnings.
func (h *handler) Earnings(ctx context.Context, r EarningsRequestObject) (EarningsResponseObject, error) {
	w, err := h.wallet(r.Params.WWalletCode, r.Params.WWalletCodeOrd)
	if err != nil {
		return nil, err
	}
	before, limit, err := epochPage(r.Params.Before, r.Params.Limit)
	if err != nil {
		return nil, err
	}
	earnings, err := h.services.Ledger.Earnings(ctx, visitOf(ctx).site.Prefix, w, before, limit)
	if err != nil {
		return nil, err
	}
	return Earnings200JSONResponse{Success: true, Data: &EarningList{Earnings: each(earnings, wireEarning)}}, nil
}
