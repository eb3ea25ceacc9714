package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/epoch"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
	"moonfund/internal/store/sqlc"
)

// Binding is the configuration that a community can't change after its first start. Signed messages contain the name,
// which the signer compares. Every later audit and reorg judges deposits by the minimum stake.
type Binding struct {
	Prefix       string
	RuneID       string // block:tx
	Account      int64  // BIP-32 account
	Network      string
	Calendar     epoch.Calendar
	Name         string       // not set by Bindings
	MinimumStake amount.Runes // not set by Bindings
}

// settings returns the fixed values that are stored as settings, by the key in the manifest.
func (b Binding) settings() [][2]string {
	return [][2]string{
		{"epoch_length", lengthText(b.Calendar)}, {"name", b.Name}, {"minimum_stake", b.MinimumStake.String()},
	}
}

// Bind records a community that the ledger does not have, and compares it otherwise. It returns an error with both
// values if the manifest changed a fixed value.
func (t *Tx) Bind(ctx context.Context, b Binding) error {
	if known, err := t.CheckBinding(ctx, b); known || err != nil {
		return err
	}
	if err := t.q.InsertCommunity(ctx, sqlc.InsertCommunityParams{
		Prefix: b.Prefix, RuneID: b.RuneID, Account: b.Account, Network: b.Network,
	}); err != nil {
		return wrap(err)
	}
	if err := t.PutAnchor(ctx, b.Prefix, b.Calendar.Anchors[0]); err != nil {
		return err
	}
	for _, fixed := range b.settings() {
		if err := t.PutSetting(ctx, fixed[0]+":"+b.Prefix, fixed[1]); err != nil {
			return err
		}
	}
	return nil
}

// CheckBinding reports whether the ledger has a community. It returns an error with both values if a fixed value
// differs.
func (t *Tx) CheckBinding(ctx context.Context, b Binding) (known bool, err error) {
	row, err := t.q.Community(ctx, b.Prefix)
	if errors.Is(wrap(err), state.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, wrap(err)
	}
	anchors, err := t.anchors(ctx, b.Prefix)
	if err != nil {
		return false, err
	}
	type fixed struct{ key, was, is string }
	all := []fixed{
		{"rune_id", row.RuneID, b.RuneID},
		{"account", fmt.Sprint(row.Account), fmt.Sprint(b.Account)},
		{"network", row.Network, b.Network},
		{"genesis", anchors[0].Start.Format(time.RFC3339), b.Calendar.Anchors[0].Start.UTC().Format(time.RFC3339)},
	}
	for _, s := range b.settings() {
		was, err := t.Setting(ctx, s[0]+":"+b.Prefix)
		if err != nil {
			return false, err
		}
		all = append(all, fixed{s[0], was, s[1]})
	}
	for _, fixed := range all {
		if fixed.was != fixed.is {
			return true, fmt.Errorf("community %s: %s is %s, but the ledger was created with %s: it can't be changed",
				b.Prefix, fixed.key, fixed.is, fixed.was)
		}
	}
	return true, nil
}

// manual is the stored epoch length of a community whose epochs end only on request.
const manual = "by hand"

func lengthText(c epoch.Calendar) string {
	if c.Manual {
		return manual
	}
	return c.Length.String()
}

// PutAnchor adds a fixed start of an epoch to a community's calendar.
func (t *Tx) PutAnchor(ctx context.Context, community string, a epoch.Anchor) error {
	return wrap(t.q.InsertAnchor(ctx, sqlc.InsertAnchorParams{
		Community: community, Epoch: a.Epoch, StartsAt: unix(a.Start),
	}))
}

func (t *Tx) anchors(ctx context.Context, community string) ([]epoch.Anchor, error) {
	rows, err := t.q.Anchors(ctx, community)
	return mapAll(rows, err, func(row sqlc.EpochAnchor) (epoch.Anchor, error) {
		return epoch.Anchor{Epoch: row.Epoch, Start: instant(row.StartsAt)}, nil
	})
}

