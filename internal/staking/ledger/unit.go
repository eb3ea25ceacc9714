// Package ledger records the units of every staker and their stages, every output at one of our addresses, the rewards
// of each epoch, and a journal with the cause of each change. "Ours" are the addresses and transactions of this server.
package ledger

import (
	"context"
	"fmt"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
)

// Origin is what backs a unit.
type Origin string

const (
	FromStake  Origin = "STAKE"  // one custody output, whose outpoint is the unit's id
	FromReward Origin = "REWARD" // virtual: backed by the treasury
)

// Unit is an amount of stake or reward of one owner, with a stage.
type Unit struct {
	ID            string // "txid:vout" of its deposit, or "reward:…"
	Community     string
	Owner         string // ordinals address
	Origin        Origin
	Amount        amount.Runes
	Stage         Stage
	NotBefore     int64  // first epoch that may reward it, set by restaking and compounding; else 0
	EligibleEpoch int64  // first epoch that rewards it; chain.None until its boundary is on the chain
	StakedTo      int64  // first epoch that no longer rewards it; chain.None while it is staked
	UnlockEpoch   int64  // epoch whose start ends the cooldown; chain.None outside of it
	RewardEpoch   int64  // epoch in which a REWARD unit was earned, else chain.None
	OrderID       string // the order that locks it or delivered it, or ""
	Before        Stage  // the stage before a recovery, restored when the recovery is undone
	Created       time.Time
	Number        int64 // order of creation

	// Fields of its deposit, read with the unit; zero for a virtual unit.
	OutPoint    wire.OutPoint
	Value       amount.Sats
	Height      int64 // height of the deposit, chain.None while it is unconfirmed
	Vanished    bool  // the deposit vanished, see Output.Vanished
	Contested   bool  // a transaction that is no payout spends its output, so no action or payout can use the unit
	SpentHeight int64 // height of the transaction that spends its output, a payout or not; else chain.None
	Self        bool  // in self-custody: nothing spends its output without its owner's signature (ADR 68)
}

// Virtual reports whether the treasury backs the unit.
func (u Unit) Virtual() bool { return u.Origin == FromReward }

// CooldownEpochs is the number of whole epochs that an unstaked unit waits after the epoch in which it was unstaked.
// What happens to a unit later reads the UnlockEpoch that is stored with it. The page has COOLDOWN_EPOCHS in
// web/src/api/running.ts, which gives dates and numbers of epochs. Texts that speak of one epoch are unlock in
// web/src/lib/text/{en,de}.unlock.ts, which stake.countsSoon, unstake.unlocks and visit.leave use without a date, and
// on the landing page, for all communities, steps and how-long-unstaking; so does docs/guide/getting-started.md.
// audit/cooldown.go and testkit/sim/model/deadlines.go have constants of their own on purpose; the signer, statements,
// receipts and verifiers don't know it.
//
// A cooldown of one community would be a setting of its manifest (community.Manifest), which wiring.Terms passes to
// action.Terms, for the signed message and its effect. "A new setting of a community" in docs/recipes.md has the rest.
const CooldownEpochs = 1

// UnlockEpoch returns the epoch whose start unlocks a unit that is unstaked in an epoch.
func UnlockEpoch(unstaked int64) int64 { return unstaked + 1 + CooldownEpochs }

// UnstakeIn sets the fields of a unit that is unstaked in an epoch.
func (u *Unit) UnstakeIn(epoch int64) { u.StakedTo, u.UnlockEpoch = epoch, UnlockEpoch(epoch) }

// Moment is the instant at which a database transaction runs. Now is compared with deadlines. Chain is the same instant
// on the scale of block headers and of the epoch calendar. The two differ only on a dev network whose clock was
// advanced.
type Moment struct {
	Now   time.Time
	Chain time.Time
}

// Shown converts an instant of the calendar or of a block header to the scale of Now.
func (m Moment) Shown(chainTime time.Time) time.Time { return chainTime.Add(m.Now.Sub(m.Chain)) }

// UnitStore stores units.
type UnitStore interface {
	Journal
	// Unit returns one unit with the fields of its deposit, or state.ErrNotFound.
	Unit(ctx context.Context, community, id string) (Unit, error)
	// UnitsByID returns the units that exist among ids, in the order of ids.
	UnitsByID(ctx context.Context, community string, ids []string) ([]Unit, error)
	// UnitsOf returns all units of an owner, newest first.
	UnitsOf(ctx context.Context, community, owner string) ([]Unit, error)
	// UnitNumbersOf returns the ids and numbers of all units of an owner, newest first, without the other fields.
	UnitNumbersOf(ctx context.Context, community, owner string) ([]Unit, error)
	// ClaimableUnitsOf returns the claimable units of an owner, oldest first.
	ClaimableUnitsOf(ctx context.Context, community, owner string) ([]Unit, error)
	// InsertUnit inserts new units and assigns their numbers.
	InsertUnit(ctx context.Context, units ...Unit) error
	// UpdateUnits writes every field that can change if the stored stage of each unit is From, else it returns
	// state.ErrConflict. The units must be distinct.
	UpdateUnits(ctx context.Context, changes ...UnitChange) error
	// DeleteUnits deletes units if the stored stage of each is u.Stage, else it returns state.ErrConflict.
	DeleteUnits(ctx context.Context, units ...Unit) error
}

// UnitChange is a unit with changed fields. From is its stored stage.
type UnitChange struct {
	Unit
	From Stage
}

// insertUnits inserts new units by an event of the stage table, and journals the event.
func insertUnits(ctx context.Context, tx UnitStore, units []Unit, event Event, cause Cause) error {
	if len(units) == 0 {
		return nil
	}
	stage, err := Stages.Next(nowhere, event, Any)
	if err != nil {
		return err
	}
	postings := make([]Posting, len(units))
	for i := range units {
		units[i].Stage = stage
		postings[i] = unitPosting(units[i], nowhere, stage, event, cause)
	}
	if err := tx.InsertUnit(ctx, units...); err != nil {
		return fmt.Errorf("unit %s, %s: %w", units[0].ID, event, err)
	}
	return tx.Post(ctx, postings...)
}

// ParseOutPoint parses an outpoint "txid:vout", which is also the id of a deposit's unit. It returns an error for text
// that is not in canonical form, such as an uppercase txid or a vout with leading zeros.
func ParseOutPoint(text string) (wire.OutPoint, error) {
	out, err := wire.NewOutPointFromString(text)
	if err != nil || out.String() != text {
		return wire.OutPoint{}, fmt.Errorf("ledger: %q is not an outpoint", text)
	}
	return *out, nil
}
