package follower

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
)

// updateTerm returns state.ErrNotLeading if this server does not lead. In a new term it discards all caches, because
// another server may have written meanwhile.
func (f *Follower) updateTerm() error {
	if f.Lead == nil {
		return nil
	}
	term, leads := f.Lead()
	if !leads {
		return state.ErrNotLeading
	}
	if term != f.term {
		f.term = term
		f.forget()
	}
	return nil
}

// forget discards all caches.
func (f *Follower) forget() {
	f.loaded, f.resend, f.sent, f.waits = false, true, unknownSent(), nil
	f.watch, f.mempool = newWatchList(), chain.NewMempool(f.Node, f.MempoolChanges)
	if f.Etching != nil {
		f.Etching.Forget()
	}
}

// leading wraps transact so that a transaction commits only if this server still leads in the same term. The end of a
// transaction counts as progress of the Step.
func (f *Follower) leading(transact func(context.Context, func(Tx) error) error) func(context.Context,
	func(Tx) error) error {
	return func(ctx context.Context, fn func(Tx) error) error {
		defer f.heartbeat.beat()
		return transact(ctx, func(tx Tx) error {
			if f.Lead != nil {
				if err := tx.Lease.Leading(ctx, f.term); err != nil {
					return err
				}
			}
			return fn(tx)
		})
	}
}

// record is the JSON form of a State.
type record struct {
	Tip        ledger.Header `json:"tip"`
	NodeHeight int64         `json:"node_height"`
	Synced     bool          `json:"synced"`
	Steps      int64         `json:"steps"`
	Why        string        `json:"why"`

	CatchesUp   bool  `json:"catches_up,omitempty"`
	SecondsLeft int64 `json:"seconds_left,omitempty"`

	Waiting map[string]Wait `json:"waiting,omitempty"`

	Unusable    string `json:"unusable,omitempty"`
	Downloading string `json:"downloading,omitempty"`
	NoRunes     string `json:"no_runes,omitempty"`
	NoReveals   string `json:"no_reveals,omitempty"`

	NoInscriptions string `json:"no_inscriptions,omitempty"`
}

// Record returns the state as JSON, for the servers that do not lead. It returns "" if the state can't be encoded.
func (s State) Record() string {
	r := record{Tip: s.Tip, NodeHeight: s.NodeHeight, Synced: s.Synced, Steps: s.Steps, Waiting: s.Waiting,
		CatchesUp: s.CatchesUp, SecondsLeft: int64(s.Left / time.Second), Unusable: s.Unusable,
		Downloading: s.Downloading, NoRunes: s.NoRunes, NoReveals: s.NoReveals, NoInscriptions: s.NoInscriptions}
	if s.Err != nil {
		r.Why = s.Err.Error()
	}
	text, err := json.Marshal(r)
	if err != nil { // a time beyond the year 9999
		return ""
	}
	return string(text)
}

// ParseState parses the result of Record. Invalid text gives a state that is not synced.
func ParseState(text string) State {
	r := record{Tip: ledger.Header{Height: chain.None}, NodeHeight: chain.None,
		Why: "the leader has not followed the chain yet"}
	if err := json.Unmarshal([]byte(text), &r); err != nil && text != "" {
		r.Why = err.Error()
	}
	s := State{Tip: r.Tip, NodeHeight: r.NodeHeight, Synced: r.Synced, Steps: r.Steps, Waiting: r.Waiting,
		CatchesUp: r.CatchesUp, Left: time.Duration(r.SecondsLeft) * time.Second, Unusable: r.Unusable,
		Downloading: r.Downloading, NoRunes: r.NoRunes, NoReveals: r.NoReveals, NoInscriptions: r.NoInscriptions}
	if !s.Synced {
		s.Err = errors.New(r.Why)
	}
	return s
}
