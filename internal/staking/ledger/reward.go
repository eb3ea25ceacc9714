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

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/state"
)

// SettleDepth is the number of confirmations that the cut at an epoch's end needs before the epoch settles. With 8, the
// first block after the end is deeper than the deepest reorg that the follower accepts (6 blocks), so a replay settles
// the same result.
const SettleDepth = 8

// Account has the planned, reserved and paid rewards of an epoch, in base units.
type Account struct {
	Community string
	Epoch     int64
	Planned   amount.Runes // budget by the manifest
	Reserved  amount.Runes // free part of the treasury at the boundary of the epoch, at most Planned
	Settled   bool
	Staked    amount.Runes // total stake that was rewarded; 0 until Settled, as the fields below
	Rewarded  amount.Runes // Reserved, or 0 if nothing was staked
	Cut       int64        // height of the last block that counts for the epoch; chain.None until Settled
	CutHash   string       // hash of that block
	SettledAt time.Time

	StatementDue bool // it is settled, and the facts of its statement are not recorded yet
}

// Stake is the stake of one owner in an epoch.
type Stake struct {
	Owner  string
	Amount amount.Runes // sum of the owner's rewarded units
	Lowest string       // lowest id of these units, for the order of equal remainders
}

// Reward is the reward of one owner in a settled epoch.
type Reward struct {
	Owner  string       // ordinals address
	Stake  amount.Runes // sum of the owner's rewarded units
	Reward amount.Runes
	UnitID string // id of the reward's unit, or "" for a reward of 0
}

// Use is what became of a reward, as the API spells it.
type Use string

const (
	Unused     Use = "CLAIMABLE" // neither of the others, also in a claim order that is not paid, and for a reward of 0
	Claimed    Use = "CLAIMED"   // in a paid claim order, or delivered
	Compounded Use = "COMPOUNDED"
)

// UseOf returns what became of a reward whose unit has this stage and this NotBefore.
func UseOf(stage Stage, notBefore int64) Use {
	switch {
	case notBefore > 0:
		return Compounded
	case stage == BatchLocked || stage == Withdrawn:
		return Claimed
	}
	return Unused
}

// Earning is an owner's share of a settled epoch.
type Earning struct {
	Account Account
	Reward  Reward
	Use     Use
}

// RewardStore stores the accounts, inputs and rewards of epochs.
type RewardStore interface {
	AccountOf(ctx context.Context, community string, epoch int64) (Account, error) // or state.ErrNotFound
	Unsettled(ctx context.Context, community string) ([]Account, error)            // ascending by epoch
	PutAccount(ctx context.Context, a Account) error                               // inserts or replaces
	// DeleteAccount returns state.ErrConflict if the epoch is settled or has no account.
	DeleteAccount(ctx context.Context, community string, epoch int64) error
	// RecordInputs records every unit that an epoch rewards and returns the stake of each owner, ordered by owner. cut
	// is the height of the last block that counts for the epoch.
	RecordInputs(ctx context.Context, community string, epoch, cut int64) ([]Stake, error)
	// PayRewards records an epoch's rewards. For each reward that is not 0 it inserts a unit and a posting. The units
	// and postings are copies of like and posting with the reward's owner, amount and unit id.
	PayRewards(ctx context.Context, rewards []Reward, like Unit, posting Posting) error
	// RecordStatement records the facts of the statement of a settled epoch. asOf is the block that the statement names.
	RecordStatement(ctx context.Context, a Account, asOf Header) error
	// StatementDue returns the first settled epoch whose statement is due, or state.ErrNotFound.
	StatementDue(ctx context.Context, community string) (Account, error)
	// Treasury returns the sum of the booked, unspent rune outputs of the treasury, including our unconfirmed change.
	Treasury(ctx context.Context, community string) (amount.Runes, error)
	// VirtualOwed returns the sum of the virtual units that are not WITHDRAWN, minus the amounts that undelivered
	// payouts carry for them.
	VirtualOwed(ctx context.Context, community string) (amount.Runes, error)
}

