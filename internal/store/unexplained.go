package store

import (
	"context"
	"encoding/json"

	"moonfund/internal/amount"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/store/sqlc"
)

// PutUnexplainedSpend inserts an unexplained spend, or updates the amount and the status of one that is still
// unexplained.
func (t *Tx) PutUnexplainedSpend(ctx context.Context, o ledger.UnexplainedSpend) error {
	return wrap(t.q.PutUnexplainedSpend(ctx, sqlc.PutUnexplainedSpendParams{
		Txid: o.TxID, Owner: o.Owner, Community: o.Community, Amount: int64(o.Amount), Sats: int64(o.Sats),
		Status: string(o.Status),
	}))
}

// DropUnexplainedSpends deletes the unexplained spends of a transaction that proved to be a payout of this ledger.
func (t *Tx) DropUnexplainedSpends(ctx context.Context, txid string) error {
	return wrap(t.q.DropUnexplainedSpends(ctx, txid))
}

func toUnexplainedSpend(row sqlc.UnexplainedSpendsRow) (o ledger.UnexplainedSpend, err error) {
	o = ledger.UnexplainedSpend{
		TxID: row.Txid, Owner: row.Owner, Community: row.Community, Amount: amount.Runes(row.Amount),
		Sats: amount.Sats(row.Sats), Status: ledger.SpendStatus(row.Status), Height: row.Height,
	}
	return o, json.Unmarshal([]byte(row.UnitIds), &o.UnitIDs)
}

// UnexplainedSpends returns the unexplained spends whose transactions have not vanished, ordered by transaction and
// owner.
func (t *Tx) UnexplainedSpends(ctx context.Context) ([]ledger.UnexplainedSpend, error) {
	rows, err := t.q.UnexplainedSpends(ctx)
	return mapAll(rows, err, toUnexplainedSpend)
}

// UnexplainedSpendsTo returns a community's unexplained spends to an owner whose transactions have not vanished.
func (t *Tx) UnexplainedSpendsTo(ctx context.Context, community, owner string) ([]ledger.UnexplainedSpend, error) {
	rows, err := t.q.UnexplainedSpendsTo(ctx, sqlc.UnexplainedSpendsToParams{Community: community, Owner: owner})
	return mapAll(rows, err, func(row sqlc.UnexplainedSpendsToRow) (ledger.UnexplainedSpend, error) {
		return toUnexplainedSpend(sqlc.UnexplainedSpendsRow(row))
	})
}

// ExplainSpend stores the explanation of a spend. It returns state.ErrConflict if the spend is explained already.
func (t *Tx) ExplainSpend(ctx context.Context, o ledger.UnexplainedSpend) error {
	ids, err := json.Marshal(o.UnitIDs)
	if err != nil {
		return err
	}
	return exactlyOne(t.q.ExplainSpend(ctx, sqlc.ExplainSpendParams{
		Txid: o.TxID, Owner: o.Owner, Status: string(o.Status), UnitIds: string(ids),
	}))
}
