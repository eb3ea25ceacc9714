package api

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strconv"

	"moonfund/internal/fault"
	"moonfund/internal/state"
)

// Receipts reads signed receipts. Of returns the receipts of an owner as a canonical JSON array, or state.ErrNotFound
// if the community has none.
type Receipts interface {
	// At most one id is set; two empty ids select all receipts. The newest skip receipts are omitted.
	Of(ctx context.Context, community, owner, actionID, orderID string, skip int32) (string, error)
}

// receiptsPath is the path of receipts below a prefix. Like statements they are not in an envelope.
const receiptsPath = "/receipts/{owner}"

func (h *handler) serveReceipts(w http.ResponseWriter, r *http.Request) {
	action, order, skip, err := receiptQuery(r.URL.Query())
	if err != nil {
		h.writeFault(w, r, err)
		return
	}
	owner, err := h.services.Address(r.PathValue("owner"))
	if err != nil {
		// The status is not 200, which elsewhere is a refusal, because a caller of this path would take the body for
		// the list.
		h.writeFault(w, r, fault.From(err).WithKind(fault.Invalid))
		return
	}
	v := visitOf(r.Context())
	if wait := h.perSource.waitFor(v.source, int(skip/skippedPerCall)); wait > 0 {
		h.tooMany(w, wait)
		return
	}
	text, err := "", state.ErrNotFound
	if h.services.Receipts != nil {
		text, err = h.services.Receipts.Of(r.Context(), v.site.Prefix, owner, action, order, skip)
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

const (
	maxSkipped     = 100_000 // skipping that many takes 10 ms
	skippedPerCall = 10_000  // this many skipped receipts count as one more call of the source
)

var receiptID = regexp.MustCompile(`^[0-9A-Za-z-]{0,64}$`)

// receiptQuery returns the parameters of a call for receipts.
func receiptQuery(query url.Values) (action, order string, skip int32, err error) {
	action, order = query.Get("action"), query.Get("order")
	for name, id := range map[string]string{"action": action, "order": order} {
		if !receiptID.MatchString(id) {
			return "", "", 0, fault.Reject(fault.WrongType, name, "an id of letters and digits")
		}
	}
	if action != "" && order != "" {
		return "", "", 0, fault.Reject(fault.WrongType, "action", "left out if order is given")
	}
	if text := query.Get("skip"); text != "" {
		n, err := strconv.ParseUint(text, 10, 31)
		if err != nil || n > maxSkipped {
			return "", "", 0, fault.Reject(fault.NumberOutOfRange, "skip", 0, maxSkipped)
		}
		skip = int32(n)
	}
	return action, order, skip, nil
}
