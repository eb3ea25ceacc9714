package ledger

import (
	"context"
	"errors"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/amount"
	"moonfund/chain"
	"moonfund/runes"
)

// Kind is what one of our addresses is for.
type Kind string

const (
	StakeKind   Kind = "stake"
	PaymentKind Kind = "payment"
	RunesKind   Kind = "runes" // the treasury's runes
	SatsKind    Kind = "sats"  // the treasury's sats
)

// Watched is a script of ours and what it was handed out for.
type Watched struct {
	Number    int64
	Script    []byte
	Community string
	Kind      Kind
	Ref       string // StakeKind: the address; PaymentKind: the order's id
	Owner     string // ordinals address, "" for the treasury
}

// Output is an output at one of our addresses, kept for life.
type Output struct {
	OutPoint    wire.OutPoint
	Community   string
	Kind        Kind
	Ref         string
	Owner       string
	Script      []byte
	Value       amount.Sats
	Runes       amount.Runes // of the community's rune
	Quarantine  string       // why the ledger can't credit it, "" when it can
	Booked      bool         // a treasury output that counts
	Coinbase    bool
	SeenAt      time.Time
	Height      int64 // None while unconfirmed
	Position    int64 // of its transaction in its block
	Vanished    bool  // a conflicting transaction was seen, or nobody mined it for VanishAfter
	SpentBy     string
	SpentOurs   bool   // by a payout of ours
	SpentHeight int64  // None while the spend is unconfirmed
	Returned    bool   // not stored: it had vanished, and this sighting brought it back
	Was         string // not stored: Quarantine before this sighting; the same for a new one
}

// Fact is what the chain says of an output: its block, and who spends it.
type Fact struct {
	Height      int64 // None while unconfirmed
	SpentBy     string
	SpentHeight int64
}

// Reasons for quarantine, as the operator reads them.
const (
	NoRunes      = "no runes of this community"
	ForeignRunes = "runes of another kind"
	BelowMinimum = "below the minimum stake"
	TooLarge     = "more runes than a ledger can count"
	RunesForSats = "runes at an address for sats"
	Unfollowed   = "it may bear runes that are not followed here" // nobody can prove that it does not
)

// Watch says quickly what of a transaction may concern us. It may answer yes too often, never no too often.
type Watch interface {
	Script(script []byte) (Watched, bool)
	Output(out wire.OutPoint) bool  // may be an output of ours
	Tracked(out wire.OutPoint) bool // may be spent by a tracked transaction
	Add(tx chain.Tx, ours []wire.OutPoint)
}

// Sighting is a transaction seen in the mempool or in a block.
type Sighting struct {
	Tx        chain.Tx
	Height    int64 // None for the mempool
	Position  int64 // in its block
	At        time.Time
	Allocated func(vout uint32) []runes.Balance
	Strays    []bool     // by output: it may bear runes that are not followed; nil: every rune is
	Parents   []chain.Tx // unconfirmed ancestors, to be kept and sent again with it
	Ours      bool       // a payout of ours
}

// Seen is what a sighting changed, for those who keep books on it.
type Seen struct {
	Outputs  []Output // new, or newly confirmed, or back again
	Spent    []Output // outputs of ours that it spends
	Vanished []Output // outputs of transactions that it conflicts with
}

// Any reports whether the transaction concerned us at all.
func (s Seen) Any() bool { return len(s.Outputs)+len(s.Spent)+len(s.Vanished) > 0 }

// OutputStore keeps the outputs at addresses of ours, and those addresses.
type OutputStore interface {
	Output(ctx context.Context, out wire.OutPoint) (Output, error) // or ErrNotFound
	OutputsOf(ctx context.Context, txid string) ([]Output, error)
	OutputsSpentBy(ctx context.Context, txid string) ([]Output, error)
	PutOutput(ctx context.Context, o Output) error // inserts or replaces
	WatchScript(ctx context.Context, w Watched) error
}

