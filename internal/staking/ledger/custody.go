package ledger

import (
	"context"
	"errors"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/state"
)

// Kind is the purpose of one of our addresses.
type Kind string

const (
	StakeKind   Kind = "stake"
	PaymentKind Kind = "payment"
	RunesKind   Kind = "runes" // the treasury's runes
	SatsKind    Kind = "sats"  // the treasury's sats
)

// Watched is the output script of one of our addresses, with its purpose.
type Watched struct {
	Number    int64 // order of insertion, set by the store
	Script    []byte
	Community string
	Kind      Kind
	Ref       string // PaymentKind: the order's id; else the address
	Owner     string // ordinals address, "" for the treasury
}

// Output is an output at one of our addresses. Outputs are never deleted.
type Output struct {
	OutPoint    wire.OutPoint
	Community   string
	Kind        Kind
	Ref         string // see Watched
	Owner       string // see Watched
	Script      []byte
	Value       amount.Sats
	Runes       amount.Runes // amount of the community's rune
	Quarantine  string       // the reason why the ledger can't credit it, or ""
	Booked      bool         // a treasury output that counts towards the treasury
	Coinbase    bool
	SeenAt      time.Time
	Height      int64  // chain.None while unconfirmed
	Position    int64  // index of its transaction in its block
	Vanished    bool   // replaced, unconfirmed for VanishAfter, or a deposit whose runes a reorg changed on an order
	SpentBy     string // id of the transaction that spends it, or ""
	SpentOurs   bool   // the spending transaction is a payout of ours
	SpentHeight int64  // chain.None while the spend is unconfirmed
	Returned    bool   // not stored: this observation clears Vanished
	Was         string // not stored: Quarantine before this observation; Quarantine itself if the output is new
	Unchanged   bool   // not stored: this observation changes only the block
}

// Fact is the block of an output and the transaction that spends it.
type Fact struct {
	Height      int64  // chain.None while unconfirmed
	SpentBy     string // transaction id, or ""
	SpentHeight int64  // chain.None while the spend is unconfirmed
}

// Reasons for quarantine, as shown to operators and stored.
const (
	NoRunes      = "no runes of this community"
	ForeignRunes = "runes of another kind"
	BelowMinimum = "below the minimum stake"
	TooLarge     = "more runes than a ledger can count"
	RunesForSats = "runes at an address for sats"
	SatsForRunes = "sats at the address for runes"
	Unfollowed   = "it may bear runes that are not followed here" // see Observation.Untracked
	Unserved     = "its community is not served here"
)

// WatchList is a filter for transactions that may concern the ledger. It can have false positives, but no false
// negatives.
type WatchList interface {
	Script(script []byte) bool             // whether it may be one of our addresses
	Output(out wire.OutPoint) bool         // whether it may be an output of ours
	Tracked(out wire.OutPoint) bool        // whether it may be an input of a tracked transaction
	Add(tx chain.Tx, ours []wire.OutPoint) // adds a tracked transaction and its outputs that are ours
}

// Observation is a transaction observed in the mempool or in a block.
type Observation struct {
	Tx        chain.Tx
	Height    int64 // chain.None for the mempool
	Position  int64 // index in its block
	At        time.Time
	Allocated func(vout uint32) []runes.Balance // the runes on an output
	Untracked []bool                            // by output: whether it may hold untracked runes; nil if none does
	Parents   []chain.Tx                        // unconfirmed ancestors, stored to broadcast them again with it
	Ours      bool                              // a payout of ours
}

// Changes lists the outputs that a recorded transaction affected. The caller updates orders and payouts accordingly.
type Changes struct {
	Outputs  []Output // new, newly confirmed, or no longer vanished
	Spent    []Output // our outputs that it spends, or whose earlier spend vanished
	Vanished []Output // outputs of transactions that it conflicts with
}

// Any reports whether the transaction affected an output of ours.
func (s Changes) Any() bool { return len(s.Outputs)+len(s.Spent)+len(s.Vanished) > 0 }

