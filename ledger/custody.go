package ledger

import (
	"context"
	"errors"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/amount"
	"moonfund/chain"
	"moonfund/runes"
	"moonfund/state"
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
	Height      int64 // chain.None while unconfirmed
	Position    int64 // of its transaction in its block
	Vanished    bool  // a conflicting transaction was seen, or nobody mined it for VanishAfter
	SpentBy     string
	SpentOurs   bool   // by a payout of ours
	SpentHeight int64  // chain.None while the spend is unconfirmed
	Returned    bool   // not stored: it had vanished, and this sighting brought it back
	Was         string // not stored: Quarantine before this sighting; the same for a new one
}

// Fact is what the chain says of an output: its block, and who spends it.
type Fact struct {
	Height      int64 // chain.None while unconfirmed
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

// Observation is a transaction seen in the mempool or in a block.
type Observation struct {
	Tx        chain.Tx
	Height    int64 // chain.None for the mempool
	Position  int64 // in its block
	At        time.Time
	Allocated func(vout uint32) []runes.Balance
	Untracked []bool     // by output: it may bear runes that are not followed; nil: every rune is
	Parents   []chain.Tx // unconfirmed ancestors, to be kept and sent again with it
	Ours      bool       // a payout of ours
}

// Changes lists the outputs that a recorded transaction affected. Orders and payouts are updated from it.
type Changes struct {
	Outputs  []Output // new, or newly confirmed, or back again
	Spent    []Output // outputs of ours that it spends
	Vanished []Output // outputs of transactions that it conflicts with
}

// Any reports whether the transaction concerned us at all.
func (s Changes) Any() bool { return len(s.Outputs)+len(s.Spent)+len(s.Vanished) > 0 }

// OutputStore keeps the outputs at addresses of ours, and those addresses.
type OutputStore interface {
	Output(ctx context.Context, out wire.OutPoint) (Output, error) // or state.ErrNotFound
	OutputsOf(ctx context.Context, txid string) ([]Output, error)
	OutputsSpentBy(ctx context.Context, txid string) ([]Output, error)
	PutOutput(ctx context.Context, outputs ...Output) error // inserts or replaces each; no output twice
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

// RecordTx records a transaction: new outputs of ours, spends of ours, and the
// transactions that it replaces. It is idempotent; seeing a transaction in a
// block settles what its sight in the mempool said.
func (b *Book) RecordTx(ctx context.Context, tx Tx, watch Watch, s Observation) (Changes, error) {
	var seen Changes
	txid := s.Tx.ID.String()
	known, err := tx.Tracked.TrackedTx(ctx, txid)
	if err != nil && !errors.Is(err, state.ErrNotFound) {
		return seen, err
	}
	if err == nil && s.Height == chain.None && known.Height != chain.None {
		return seen, nil // a block has it: only that block's undoing changes it
	}
	rival, err := b.conflicts(ctx, tx, watch, s, &seen)
	if err != nil {
		return seen, err
	}
	if seen.Outputs, err = b.seeOutputs(ctx, tx, watch, s); err != nil {
		return seen, err
	}
	spent, err := seeSpends(ctx, tx, watch, s)
	if err != nil {
		return seen, err
	}
	seen.Spent = append(seen.Spent, spent...)
	if !seen.Any() && !rival {
		return seen, b.trackAncestor(ctx, tx, s)
	}
	if err := b.recordUnexplained(ctx, tx, watch, s, seen.Outputs, seen.Spent); err != nil {
		return seen, err
	}
	return seen, b.track(ctx, tx, watch, s, seen.Outputs)
}

// seeSpends records which outputs of ours a transaction spends, and returns them.
func seeSpends(ctx context.Context, tx Tx, watch Watch, s Observation) (spent []Output, err error) {
	txid := s.Tx.ID.String()
	for _, in := range s.Tx.Msg.TxIn {
		if !watch.Output(in.PreviousOutPoint) {
			continue
		}
		output, err := tx.Outputs.Output(ctx, in.PreviousOutPoint)
		if errors.Is(err, state.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if output.SpentBy != txid && output.SpentHeight != chain.None && s.Height == chain.None {
			continue // a block decided this spend already
		}
		output.SpentBy, output.SpentOurs, output.SpentHeight = txid, s.Ours, s.Height
		spent = append(spent, output)
	}
	return spent, tx.Outputs.PutOutput(ctx, spent...)
}

// trackAncestor notes the block of a transaction that is kept only because one of ours builds on it.
func (b *Book) trackAncestor(ctx context.Context, tx Tx, s Observation) error {
	known, err := tx.Tracked.TrackedTx(ctx, s.Tx.ID.String())
	if errors.Is(err, state.ErrNotFound) {
		return nil
	}
	if err != nil || known.Height == s.Height {
		return err
	}
	known.Height, known.Vanished = s.Height, false
	return tx.Tracked.Track(ctx, known)
}

func (b *Book) track(ctx context.Context, tx Tx, watch Watch, s Observation, outputs []Output) error {
	var ours []wire.OutPoint
	for _, output := range outputs {
		ours = append(ours, output.OutPoint)
	}
	watch.Add(s.Tx, ours)
	for _, parent := range s.Parents {
		watch.Add(parent, nil)
		if err := tx.Tracked.Track(ctx, Tracked{Tx: parent, SeenAt: s.At, Height: chain.None}); err != nil {
			return err
		}
	}
	return tx.Tracked.Track(ctx, Tracked{Tx: s.Tx, SeenAt: s.At, Height: s.Height, Ours: s.Ours})
}

// seeOutputs records the outputs at our addresses that a transaction makes, and returns them.
func (b *Book) seeOutputs(ctx context.Context, tx Tx, watch Watch, s Observation) (outputs []Output, err error) {
	for vout, out := range s.Tx.Msg.TxOut {
		if watched, ok := watch.Script(out.PkScript); ok {
			outputs = append(outputs, newOutput(watched, s, uint32(vout)))
		}
	}
	return outputs, b.recordOutputs(ctx, tx, outputs, s)
}

// newOutput returns an output of a transaction as it is before anything is known of it.
func newOutput(w Watched, s Observation, vout uint32) Output {
	return Output{
		OutPoint:  wire.OutPoint{Hash: s.Tx.ID, Index: vout},
		Community: w.Community, Kind: w.Kind, Ref: w.Ref, Owner: w.Owner, Script: w.Script,
		SeenAt: s.At, SpentHeight: chain.None, Booked: s.Ours,
	}
}

// recordOutputs records new outputs of one transaction, or what a sighting says of known ones, with the units of
// deposits. It completes outputs, and reads and writes all of them together: a standard transaction has up to 2,200.
func (b *Book) recordOutputs(ctx context.Context, tx Tx, outputs []Output, s Observation) error {
	if len(outputs) == 0 {
		return nil
	}
	stored, err := tx.Outputs.OutputsOf(ctx, s.Tx.ID.String())
	if err != nil {
		return err
	}
	before := map[wire.OutPoint]Output{}
	for _, output := range stored {
		before[output.OutPoint] = output
	}
	for i := range outputs {
		b.sighted(&outputs[i], before, s)
	}
	if err := tx.Outputs.PutOutput(ctx, outputs...); err != nil {
		return err
	}
	return b.seeDeposits(ctx, tx, outputs, s)
}

// sighted fills in what a sighting says of an output, given the outputs that were recorded before it.
func (b *Book) sighted(output *Output, before map[wire.OutPoint]Output, s Observation) {
	w := Watched{Community: output.Community, Kind: output.Kind, Ref: output.Ref, Owner: output.Owner,
		Script: output.Script}
	was, known := before[output.OutPoint]
	if known {
		*output = was
		output.Community, output.Kind, output.Ref, output.Owner, output.Script = w.Community, w.Kind, w.Ref, w.Owner, w.Script
	}
	vout := output.OutPoint.Index
	output.Value, output.Height, output.Position = amount.Sats(s.Tx.Msg.TxOut[vout].Value), s.Height, s.Position
	output.Vanished, output.Returned = false, was.Vanished
	output.Coinbase = isCoinbase(s.Tx.Msg)
	output.Runes, output.Quarantine = b.credit(w, s.Allocated(vout))
	if int(vout) < len(s.Untracked) && s.Untracked[vout] {
		output.Quarantine = Unfollowed
	}
	if output.Was = was.Quarantine; !known {
		output.Was = output.Quarantine
	}
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

// conflicts marks as vanished every unconfirmed transaction of ours that spends
// the same output as the one seen, with everything that was built on it. rival
// says that there is such a one, vanished or not: then the one seen is kept,
// since how deep it lies decides when the others are over for good.
func (b *Book) conflicts(
	ctx context.Context, tx Tx, watch Watch, s Observation, seen *Changes,
) (rival bool, err error) {
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
			if other.Height != chain.None || other.Vanished || other.Ours {
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
func (b *Book) Drop(ctx context.Context, tx Tx, txid string) (Changes, error) {
	var seen Changes
	gone, err := tx.Tracked.TrackedTx(ctx, txid)
	if err != nil {
		return seen, err
	}
	return seen, b.vanish(ctx, tx, gone, &seen)
}

// Expire gives up a transaction of others that is in no block and in no mempool
// since VanishAfter. Should a block have it after all, it is back.
func (b *Book) Expire(ctx context.Context, tx Tx, gone Tracked) (Changes, error) {
	var seen Changes
	return seen, b.vanish(ctx, tx, gone, &seen)
}

func (b *Book) vanish(ctx context.Context, tx Tx, gone Tracked, seen *Changes) error {
	txid := gone.Tx.ID.String()
	gone.Vanished = true
	if err := tx.Tracked.Track(ctx, gone); err != nil {
		return err
	}
	outputs, err := tx.Outputs.OutputsOf(ctx, txid)
	if err != nil {
		return err
	}
	var vanished []Output
	for _, output := range outputs {
		if output.Vanished { // with an earlier version of the same payout
			continue
		}
		output.Vanished = true
		vanished = append(vanished, output)
	}
	if err := tx.Outputs.PutOutput(ctx, vanished...); err != nil {
		return err
	}
	seen.Vanished = append(seen.Vanished, vanished...)
	spent, err := tx.Outputs.OutputsSpentBy(ctx, txid)
	if err != nil {
		return err
	}
	for i := range spent {
		spent[i].SpentBy, spent[i].SpentOurs, spent[i].SpentHeight = "", false, chain.None
	}
	if err := tx.Outputs.PutOutput(ctx, spent...); err != nil {
		return err
	}
	seen.Spent = append(seen.Spent, spent...)
	children, err := tx.Tracked.TrackedChildren(ctx, txid)
	if err != nil {
		return err
	}
	for _, child := range children {
		if !child.Vanished && child.Height == chain.None && !child.Ours {
			if err := b.vanish(ctx, tx, child, seen); err != nil {
				return err
			}
		}
	}
	return nil
}
