package store

import (
	"context"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/store/sqlc"
)

func toTracked(row sqlc.Tracked) (ledger.Tracked, error) {
	tx, err := chain.DecodeTx(row.Raw)
	return ledger.Tracked{
		Tx: tx, SeenAt: instant(row.SeenAt), Height: row.Height, Vanished: row.Vanished != 0, Ours: row.Ours != 0,
		Since: instant(row.Since),
	}, err
}

// Track stores a transaction, or updates its state.
func (t *Tx) Track(ctx context.Context, tracked ledger.Tracked) error {
	txid := tracked.Tx.ID.String()
	if err := t.q.PutTracked(ctx, sqlc.PutTrackedParams{
		Txid: txid, Raw: tracked.Tx.Bytes(), SeenAt: unix(tracked.SeenAt), Height: tracked.Height,
		Vanished: flag(tracked.Vanished), Ours: flag(tracked.Ours), Since: unix(tracked.SeenAt),
	}); err != nil {
		return wrap(err)
	}
	if err := t.q.ConfirmVersion(ctx, sqlc.ConfirmVersionParams{Txid: txid, Height: tracked.Height}); err != nil {
		return wrap(err)
	}
	_, err := writeRows(ctx, t, tracked.Tx.Msg.TxIn, func(q *sqlc.Queries, in *wire.TxIn) error {
		return q.InsertTrackedInput(ctx, sqlc.InsertTrackedInputParams{
			Txid: txid, PrevTxid: in.PreviousOutPoint.Hash.String(), PrevVout: int64(in.PreviousOutPoint.Index),
		})
	})
	return err
}

// TrackedTx returns a tracked transaction, or state.ErrNotFound.
func (t *Tx) TrackedTx(ctx context.Context, txid string) (ledger.Tracked, error) {
	row, err := t.q.Tracked(ctx, txid)
	if err != nil {
		return ledger.Tracked{}, wrap(err)
	}
	return toTracked(row)
}

// ConfirmTxs stores the height of the block of tracked transactions.
func (t *Tx) ConfirmTxs(ctx context.Context, height int64, txids ...string) error {
	return eachList(t, []any{height}, txids, func(q *sqlc.Queries) error {
		return q.ConfirmTracked(ctx, sqlc.ConfirmTrackedParams{})
	})
}

// VanishTxs marks tracked transactions as vanished.
func (t *Tx) VanishTxs(ctx context.Context, txids ...string) error {
	return eachList(t, nil, txids, func(q *sqlc.Queries) error { return q.VanishTracked(ctx, "") })
}

// States returns the states of the tracked transactions among txids, by id.
func (t *Tx) States(ctx context.Context, txids ...string) (map[string]ledger.TxState, error) {
	states := map[string]ledger.TxState{}
	err := eachList(t, nil, txids, func(q *sqlc.Queries) error {
		rows, err := q.TrackedStates(ctx, "")
		for _, row := range rows {
			states[row.Txid] = toState(row)
		}
		return err
	})
	return states, err
}

// Spenders returns the tracked transactions that spend any of the outputs, each once.
func (t *Tx) Spenders(ctx context.Context, outs ...wire.OutPoint) ([]ledger.TxState, error) {
	found := spenders{}
	err := eachOutPoints(t, outs, func(q *sqlc.Queries) error {
		rows, err := q.Spenders(ctx, sqlc.SpendersParams{})
		for _, row := range rows {
			found.add(sqlc.TrackedStatesRow(row))
		}
		return err
	})
	return found.list, err
}

// Children returns the tracked transactions that spend an output of any of the others, each once.
func (t *Tx) Children(ctx context.Context, txids ...string) ([]ledger.TxState, error) {
	found := spenders{}
	err := eachList(t, nil, txids, func(q *sqlc.Queries) error {
		rows, err := q.SpendersOf(ctx, "")
		for _, row := range rows {
			found.add(sqlc.TrackedStatesRow(row))
		}
		return err
	})
	return found.list, err
}

// spenders collects transactions that several queries can select.
type spenders struct {
	listed map[string]bool
	list   []ledger.TxState
}

func (s *spenders) add(row sqlc.TrackedStatesRow) {
	if s.listed[row.Txid] {
		return
	}
	if s.listed == nil {
		s.listed = map[string]bool{}
	}
	s.listed[row.Txid] = true
	s.list = append(s.list, toState(row))
}

func toState(row sqlc.TrackedStatesRow) ledger.TxState {
	return ledger.TxState{ID: row.Txid, Height: row.Height, Vanished: row.Vanished != 0, Ours: row.Ours != 0}
}

// TrackedUnconfirmed returns the unconfirmed tracked transactions, oldest first.
func (t *Tx) TrackedUnconfirmed(ctx context.Context) ([]ledger.Tracked, error) {
	rows, err := t.q.TrackedUnconfirmed(ctx)
	return mapAll(rows, err, toTracked)
}