// OutputStore stores the outputs at our addresses, and the addresses.
type OutputStore interface {
	Output(ctx context.Context, out wire.OutPoint) (Output, error)         // or state.ErrNotFound
	Outputs(ctx context.Context, outs []wire.OutPoint) ([]Output, error)   // our outputs among outs, in their order
	OutputsOf(ctx context.Context, txids ...string) ([]Output, error)      // our outputs that transactions create
	OutputsSpentBy(ctx context.Context, txids ...string) ([]Output, error) // our outputs that transactions spend
	InsertOutputs(ctx context.Context, outputs ...Output) error            // an error if one is known
	PutOutput(ctx context.Context, outputs ...Output) error                // inserts or updates; outputs must be distinct
	// ConfirmOutputs stores the block of all our outputs that transactions create.
	ConfirmOutputs(ctx context.Context, confirmed ...Confirmed) error
	// ConfirmSpends stores the height of the block of transactions with all our outputs that they spend.
	ConfirmSpends(ctx context.Context, height int64, txids ...string) error
	WatchScript(ctx context.Context, w Watched) error // does not change a known script
	// WatchedScripts returns the watched ones among scripts, by script.
	WatchedScripts(ctx context.Context, scripts [][]byte) (map[string]Watched, error)
}

// TrackedStore stores the transactions that concern the ledger, and their inputs. It never deletes one.
type TrackedStore interface {
	Track(ctx context.Context, t Tracked) error                  // inserts, or updates height and vanished
	TrackedTx(ctx context.Context, txid string) (Tracked, error) // or state.ErrNotFound
	// States returns the states of the tracked transactions among txids, by id.
	States(ctx context.Context, txids ...string) (map[string]TxState, error)
	Spenders(ctx context.Context, outs ...wire.OutPoint) ([]TxState, error) // tracked spenders of any of outs
	Children(ctx context.Context, txids ...string) ([]TxState, error)       // spenders of any output of txids
	ConfirmTxs(ctx context.Context, height int64, txids ...string) error    // stores the height of their block
	VanishTxs(ctx context.Context, txids ...string) error                   // marks them as vanished
}

// TxState is the state of a tracked transaction, without its inputs and outputs, which can be large.
type TxState struct {
	ID       string
	Height   int64 // chain.None while unconfirmed
	Vanished bool
	Ours     bool // see Tracked
}

// replaceable reports whether a conflicting transaction marks it as vanished.
func (t TxState) replaceable() bool { return t.Height == chain.None && !t.Vanished && !t.Ours }

// Confirmed is the block of a transaction.
type Confirmed struct {
	TxID     string
	Height   int64
	Position int64 // index in the block
}

// Tracked is a transaction that concerns the ledger, or an unconfirmed ancestor of one.
type Tracked struct {
	Tx       chain.Tx
	SeenAt   time.Time
	Height   int64 // chain.None while unconfirmed
	Vanished bool
	Ours     bool      // a payout of ours; a conflict alone never marks it as vanished
	Since    time.Time // since when it is unconfirmed; set by the store
}

// VanishAfter is the time after which an unconfirmed transaction that is not ours counts as vanished and is no longer
// broadcast, unless the node's mempool still contains it.
const VanishAfter = 14 * 24 * time.Hour

// RecordTx records our outputs that a transaction creates or spends, and marks the unconfirmed transactions that it
// conflicts with as vanished, except our own. It is idempotent. An observation in a block replaces one in the mempool,
// and not the reverse.
func (s *Service) RecordTx(ctx context.Context, tx Tx, watch WatchList, obs Observation) (Changes, error) {
	var changes Changes
	txid := obs.Tx.ID.String()
	known, err := tx.Tracked.TrackedTx(ctx, txid)
	if err != nil && !errors.Is(err, state.ErrNotFound) {
		return changes, err
	}
	if err == nil && obs.Height == chain.None && known.Height != chain.None {
		return changes, nil // confirmed: only UndoBlock changes it
	}
	rival, err := s.conflicts(ctx, tx, watch, []Observation{obs}, &changes)
	if err != nil {
		return changes, err
	}
	if changes.Outputs, err = s.recordOutputsOf(ctx, tx, watch, obs); err != nil {
		return changes, err
	}
	spent, err := recordSpends(ctx, tx, watch, obs)
	if err != nil {
		return changes, err
	}
	changes.Spent = append(changes.Spent, spent...)
	if !changes.Any() && !rival {
		return changes, s.trackAncestor(ctx, tx, obs)
	}
	if err := s.recordUnexplained(ctx, tx, obs, changes.Outputs, spent); err != nil {
		return changes, err
	}
	return changes, s.track(ctx, tx, watch, obs, changes.Outputs)
}