// Calendar returns a community's calendar, in the time of block headers. It returns an error for a community that is
// not bound.
func (t *Tx) Calendar(ctx context.Context, community string) (epoch.Calendar, error) {
	calendar := epoch.Calendar{Length: 7 * 24 * time.Hour}
	length, err := t.Setting(ctx, "epoch_length:"+community)
	if err != nil {
		return calendar, err
	}
	if length == manual {
		calendar.Manual = true
	} else if calendar.Length, err = time.ParseDuration(length); err != nil {
		return calendar, fmt.Errorf("store: community %q has no calendar: %w", community, err)
	}
	calendar.Anchors, err = t.anchors(ctx, community)
	return calendar, err
}

func toHeader(row sqlc.Block) ledger.Header {
	return ledger.Header{Height: row.Height, Hash: row.Hash, Prev: row.Prev, Time: instant(row.Time)}
}

// Tip returns the last followed block. Its height is chain.None if there is none.
func (t *Tx) Tip(ctx context.Context) (ledger.Header, error) {
	row, err := t.q.Tip(ctx)
	if errors.Is(wrap(err), state.ErrNotFound) {
		return ledger.Header{Height: chain.None}, nil
	}
	return toHeader(row), wrap(err)
}

// HeaderAt returns a followed block, or state.ErrNotFound.
func (t *Tx) HeaderAt(ctx context.Context, height int64) (ledger.Header, error) {
	row, err := t.q.BlockAt(ctx, height)
	return toHeader(row), wrap(err)
}

// FirstHeaderFrom implements ledger.HeaderStore.
func (t *Tx) FirstHeaderFrom(ctx context.Context, above int64, at time.Time) (ledger.Header, error) {
	row, err := t.q.FirstBlockFrom(ctx, sqlc.FirstBlockFromParams{Height: above, Time: unix(at)})
	return toHeader(row), wrap(err)
}

// PutHeader appends a block to the followed chain.
func (t *Tx) PutHeader(ctx context.Context, h ledger.Header) error {
	return wrap(t.q.InsertBlock(ctx, sqlc.InsertBlockParams{
		Height: h.Height, Hash: h.Hash, Prev: h.Prev, Time: unix(h.Time),
	}))
}

// DeleteHeader removes the last block of the followed chain.
func (t *Tx) DeleteHeader(ctx context.Context, height int64) error {
	return wrap(t.q.DeleteBlock(ctx, height))
}

// Unconfirm marks the outputs, spends, payout versions and tracked transactions of the block at a height as unconfirmed
// since an instant.
func (t *Tx) Unconfirm(ctx context.Context, height int64, at time.Time) error {
	for _, forget := range []func(context.Context, int64) error{
		t.q.UnconfirmOutputs, t.q.UnconfirmSpends, t.q.UnconfirmVersions,
	} {
		if err := forget(ctx, height); err != nil {
			return wrap(err)
		}
	}
	return wrap(t.q.UnconfirmTracked(ctx, sqlc.UnconfirmTrackedParams{Height: height, Since: unix(at)}))
}

func toBoundary(row sqlc.Boundary) (ledger.Boundary, error) {
	return ledger.Boundary{Community: row.Community, Epoch: row.Epoch, Cut: row.Cut}, nil
}

// LastBoundary returns the latest known boundary. Its epoch is chain.None if there is none.
func (t *Tx) LastBoundary(ctx context.Context, community string) (ledger.Boundary, error) {
	row, err := t.q.LastBoundary(ctx, community)
	if errors.Is(wrap(err), state.ErrNotFound) {
		return ledger.Boundary{Community: community, Epoch: chain.None, Cut: chain.None}, nil
	}
	if err != nil {
		return ledger.Boundary{}, wrap(err)
	}
	return toBoundary(row)
}

// BoundaryOf returns the boundary that starts an epoch, or state.ErrNotFound.
func (t *Tx) BoundaryOf(ctx context.Context, community string, n int64) (ledger.Boundary, error) {
	row, err := t.q.BoundaryOf(ctx, sqlc.BoundaryOfParams{Community: community, Epoch: n})
	if err != nil {
		return ledger.Boundary{}, wrap(err)
	}
	return toBoundary(row)
}

// BoundariesAt returns the boundaries with a cut, latest epoch first.
func (t *Tx) BoundariesAt(ctx context.Context, cut int64) ([]ledger.Boundary, error) {
	rows, err := t.q.BoundariesAt(ctx, cut)
	return mapAll(rows, err, toBoundary)
}

