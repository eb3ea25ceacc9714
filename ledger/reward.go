package ledger

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"moonfund/amount"
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

// Reward is one owner's part of a settled epoch.
type Reward struct {
	Owner  string
	Stake  amount.Runes
	Reward amount.Runes
	UnitID string
}

// Accounts is the part of the store that keeps epochs and their rewards.
type Accounts interface {
	AccountOf(ctx context.Context, community string, epoch int64) (Account, error)
	Unsettled(ctx context.Context, community string) ([]Account, error) // ascending
	PutAccount(ctx context.Context, a Account) error
	DeleteAccount(ctx context.Context, community string, epoch int64) error
	PutInput(ctx context.Context, community string, epoch int64, u Unit) error
	PutReward(ctx context.Context, community string, epoch int64, r Reward) error
	// Treasury is the sum of booked, unspent rune outputs of the treasury, own unconfirmed change included.
	Treasury(ctx context.Context, community string) (amount.Runes, error)
	// VirtualOwed is the sum of virtual units not WITHDRAWN, less what undelivered payouts already carry for them.
	VirtualOwed(ctx context.Context, community string) (amount.Runes, error)
}

// reserve sets the budget of an epoch aside: what the treasury holds beyond the
// virtual units and the other reservations, at most the planned amount. An epoch
// that was settled before a reorg undid its start needs none: it was paid.
func (b *Book) reserve(ctx context.Context, tx Tx, boundary Boundary) error {
	if _, err := tx.AccountOf(ctx, boundary.Community, boundary.Epoch); err != ErrNotFound {
		return err
	}
	treasury, err := tx.Treasury(ctx, boundary.Community)
	if err != nil {
		return err
	}
	owed, err := tx.VirtualOwed(ctx, boundary.Community)
	if err != nil {
		return err
	}
	free, err := treasury.Sub(owed)
	if err != nil {
		return err
	}
	others, err := tx.Unsettled(ctx, boundary.Community)
	if err != nil {
		return err
	}
	for _, other := range others {
		if free, err = free.Sub(other.Reserved); err != nil {
			return err
		}
	}
	planned := b.communities[boundary.Community].Budget(boundary.Epoch)
	return tx.PutAccount(ctx, Account{
		Community: boundary.Community, Epoch: boundary.Epoch, Planned: planned,
		Reserved: max(0, min(planned, free)), Cut: None,
	})
}

// Settle pays every epoch whose end is deep enough in the chain, once, in order.
// It returns the owners that were rewarded.
func (b *Book) Settle(ctx context.Context, tx Tx, at time.Time) (rewarded []Unit, err error) {
	tip, err := tx.Tip(ctx)
	if err != nil {
		return nil, err
	}
	for prefix := range b.communities {
		unsettled, err := tx.Unsettled(ctx, prefix)
		if err != nil {
			return nil, err
		}
		for _, account := range unsettled {
			end, err := tx.BoundaryOf(ctx, prefix, account.Epoch+1)
			if err == ErrNotFound || (err == nil && Confirmations(end.Cut, tip.Height) < SettleDepth) {
				break
			}
			if err != nil {
				return nil, err
			}
			units, err := b.settle(ctx, tx, account, end.Cut, at)
			if err != nil {
				return nil, fmt.Errorf("settling epoch %d of %s: %w", account.Epoch, prefix, err)
			}
			rewarded = append(rewarded, units...)
		}
	}
	return rewarded, nil
}

func (b *Book) settle(ctx context.Context, tx Tx, account Account, cut int64, at time.Time) ([]Unit, error) {
	account.Cut, account.Settled, account.SettledAt = cut, true, at
	if cut >= 0 {
		header, err := tx.HeaderAt(ctx, cut)
		if err != nil && err != ErrNotFound {
			return nil, err
		}
		account.CutHash = header.Hash
	}
	eligible, err := tx.EligibleFor(ctx, account.Community, account.Epoch, cut)
	if err != nil {
		return nil, err
	}
	for _, unit := range eligible {
		if err := tx.PutInput(ctx, account.Community, account.Epoch, unit); err != nil {
			return nil, err
		}
		if account.Staked, err = account.Staked.Add(unit.Amount); err != nil {
			return nil, err
		}
	}
	rewards, err := Split(account.Reserved, eligible)
	if err != nil {
		return nil, err
	}
	var made []Unit
	cause := Cause{Kind: "epoch", ID: fmt.Sprint(account.Epoch), At: at}
	for _, reward := range rewards {
		if account.Rewarded, err = account.Rewarded.Add(reward.Reward); err != nil {
			return nil, err
		}
		if reward.Reward > 0 {
			unit := rewardUnit(account, reward, at)
			reward.UnitID = unit.ID
			if unit, err = Move(ctx, tx, unit, Rewarded, Any, cause, nil); err != nil {
				return nil, err
			}
			made = append(made, unit)
		}
		if err := tx.PutReward(ctx, account.Community, account.Epoch, reward); err != nil {
			return nil, err
		}
	}
	return made, tx.PutAccount(ctx, account)
}

func rewardUnit(account Account, reward Reward, at time.Time) Unit {
	digest := sha256.Sum256([]byte(account.Community + "\n" + reward.Owner))
	return Unit{
		ID:        fmt.Sprintf("reward:%d:%s", account.Epoch, hex.EncodeToString(digest[:8])),
		Community: account.Community, Owner: reward.Owner, Origin: FromReward, Amount: reward.Reward,
		EligibleEpoch: None, StakedTo: None, UnlockEpoch: None, RewardEpoch: account.Epoch,
		Created: at, Height: None, SpentHeight: None,
	}
}

// Split divides a budget among the owners of the eligible units in proportion to
// their stake. Each gets ⌊budget × stake ÷ total⌋; the base units that rounding
// leaves go one each to the largest remainders, ties to the lowest unit id. The
// rewards add up to the budget exactly, or to 0 when nothing is staked.
func Split(budget amount.Runes, eligible []Unit) ([]Reward, error) {
	type part struct {
		Reward
		lowest    string
		remainder int64
	}
	parts := map[string]*part{}
	var total amount.Runes
	var err error
	for _, unit := range eligible {
		p := parts[unit.Owner]
		if p == nil {
			p = &part{Reward: Reward{Owner: unit.Owner}, lowest: unit.ID}
			parts[unit.Owner] = p
		}
		p.lowest = min(p.lowest, unit.ID)
		if p.Stake, err = p.Stake.Add(unit.Amount); err != nil {
			return nil, err
		}
		if total, err = total.Add(unit.Amount); err != nil {
			return nil, err
		}
	}
	if total == 0 {
		return nil, nil
	}
	ordered := make([]*part, 0, len(parts))
	left := budget
	for _, p := range parts {
		quotient, remainder, err := amount.MulDiv(int64(budget), int64(p.Stake), int64(total))
		if err != nil {
			return nil, err
		}
		p.Reward.Reward, p.remainder = amount.Runes(quotient), remainder
		left -= p.Reward.Reward
		ordered = append(ordered, p)
	}
	slices.SortFunc(ordered, func(a, b *part) int {
		return cmp.Or(cmp.Compare(b.remainder, a.remainder), cmp.Compare(a.lowest, b.lowest))
	})
	rewards := make([]Reward, 0, len(ordered))
	for _, p := range ordered {
		if left > 0 {
			p.Reward.Reward++
			left--
		}
		rewards = append(rewards, p.Reward)
	}
	slices.SortFunc(rewards, func(a, b Reward) int { return cmp.Compare(a.Owner, b.Owner) })
	return rewards, nil
}