// TrackedStore keeps the transactions that concern us until they are final.
type TrackedStore interface {
	Track(ctx context.Context, t Tracked) error // inserts, or sets height and vanished
	TrackedTx(ctx context.Context, txid string) (Tracked, error)
	TrackedSpending(ctx context.Context, out wire.OutPoint) (txids []string, err error)
	TrackedChildren(ctx context.Context, txid string) ([]Tracked, error)
}

// Tracked is a transaction that concerns us, or an unconfirmed ancestor of one.
type Tracked struct {
	Tx       chain.Tx
	SeenAt   time.Time
	Height   int64
	Vanished bool
	Ours     bool      // a payout of ours: only its own life cycle ends it, never a conflict alone
	Since    time.Time // it is in no block; set by the store
}

// VanishAfter is how long a transaction of others is kept and sent again while it
// is in no block. After that it has vanished, unless the node still has it.
const VanishAfter = 14 * 24 * time.Hour

// See records a transaction: new outputs of ours, spends of ours, and the
// transactions that it replaces. It is idempotent; seeing a transaction in a
// block settles what its sight in the mempool said.
func (b *Book) See(ctx context.Context, tx Tx, watch Watch, s Sighting) (Seen, error) {
	var seen Seen
	txid := s.Tx.ID.String()
	known, err := tx.Tracked.TrackedTx(ctx, txid)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return seen, err
	}
	if err == nil && s.Height == None && known.Height != None {
		return seen, nil // a block has it: only that block's undoing changes it
	}
	rival, err := b.conflicts(ctx, tx, watch, s, &seen)
	if err != nil {
		return seen, err
	}
	var ours []wire.OutPoint
	for vout, out := range s.Tx.Msg.TxOut {
		watched, ok := watch.Script(out.PkScript)
		if !ok {
			continue
		}
		point := wire.OutPoint{Hash: s.Tx.ID, Index: uint32(vout)}
		output, err := b.seeOutput(ctx, tx, watched, point, out, s)
		if err != nil {
			return seen, err
		}
		seen.Outputs = append(seen.Outputs, output)
		ours = append(ours, point)
	}
	for _, in := range s.Tx.Msg.TxIn {
		if !watch.Output(in.PreviousOutPoint) {
			continue
		}
		output, err := tx.Outputs.Output(ctx, in.PreviousOutPoint)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return seen, err
		}
		if output.SpentBy != txid && output.SpentHeight != None && s.Height == None {
			continue // a block decided this spend already
		}
		output.SpentBy, output.SpentOurs, output.SpentHeight = txid, s.Ours, s.Height
		if err := tx.Outputs.PutOutput(ctx, output); err != nil {
			return seen, err
		}
		seen.Spent = append(seen.Spent, output)
	}
	if !seen.Any() && !rival {
		return seen, b.trackAncestor(ctx, tx, s)
	}
	if err := b.seeOutgo(ctx, tx, watch, s, seen.Outputs, seen.Spent); err != nil {
		return seen, err
	}
	return seen, b.track(ctx, tx, watch, s, ours)
}

// trackAncestor notes the block of a transaction that is kept only because one of ours builds on it.
func (b *Book) trackAncestor(ctx context.Context, tx Tx, s Sighting) error {
	known, err := tx.Tracked.TrackedTx(ctx, s.Tx.ID.String())
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil || known.Height == s.Height {
		return err
	}
	known.Height, known.Vanished = s.Height, false
	return tx.Tracked.Track(ctx, known)
}

func (b *Book) track(ctx context.Context, tx Tx, watch Watch, s Sighting, ours []wire.OutPoint) error {
	watch.Add(s.Tx, ours)
	for _, parent := range s.Parents {
		watch.Add(parent, nil)
		if err := tx.Tracked.Track(ctx, Tracked{Tx: parent, SeenAt: s.At, Height: None}); err != nil {
			return err
		}
	}
	return tx.Tracked.Track(ctx, Tracked{Tx: s.Tx, SeenAt: s.At, Height: s.Height, Ours: s.Ours})
}

