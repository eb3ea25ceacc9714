package follower

import "context"

// Inspection says what the node is fit for, beside what it says of the chain. The
// texts are sentences; "" for what is well.
type Inspection struct {
	Restarted   bool   // its mempool may be empty
	Downloading string // its chain is not the whole one: blocks are followed, and nothing else is done
	NoRunes     string // it relays no rune transfers: nothing new is paid
	NoReveals   string // it relays no reveals of etchings: none is begun
}

// inspect asks what the node is fit for. A restarted node gets everything again.
func (f *Follower) inspect(ctx context.Context, state *State) error {
	if f.Inspect == nil {
		return nil
	}
	found, err := f.Inspect(ctx)
	f.resend = f.resend || found.Restarted
	state.Downloading, state.NoRunes, state.NoReveals = found.Downloading, found.NoRunes, found.NoReveals
	return err
}

// Unfit returns why the server is not ready for what it is there for, or "".
func (s State) Unfit() string {
	if s.Downloading != "" {
		return s.Downloading
	}
	return s.NoRunes
}
