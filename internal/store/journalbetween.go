package store

import (
	"context"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/store/sqlc"
)

// ReportLine is a posting with the data that a report of a community's income and costs contains.
type ReportLine struct {
	JournalLine
	Reward     bool        // the subject is a unit that is a reward
	OrderID    string      // the order that is the subject, or that has the unit; "" if there is none
	ServiceFee amount.Sats // of the order
	PayoutTx   string      // of the order
}

// JournalBetween returns a community's postings from one instant until before another, oldest first.
func (t *Tx) JournalBetween(ctx context.Context, community string, since, before time.Time) ([]ReportLine, error) {
	rows, err := t.q.JournalBetween(ctx, sqlc.JournalBetweenParams{Community: community, Since: unix(since),
		Before: unix(before)})
	return mapAll(rows, err, func(row sqlc.JournalBetweenRow) (ReportLine, error) {
		line, err := toJournalLine(sqlc.Journal{
			Number: row.Number, Community: row.Community, Subject: row.Subject, Owner: row.Owner, Event: row.Event,
			Asset: row.Asset, Amount: row.Amount, FromAccount: row.FromAccount, ToAccount: row.ToAccount,
			CauseKind: row.CauseKind, CauseID: row.CauseID, At: row.At,
		})
		return ReportLine{line, row.Origin == string(ledger.FromReward), row.OrderID, amount.Sats(row.ServiceFee),
			row.PayoutTx}, err
	})
}