func (b *Book) seeOutput(ctx context.Context, tx Tx, w Watched, point wire.OutPoint, out *wire.TxOut, s Sighting) (Output, error) {
	output, err := tx.Outputs.Output(ctx, point)
	known := err == nil
	if err != nil && !errors.Is(err, ErrNotFound) {
		return output, err
	}
	if !known {
		output = Output{OutPoint: point, SpentHeight: None, SeenAt: s.At, Booked: s.Ours}
	}
	before := output
	output.Community, output.Kind, output.Ref, output.Owner = w.Community, w.Kind, w.Ref, w.Owner
	output.Script, output.Value, output.Height, output.Vanished = w.Script, amount.Sats(out.Value), s.Height, false
	output.Position = s.Position
	output.Returned = before.Vanished
	output.Coinbase = isCoinbase(s.Tx.Msg)
	output.Runes, output.Quarantine = b.credit(w, s.Allocated(point.Index))
	if int(point.Index) < len(s.Strays) && s.Strays[point.Index] {
		output.Quarantine = Unfollowed
	}
	if output.Was = before.Quarantine; !known {
		output.Was = output.Quarantine
	}
	if err := tx.Outputs.PutOutput(ctx, output); err != nil {
		return output, err
	}
	if w.Kind != StakeKind {
		return output, nil
	}
	return output, b.seeDeposit(ctx, tx, before, output, s)
}

func isCoinbase(msg *wire.MsgTx) bool {
	return len(msg.TxIn) == 1 && msg.TxIn[0].PreviousOutPoint.Index == wire.MaxPrevOutIndex
}

// credit says how much of the community's rune an output holds, and why it can't be credited.
func (b *Book) credit(w Watched, balances []runes.Balance) (amount.Runes, string) {
	terms := b.communities[w.Community]
	var held amount.Runes
	foreign := false
	for _, balance := range balances {
		switch {
		case balance.ID != terms.Rune:
			foreign = true
		case balance.Amount.Hi != 0 || balance.Amount.Lo > maxRunes:
			return 0, TooLarge
		default:
			held = amount.Runes(balance.Amount.Lo)
		}
	}
	switch {
	case foreign:
		return held, ForeignRunes
	case w.Kind == PaymentKind && held > 0:
		return held, RunesForSats
	case w.Kind == StakeKind && held == 0:
		return held, NoRunes
	case w.Kind == StakeKind && held < terms.MinimumStake:
		return held, BelowMinimum
	}
	return held, ""
}

const maxRunes = 1<<63 - 1

// seeDeposit creates the unit of a creditable deposit. When a block says
// something else than the mempool did, the unit of before is taken back.
func (b *Book) seeDeposit(ctx context.Context, tx Tx, before, output Output, s Sighting) error {
	cause := Cause{Kind: "mempool", ID: s.Tx.ID.String(), At: s.At}
	if s.Height != None {
		cause.Kind = "block"
	}
	unit, err := tx.Units.Unit(ctx, output.Community, output.OutPoint.String())
	switch {
	case err != nil && !errors.Is(err, ErrNotFound):
		return err
	case err == nil && (output.Quarantine != "" || unit.Amount != output.Runes):
		if unit.Stage == Withdrawn || unit.OrderID != "" {
			output.Vanished = true // its order ends first; then the unit is removed
			return tx.Outputs.PutOutput(ctx, output)
		}
		if unit, err = Move(ctx, tx.Units, unit, DepositVanished, Any, cause, nil); err != nil {
			return err
		}
	case err == nil:
		return nil
	}
	return b.deposit(ctx, tx, output, s.At, cause)
}

// deposit makes the unit of a creditable output.
func (b *Book) deposit(ctx context.Context, tx Tx, output Output, at time.Time, cause Cause) error {
	if output.Quarantine != "" {
		return nil
	}
	unit := Unit{
		ID: output.OutPoint.String(), Community: output.Community, Owner: output.Owner, Origin: FromStake,
		Amount: output.Runes, EligibleEpoch: None, StakedTo: None, UnlockEpoch: None, RewardEpoch: None,
		Created: at, OutPoint: output.OutPoint, Value: output.Value, Height: output.Height, SpentHeight: None,
	}
	last, err := tx.Epochs.LastBoundary(ctx, output.Community)
	if err != nil {
		return err
	}
	if last.Epoch != None && qualifies(unit, last) {
		unit.NotBefore = last.Epoch + 1 // seen too late for epochs that have begun, such as at an address that was adopted
	}
	_, err = Move(ctx, tx.Units, unit, Deposited, Any, cause, nil)
	return err
}

