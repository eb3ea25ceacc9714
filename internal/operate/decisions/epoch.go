package decisions

import (
	"context"
	"errors"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
	"moonfund/internal/store"
)

// EpochView is an epoch of a community. Amounts are in base units.
type EpochView struct {
	Community string       `json:"community"`
	Epoch     int64        `json:"epoch"`
	Start     time.Time    `json:"start"` // by block headers
	End       *time.Time   `json:"end"`   // by block headers; null if the calendar has none
	Planned   amount.Runes `json:"planned,string"`
	Reserved  amount.Runes `json:"reserved,string"`
	Settled   bool         `json:"settled"`
	Staked    amount.Runes `json:"staked,string"`
	Rewarded  amount.Runes `json:"rewarded,string"`
	Owners    int64        `json:"owners"`
	Cut       int64        `json:"cut"` // -1 until it is settled
	CutHash   string       `json:"cut_hash"`
}

// EpochDetail is an epoch with its rewards.
type EpochDetail struct {
	EpochView
	Rewards []RewardView `json:"rewards"`

	SettledAt time.Time `json:"-"` // zero until it is settled
}

// RewardView is the reward of one owner in an epoch. Amounts are in base units.
type RewardView struct {
	Owner  string       `json:"owner"`
	Stake  amount.Runes `json:"stake,string"`
	Reward amount.Runes `json:"reward,string"`
	Unit   string       `json:"unit"`
}

// Epochs returns at most limit epochs of a community, newest first.
func Epochs(ctx context.Context, tx *store.Tx, community string, limit int) (views []EpochView, err error) {
	if err := CheckCommunity(ctx, tx, community); err != nil {
		return nil, err
	}
	accounts, owners, err := tx.EpochsBelow(ctx, community, 1<<62, limit)
	if err != nil {
		return nil, err
	}
	for i, a := range accounts {
		view, err := viewEpoch(ctx, tx, a, owners[i])
		if err != nil {
			return nil, err
		}
		views = append(views, view)
	}
	return views, nil
}

// viewEpoch returns the view of an epoch.
func viewEpoch(ctx context.Context, tx *store.Tx, a ledger.Account, owners int64) (EpochView, error) {
	calendar, err := tx.Calendar(ctx, a.Community)
	if err != nil {
		return EpochView{}, err
	}
	view := EpochView{
		Community: a.Community, Epoch: a.Epoch, Start: calendar.Start(a.Epoch), Planned: a.Planned,
		Reserved: a.Reserved, Settled: a.Settled, Staked: a.Staked, Rewarded: a.Rewarded, Owners: owners, Cut: a.Cut,
		CutHash: a.CutHash,
	}
	if end := calendar.End(a.Epoch); !end.IsZero() {
		view.End = &end
	}
	return view, nil
}

// ReadEpoch returns an epoch of a community with its rewards, or an Unknown error if the epoch has not begun.
func ReadEpoch(ctx context.Context, tx *store.Tx, community string, epoch int64) (d EpochDetail, err error) {
	if err := CheckCommunity(ctx, tx, community); err != nil {
		return d, err
	}
	account, err := tx.AccountOf(ctx, community, epoch)
	if errors.Is(err, state.ErrNotFound) {
		return d, unknown("epoch %d of %s has not begun", epoch, community)
	}
	if err != nil {
		return d, err
	}
	rewards, err := tx.Rewards(ctx, community, epoch)
	if err != nil {
		return d, err
	}
	d.Rewards = []RewardView{}
	for _, r := range rewards {
		d.Rewards = append(d.Rewards, RewardView{r.Owner, r.Stake, r.Reward, r.UnitID})
	}
	if account.Settled {
		d.SettledAt = account.SettledAt
	}
	d.EpochView, err = viewEpoch(ctx, tx, account, int64(len(rewards)))
	return d, err
}
