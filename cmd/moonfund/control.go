package main

import (
	"context"
	"errors"
	"time"

	"moonfund/amount"
	"moonfund/devnet"
	"moonfund/epoch"
	"moonfund/ledger"
	"moonfund/store"
)

// control lets a dev network's controls move the product.
type control struct {
	*house
	etched []devnet.Etched
}

// settleSteps is more Steps than anything that is due can take.
const settleSteps = 20

// Settle implements devnet.Product.
func (c control) Settle(ctx context.Context) error {
	if _, leads := c.seat.lease.Term(); !leads { // another server does it
		c.hint(ctx, "")
		return nil
	}
	for range settleSteps {
		changed, err := c.follower.Step(ctx)
		if err != nil {
			return err
		}
		if !changed {
			return nil
		}
	}
	return errors.New("the ledger does not come to rest")
}

// AdvanceEpoch implements devnet.Product.
func (c control) AdvanceEpoch(ctx context.Context, prefix string, at time.Time) (begun int64, err error) {
	if prefix != "" && !c.has(prefix) {
		return 0, &devnet.Refused{Reason: "there is no community " + prefix}
	}
	err = c.store.Update(ctx, func(tx *store.Tx) error {
		for i := len(c.manifests) - 1; i >= 0; i-- {
			m := c.manifests[i]
			if prefix != "" && m.Prefix != prefix {
				continue
			}
			calendar, err := tx.Calendar(ctx, m.Prefix)
			if err != nil {
				return err
			}
			var anchor epoch.Anchor
			if _, anchor = calendar.EndAt(at); anchor.Epoch == 0 {
				return &devnet.Refused{Reason: "the first epoch has not begun yet"}
			}
			if err := tx.PutAnchor(ctx, m.Prefix, anchor); err != nil {
				return err
			}
			begun = anchor.Epoch
		}
		return nil
	})
	if err == nil {
		c.clock.atLeast(at)
	}
	return begun, err
}

func (c control) has(prefix string) bool {
	for _, m := range c.manifests {
		if m.Prefix == prefix {
			return true
		}
	}
	return false
}

// AdvanceClock implements devnet.Product.
func (c control) AdvanceClock(ctx context.Context, by time.Duration) (time.Time, error) {
	if err := c.clock.advance(ctx, c.store, by); err != nil {
		return time.Time{}, err
	}
	m, err := c.clock.moment()
	return m.Now, err
}

// SetFeeRate implements devnet.Product.
func (c control) SetFeeRate(rate *amount.FeeRate) { c.rates.fix(rate) }

// Communities implements devnet.Product.
func (c control) Communities() []devnet.Community {
	var all []devnet.Community
	for i, m := range c.manifests {
		all = append(all, devnet.Community{
			Prefix: m.Prefix, Host: m.Host, RuneID: m.Rune.ID, RuneName: m.Rune.Name, Symbol: m.Rune.Symbol,
			Divisibility: m.Rune.Divisibility, EtchingHeight: c.etched[i].Height,
		})
	}
	return all
}

// Epoch implements devnet.Product.
func (c control) Epoch(prefix string) int64 {
	if prefix == "" {
		prefix = c.manifests[0].Prefix
	}
	running := int64(ledger.None)
	m, err := c.clock.moment()
	if err != nil {
		return running
	}
	// A failed read shows no epoch: the control's own call says why things fail.
	_ = c.store.View(context.Background(), func(tx *store.Tx) error {
		calendar, err := tx.Calendar(context.Background(), prefix)
		if err == nil {
			running = calendar.At(m.Chain)
		}
		return err
	})
	return running
}
