package sim

import (
	"moonfund/internal/staking/action"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// post requests an action whose message names knownStatement.
func (sc *scenario) post(from *testkit.Wallet, kind action.Type, units []string) (action.Requested, error) {
	return sc.Actions.Post(sc.Context(), testkit.Prefix, from.Pair(), kind, units, sc.knownStatement())
}

// postCancel requests a cancel whose message names knownStatement.
func (sc *scenario) postCancel(from *testkit.Wallet, orderID string) (action.Requested, error) {
	return sc.Actions.PostCancel(sc.Context(), testkit.Prefix, from.Pair(), orderID, sc.knownStatement())
}

// knownStatement publishes the statements of the settled epochs and returns the id of the statement that the next
// message names: the newest one, or an earlier one that a page read. It returns "" if the scenario publishes none. It
// draws no random number, so that a seed gives the same scenario with and without statements.
func (sc *scenario) knownStatement() (id string) {
	if sc.plan.folder == "" {
		return ""
	}
	publisher := sc.Publisher(sc.StatementSigner(sc.plan.folder), sc.plan.folder)
	testkit.Must(sc, publisher.Publish(sc.Context()))
	testkit.Must(sc, sc.Store.View(sc.Context(), func(tx *store.Tx) error {
		head, err := tx.StatementHead(sc.Context(), testkit.Prefix)
		if err != nil || head.Sequence < 0 {
			return err
		}
		signed, err := tx.SignedStatement(sc.Context(), testkit.Prefix, int64(len(sc.signings))%(head.Sequence+1))
		if err != nil {
			return err
		}
		hash, err := signed.Document.ID()
		id = hash.String()
		return err
	}))
	return id
}
