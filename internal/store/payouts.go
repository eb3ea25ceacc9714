package store

import (
	"context"

	"moonfund/internal/amount"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store/sqlc"
)

// InsertVersion adds a signed transaction to a payout as its latest version.
func (t *Tx) InsertVersion(ctx context.Context, payoutID string, v payout.Version) error {
	number, err := t.next(ctx, PayoutVersions)
	if err != nil {
		return err
	}
	own, err := ownCoins(v.Own)
	if err != nil {
		return err
	}
	return wrap(t.q.InsertPayoutVersion(ctx, sqlc.InsertPayoutVersionParams{
		Txid: v.Tx.ID.String(), PayoutID: payoutID, Number: number, Raw: v.Tx.Bytes(), Fee: int64(v.Fee), Vbytes: v.VBytes,
		CreatedAt: unix(v.Created), Height: v.Height, OwnCoins: own,
	}))
}

// UpdateVersion stores the fee and the own coins of a version.
func (t *Tx) UpdateVersion(ctx context.Context, v payout.Version) error {
	own, err := ownCoins(v.Own)
	if err != nil {
		return err
	}
	return wrap(t.q.UpdatePayoutVersion(ctx, sqlc.UpdatePayoutVersionParams{Txid: v.Tx.ID.String(), Fee: int64(v.Fee),
		OwnCoins: own}))
}

// FeeBalance returns the balance of a community's fee account according to the journal, in sats.
func (t *Tx) FeeBalance(ctx context.Context, community string) (amount.Sats, error) {
	balance, err := t.q.FeeBalance(ctx, payout.FeeAccount(community))
	return amount.Sats(balance), wrap(err)
}

// TreasuryCount returns the number of outputs that hold the treasury's runes, including unconfirmed change.
func (t *Tx) TreasuryCount(ctx context.Context, community string) (int64, error) {
	n, err := t.q.TreasuryCount(ctx, community)
	return n, wrap(err)
}

// UnbookedTreasury returns the outputs at a community's treasury addresses that can be booked and are not booked yet,
// oldest first. An unconfirmed output can't be booked, because it may be replaced, and neither can a quarantined one.
func (t *Tx) UnbookedTreasury(ctx context.Context, community string) ([]ledger.Output, error) {
	rows, err := t.q.UnbookedTreasury(ctx, community)
	return mapAll(rows, err, toOutput)
}

// Quarantined returns the outputs at a community's addresses that the ledger can't credit, including spent ones, oldest
// first.
func (t *Tx) Quarantined(ctx context.Context, community string) ([]ledger.Output, error) {
	rows, err := t.q.Quarantined(ctx, community)
	return mapAll(rows, err, toOutput)
}
