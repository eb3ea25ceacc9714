package store

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store/sqlc"
)

// Action returns one action, or state.ErrNotFound.
func (t *Tx) Action(ctx context.Context, id string) (action.Action, error) {
	row, err := t.q.Action(ctx, id)
	if err != nil {
		return action.Action{}, wrap(err)
	}
	a := action.Action{
		ID: row.ID, Community: row.Community, Type: action.Type(row.Type),
		Wallet: action.Wallet{Payment: row.Payment, Ordinals: row.Ordinals}, Amount: amount.Runes(row.Amount),
		OrderID: row.OrderID,
		Message: row.Message, Created: instant(row.CreatedAt), Expires: instant(row.ExpiresAt), Used: row.UsedAt != 0,
		UsedAt: instant(row.UsedAt), Signature: row.Signature, Signer: row.Signer, TxID: row.Txid,
		Statement: row.Statement,
	}
	if !a.Used && strings.HasPrefix(a.Message, action.BriefPrefix) {
		a.Brief, a.Message = a.Message, ""
	}
	return a, json.Unmarshal([]byte(row.UnitIds), &a.UnitIDs)
}

// InsertAction inserts an unused action. If the action has a brief, the brief is stored in place of the message and the
// units.
func (t *Tx) InsertAction(ctx context.Context, a action.Action) error {
	if a.Brief != "" {
		a.Message, a.UnitIDs = a.Brief, []string{}
	}
	unitIDs, err := json.Marshal(a.UnitIDs)
	if err != nil {
		return err
	}
	return wrap(t.q.InsertAction(ctx, sqlc.InsertActionParams{
		ID: a.ID, Community: a.Community, Type: string(a.Type), Payment: a.Wallet.Payment, Ordinals: a.Wallet.Ordinals,
		UnitIds: string(unitIDs), Amount: int64(a.Amount), OrderID: a.OrderID, Message: a.Message,
		CreatedAt: unix(a.Created), ExpiresAt: unix(a.Expires), Statement: a.Statement,
	}))
}

// UseAction marks an action as used and stores its proof, message and units. It returns state.ErrConflict if the action
// was used before.
func (t *Tx) UseAction(ctx context.Context, a action.Action) error {
	unitIDs, err := json.Marshal(a.UnitIDs)
	if err != nil {
		return err
	}
	return exactlyOne(t.q.UseAction(ctx, sqlc.UseActionParams{
		ID: a.ID, UsedAt: unix(a.UsedAt), Signature: a.Signature, Signer: a.Signer, OrderID: a.OrderID,
		Message: a.Message, UnitIds: string(unitIDs),
	}))
}

// ForgetIntents deletes at most limit intents that expired before an instant, the oldest first. It keeps the intents of
// stakes, which are deleted with their addresses.
func (t *Tx) ForgetIntents(ctx context.Context, expired time.Time, limit int32) error {
	return wrap(t.q.ForgetIntents(ctx, sqlc.ForgetIntentsParams{ExpiresAt: unix(expired), Limit: limit}))
}

// ProofOf returns the signed message of a used action, or state.ErrNotFound. The proof contains the wallet's link if
// the payment address signed and is not also the ordinals address.
func (t *Tx) ProofOf(ctx context.Context, actionID string) (payout.Proof, error) {
	a, err := t.Action(ctx, actionID)
	if err != nil {
		return payout.Proof{}, err
	}
	proof := payout.Proof{Text: a.Message, Signature: a.Signature, Signer: a.Signer}
	// An owner whose payment address is also the ordinals address, as in Unisat, needs no link.
	if a.Signer != a.Wallet.Payment || a.Signer == a.Wallet.Ordinals {
		return proof, nil
	}
	link, err := t.Link(ctx, a.Community, a.Wallet)
	proof.Link = &payout.Link{
		Text: link.Message, OrdinalsSignature: link.OrdinalsSignature, PaymentSignature: link.PaymentSignature,
	}
	return proof, err
}

// Link returns the message that both addresses of a wallet signed, or state.ErrNotFound.
func (t *Tx) Link(ctx context.Context, community string, w action.Wallet) (action.Link, error) {
	row, err := t.q.Link(ctx, sqlc.LinkParams{Community: community, Ordinals: w.Ordinals, Payment: w.Payment})
	return action.Link{
		Message: row.Message, OrdinalsSignature: row.OrdinalsSignature, PaymentSignature: row.PaymentSignature,
	}, wrap(err)
}

// PutLink records the message that both addresses of a wallet signed. An existing link is not replaced.
func (t *Tx) PutLink(ctx context.Context, community string, w action.Wallet, link action.Link) error {
	return wrap(t.q.InsertLink(ctx, sqlc.InsertLinkParams{
		Community: community, Ordinals: w.Ordinals, Payment: w.Payment, Message: link.Message,
		OrdinalsSignature: link.OrdinalsSignature, PaymentSignature: link.PaymentSignature,
	}))
}

// Names of settings.
const (
	PauseAll     = "pause_all"     // reason for the pause of everything; "" if there is none
	PausePayouts = "pause_payouts" // reason for the pause of payouts; "" if there is none
	ClockSkew    = "clock_skew"    // seconds by which a dev network's deadlines are ahead of the clock
)

// Setting returns a setting, or "" if it was never set.
func (t *Tx) Setting(ctx context.Context, name string) (string, error) {
	value, err := t.q.Setting(ctx, name)
	_, err = absent(err)
	return value, err
}

// PutSetting writes a setting.
func (t *Tx) PutSetting(ctx context.Context, name, value string) error {
	return wrap(t.q.PutSetting(ctx, sqlc.PutSettingParams{Name: name, Value: value}))
}

// PausePayoutsOf returns the name of the setting with the reason for the pause of a community's payouts.
func PausePayoutsOf(community string) string { return PausePayouts + ":" + community }

// PausedCommunities returns the reasons for the pauses of single communities' payouts, by community.
func (t *Tx) PausedCommunities(ctx context.Context) (map[string]string, error) {
	rows, err := t.q.PausedCommunities(ctx)
	paused := map[string]string{}
	for _, row := range rows {
		if !strings.HasSuffix(row.Name, sinceSuffix) {
			paused[strings.TrimPrefix(row.Name, PausePayoutsOf(""))] = row.Value
		}
	}
	return paused, wrap(err)
}

// PausedAll returns the reason for the pause of everything, or "" if there is none.
func (t *Tx) PausedAll(ctx context.Context) (string, error) { return t.Setting(ctx, PauseAll) }

// PausedPayouts returns the reason for the pause of everything or of payouts, or "" if there is neither.
func (t *Tx) PausedPayouts(ctx context.Context) (string, error) {
	reason, err := t.Setting(ctx, PauseAll)
	if err != nil || reason != "" {
		return reason, err
	}
	return t.Setting(ctx, PausePayouts)
}
