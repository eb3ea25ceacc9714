package follower

import "context"

// Inspection has the current limitations of the node. The texts are sentences, or "".
type Inspection struct {
	Restarted   bool   // its mempool may be empty
	Downloading string // it has only part of the chain, so only blocks are followed
	NoRunes     string // it relays no rune transfers: no payouts are prepared
	NoReveals   string // it relays no reveals of etchings: no etchings are begun
}

// inspect calls Config.Inspect. After a restart of the node, all unconfirmed transactions are broadcast again.
func (f *Follower) inspect(ctx context.Context, state *State) error {
	if f.Inspect == nil {
		return nil
	}
	found, err := f.Inspect(ctx)
	f.resend = f.resend || found.Restarted
	state.Downloading, state.NoRunes, state.NoReveals = found.Downloading, found.NoRunes, found.NoReveals
	return err
}

// Unfit returns the reason why the node is not fit for payouts, or "".
func (s State) Unfit() string {
	if s.Downloading != "" {
		return s.Downloading
	}
	return s.NoRunes
}
