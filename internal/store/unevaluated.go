package store

import (
	"context"
	"encoding/json"

	"moonfund/internal/staking/follower"
)

// unevaluated is the name of the setting with the orders that a block left to be evaluated.
const unevaluated = "unevaluated_orders"

// Unevaluated returns the orders that a block left to be evaluated.
func (t *Tx) Unevaluated(ctx context.Context) (u follower.Unevaluated, err error) {
	text, err := t.Setting(ctx, unevaluated)
	if err != nil || text == "" {
		return u, err
	}
	return u, json.Unmarshal([]byte(text), &u)
}

// PutUnevaluated stores the orders that a block left to be evaluated, or that there are none.
func (t *Tx) PutUnevaluated(ctx context.Context, u follower.Unevaluated) error {
	if len(u.IDs) == 0 {
		return t.PutSetting(ctx, unevaluated, "")
	}
	text, err := json.Marshal(u)
	if err != nil {
		return err
	}
	return t.PutSetting(ctx, unevaluated, string(text))
}
