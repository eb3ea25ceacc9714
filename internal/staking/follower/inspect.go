package follower

import (
	"context"
	"errors"

	"moonfund/internal/bitcoin/chain"
)

// Inspection has the current limitations of the node. Each text is a sentence that describes a limitation, or "".
type Inspection struct {
	Restarted   bool   // the node restarted, so its mempool may be empty
	Downloading string // the node has only part of the chain, so only blocks are followed
	NoRunes     string // the node relays no rune transfers, so no payouts are prepared
	NoReveals   string // the node relays no reveals of etchings, so no etchings are begun

	NoInscriptions string // as NoReveals, of etchings with an inscription
}

// inspect calls Config.Inspect. After a restart of the node, all unconfirmed transactions are broadcast again.
func (f *Follower) inspect(ctx context.Context, state *State) error {
	if f.Inspect == nil {
		return nil
	}
	found, err := f.Inspect(ctx)
	f.resend = f.resend || found.Restarted
	state.Downloading, state.NoRunes = found.Downloading, found.NoRunes
	state.NoReveals, state.NoInscriptions = found.NoReveals, found.NoInscriptions
	return err
}

// unusable returns the text of a Step's error if it says that the node can't be used, or "": the node can't be reached,
// refuses the server, is behind the ledger, or has another chain.
func unusable(err error) string {
	if errors.Is(err, ErrDeepReorg) || errors.Is(err, errOtherNetwork) ||
		errors.As(err, new(*BehindError)) || errors.As(err, new(*chain.CallError)) {
		return err.Error()
	}
	return ""
}

// Unfit returns the reason why the node is not fit for payouts, or "".
func (s State) Unfit() string {
	if s.Downloading != "" {
		return s.Downloading
	}
	return s.NoRunes
}
