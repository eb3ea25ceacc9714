package decisions

import (
	"context"
	"fmt"
	"slices"
	"time"

	"moonfund/internal/operate/terminal"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
)

// RequestView is a request to the running server, and its result.
type RequestView struct {
	Number   int64                `json:"number"`
	Kind     payout.RequestKind   `json:"kind"`
	Order    string               `json:"order"`
	Status   payout.RequestStatus `json:"status"`
	Note     string               `json:"note"`
	PayoutID string               `json:"payout_id"`
	By       string               `json:"by"`
	Why      string               `json:"why"`
	At       time.Time            `json:"at"`
}

// ViewRequest returns the view of a request.
func ViewRequest(r payout.Request) RequestView {
	return RequestView{r.Number, r.Kind, r.OrderID, r.Status, r.Note, r.PayoutID, r.By, r.Why, r.At}
}

// Request returns the change that records a request to the running server about r.OrderID, the id of an order or of
// another subject. The result of the change is the request's number. A subject can have only one open request, except
// that an export or import for signing by hand may be added.
func Request(
	a Author, r payout.Request, preview func(ctx context.Context, tx *store.Tx) (string, error),
) Change[int64] {
	return Change[int64]{
		Preview: func(ctx context.Context, tx *store.Tx) (string, error) {
			all, err := tx.RequestsAbout(ctx, r.OrderID)
			if err != nil {
				return "", err
			}
			for _, open := range all {
				if open.Status == payout.RequestOpen && !signedByHand(r.Kind, open.Kind) {
					return "", fmt.Errorf("request %d (%s, by %s) about it is not carried out yet%s",
						open.Number, open.Kind, open.By, NoteSuffix(open.Note))
				}
			}
			return preview(ctx, tx)
		},
		Apply: func(ctx context.Context, tx *store.Tx, at time.Time, shown string) (int64, error) {
			a, recorded := a.Trimmed(), r
			recorded.By, recorded.Why, recorded.At = a.By, a.Why, at
			return tx.InsertRequest(ctx, recorded, shown)
		},
	}
}

// NoteSuffix returns a note after a colon, or "".
func NoteSuffix(note string) string {
	if note == "" {
		return ""
	}
	return ": " + note
}

// pollInterval is the interval at which AwaitRequest reads the request.
const pollInterval = 200 * time.Millisecond

// AwaitRequest returns a request when the server has executed or refused it. After wait it returns the open request,
// with a note about the pause that delays it.
func AwaitRequest(
	ctx context.Context, db *store.Store, subject string, number int64, wait time.Duration,
) (r payout.Request, err error) {
	deadline := time.NewTimer(wait)
	defer deadline.Stop()
	poll := time.NewTicker(pollInterval)
	defer poll.Stop()
	for {
		if err := db.View(ctx, func(tx *store.Tx) error {
			requests, err := tx.RequestsAbout(ctx, subject)
			i := slices.IndexFunc(requests, func(r payout.Request) bool { return r.Number == number })
			if err == nil && i >= 0 {
				r = requests[i]
			}
			return err
		}); err != nil {
			return r, err
		}
		if r.Status != payout.RequestOpen {
			return r, nil
		}
		select {
		case <-ctx.Done():
			return r, ctx.Err()
		case <-deadline.C:
			return r, db.View(ctx, func(tx *store.Tx) error { return setPauseNote(ctx, tx, &r) })
		case <-poll.C:
		}
	}
}

// setPauseNote sets the note of a request without one to the pause that delays it, if there is one.
func setPauseNote(ctx context.Context, tx *store.Tx, r *payout.Request) error {
	ledgerOnly := []payout.RequestKind{payout.RequestReview, payout.RequestResume, payout.RequestClose}
	sends := !slices.Contains(ledgerOnly, r.Kind)
	for _, what := range []string{"payouts", "all"} {
		reason, since, err := tx.PausedSince(ctx, store.Pauses[what])
		if err != nil {
			return err
		}
		if r.Note == "" && reason != "" && (what == "all" || sends) {
			r.Note = fmt.Sprintf("`moonfund resume %s` comes first, paused since %s because: %s",
				what, terminal.Time(since), reason)
		}
	}
	return nil
}

// signedByHand reports whether an export or import may be added to an open request. It may be added to a refund or
// return, which an operator signs by hand if the signer refuses it.
func signedByHand(asked, open payout.RequestKind) bool {
	return (asked == payout.RequestExport || asked == payout.RequestSend) &&
		(open == payout.RequestRefund || open == payout.RequestReturn)
}