// PutBoundary inserts a boundary.
func (t *Tx) PutBoundary(ctx context.Context, b ledger.Boundary) error {
	return wrap(t.q.InsertBoundary(ctx, sqlc.InsertBoundaryParams{Community: b.Community, Epoch: b.Epoch, Cut: b.Cut}))
}

// MoveBoundary stores the cut of a boundary.
func (t *Tx) MoveBoundary(ctx context.Context, b ledger.Boundary) error {
	return wrap(t.q.MoveBoundary(ctx, sqlc.MoveBoundaryParams{Community: b.Community, Epoch: b.Epoch, Cut: b.Cut}))
}

// DeleteBoundary deletes a boundary that a reorg undid.
func (t *Tx) DeleteBoundary(ctx context.Context, b ledger.Boundary) error {
	return wrap(t.q.DeleteBoundary(ctx, sqlc.DeleteBoundaryParams{Community: b.Community, Epoch: b.Epoch}))
}

func toAccount(row sqlc.EpochAccount) (ledger.Account, error) {
	a := ledger.Account{
		Community: row.Community, Epoch: row.Epoch, Planned: amount.Runes(row.Planned), Reserved: amount.Runes(row.Reserved),
		Settled: row.Settled != 0, Staked: amount.Runes(row.Staked), Rewarded: amount.Runes(row.Rewarded),
		Cut: row.Cut, CutHash: row.CutHash, StatementDue: row.StatementDue != 0,
	}
	if a.Settled {
		a.SettledAt = instant(row.SettledAt)
	}
	return a, nil
}

// AccountOf returns an epoch's account, or state.ErrNotFound.
func (t *Tx) AccountOf(ctx context.Context, community string, n int64) (ledger.Account, error) {
	row, err := t.q.EpochAccount(ctx, sqlc.EpochAccountParams{Community: community, Epoch: n})
	if err != nil {
		return ledger.Account{}, wrap(err)
	}
	return toAccount(row)
}

// Unsettled returns the epochs that began and are not settled, in order.
func (t *Tx) Unsettled(ctx context.Context, community string) ([]ledger.Account, error) {
	rows, err := t.q.UnsettledAccounts(ctx, community)
	return mapAll(rows, err, toAccount)
}

// PutAccount inserts or replaces an epoch's account.
func (t *Tx) PutAccount(ctx context.Context, a ledger.Account) error {
	var settledAt int64
	if a.Settled {
		settledAt = unix(a.SettledAt)
	}
	return wrap(t.q.PutEpochAccount(ctx, sqlc.PutEpochAccountParams{
		Community: a.Community, Epoch: a.Epoch, Planned: int64(a.Planned), Reserved: int64(a.Reserved),
		Settled: flag(a.Settled), Staked: int64(a.Staked), Rewarded: int64(a.Rewarded), Cut: a.Cut, CutHash: a.CutHash,
		SettledAt: settledAt, StatementDue: flag(a.StatementDue),
	}))
}

// StatementDue returns the first settled epoch whose statement is not recorded yet, or state.ErrNotFound.
func (t *Tx) StatementDue(ctx context.Context, community string) (ledger.Account, error) {
	row, err := t.q.StatementDue(ctx, community)
	if err != nil {
		return ledger.Account{}, wrap(err)
	}
	return toAccount(row)
}

// DeleteAccount deletes the account of an epoch whose start was undone. It returns state.ErrConflict if the epoch is
// settled or has no account.
func (t *Tx) DeleteAccount(ctx context.Context, community string, n int64) error {
	return exactlyOne(t.q.DeleteEpochAccount(ctx, sqlc.DeleteEpochAccountParams{Community: community, Epoch: n}))
}

// RecordInputs records every unit that an epoch rewards, and returns the stakes by owner. cut is the height of the
// epoch's last block.
func (t *Tx) RecordInputs(ctx context.Context, community string, n, cut int64) ([]ledger.Stake, error) {
	if err := t.q.RecordInputs(ctx, sqlc.RecordInputsParams{Community: community, Epoch: n, Cut: cut}); err != nil {
		return nil, wrap(err)
	}
	rows, err := t.q.StakesOfEpoch(ctx, sqlc.StakesOfEpochParams{Community: community, Epoch: n})
	return mapAll(rows, err, func(row sqlc.StakesOfEpochRow) (ledger.Stake, error) {
		return ledger.Stake{Owner: row.Owner, Amount: amount.Runes(row.Stake), Lowest: row.Lowest}, nil
	})
}

