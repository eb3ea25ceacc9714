package main

import (
	"context"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"

	"moonfund/api"
	"moonfund/fault"
	"moonfund/follower"
	"moonfund/ledger"
	"moonfund/store"
)

// addressInError finds the node's address, which is nobody's business.
var addressInError = regexp.MustCompile(`"?https?://[^\s"]+"?|\d+\.\d+\.\d+\.\d+:\d+`)

// standing says where the server stands.
type standing struct{ *house }

// Status implements api.State.
func (s standing) Status(ctx context.Context) (api.Status, error) {
	state := s.state()
	status := api.Status{
		CatchingUp: !state.Synced, Network: s.network.Name, NodeHeight: state.NodeHeight, TipHeight: state.Tip.Height,
		TipHash: state.Tip.Hash, Time: s.now(), Version: version, Lag: lag(state),
	}
	status.PayoutsWaiting, status.PayoutsReason = s.waiting()
	if state.Err == nil && !state.Synced {
		state.Err = errors.New("the chain is not followed to its end yet")
	}
	if state.Err != nil {
		status.Reason = new(addressInError.ReplaceAllString(state.Err.Error(), "the node"))
	}
	if unfit := state.Unfit(); unfit != "" {
		status.Reason = &unfit
	}
	err := s.store.View(ctx, func(tx *store.Tx) error {
		if state.Tip.Height == ledger.None { // the follower did not come so far as to read it
			tip, err := tx.Tip(ctx)
			if err != nil {
				return err
			}
			status.TipHeight, status.TipHash = tip.Height, tip.Hash
		}
		all, err := tx.PausedAll(ctx)
		if err != nil {
			return err
		}
		payouts, err := tx.PausedPayouts(ctx)
		status.Paused = pausedWord(all, payouts)
		if err != nil {
			return err
		}
		refusals, err := tx.Refusals(ctx)
		if status.Refused = int64(len(refusals)); len(refusals) > 0 {
			status.RefusedReason = &refusals[0].Reason
		}
		return err
	})
	return status, err
}

// lag is how many blocks the ledger is behind the node. While the chain is not followed to its end it is at least 1:
// a node that can't be asked, or a step that fails, says nothing about the blocks that are missing.
func lag(state follower.State) int64 {
	known := int64(0)
	if state.NodeHeight != ledger.None && state.Tip.Height != ledger.None {
		known = max(0, state.NodeHeight-state.Tip.Height)
	}
	if !state.Synced {
		return max(1, known)
	}
	return known
}

// waiting is how many paid orders are not sent, and why the first of them is not.
// An order's id is its owner's business.
func (s standing) waiting() (n int64, reason *string) {
	waiting := s.state().Waiting // the leader's
	for _, id := range slices.Sorted(maps.Keys(waiting)) {
		text := strings.ReplaceAll(waiting[id], id, "")
		return int64(len(waiting)), &text
	}
	return 0, nil
}

func pausedWord(all, payouts string) api.StatusPaused {
	switch {
	case all != "":
		return api.StatusPausedAll
	case payouts != "":
		return api.StatusPausedPayouts
	}
	return api.StatusPausedNone
}

// MayChange implements api.State.
func (s standing) MayChange(ctx context.Context) error {
	if err := s.ready(); err != nil {
		return err
	}
	return s.store.View(ctx, func(tx *store.Tx) error {
		reason, err := tx.PausedAll(ctx)
		if err == nil && reason != "" {
			err = fault.Refuse(fault.Paused)
		}
		return err
	})
}

// Ready implements api.State.
func (s standing) Ready(ctx context.Context) error {
	if err := s.store.Ping(ctx); err != nil {
		return err
	}
	if unfit := s.state().Unfit(); unfit != "" {
		return fault.New(fault.Unavailable, fault.Sentence("%s"), unfit)
	}
	return nil
}
