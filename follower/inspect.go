package follower

import "context"

// Inspection is what the node can't do at present. The texts are sentences, or "".
type Inspection struct {
	Restarted   bool   // its mempool may be empty
	Downloading string // it has only part of the chain: blocks are followed, and nothing else is done
	NoRunes     string // it relays no rune transfers: no payouts are prepared
	NoReveals   string // it relays no reveals of etchings: no etchings are begun
}

// inspect calls Config.Inspect. After a restart of the node everything is broadcast again.
func (f *Follower) inspect(ctx context.Context, state *State) error {
	if f.Inspect == nil {
		return nil
	}
	found, err := f.Inspect(ctx)
	f.resend = f.resend || found.Restarted
	state.Downloading, state.NoRunes, state.NoReveals = found.Downloading, found.NoRunes, found.NoReveals
	return err
}

// Unfit returns why the server can't do its work, or "".
func (s State) Unfit() string {
	if s.Downloading != "" {
		return s.Downloading
	}
	return s.NoRunes
}
