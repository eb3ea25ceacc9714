package api

import (
	"context"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/fault"
	"moonfund/internal/staking/community"
	"moonfund/internal/staking/order"
)

// Calls without a wallet.

// deliverySats is the value in sats of an output that delivers runes.
const deliverySats Sats = 546

// InfoGlobals is GET infoGlobals.
func (h *handler) InfoGlobals(ctx context.Context, _ InfoGlobalsRequestObject) (InfoGlobalsResponseObject, error) {
	reply, err := h.globals(ctx)
	if err != nil {
		return nil, err
	}
	return InfoGlobals200JSONResponse{GlobalsAnswerJSONResponse(reply)}, nil
}

// PostInfoGlobals is POST infoGlobals.
func (h *handler) PostInfoGlobals(ctx context.Context,
	_ PostInfoGlobalsRequestObject) (PostInfoGlobalsResponseObject, error) {
	reply, err := h.globals(ctx)
	if err != nil {
		return nil, err
	}
	return PostInfoGlobals200JSONResponse{GlobalsAnswerJSONResponse(reply)}, nil
}

func (h *handler) globals(ctx context.Context) (InfoGlobalsReply, error) {
	g, err := h.services.Ledger.Globals(ctx, visitOf(ctx).site.Prefix)
	if err != nil {
		return InfoGlobalsReply{}, err
	}
	return InfoGlobalsReply{Success: true, Data: &InfoGlobals{
		TotalStaked: g.TotalStaked.String(), TotalIssued: g.TotalIssued, Epoch: g.Epoch,
		EndNextEpochUTC: g.NextEpoch.UTC(), FrontNotice: g.Notice,
	}}, nil
}

// Community is GET community.
func (h *handler) Community(ctx context.Context, _ CommunityRequestObject) (CommunityResponseObject, error) {
	wire := wireCommunity(visitOf(ctx).site)
	if h.services.OwnCoins {
		wire.Features = append(wire.Features, featureOneTx)
	}
	return Community200JSONResponse{Success: true, Data: wire}, nil
}

func wireCommunity(m community.Manifest) *Community {
	return &Community{
		Prefix: m.Prefix, Host: m.Host, Name: m.Name, Token: m.Token, Network: CommunityNetwork(m.Network),
		RuneId: m.Rune.ID, RuneName: m.Rune.Name, Symbol: m.Rune.Symbol, Divisibility: m.Rune.Divisibility,
		Genesis: m.Genesis.UTC(), EpochSeconds: int64(m.EpochLength.Seconds()),
		MinimumStake: m.MinimumStake.String(), ServiceFee: Sats(m.ServiceFee), Dust: deliverySats,
		RecoveryDelay: int64(m.RecoveryDelay), OperatorCustody: m.OperatorCustody,
		MaxUnitsPerOrder: m.Limits.MaxUnitsPerOrder,
		PendingMinutes:   int(order.FeeValid.Minutes()), PaymentDays: int(order.PaymentWindow.Hours() / 24),
		DeliveryConfirmations: order.DeliveryDepth, ExplorerTx: m.ExplorerTx, Collection: m.Collection, Image: m.Image,
		Contact: m.Contact, StatementKey: m.StatementKey,
		Texts: CommunityTexts{Description: m.Texts.Description, LearnMore: m.Texts.LearnMore,
			FrontNotice: m.Texts.FrontNotice, GetToken: m.Texts.GetToken},
		Features: append([]string{}, m.Features...),
	}
}

// Status is GET status.
func (h *handler) Status(ctx context.Context, _ StatusRequestObject) (StatusResponseObject, error) {
	status, err := h.services.State.Status(ctx, visitOf(ctx).site.Prefix)
	if err != nil {
		return nil, err
	}
	status.Time = status.Time.UTC()
	return Status200JSONResponse{Success: true, Data: &status}, nil
}

// FeeRates is GET feeRates.
func (h *handler) FeeRates(ctx context.Context, _ FeeRatesRequestObject) (FeeRatesResponseObject, error) {
	claim, withdrawal, err := h.services.Actions.TypicalFees(ctx, visitOf(ctx).site.Prefix)
	if err != nil {
		return nil, err
	}
	return FeeRates200JSONResponse{Success: true, Data: &FeeRateList{
		Rates: h.services.State.FeeRates(ctx), Claim: Sats(claim.Total()), Withdrawal: Sats(withdrawal.Total()),
	}}, nil
}

// epochPage returns the requested range of epochs: at most limit epochs below before. The default is the newest 52
// epochs, for which before is chain.None.
func epochPage(asked *int64, size *int) (before int64, limit int, err error) {
	before = chain.None
	if asked != nil {
		if before = *asked; before < 0 {
			return 0, 0, fault.Reject(fault.NumberOutOfRange, "before", 0, int64(1)<<62)
		}
	}
	limit, err = pageSize(size, 52)
	return before, limit, err
}

// Epochs is GET epochs.
func (h *handler) Epochs(ctx context.Context, r EpochsRequestObject) (EpochsResponseObject, error) {
	before, limit, err := epochPage(r.Params.Before, r.Params.Limit)
	if err != nil {
		return nil, err
	}
	epochs, err := h.services.Ledger.Epochs(ctx, visitOf(ctx).site.Prefix, before, limit)
	if err != nil {
		return nil, err
	}
	return Epochs200JSONResponse{Success: true, Data: &EpochList{Epochs: each(epochs, wireEpoch)}}, nil
}

// maxPage is the maximum number of entries in one page.
const maxPage = 500

// pageSize returns the requested number of entries, or usual if none was requested.
func pageSize(asked *int, usual int) (int, error) {
	if asked == nil {
		return usual, nil
	}
	if *asked < 1 || *asked > maxPage {
		return 0, fault.Reject(fault.NumberOutOfRange, "limit", 1, maxPage)
	}
	return *asked, nil
}

// Epoch is GET epochs/{epoch}.
func (h *handler) Epoch(ctx context.Context, r EpochRequestObject) (EpochResponseObject, error) {
	record, err := h.services.Ledger.EpochRecord(ctx, visitOf(ctx).site.Prefix, r.Epoch)
	if err != nil {
		return nil, err
	}
	detail := EpochDetail{
		Epoch: wireEpoch(record.EpochView), Inputs: append([]EpochInput{}, record.Inputs...),
		Rewards: each(record.Rewards, wireReward),
	}
	if record.Settled && record.Cut != chain.None {
		detail.CutHeight, detail.CutHash = &record.Cut, &record.CutHash
	}
	return Epoch200JSONResponse{Success: true, Data: &detail}, nil
}

// Reserves is GET reserves.
func (h *handler) Reserves(ctx context.Context, _ ReservesRequestObject) (ReservesResponseObject, error) {
	reserves, err := h.services.Proofs.Reserves(ctx, visitOf(ctx).site.Prefix)
	if err != nil {
		return nil, err
	}
	return Reserves200JSONResponse{Success: true, Data: &reserves}, nil
}