// recordSpends records which outputs of ours a transaction spends, and returns them.
func recordSpends(ctx context.Context, tx Tx, watch WatchList, obs Observation) (spent []Output, err error) {
	txid := obs.Tx.ID.String()
	outputs, err := tx.Outputs.Outputs(ctx, obs.Tx.Spends(watch.Output))
	if err != nil {
		return nil, err
	}
	for _, output := range outputs {
		if output.SpentBy != txid && output.SpentHeight != chain.None && obs.Height == chain.None {
			continue // another spend is confirmed
		}
		output.SpentBy, output.SpentOurs, output.SpentHeight = txid, obs.Ours, obs.Height
		spent = append(spent, output)
	}
	return spent, tx.Outputs.PutOutput(ctx, spent...)
}

// trackAncestor records the height of a transaction that is tracked only as an ancestor of another one.
func (s *Service) trackAncestor(ctx context.Context, tx Tx, obs Observation) error {
	known, err := tx.Tracked.TrackedTx(ctx, obs.Tx.ID.String())
	if errors.Is(err, state.ErrNotFound) {
		return nil
	}
	if err != nil || known.Height == obs.Height {
		return err
	}
	known.Height, known.Vanished = obs.Height, false
	return tx.Tracked.Track(ctx, known)
}

func (s *Service) track(ctx context.Context, tx Tx, watch WatchList, obs Observation, outputs []Output) error {
	var ours []wire.OutPoint
	for _, output := range outputs {
		ours = append(ours, output.OutPoint)
	}
	watch.Add(obs.Tx, ours)
	for _, parent := range obs.Parents {
		watch.Add(parent, nil)
		if err := tx.Tracked.Track(ctx, Tracked{Tx: parent, SeenAt: obs.At, Height: chain.None}); err != nil {
			return err
		}
	}
	return tx.Tracked.Track(ctx, Tracked{Tx: obs.Tx, SeenAt: obs.At, Height: obs.Height, Ours: obs.Ours})
}

// recordOutputsOf records the outputs of a transaction at our addresses, and returns them.
func (s *Service) recordOutputsOf(ctx context.Context, tx Tx, watch WatchList, obs Observation) ([]Output, error) {
	made, err := outputsMade(ctx, tx, watch, []Observation{obs})
	if err != nil {
		return nil, err
	}
	return made[0], s.recordOutputs(ctx, tx, made[0], obs)
}

// outputsMade returns the outputs of each observed transaction at our addresses, without the fields that complete sets.
func outputsMade(ctx context.Context, tx Tx, watch WatchList, seen []Observation) ([][]Output, error) {
	var scripts [][]byte
	listed := map[string]bool{} // a block can pay one script 22,000 times
	for _, obs := range seen {
		for _, out := range obs.Tx.Msg.TxOut {
			if watch.Script(out.PkScript) && !listed[string(out.PkScript)] {
				listed[string(out.PkScript)] = true
				scripts = append(scripts, out.PkScript)
			}
		}
	}
	made := make([][]Output, len(seen))
	if len(scripts) == 0 {
		return made, nil
	}
	watched, err := tx.Outputs.WatchedScripts(ctx, scripts)
	for i, obs := range seen {
		for vout, out := range obs.Tx.Msg.TxOut {
			if w, ours := watched[string(out.PkScript)]; ours {
				made[i] = append(made[i], newOutput(w, obs, uint32(vout)))
			}
		}
	}
	return made, err
}

// newOutput returns an output of a transaction without the fields that complete sets.
func newOutput(w Watched, obs Observation, vout uint32) Output {
	return Output{
		OutPoint:  wire.OutPoint{Hash: obs.Tx.ID, Index: vout},
		Community: w.Community, Kind: w.Kind, Ref: w.Ref, Owner: w.Owner, Script: w.Script,
		SeenAt: obs.At, SpentHeight: chain.None, Booked: obs.Ours,
	}
}

