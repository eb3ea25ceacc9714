package ledger

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"moonfund/amount"
	"moonfund/chain"
	"moonfund/state"
)

// SettleDepth is how many confirmations the cut at an epoch's end needs before
// the epoch settles: one more than the first block past the end needs to be out
// of reach of the deepest reorg that is followed (6 blocks), so that what was
// settled is what a replay would settle.
const SettleDepth = 8

// Account is what an epoch planned, reserved and paid.
type Account struct {
	Community string
	Epoch     int64
	Planned   amount.Runes // the manifest's budget
	Reserved  amount.Runes // what the treasury had free for it at its start
	Settled   bool
	Staked    amount.Runes // the sum of what it rewarded
	Rewarded  amount.Runes // Reserved, or 0 when nobody was staked
	Cut       int64        // the last block that counts for it
	CutHash   string
	SettledAt time.Time
}

// Stake is what an owner has in an epoch.
type Stake struct {
	Owner  string
	Amount amount.Runes // of all the units together
	Lowest string       // the first of their ids, which settles ties
}

// Reward is one owner's part of a settled epoch.
type Reward struct {
	Owner  string
	Stake  amount.Runes
	Reward amount.Runes
	UnitID string
}

// RewardStore keeps what each epoch planned, reserved and paid.
type RewardStore interface {
	AccountOf(ctx context.Context, community string, epoch int64) (Account, error)
	Unsettled(ctx context.Context, community string) ([]Account, error) // ascending
	PutAccount(ctx context.Context, a Account) error
	DeleteAccount(ctx context.Context, community string, epoch int64) error
	// RecordInputs records every unit that an epoch rewards, given the last block
	// that counts for it, and returns the stake of each owner, by owner.
	RecordInputs(ctx context.Context, community string, epoch, cut int64) ([]Stake, error)
	// PayRewards records an epoch's rewards, and a unit and a posting of each that is
	// not 0: as like and posting say, but for the owner, the amount and the unit's id.
	PayRewards(ctx context.Context, rewards []Reward, like Unit, posting Posting) error
	// Treasury is the sum of booked, unspent rune outputs of the treasury, own unconfirmed change included.
	Treasury(ctx context.Context, community string) (amount.Runes, error)
	// VirtualOwed is the sum of virtual units not WITHDRAWN, less what undelivered payouts already carry for them.
	VirtualOwed(ctx context.Context, community string) (amount.Runes, error)
}

// reserve sets the budget of an epoch aside: what the treasury holds beyond the
// virtual units and the other reservations, at most the planned amount. An epoch
// that was settled before a reorg undid its start needs none: it was paid.
func (b *Book) reserve(ctx context.Context, tx Tx, boundary Boundary) error {
	if _, err := tx.Rewards.AccountOf(ctx, boundary.Community, boundary.Epoch); !errors.Is(err, state.ErrNotFound) {
		return err
	}
	treasury, err := tx.Rewards.Treasury(ctx, boundary.Community)
	if err != nil {
		return err
	}
	owed, err := tx.Rewards.VirtualOwed(ctx, boundary.Community)
	if err != nil {
		return err
	}
	free, err := treasury.Sub(owed)
	if err != nil {
		return err
	}
	others, err := tx.Rewards.Unsettled(ctx, boundary.Community)
	if err != nil {
		return err
	}
	for _, other := range others {
		if free, err = free.Sub(other.Reserved); err != nil {
			return err
		}
	}
	planned := b.communities[boundary.Community].Budget(boundary.Epoch)
	return tx.Rewards.PutAccount(ctx, Account{
		Community: boundary.Community, Epoch: boundary.Epoch, Planned: planned,
		Reserved: max(0, min(planned, free)), Cut: chain.None,
	})
}

