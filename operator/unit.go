package operator

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"moonfund/amount"
	"moonfund/ledger"
	"moonfund/state"
	"moonfund/store"
)

// UnitView is a unit of stake. Epochs are -1 for none; amounts are base units.
type UnitView struct {
	ID            string        `json:"id"`
	Community     string        `json:"community"`
	Owner         string        `json:"owner"`
	Origin        ledger.Origin `json:"origin"`
	Amount        amount.Runes  `json:"amount,string"`
	Stage         ledger.Stage  `json:"stage"`
	EligibleEpoch int64         `json:"eligible_epoch"`
	StakedTo      int64         `json:"staked_to"`
	UnlockEpoch   int64         `json:"unlock_epoch"`
	RewardEpoch   int64         `json:"reward_epoch"`
	Order         string        `json:"order"`
	Created       time.Time     `json:"created"`
	Height        int64         `json:"height"` // of its deposit
	Vanished      bool          `json:"vanished"`
	Contested     bool          `json:"contested"`
	Moves         []MoveView    `json:"moves,omitempty"`

	virtual bool
}

// MoveView is one move of a unit from a stage to another.
type MoveView struct {
	At    time.Time `json:"at"`
	Event string    `json:"event"`
	From  string    `json:"from"`
	To    string    `json:"to"`
	Cause string    `json:"cause"`
}

// viewUnit returns the view of a unit without its moves.
func viewUnit(u ledger.Unit) UnitView {
	return UnitView{
		ID: u.ID, Community: u.Community, Owner: u.Owner, Origin: u.Origin, Amount: u.Amount, Stage: u.Stage,
		EligibleEpoch: u.EligibleEpoch, StakedTo: u.StakedTo, UnlockEpoch: u.UnlockEpoch, RewardEpoch: u.RewardEpoch,
		Order: u.OrderID, Created: u.Created, Height: u.Height, Vanished: u.Vanished, Contested: u.Contested,
		virtual: u.Virtual(),
	}
}

// Stages are the stages of units, in the order of their lives.
var Stages = []ledger.Stage{
	ledger.PendingStake, ledger.Staked, ledger.PendingUnlock, ledger.Unlocked, ledger.Claimable, ledger.POLocked,
	ledger.POClaimed, ledger.PendingWithdraw, ledger.BatchLocked, ledger.Withdrawn,
}

// UnitFilter chooses the units of one owner. Empty fields choose all.
type UnitFilter struct {
	Community string
	Owner     string // its ordinals or payment address; required
	Stage     ledger.Stage
	Limit     int // how many, the newest
}

// Units returns the chosen units, newest first, without their moves.
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

// ReadUnit returns a unit with its moves. The community may be "" if only one has a unit with the id.
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
		return view, fmt.Errorf("the ledger has no unit %q; one whose deposit was replaced is gone", id)
	case 1:
	default:
		return view, fmt.Errorf("several communities have a unit %q: name one with --community", id)
	}
	view = viewUnit(found[0])
	lines, err := tx.JournalAbout(ctx, view.Community, view.ID)
	for _, l := range lines {
		cause := strings.TrimSpace(l.Cause.Kind + " " + l.Cause.ID)
		view.Moves = append(view.Moves, MoveView{l.Cause.At, l.Event, l.From, l.To, cause})
	}
	return view, err
}

// Backing says what output backs the unit.
func (v UnitView) Backing() string {
	switch {
	case v.virtual:
		return "none: the treasury backs it"
	case v.Vanished:
		return "another transaction took its place"
	case v.Contested:
		return "spent by a transaction that is not ours"
	}
	return "as the ledger expects it"
}