// recordOutputs inserts or updates outputs of one transaction and the units of deposits. It sets the fields of outputs
// in place. It reads and writes all outputs at once, because a standard transaction has up to 2,200 outputs.
func (s *Service) recordOutputs(ctx context.Context, tx Tx, outputs []Output, obs Observation) error {
	if len(outputs) == 0 {
		return nil
	}
	stored, err := tx.Outputs.OutputsOf(ctx, obs.Tx.ID.String())
	if err != nil {
		return err
	}
	if s.completeAll(outputs, stored, obs) { // the usual case of a transaction that was in the mempool
		return tx.Outputs.ConfirmOutputs(ctx, obs.confirmed())
	}
	put := tx.Outputs.PutOutput
	if len(stored) == 0 {
		put = tx.Outputs.InsertOutputs
	}
	if err := put(ctx, outputs...); err != nil {
		return err
	}
	return s.recordDeposits(ctx, tx, outputs, obs)
}

// completeAll sets the fields of the outputs of a transaction that the observation determines. stored are the outputs
// that the ledger has. completeAll reports whether the observation changes only their block, and sets Unchanged in that
// case.
func (s *Service) completeAll(outputs, stored []Output, obs Observation) bool {
	before := map[wire.OutPoint]Output{}
	for _, output := range stored {
		before[output.OutPoint] = output
	}
	onlyBlock := len(stored) == len(outputs)
	for i := range outputs {
		s.complete(&outputs[i], before, obs)
		was, known := before[outputs[i].OutPoint]
		onlyBlock = onlyBlock && known && outputs[i].changesBlockOnly(was)
	}
	for i := range outputs {
		outputs[i].Unchanged = onlyBlock
	}
	return onlyBlock
}

// confirmed returns the block of the observed transaction.
func (o Observation) confirmed() Confirmed {
	return Confirmed{TxID: o.Tx.ID.String(), Height: o.Height, Position: o.Position}
}

// changesBlockOnly reports whether only the block differs from was among the stored fields that complete sets.
func (o Output) changesBlockOnly(was Output) bool {
	return o.Runes == was.Runes && o.Quarantine == was.Quarantine && o.Vanished == was.Vanished
}

// complete sets the fields of an output that the observation determines. before contains the stored outputs of the same
// transaction.
func (s *Service) complete(output *Output, before map[wire.OutPoint]Output, obs Observation) {
	w := Watched{Community: output.Community, Kind: output.Kind, Ref: output.Ref, Owner: output.Owner,
		Script: output.Script}
	was, known := before[output.OutPoint]
	if known {
		*output = was
		output.Community, output.Kind, output.Ref, output.Owner, output.Script = w.Community, w.Kind, w.Ref, w.Owner, w.Script
	}
	vout := output.OutPoint.Index
	output.Value, output.Height, output.Position = amount.Sats(obs.Tx.Msg.TxOut[vout].Value), obs.Height, obs.Position
	output.Vanished, output.Returned = false, was.Vanished
	output.Coinbase = isCoinbase(obs.Tx.Msg)
	balances := obs.Allocated(vout)
	if terms, err := s.communities.Of(w.Community); err == nil {
		output.Runes, output.Quarantine = terms.credit(w.Kind, balances)
	} else if !known && (w.Kind == StakeKind || len(balances) > 0) {
		output.Quarantine = Unserved // its rune is unknown here; the chain goes on for the other communities
	}
	if int(vout) < len(obs.Untracked) && obs.Untracked[vout] {
		output.Quarantine = Unfollowed
	}
	if output.Was = was.Quarantine; !known {
		output.Was = output.Quarantine
	}
}

func isCoinbase(msg *wire.MsgTx) bool {
	return len(msg.TxIn) == 1 && msg.TxIn[0].PreviousOutPoint.Index == wire.MaxPrevOutIndex
}

// credit returns the amount of the community's rune in the balances of an output of a kind, and the reason for
// quarantine or "".
func (t Terms) credit(kind Kind, balances []runes.Balance) (amount.Runes, string) {
	var held amount.Runes
	foreign := false
	for _, balance := range balances {
		switch {
		case balance.ID != t.Rune:
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
	case kind == PaymentKind && held > 0:
		return held, RunesForSats
	case kind == StakeKind && held == 0:
		return held, NoRunes
	case kind == RunesKind && held == 0:
		return held, SatsForRunes
	case kind == StakeKind && held < t.MinimumStake:
		return held, BelowMinimum
	}
	return held, ""
}

const maxRunes = 1<<63 - 1
