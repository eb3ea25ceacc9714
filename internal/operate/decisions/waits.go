package decisions

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"moonfund/internal/operate/terminal"
	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
)

// WaitView is something of an order that the server does not send or carry out now.
type WaitView struct {
	What   string    `json:"what"` // such as "refund", "replacement" or "pause"; "delivery" of a PAID order
	Reason string    `json:"reason"`
	Since  time.Time `json:"since"`
}

func (w WaitView) String() string {
	return fmt.Sprintf("%s, since %s: %s", w.What, terminal.Time(w.Since), w.Reason)
}

// readWaits sets what waits of an order, with what holds all payouts while something of it is to be sent.
func (f *OrderFacts) readWaits(ctx context.Context, tx *store.Tx) (err error) {
	of := []string{f.ID, "order " + f.ID, "refund " + f.ID, "decision " + f.ID, "session " + f.ID}
	for _, q := range f.Requests {
		of = append(of, q.Subject())
	}
	payouts := []string{f.PayoutID}
	for _, p := range f.Refunds {
		payouts = append(payouts, p.ID)
		if p.Status != payout.Live {
			continue
		}
		refused, err := RefusalOf(ctx, tx, p.Last().Tx.ID.String())
		if err != nil {
			return err
		}
		if refused != nil {
			f.Waits = append(f.Waits, WaitView{"refund", "the node does not accept it: " + refused.Reason, refused.Since})
		}
	}
	for _, id := range slices.Compact(payouts) {
		of = append(of, "payout "+id, "replacement "+id)
	}
	sends := f.Owed.Sats > 0 || f.Status == order.Paid
	if f.Status == order.Sent {
		p, err := tx.Payout(ctx, f.PayoutID)
		if err != nil {
			return err
		}
		sends = sends || !p.InBlock()
	}
	if sends {
		of = append(of, follower.AllPayouts)
	}
	if sends && f.Status != order.Paid { // a PAID order has a wait of its own
		of = append(of, "community "+f.Community)
	}
	waits, err := viewWaits(ctx, tx, of, sends, f.Community)
	f.Waits = append(f.Waits, waits...)
	return err
}

// viewWaits returns what waits of some subjects, see follower.Wait, and the pauses that hold payouts of a community if
// paused is set. An order of the mint and etch service is of the community "".
func viewWaits(
	ctx context.Context, tx *store.Tx, subjects []string, paused bool, community string,
) (all []WaitView, err error) {
	waits, err := tx.WaitsOf(ctx, subjects)
	for _, w := range waits {
		what, _, named := strings.Cut(w.Subject, " ")
		if !named {
			what = "delivery"
		}
		all = append(all, WaitView{what, w.Reason, w.Since})
	}
	if err != nil || !paused {
		return all, err
	}
	for _, name := range []string{store.PauseAll, store.PausePayouts, store.PausePayoutsOf(community)} {
		reason, since, err := tx.PausedSince(ctx, name)
		if err != nil {
			return nil, err
		}
		if reason != "" {
			all = append(all, WaitView{"pause", cmp.Or(reason, name), since})
		}
	}
	return all, nil
}