// PayRewards records an epoch's rewards and, for each reward above 0, a unit and a posting. like and posting are their
// templates. The owner, the amount and the unit's id come from the reward.
func (t *Tx) PayRewards(ctx context.Context, rewards []ledger.Reward, like ledger.Unit, posting ledger.Posting) error {
	paid, total := int64(0), amount.Runes(0)
	for _, r := range rewards {
		if total += r.Reward; r.Reward > 0 {
			paid++
		}
	}
	for some := range slices.Chunk(rewards, listSize) {
		if err := writeAll(ctx, t, some, func(q *sqlc.Queries, r ledger.Reward) error {
			return q.InsertReward(ctx, sqlc.InsertRewardParams{
				Community: like.Community, Epoch: like.RewardEpoch, Owner: r.Owner, Stake: int64(r.Stake), Reward: int64(r.Reward),
				UnitID: r.UnitID,
			})
		}); err != nil {
			return err
		}
	}
	last, err := t.reserve(ctx, "unit", paid)
	if err != nil {
		return err
	}
	if err := t.q.InsertRewardUnits(ctx, sqlc.InsertRewardUnitsParams{
		Before: last - paid, Origin: string(like.Origin), Stage: string(like.Stage), CreatedAt: unix(like.Created),
		Community: like.Community, Epoch: like.RewardEpoch,
	}); err != nil {
		return wrap(err)
	}
	like.Amount = total
	if err := t.addStaked(ctx, []ledger.UnitChange{{Unit: like}}); err != nil {
		return err
	}
	if last, err = t.reserve(ctx, "journal", paid); err != nil {
		return err
	}
	return wrap(t.q.InsertRewardPostings(ctx, sqlc.InsertRewardPostingsParams{
		Before: last - paid, Event: posting.Event, Asset: string(posting.Asset), FromAccount: posting.From,
		ToAccount: posting.To,
		CauseKind: posting.Cause.Kind, CauseID: posting.Cause.ID, At: unix(posting.Cause.At),
		Community: like.Community, Epoch: like.RewardEpoch,
	}))
}

// Inputs returns the units that an epoch rewarded.
func (t *Tx) Inputs(ctx context.Context, community string, n int64) ([]sqlc.EpochInput, error) {
	rows, err := t.q.EpochInputs(ctx, sqlc.EpochInputsParams{Community: community, Epoch: n})
	return rows, wrap(err)
}

// Rewards returns the rewards of an epoch, ordered by owner.
func (t *Tx) Rewards(ctx context.Context, community string, n int64) ([]ledger.Reward, error) {
	rows, err := t.q.EpochRewards(ctx, sqlc.EpochRewardsParams{Community: community, Epoch: n})
	return mapAll(rows, err, func(row sqlc.EpochReward) (ledger.Reward, error) {
		return ledger.Reward{
			Owner: row.Owner, Stake: amount.Runes(row.Stake), Reward: amount.Runes(row.Reward), UnitID: row.UnitID,
		}, nil
	})
}

// EpochsBelow returns at most limit accounts with lower numbers, newest first, and the number of rewarded owners of
// each.
func (t *Tx) EpochsBelow(
	ctx context.Context, community string, below int64, limit int,
) ([]ledger.Account, []int64, error) {
	rows, err := t.q.EpochsBelow(ctx, sqlc.EpochsBelowParams{Community: community, Epoch: below, Limit: int32(limit)})
	owners := make([]int64, len(rows))
	accounts := make([]ledger.Account, len(rows))
	for i, row := range rows {
		owners[i] = row.Owners
		accounts[i], _ = toAccount(sqlc.EpochAccount{
			Community: row.Community, Epoch: row.Epoch, Planned: row.Planned, Reserved: row.Reserved, Settled: row.Settled,
			Staked: row.Staked, Rewarded: row.Rewarded, Cut: row.Cut, CutHash: row.CutHash, SettledAt: row.SettledAt,
		})
	}
	return accounts, owners, wrap(err)
}
