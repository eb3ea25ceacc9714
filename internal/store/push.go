package store

import (
	"context"
	"errors"
	"time"

	"moonfund/internal/staking/ledger"
	"moonfund/internal/store/sqlc"
)

// PushSubscription is a browser that receives an owner's messages by Web Push.
type PushSubscription struct {
	Endpoint         string // at the browser's push service
	Community, Owner string
	Key, Auth        string // p256dh and auth of the browser, base64url
}

// PushPosting is a posting of the journal that a browser was not told of yet.
type PushPosting struct {
	PushSubscription
	Attempts int64 // failed attempts to tell the browser
	Number   int64 // of the posting
	Event    ledger.Event
	Subject  string // the unit or order that changed
}

// ErrPushFull is returned by PutPushSubscription if there are too many subscriptions in total.
var ErrPushFull = errors.New("store: too many push subscriptions")

// HasPushSubscription reports whether a browser is subscribed to an owner's messages.
func (t *Tx) HasPushSubscription(ctx context.Context, community, owner, endpoint string) (bool, error) {
	n, err := t.q.HasPushSubscription(ctx, sqlc.HasPushSubscriptionParams{
		Endpoint: endpoint, Community: community, Owner: owner,
	})
	return n > 0, wrap(err)
}

// PutPushSubscription inserts or renews a subscription. Of more than perOwner subscriptions of the owner it deletes the
// oldest. It returns ErrPushFull if there are inTotal subscriptions of all owners.
func (t *Tx) PutPushSubscription(ctx context.Context, s PushSubscription, perOwner int32, inTotal int64,
	now time.Time) error {
	known, err := t.HasPushSubscription(ctx, s.Community, s.Owner, s.Endpoint)
	if err != nil {
		return err
	}
	total, err := t.q.CountPushSubscriptions(ctx)
	if err != nil {
		return wrap(err)
	}
	if !known && total >= inTotal {
		return ErrPushFull
	}
	if err := t.q.PutPushSubscription(ctx, sqlc.PutPushSubscriptionParams{
		Endpoint: s.Endpoint, Community: s.Community, Owner: s.Owner, P256dh: s.Key, Auth: s.Auth, Now: unix(now),
	}); err != nil {
		return wrap(err)
	}
	return wrap(t.q.LimitPushSubscriptions(ctx, sqlc.LimitPushSubscriptionsParams{
		Community: s.Community, Owner: s.Owner, Most: perOwner,
	}))
}

// IsPushEndpoint reports whether a browser has a subscription.
func (t *Tx) IsPushEndpoint(ctx context.Context, endpoint string) (bool, error) {
	n, err := t.q.CountPushSubscriptionsOf(ctx, endpoint)
	return n > 0, wrap(err)
}

// DeletePushSubscriptions deletes every subscription of a browser.
func (t *Tx) DeletePushSubscriptions(ctx context.Context, endpoint string) error {
	return wrap(t.q.DeletePushSubscriptions(ctx, endpoint))
}

// PushNews returns at most limit postings that browsers are to be told of now: unlocked units, rewards, and orders that
// may need their owner. They are ordered by subscription, and then the newest is first.
func (t *Tx) PushNews(ctx context.Context, now time.Time, limit int32) ([]PushPosting, error) {
	rows, err := t.q.PushNews(ctx, sqlc.PushNewsParams{
		Now: unix(now), Unlocked: string(ledger.CooldownOver), Rewarded: string(ledger.Rewarded), Most: limit,
	})
	return mapAll(rows, err, func(row sqlc.PushNewsRow) (PushPosting, error) {
		return PushPosting{
			PushSubscription: PushSubscription{Endpoint: row.Endpoint, Community: row.Community, Owner: row.Owner,
				Key: row.P256dh, Auth: row.Auth},
			Attempts: row.Attempts, Number: row.Number, Event: ledger.Event(row.Event), Subject: row.Subject,
		}, nil
	})
}

// UpdatePushSubscription stores the last posting that a browser was told of, the number of failed attempts to tell it
// more, and when the next message may be sent.
func (t *Tx) UpdatePushSubscription(ctx context.Context, s PushSubscription, told, attempts int64,
	due time.Time) error {
	return wrap(t.q.UpdatePushSubscription(ctx, sqlc.UpdatePushSubscriptionParams{
		Endpoint: s.Endpoint, Community: s.Community, Owner: s.Owner, Told: told, Attempts: attempts, DueAt: unix(due),
	}))
}
