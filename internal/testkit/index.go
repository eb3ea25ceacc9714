package testkit

import (
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/follower"
)

// rules returns the rules of the world's index.
func (w *World) rules() runes.Rules {
	if w.partial {
		return runes.RulesFor(w.Network).Only(Rune)
	}
	return runes.RulesFor(w.Network)
}

// Reindex restarts the world with an index of every rune or, if partial is true, of the community's rune only, and
// rebuilds it from the chain like `moonfund rebuild`.
func (w *World) Reindex(partial bool) {
	w.Helper()
	w.partial, w.Signer = partial, nil
	w.Restart()
	_, err := w.Follower.Rebuild(w.Context(), func(tx follower.Tx) error {
		var ids []runes.ID
		if partial {
			ids = []runes.ID{Rune}
		}
		return tx.Rebuild.PutFollowed(w.Context(), ids)
	}, func(int64, int64) {})
	Must(w, err)
	w.Step()
}
