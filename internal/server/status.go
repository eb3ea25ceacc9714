package server

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"moonfund/internal/api"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/fault"
	"moonfund/internal/server/feerate"
	"moonfund/internal/server/stop"
	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/store"
)

// status implements api.State.
type status struct{ *Server }

// Status implements api.State.
func (s status) Status(ctx context.Context, prefix string) (api.Status, error) {
	state := s.state()
	answer := api.Status{
		CatchingUp: !state.Synced, Network: s.Network.Name, NodeHeight: state.NodeHeight, TipHeight: state.Tip.Height,
		TipHash: state.Tip.Hash, Time: s.now(), Version: s.Version, Lag: lag(state),
	}
	if s.Commit != "" {
		answer.Commit = &s.Commit
	}
	answer.PayoutsWaiting, answer.PayoutsReason = s.waiting()
	if state.Err == nil && !state.Synced {
		state.Err = errors.New("the chain is not followed to its tip yet")
	}
	if state.Left > 0 {
		answer.SecondsLeft = new(int64(state.Left.Seconds()))
	}
	if state.Err != nil {
		answer.Reason = new(stop.Public(state.Err.Error()))
	}
	if unfit := state.Unfit(); unfit != "" {
		answer.Reason = &unfit
	}
	err := s.Store.View(ctx, func(tx *store.Tx) error { return s.stored(ctx, tx, prefix, state, &answer) })
	return answer, err
}

// stored sets the part of the answer that the ledger has.
func (s status) stored(
	ctx context.Context, tx *store.Tx, prefix string, state follower.State, answer *api.Status,
) error {
	if state.Tip.Height == chain.None { // the follower has not read it yet
		tip, err := tx.Tip(ctx)
		if err != nil {
			return err
		}
		answer.TipHeight, answer.TipHash = tip.Height, tip.Hash
	}
	all, err := tx.PausedAll(ctx)
	if err != nil {
		return err
	}
	payouts, err := tx.PausedPayouts(ctx)
	if err != nil {
		return err
	}
	some, err := tx.PausedCommunities(ctx)
	answer.Paused = pausedWord(all, cmp.Or(payouts, some[prefix]))
	if err != nil {
		return err
	}
	refusals, err := tx.Refusals(ctx)
	refusals = ledger.ForOperators(refusals)
	if answer.Refused = int64(len(refusals)); len(refusals) > 0 {
		answer.RefusedReason = &refusals[0].Reason
	}
	if err != nil {
		return err
	}
	if err := s.tally(ctx, tx, answer); err != nil {
		return err
	}
	if answer.Stops, err = s.published(ctx, tx, prefix); err != nil {
		return err
	}
	if answer.RewardEpochsCovered, err = s.covered(ctx, tx, prefix); err != nil {
		return err
	}
	retired, err := tx.Retired(ctx, prefix)
	if err != nil {
		return err
	}
	answer.Closed = !retired.IsZero()
	answer.Incidents, err = incidents(ctx, tx, prefix)
	return err
}

// tally counts what waits for the chain, the network's fee rate or the operator, beyond what waiting counts.
func (s status) tally(ctx context.Context, tx *store.Tx, answer *api.Status) (err error) {
	if answer.RefundsWaiting, err = tx.RefundsWaiting(ctx); err != nil {
		return err
	}
	if answer.OrdersInAudit, err = tx.OrdersInAudit(ctx); err != nil {
		return err
	}
	economy, err := tx.EconomyTally(ctx, math.MaxInt64) // at any rate
	for _, n := range economy {
		answer.EconomyWaiting += n
	}
	return err
}

// published returns the stops that concern a community.
func (s status) published(ctx context.Context, tx *store.Tx, prefix string) ([]api.Stop, error) {
	stops, err := s.stops(ctx, tx)
	all := []api.Stop{}
	for _, p := range stops {
		if _, community, isOne := strings.Cut(p.What, ":"); !isOne || community == prefix {
			all = append(all, api.Stop(p))
		}
	}
	return all, err
}

// incidentsShown is the number of the newest incidents in /status. The statements contain all incidents.
const incidentsShown = 10

// incidents returns the newest incidents of a community, newest first. If prefix is "", it returns the incidents that
// concern every community.
func incidents(ctx context.Context, tx *store.Tx, prefix string) ([]api.Incident, error) {
	newest, err := tx.Incidents(ctx, prefix, incidentsShown)
	all := make([]api.Incident, len(newest))
	for i, n := range newest {
		all[i] = api.Incident{Time: time.Unix(n.Time, 0).UTC(), Kind: n.Kind, Detail: n.Detail}
	}
	return all, err
}

// covered returns the number of further epochs that the treasury of a community covers, or nil if there is no such
// community.
func (s status) covered(ctx context.Context, tx *store.Tx, prefix string) (*int64, error) {
	for _, c := range s.Communities {
		if c.Prefix == prefix {
			runway, err := ledger.ReadRunway(ctx, tx.LedgerTx(), prefix, c.Budget)
			return &runway.Epochs, err
		}
	}
	return nil, nil
}

// lag returns the number of blocks by which the ledger is behind the node. It is at least 1 unless the chain is
// followed to its tip, even if the number is unknown because the node does not respond or a step failed.
func lag(state follower.State) int64 {
	known := int64(0)
	if state.NodeHeight != chain.None && state.Tip.Height != chain.None {
		known = max(0, state.NodeHeight-state.Tip.Height)
	}
	if !state.Synced {
		return max(1, known)
	}
	return known
}

// waiting returns the number of PAID orders without a payout and of what else waits, and why and since when one of them
// does, without what is not public.
func (s status) waiting() (n int64, reason *string) {
	waiting := s.state().Waiting // as the leader reports it
	if len(waiting) == 0 {
		return 0, nil
	}
	w := waiting[slices.Min(slices.Collect(maps.Keys(waiting)))]
	text := stop.Public(w.Reason) + " (since " + w.Since.UTC().Format("2006-01-02 15:04") + " UTC)"
	return int64(len(waiting)), &text
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
func (s status) MayChange(ctx context.Context) error {
	if err := s.ready(); err != nil {
		return err
	}
	return s.Store.View(ctx, func(tx *store.Tx) error {
		reason, err := tx.PausedAll(ctx)
		if err == nil && reason != "" {
			err = fault.Refuse(fault.Paused)
		}
		return err
	})
}

// Ready implements api.State.
func (s status) Ready(ctx context.Context) error {
	if err := s.Store.Ping(ctx); err != nil {
		return err
	}
	state := s.state()
	if state.Unusable != "" {
		return fault.New(fault.Unavailable, fault.NodeNotReady, stop.Public(state.Unusable))
	}
	if unfit := state.Unfit(); unfit != "" {
		return fault.New(fault.Unavailable, fault.NodeNotReady, unfit)
	}
	return nil
}

// FeeRates implements api.State.
func (s status) FeeRates(ctx context.Context) (list []api.FeeRate) {
	for i, rate := range s.Rates.Table(ctx) {
		list = append(list, api.FeeRate{Blocks: feerate.Targets[i], Feerate: rate.Float()})
	}
	return list
}
