package follower

import "context"

// Inspection has the current limitations of the node. Each text is a sentence that describes a limitation, or "".
type Inspection struct {
	Restarted   bool   // the node restarted, so its mempool may be empty
	Downloading string // the node has only part of the chain, so only blocks are followed
	NoRunes     string // the node relays no rune transfers, so no payouts are prepared
	NoReveals   string // the node relays no reveals of etchings, so no etchings are begun
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
