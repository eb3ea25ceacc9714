package store

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store/sqlc"
)

// ownCoin is an input of a withdrawal in one transaction that its owner signs, as JSON.
type ownCoin struct {
	OutPoint string `json:"outpoint"`
	Value    int64  `json:"value"`
	Script   string `json:"script"` // hex
}

func ownCoins(coins []vault.Coin) (string, error) {
	if len(coins) == 0 {
		return "", nil
	}
	rows := make([]ownCoin, 0, len(coins))
	for _, c := range coins {
		rows = append(rows, ownCoin{c.OutPoint.String(), c.Output.Value, hex.EncodeToString(c.Output.PkScript)})
	}
	text, err := json.Marshal(rows)
	return string(text), err
}

func toOwnCoins(text string) (coins []vault.Coin, err error) {
	if text == "" {
		return nil, nil
	}
	var rows []ownCoin
	if err := json.Unmarshal([]byte(text), &rows); err != nil {
		return nil, fmt.Errorf("own coins: %w", err)
	}
	for _, row := range rows {
		out, err := wire.NewOutPointFromString(row.OutPoint)
		if err != nil {
			return nil, fmt.Errorf("own coins: %w", err)
		}
		script, err := hex.DecodeString(row.Script)
		if err != nil {
			return nil, fmt.Errorf("own coins: %w", err)
		}
		coins = append(coins, vault.Coin{OutPoint: *out, Output: wire.TxOut{Value: row.Value, PkScript: script},
			Kind: vault.Own})
	}
	return coins, nil
}

// SessionOf returns the session of an order, or state.ErrNotFound.
func (t *Tx) SessionOf(ctx context.Context, orderID string) (payout.Session, error) {
	row, err := t.q.OneTxSessionOf(ctx, orderID)
	if err != nil {
		return payout.Session{}, wrap(err)
	}
	return toSession(row)
}

// SignedSession returns the signed session of an owner, or state.ErrNotFound.
func (t *Tx) SignedSession(ctx context.Context, community, owner string) (payout.Session, error) {
	row, err := t.q.SignedOneTxSession(ctx, sqlc.SignedOneTxSessionParams{Community: community, Owner: owner})
	if err != nil {
		return payout.Session{}, wrap(err)
	}
	return toSession(row)
}

// SignedSessions returns the signed sessions of every community, ordered by their end.
func (t *Tx) SignedSessions(ctx context.Context) ([]payout.Session, error) {
	rows, err := t.q.SignedOneTxSessions(ctx)
	return mapAll(rows, err, toSession)
}

// PutSession stores a session, in place of the order's previous one. It returns an error if the session is signed and
// its owner has another signed session.
func (t *Tx) PutSession(ctx context.Context, s payout.Session) error {
	own, err := ownCoins(s.Coins)
	if err != nil {
		return err
	}
	return wrap(t.q.PutOneTxSession(ctx, sqlc.PutOneTxSessionParams{
		Community: s.Community, Owner: s.Owner, OrderID: s.OrderID, Raw: chain.NewTx(s.Tx).Bytes(), OwnCoins: own,
		Fee: int64(s.Fee), Vbytes: s.VBytes, Rate: int64(s.Rate), UntilAt: unix(s.Until), Signed: flag(s.Signed),
		Ended: string(s.Ended.Reason), EndedValue: s.Ended.Value,
	}))
}

// EndSession deletes the session of an order, if there is one.
func (t *Tx) EndSession(ctx context.Context, orderID string) error {
	return wrap(t.q.EndOneTxSession(ctx, orderID))
}

// ForgetSessions deletes at most 100 unsigned sessions that ended before a time, oldest first. Each request that adds a
// session calls it, so they do not accumulate.
func (t *Tx) ForgetSessions(ctx context.Context, before time.Time) error {
	return wrap(t.q.ForgetOneTxSessions(ctx, unix(before)))
}

func toSession(row sqlc.OneTxSession) (payout.Session, error) {
	tx, err := chain.DecodeTx(row.Raw)
	if err != nil {
		return payout.Session{}, err
	}
	own, err := toOwnCoins(row.OwnCoins)
	return payout.Session{
		Community: row.Community, Owner: row.Owner, OrderID: row.OrderID, Tx: tx.Msg, Coins: own,
		Fee: amount.Sats(row.Fee), VBytes: row.Vbytes, Rate: amount.FeeRate(row.Rate), Until: instant(row.UntilAt),
		Signed: row.Signed != 0, Ended: order.OneTxError{Reason: order.OneTxReason(row.Ended), Value: row.EndedValue},
	}, err
}
