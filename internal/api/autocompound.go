package api

import (
	"context"

	"moonfund/internal/fault"
	"moonfund/internal/staking/action"
)

// AutoCompound is GET autoCompound.
func (h *handler) AutoCompound(ctx context.Context,
	r AutoCompoundRequestObject) (AutoCompoundResponseObject, error) {
	w, err := h.wallet(r.Params.WWalletCode, r.Params.WWalletCodeOrd)
	if err != nil {
		return nil, err
	}
	view, err := h.services.Ledger.Compounding(ctx, visitOf(ctx).site.Prefix, w)
	if err != nil {
		return nil, err
	}
	reply := AutoCompound{NextEpoch: view.Next, State: AutoCompoundStateNONE}
	if i := view.Last; i.ID != "" {
		signed := i.Signed.UTC()
		reply.State, reply.FirstEpoch, reply.LastEpoch, reply.SignedAt = AutoCompoundStateACTIVE, &i.First, &i.Last, &signed
		if !i.Ended.IsZero() {
			ended := i.Ended.UTC()
			reply.State, reply.EndedAt = AutoCompoundStateENDED, &ended
		}
	}
	return AutoCompound200JSONResponse{Success: true, Data: &reply}, nil
}

// compoundedEpochs returns the number of epochs of a request for an AUTO_COMPOUND, 0 for the default.
func compoundedEpochs(r *ActionRequest) (int64, error) {
	if r.Epochs == nil {
		return 0, nil
	}
	if *r.Epochs < 1 || *r.Epochs > action.MaxCompounding {
		return 0, fault.Reject(fault.NumberOutOfRange, "epochs", int64(1), int64(action.MaxCompounding))
	}
	return *r.Epochs, nil
}
