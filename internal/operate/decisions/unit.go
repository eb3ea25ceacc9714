package decisions

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
	"moonfund/internal/store"
)

// UnitView is a unit: a stake or a reward. Epochs are -1 if there is none; amounts are in base units.
type UnitView struct {
	ID            string        `json:"id"`
	Community     string        `json:"community"`
	Owner         string        `json:"owner"`
	Origin        ledger.Origin `json:"origin"`
	Amount        amount.Runes  `json:"amount,string"`
	Stage         ledger.Stage  `json:"stage"`
	Custody       string        `json:"custody_kind"` // self, operator, or "" for a virtual unit
	EligibleEpoch int64         `json:"eligible_epoch"`
	StakedTo      int64         `json:"staked_to"`
	UnlockEpoch   int64         `json:"unlock_epoch"`
	RewardEpoch   int64         `json:"reward_epoch"`
	Order         string        `json:"order"`
	Created       time.Time     `json:"created"`
	Height        int64         `json:"height"` // of its deposit; -1 if unconfirmed or without one
	Vanished      bool          `json:"vanished"`
	Contested     bool          `json:"contested"`
	Moves         []MoveView    `json:"moves,omitempty"`

	virtual bool
}

// MoveView is one change of a unit's stage or of an order's status.
type MoveView struct {
	At    time.Time `json:"at"`
	Event string    `json:"event"`
	From  string    `json:"from"`
	To    string    `json:"to"`
	Cause string    `json:"cause"`
}

// viewUnit returns the view of a unit without the changes of its stage.
func viewUnit(u ledger.Unit) UnitView {
	return UnitView{
		ID: u.ID, Community: u.Community, Owner: u.Owner, Origin: u.Origin, Amount: u.Amount, Stage: u.Stage,
		EligibleEpoch: u.EligibleEpoch, StakedTo: u.StakedTo, UnlockEpoch: u.UnlockEpoch, RewardEpoch: u.RewardEpoch,
		Order: u.OrderID, Created: u.Created, Height: u.Height, Vanished: u.Vanished, Contested: u.Contested,
		Custody: custodyOf(u), virtual: u.Virtual(),
	}
}

func custodyOf(u ledger.Unit) string {
	switch {
	case u.Virtual():
		return ""
	case u.Self:
		return "self"
	}
	return "operator"
}

// Stages are the stages of units, in their usual order.
var Stages = []ledger.Stage{
	ledger.PendingStake, ledger.Staked, ledger.PendingUnlock, ledger.Unlocked, ledger.Claimable, ledger.POLocked,
	ledger.POClaimed, ledger.PendingWithdraw, ledger.BatchLocked, ledger.Withdrawn,
}

// UnitFilter selects the units of one address. Empty fields select all.
type UnitFilter struct {
	Community string
	Owner     string // its ordinals or payment address; required
	Stage     ledger.Stage
	Limit     int // maximum number
}

// Units returns the selected units without the changes of their stages: owner by owner, each owner's newest first.
func Units(ctx context.Context, tx *store.Tx, f UnitFilter) (views []UnitView, err error) {
	owners, err := Owners(ctx, tx, f.Community, f.Owner)
	if err != nil {
		return nil, err
	}
	for _, o := range owners {
		units, err := tx.UnitsOf(ctx, o.Community, o.Address)
		if err != nil {
			return nil, err
		}
		for _, u := range units {
			if f.Stage == "" || u.Stage == f.Stage {
				views = append(views, viewUnit(u))
			}
		}
	}
	return views[:min(len(views), f.Limit)], nil
}

// ReadUnit returns a unit with the changes of its stage. The community may be "" if only one community has a unit with
// the id.
func ReadUnit(ctx context.Context, tx *store.Tx, community, id string) (view UnitView, err error) {
	communities, err := Communities(ctx, tx, community)
	if err != nil {
		return view, err
	}
	var found []ledger.Unit
	for _, community := range communities {
		u, err := tx.Unit(ctx, community, id)
		if err == nil {
			found = append(found, u)
		} else if !errors.Is(err, state.ErrNotFound) {
			return view, err
		}
	}
	switch len(found) {
	case 0:
		return view, fmt.Errorf("the ledger has no unit %q; a unit is deleted when its deposit is replaced", id)
	case 1:
	default:
		return view, fmt.Errorf("several communities have a unit %q: name one with --community", id)
	}
	view = viewUnit(found[0])
	lines, err := tx.JournalAbout(ctx, view.Community, view.ID)
	for _, l := range lines {
		view.Moves = append(view.Moves, viewMove(l))
	}
	return view, err
}

// Backing describes the output that backs the unit.
func (v UnitView) Backing() string {
	switch {
	case v.virtual:
		return "none: the treasury backs it"
	case v.Vanished:
		return "replaced by another transaction"
	case v.Contested:
		return "spent by a transaction that is not ours"
	}
	return "as the ledger expects it"
}