// revive makes a unit anew whose deposit is there, but holds something else than
// it did before a reorg: its order had to end first.
func (b *Book) revive(ctx context.Context, tx Tx, gone Unit, cause Cause) error {
	tracked, err := tx.Tracked.TrackedTx(ctx, gone.OutPoint.Hash.String())
	if err != nil || tracked.Vanished {
		return err
	}
	output, err := tx.Outputs.Output(ctx, gone.OutPoint)
	if err != nil {
		return err
	}
	output.Vanished = false
	if err := tx.Outputs.PutOutput(ctx, output); err != nil {
		return err
	}
	return b.deposit(ctx, tx, output, output.SeenAt, cause)
}

// conflicts marks as vanished every unconfirmed transaction of ours that spends
// the same output as the one seen, with everything that was built on it. rival
// says that there is such a one, vanished or not: then the one seen is kept,
// since how deep it lies decides when the others are over for good.
func (b *Book) conflicts(ctx context.Context, tx Tx, watch Watch, s Sighting, seen *Seen) (rival bool, err error) {
	txid := s.Tx.ID.String()
	checked := map[string]bool{txid: true}
	for _, in := range s.Tx.Msg.TxIn {
		if !watch.Tracked(in.PreviousOutPoint) {
			continue
		}
		others, err := tx.Tracked.TrackedSpending(ctx, in.PreviousOutPoint)
		if err != nil {
			return rival, err
		}
		for _, id := range others {
			if checked[id] {
				continue
			}
			checked[id], rival = true, true
			other, err := tx.Tracked.TrackedTx(ctx, id)
			if err != nil {
				return rival, err
			}
			if other.Height != None || other.Vanished || other.Ours {
				continue
			}
			if err := b.vanish(ctx, tx, other, seen); err != nil {
				return rival, err
			}
		}
	}
	return rival, nil
}

// Drop gives up a transaction of ours that can never confirm any more, with
// everything built on it, and frees the outputs that it meant to spend.
func (b *Book) Drop(ctx context.Context, tx Tx, txid string) (Seen, error) {
	var seen Seen
	gone, err := tx.Tracked.TrackedTx(ctx, txid)
	if err != nil {
		return seen, err
	}
	return seen, b.vanish(ctx, tx, gone, &seen)
}

// Expire gives up a transaction of others that is in no block and in no mempool
// since VanishAfter. Should a block have it after all, it is back.
func (b *Book) Expire(ctx context.Context, tx Tx, gone Tracked) (Seen, error) {
	var seen Seen
	return seen, b.vanish(ctx, tx, gone, &seen)
}

func (b *Book) vanish(ctx context.Context, tx Tx, gone Tracked, seen *Seen) error {
	txid := gone.Tx.ID.String()
	gone.Vanished = true
	if err := tx.Tracked.Track(ctx, gone); err != nil {
		return err
	}
	outputs, err := tx.Outputs.OutputsOf(ctx, txid)
	if err != nil {
		return err
	}
	for _, output := range outputs {
		if output.Vanished { // with an earlier version of the same payout
			continue
		}
		output.Vanished = true
		if err := tx.Outputs.PutOutput(ctx, output); err != nil {
			return err
		}
		seen.Vanished = append(seen.Vanished, output)
	}
	spent, err := tx.Outputs.OutputsSpentBy(ctx, txid)
	if err != nil {
		return err
	}
	for _, output := range spent {
		output.SpentBy, output.SpentOurs, output.SpentHeight = "", false, None
		if err := tx.Outputs.PutOutput(ctx, output); err != nil {
			return err
		}
		seen.Spent = append(seen.Spent, output)
	}
	children, err := tx.Tracked.TrackedChildren(ctx, txid)
	if err != nil {
		return err
	}
	for _, child := range children {
		if !child.Vanished && child.Height == None && !child.Ours {
			if err := b.vanish(ctx, tx, child, seen); err != nil {
				return err
			}
		}
	}
	return nil
}