// reserve inserts the account of an epoch. The reserved amount is the part of the treasury that exceeds the virtual
// units and the other reservations, at most the planned amount. An epoch that settled before a reorg undid its start
// gets no new reservation, because its rewards were paid.
func (s *Service) reserve(ctx context.Context, tx Tx, boundary Boundary) error {
	if _, err := tx.Rewards.AccountOf(ctx, boundary.Community, boundary.Epoch); !errors.Is(err, state.ErrNotFound) {
		return err
	}
	free, err := freeFunds(ctx, tx, boundary.Community)
	if err != nil {
		return err
	}
	var planned amount.Runes // 0 for a community that is not served, of which nothing is staked
	if terms, err := s.communities.Of(boundary.Community); err == nil {
		planned = terms.Budget(boundary.Epoch)
	}
	return tx.Rewards.PutAccount(ctx, Account{
		Community: boundary.Community, Epoch: boundary.Epoch, Planned: planned,
		Reserved: max(0, min(planned, free)), Cut: chain.None,
	})
}

// Settle pays the first unsettled epoch of a community, if its end has SettleDepth confirmations and no statement of
// the community is due. It returns the rewards, and whether a statement is due then.
func (s *Service) Settle(ctx context.Context, tx Tx, community string, tip Header, at time.Time) (
	paid []Reward, due bool, err error,
) {
	if _, err := tx.Rewards.StatementDue(ctx, community); !errors.Is(err, state.ErrNotFound) {
		return nil, err == nil, err
	}
	unsettled, err := tx.Rewards.Unsettled(ctx, community)
	if err != nil || len(unsettled) == 0 {
		return nil, false, err
	}
	account := unsettled[0]
	end, err := tx.Epochs.BoundaryOf(ctx, community, account.Epoch+1)
	if errors.Is(err, state.ErrNotFound) || (err == nil && Confirmations(end.Cut, tip.Height) < SettleDepth) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	account.Settled, account.Cut, account.SettledAt = true, end.Cut, at
	if paid, err = s.settle(ctx, tx, account); err != nil {
		return nil, false, fmt.Errorf("settling epoch %d of %s: %w", account.Epoch, community, err)
	}
	return paid, true, nil
}

// RecordStatement records the statement that is due, if any. It needs a separate transaction, because the settlement
// already holds the write lock for long. The statement names the last block that no reorg which the follower accepts
// can replace: it is signed at once, and never changes.
func (s *Service) RecordStatement(ctx context.Context, tx Tx, community string) error {
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return err
	}
	account, err := tx.Rewards.StatementDue(ctx, community)
	if errors.Is(err, state.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	asOf, err := tx.Headers.HeaderAt(ctx, max(account.Cut, tip.Height-SettleDepth+2))
	if err != nil && !errors.Is(err, state.ErrNotFound) { // not found: the epoch has no statement
		return err
	}
	if err := tx.Rewards.RecordStatement(ctx, account, asOf); err != nil {
		return fmt.Errorf("the statement of epoch %d of %s: %w", account.Epoch, community, err)
	}
	account.StatementDue = false
	return tx.Rewards.PutAccount(ctx, account)
}

// settle pays one epoch: it records the units that the epoch rewards, and divides the reserved amount among their
// owners. The account has its cut and its time of settlement.
func (s *Service) settle(ctx context.Context, tx Tx, account Account) ([]Reward, error) {
	at := account.SettledAt
	if account.Cut >= 0 {
		header, err := tx.Headers.HeaderAt(ctx, account.Cut)
		if err != nil && !errors.Is(err, state.ErrNotFound) {
			return nil, err
		}
		account.CutHash = header.Hash
	}
	stakes, err := tx.Rewards.RecordInputs(ctx, account.Community, account.Epoch, account.Cut)
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
	account.StatementDue = true
	return rewards, tx.Rewards.PutAccount(ctx, account)
}

// rewardID returns the id of the unit of an owner's reward. It is the same on every server that follows the same chain.
// Verifiers compute it, too: rewardID in audit and signed/statement, and rewardId in web/src/verify.
func rewardID(account Account, owner string) string {
	digest := sha256.Sum256([]byte(account.Community + "\n" + owner))
	return fmt.Sprintf("reward:%d:%s", account.Epoch, hex.EncodeToString(digest[:8]))
}

// Split divides a budget among owners in proportion to their stakes. Each owner gets ⌊budget × stake ÷ total⌋
// base units, and the owners with the largest remainders get one of the remaining base units each. Equal remainders are
// ordered by the lowest unit id. Split returns the rewards in the order of stakes, without unit ids. Their sum is
// exactly the budget. If nothing is staked, Split returns no rewards. It returns amount.ErrOverflow if the stakes
// exceed an int64.
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
