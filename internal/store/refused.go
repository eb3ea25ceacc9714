package store

import (
	"context"
	"errors"

	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
	"moonfund/internal/store/sqlc"
)

func toRefusal(row sqlc.RefusedTxsRow) (ledger.Refusal, error) {
	return ledger.Refusal{TxID: row.Txid, Reason: row.Reason, Passing: row.Passing != 0, Since: instant(row.Since),
		OwnPaid: row.Own != 0}, nil
}

// Refusals returns our transactions that the node refused, oldest first.
func (t *Tx) Refusals(ctx context.Context) ([]ledger.Refusal, error) {
	rows, err := t.q.RefusedTxs(ctx)
	return mapAll(rows, err, toRefusal)
}

// Refusal returns the node's refusal of one of our transactions, or state.ErrNotFound if there is none.
func (t *Tx) Refusal(ctx context.Context, txid string) (ledger.Refusal, error) {
	row, err := t.q.RefusedTx(ctx, txid)
	if err != nil {
		return ledger.Refusal{}, wrap(err)
	}
	return toRefusal(sqlc.RefusedTxsRow(row))
}

// PutRefusal stores that the node refused a transaction. The time of an existing refusal is not changed. Operators are
// notified of a refusal that is not temporary and that concerns them; see NoteLastingRefusal for temporary ones.
func (t *Tx) PutRefusal(ctx context.Context, r ledger.Refusal) error {
	if err := t.q.PutRefusedTx(ctx, sqlc.PutRefusedTxParams{
		Txid: r.TxID, Reason: r.Reason, Passing: flag(r.Passing), Since: unix(r.Since),
	}); err != nil || r.Passing {
		return wrap(err)
	}
	stored, err := t.Refusal(ctx, r.TxID)
	if err != nil || stored.OwnPaid {
		return err
	}
	return t.BeginCondition(ctx, EventBroadcast, r.TxID, EventData{Reason: r.Reason})
}

// NoteLastingRefusal notifies operators of a temporary refusal that lasts, if it is still stored and they were not
// notified before.
func (t *Tx) NoteLastingRefusal(ctx context.Context, txid string) error {
	r, err := t.Refusal(ctx, txid)
	if errors.Is(err, state.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return t.BeginCondition(ctx, EventBroadcast, txid, EventData{Reason: r.Reason})
}

// DropRefusal deletes a refusal, because the transaction was accepted or is no longer sent.
func (t *Tx) DropRefusal(ctx context.Context, txid string) error {
	if err := t.q.DropRefusedTx(ctx, txid); err != nil {
		return wrap(err)
	}
	return t.EndCondition(ctx, EventBroadcast, txid)
}
