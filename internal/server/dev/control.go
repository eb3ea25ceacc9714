package dev

import (
	"context"
	"errors"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/devnet"
	"moonfund/internal/epoch"
	"moonfund/internal/server"
	"moonfund/internal/store"
)

// control lets the dev network's controls drive the server. It implements devnet.Product.
type control struct {
	*server.Server
	etched []devnet.Etched
}

func (n *network) control(s *server.Server) control { return control{s, n.chain.Runes()} }

// settleSteps is the maximum number of steps that Settle takes. All due work takes fewer steps.
const settleSteps = 20

// Settle implements devnet.Product.
func (c control) Settle(ctx context.Context) error {
	if !c.Leads() { // the leader follows the chain
		c.Refresh(ctx)
		return nil
	}
	for range settleSteps {
		changed, err := c.Follower.Step(ctx)
		if err != nil {
			return err
		}
		if !changed {
			return nil
		}
	}
	return errors.New("the ledger does not settle")
}

// AdvanceEpoch implements devnet.Product.
func (c control) AdvanceEpoch(ctx context.Context, prefix string, at time.Time) (begun int64, err error) {
	if prefix != "" && !c.has(prefix) {
		return 0, &devnet.Refused{Reason: "there is no community " + prefix}
	}
	err = c.Store.Update(ctx, func(tx *store.Tx) error {
		for i := len(c.Server.Communities) - 1; i >= 0; i-- {
			m := c.Server.Communities[i]
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
			// A statement's epoch lasts at least a second. The clock follows below.
			if began := calendar.Start(anchor.Epoch - 1); at.Unix() <= began.Unix() {
				at = time.Unix(began.Unix()+1, 0).UTC()
				_, anchor = calendar.EndAt(at)
			}
			if err := tx.PutAnchor(ctx, m.Prefix, anchor); err != nil {
				return err
			}
			begun = anchor.Epoch
		}
		return nil
	})
	if err == nil {
		c.Clock.AtLeast(at)
	}
	return begun, err
}

func (c control) has(prefix string) bool {
	for _, m := range c.Server.Communities {
		if m.Prefix == prefix {
			return true
		}
	}
	return false
}

// AdvanceClock implements devnet.Product.
func (c control) AdvanceClock(ctx context.Context, by time.Duration) (time.Time, error) {
	if err := c.Clock.Advance(ctx, c.Store, by); err != nil {
		return time.Time{}, err
	}
	m, err := c.Clock.Moment()
	return m.Now, err
}

// SetFeeRate implements devnet.Product.
func (c control) SetFeeRate(rate *amount.FeeRate) { c.Rates.Fix(rate) }

// Communities implements devnet.Product.
func (c control) Communities() []devnet.Community {
	var all []devnet.Community
	for i, m := range c.Server.Communities {
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
		prefix = c.Server.Communities[0].Prefix
	}
	running := int64(chain.None)
	m, err := c.Clock.Moment()
	if err != nil {
		return running
	}
	// If the read fails, no epoch is shown: the control reports its own errors.
	_ = c.Store.View(context.Background(), func(tx *store.Tx) error {
		calendar, err := tx.Calendar(context.Background(), prefix)
		if err == nil {
			running = calendar.At(m.Chain)
		}
		return err
	})
	return running
}
