package store

import (
	"context"
	"encoding/json"

	"moonfund/amount"
	"moonfund/ledger"
	"moonfund/store/sqlc"
)

// PutOutgo inserts an outgo, or writes what it is of one that is not explained.
func (t *Tx) PutOutgo(ctx context.Context, o ledger.Outgo) error {
	return wrap(t.q.PutOutgo(ctx, sqlc.PutOutgoParams{
		Txid: o.TxID, Owner: o.Owner, Community: o.Community, Amount: int64(o.Amount), Status: string(o.Status),
	}))
}

// DropOutgoes forgets the outgoes of a transaction that are not explained: it is a payout of ours.
func (t *Tx) DropOutgoes(ctx context.Context, txid string) error {
	return wrap(t.q.DropOutgoes(ctx, txid))
}

func toOutgo(row sqlc.OpenOutgoesRow) (o ledger.Outgo, err error) {
	o = ledger.Outgo{
		TxID: row.Txid, Owner: row.Owner, Community: row.Community, Amount: amount.Runes(row.Amount),
		Status: ledger.OutgoStatus(row.Status), Height: row.Height,
	}
	return o, json.Unmarshal([]byte(row.UnitIds), &o.UnitIDs)
}

// OpenOutgoes returns every outgo that nobody explained.
func (t *Tx) OpenOutgoes(ctx context.Context) ([]ledger.Outgo, error) {
	rows, err := t.q.OpenOutgoes(ctx)
	return mapAll(rows, err, toOutgo)
}

// OpenOutgoesTo returns the outgoes to an address that nobody explained.
func (t *Tx) OpenOutgoesTo(ctx context.Context, community, owner string) ([]ledger.Outgo, error) {
	rows, err := t.q.OpenOutgoesTo(ctx, sqlc.OpenOutgoesToParams{Community: community, Owner: owner})
	return mapAll(rows, err, func(row sqlc.OpenOutgoesToRow) (ledger.Outgo, error) {
		return toOutgo(sqlc.OpenOutgoesRow(row))
	})
}

// ExplainOutgo writes what an outgo was that is not explained yet.
func (t *Tx) ExplainOutgo(ctx context.Context, o ledger.Outgo) error {
	ids, err := json.Marshal(o.UnitIDs)
	if err != nil {
		return err
	}
	return exactlyOne(t.q.ExplainOutgo(ctx, sqlc.ExplainOutgoParams{
		Txid: o.TxID, Owner: o.Owner, Status: string(o.Status), UnitIds: string(ids),
	}))
}
