package auditor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/internal/audit"
	"moonfund/internal/server/stop"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/state"
	"moonfund/internal/store"
)

// stops is what violations stop. Each value is the first of the violations.
type stops struct {
	all                 string
	communities, orders map[string]string
}

func stopsOf(found []audit.Violation) stops {
	s := stops{communities: map[string]string{}, orders: map[string]string{}}
	put := func(m map[string]string, key string, v audit.Violation) {
		if m[key] == "" {
			m[key] = v.String()
		}
	}
	for _, v := range found {
		switch v.Scope {
		case audit.WholeServer:
			if s.all == "" {
				s.all = v.String()
			}
		case audit.OneCommunity:
			put(s.communities, v.Community, v)
		default:
			for _, id := range v.Orders {
				put(s.orders, id, v)
			}
		}
	}
	return s
}

// stop stops what the violations name, until an operator ends it, and deletes all approvals. of is the operators'
// decisions with which the audit began. If they have changed, decided is true and nothing is stopped.
func (a *Auditor) stop(ctx context.Context, found []audit.Violation, of string) (decided bool, err error) {
	for _, v := range found {
		a.Log.Error("an invariant is violated", "violation", v.String(), "scope", string(v.Scope), "community", v.Community,
			"orders", strings.Join(v.Orders, " "))
	}
	a.approved = nil
	s, now, more := stopsOf(found), a.Deadline(), ""
	if n := len(found) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more; see `moonfund audit`)", n)
	}
	err = a.Store.Update(ctx, func(tx *store.Tx) error {
		last, err := pausesOf(ctx, tx)
		if decided = last != of; err != nil || decided {
			return err
		}
		if s.all != "" {
			if err := tx.PauseByServer(ctx, store.PausePayouts, reason(s.all)+more, now); err != nil {
				return err
			}
		}
		for community, text := range s.communities {
			if err := tx.PauseByServer(ctx, store.PausePayoutsOf(community), reason(text)+more, now); err != nil {
				return err
			}
		}
		for id, text := range s.orders {
			if err := review(ctx, tx, id, text, now); err != nil {
				return err
			}
		}
		return tx.BeginCondition(ctx, store.EventViolation, store.SubjectLedger,
			store.EventData{Reason: found[0].String(), Count: len(found)})
	})
	return decided, err
}

// reason returns the reason of a pause because of a violation.
func reason(violation string) string { return stop.ByAudit + violation }

// review requests that an order goes to AUDIT, if it is being paid, or is PAID. Nothing of any other order is sent
// while the audit finds the violation.
func review(ctx context.Context, tx *store.Tx, id, violation string, now time.Time) error {
	o, err := tx.Order(ctx, id)
	if errors.Is(err, state.ErrNotFound) {
		return nil
	}
	if err != nil || !slices.Contains([]order.Status{order.Confirmed, order.PendingRerate, order.Paid}, o.Status) {
		return err
	}
	about, err := tx.RequestsAbout(ctx, id)
	if err != nil || slices.ContainsFunc(about, func(q payout.Request) bool { return q.Status == payout.RequestOpen }) {
		return err
	}
	_, err = tx.InsertRequest(ctx, payout.Request{Kind: payout.RequestReview, OrderID: id, By: payout.ByAudit,
		Why: reason(violation), At: now}, "")
	return err
}

// holds reports whether a violation of the latest audit stops the payout of a transaction.
func (a *Auditor) holds(ctx context.Context, txid chainhash.Hash) (held bool, err error) {
	if a.latest.OK() {
		return false, nil
	}
	err = a.Store.View(ctx, func(tx *store.Tx) error {
		p, err := tx.PayoutOf(ctx, txid.String())
		if errors.Is(err, state.ErrNotFound) {
			return nil // Sending finds that
		}
		held = a.stops.all != "" || a.stops.communities[p.Community] != "" ||
			slices.ContainsFunc(p.OrderIDs, func(id string) bool { return a.stops.orders[id] != "" })
		return err
	})
	return held, err
}

// Held returns why no payouts of orders are broadcast: the violations that the latest audit found, by "order" and id.
func (a *Auditor) Held() map[string]string {
	report, _ := a.Latest()
	held := map[string]string{}
	for id, text := range stopsOf(report.Violations).orders {
		held["order "+id] = fmt.Sprintf("no payout of it is sent: %s", reason(text))
	}
	return held
}
