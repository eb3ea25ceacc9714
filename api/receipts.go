package api

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"

	"moonfund/fault"
	"moonfund/state"
)

// Receipts reads signed receipts. Of returns those of an owner as a canonical JSON array, or state.ErrNotFound if the
// community has none.
type Receipts interface {
	// An empty id selects all. skip newer receipts are left out.
	Of(ctx context.Context, community, owner, actionID, orderID string, skip int32) (string, error)
}

// receiptsPath is the path of receipts below a prefix. Like statements they are not in an envelope.
const receiptsPath = "/receipts/{owner}"

func (h *handler) serveReceipts(w http.ResponseWriter, r *http.Request) {
	query, skip := r.URL.Query(), int32(0)
	if text := query.Get("skip"); text != "" {
		n, err := strconv.ParseUint(text, 10, 31)
		if err != nil {
			h.writeFault(w, r, fault.Reject(fault.NumberOutOfRange, "skip", 0, math.MaxInt32))
			return
		}
		skip = int32(n)
	}
	owner, err := h.services.Address(r.PathValue("owner"))
	if err != nil {
		// Not 200, which is a rejection elsewhere: a caller of this path takes a body with 200 for the list.
		h.writeFault(w, r, fault.From(err).WithKind(fault.Invalid))
		return
	}
	text, err := "", state.ErrNotFound
	if h.services.Receipts != nil {
		text, err = h.services.Receipts.Of(r.Context(), visitOf(r.Context()).site.Prefix, owner, query.Get("action"),
			query.Get("order"), skip)
	}
	if errors.Is(err, state.ErrNotFound) {
		err = fault.New(fault.NotFound, fault.NoReceipts)
	}
	if err != nil {
		h.writeFault(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte(text)) // a disconnected caller repeats the request
}