// Settle pays every epoch whose end is deep enough in the chain, once, in order.
// It returns what was paid, by community.
func (b *Book) Settle(ctx context.Context, tx Tx, at time.Time) (paid map[string][]Reward, err error) {
	paid = map[string][]Reward{}
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return nil, err
	}
	for prefix := range b.communities {
		unsettled, err := tx.Rewards.Unsettled(ctx, prefix)
		if err != nil {
			return nil, err
		}
		for _, account := range unsettled {
			end, err := tx.Epochs.BoundaryOf(ctx, prefix, account.Epoch+1)
			if errors.Is(err, state.ErrNotFound) || (err == nil && Confirmations(end.Cut, tip.Height) < SettleDepth) {
				break
			}
			if err != nil {
				return nil, err
			}
			rewards, err := b.settle(ctx, tx, account, end.Cut, at)
			if err != nil {
				return nil, fmt.Errorf("settling epoch %d of %s: %w", account.Epoch, prefix, err)
			}
			paid[prefix] = append(paid[prefix], rewards...)
		}
	}
	return paid, nil
}

// settle is a few statements over all units at once; only the split of the budget
// is worked out here, in exact integers.
func (b *Book) settle(ctx context.Context, tx Tx, account Account, cut int64, at time.Time) ([]Reward, error) {
	account.Cut, account.Settled, account.SettledAt = cut, true, at
	if cut >= 0 {
		header, err := tx.Headers.HeaderAt(ctx, cut)
		if err != nil && !errors.Is(err, state.ErrNotFound) {
			return nil, err
		}
		account.CutHash = header.Hash
	}
	stakes, err := tx.Rewards.RecordInputs(ctx, account.Community, account.Epoch, cut)
	if err != nil {
		return nil, err
	}
	rewards, err := Split(account.Reserved, stakes)
	if err != nil {
		return nil, err
	}
	for i, reward := range rewards {
		if account.Staked, err = account.Staked.Add(reward.Stake); err != nil {
			return nil, err
		}
		if account.Rewarded, err = account.Rewarded.Add(reward.Reward); err != nil {
			return nil, err
		}
		if reward.Reward > 0 {
			rewards[i].UnitID = rewardID(account, reward.Owner)
		}
	}
	stage, err := Stages.Next(nowhere, Rewarded, Any)
	if err != nil {
		return nil, err
	}
	like := Unit{
		Community: account.Community, Origin: FromReward, Stage: stage, EligibleEpoch: chain.None, StakedTo: chain.None,
		UnlockEpoch: chain.None,
		RewardEpoch: account.Epoch, Created: at, Height: chain.None, SpentHeight: chain.None,
	}
	posting := unitPosting(like, nowhere, stage, Rewarded, Cause{Kind: "epoch", ID: fmt.Sprint(account.Epoch), At: at})
	if err := tx.Rewards.PayRewards(ctx, rewards, like, posting); err != nil {
		return nil, err
	}
	return rewards, tx.Rewards.PutAccount(ctx, account)
}

// rewardID is the id of the unit that an owner's reward becomes.
func rewardID(account Account, owner string) string {
	digest := sha256.Sum256([]byte(account.Community + "\n" + owner))
	return fmt.Sprintf("reward:%d:%s", account.Epoch, hex.EncodeToString(digest[:8]))
}

// Split divides a budget among owners in proportion to their stake. Each gets
// ⌊budget × stake ÷ total⌋; the base units that rounding leaves go one each to the
// largest remainders, ties to the lowest unit id. The rewards come in the order of
// the stakes, and add up to the budget exactly, or to 0 when nothing is staked.
func Split(budget amount.Runes, stakes []Stake) ([]Reward, error) {
	var total amount.Runes
	var err error
	for _, stake := range stakes {
		if total, err = total.Add(stake.Amount); err != nil {
			return nil, err
		}
	}
	if total == 0 {
		return nil, nil
	}
	type part struct {
		remainder int64
		at        int
	}
	parts := make([]part, len(stakes))
	rewards := make([]Reward, len(stakes))
	left := budget
	for i, stake := range stakes {
		quotient, remainder, err := amount.MulDiv(int64(budget), int64(stake.Amount), int64(total))
		if err != nil {
			return nil, err
		}
		rewards[i] = Reward{Owner: stake.Owner, Stake: stake.Amount, Reward: amount.Runes(quotient)}
		parts[i] = part{remainder, i}
		left -= amount.Runes(quotient)
	}
	slices.SortFunc(parts, func(a, b part) int {
		return cmp.Or(cmp.Compare(b.remainder, a.remainder), cmp.Compare(stakes[a.at].Lowest, stakes[b.at].Lowest))
	})
	for _, p := range parts[:left] {
		rewards[p.at].Reward++
	}
	return rewards, nil
}
