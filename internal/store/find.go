package store

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/staking/etching"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
	"moonfund/internal/store/sqlc"
)

// OwnerOf is an owner that a payment address belongs to.
type OwnerOf struct {
	Community string
	Owner     string // ordinals address
	Signed    bool   // the owner signed a message that names both addresses
}

// PaymentOf is a payment address of an owner.
type PaymentOf struct {
	Address string
	Signed  bool // the owner signed a message that names both addresses
}

// StakeAddress is a stake address of an owner.
type StakeAddress struct {
	Address, Community, Owner string
	Created                   time.Time
}

// WatchedScript returns the purpose of a watched script, or state.ErrNotFound.
func (t *Tx) WatchedScript(ctx context.Context, script []byte) (ledger.Watched, error) {
	row, err := t.q.WatchOfScript(ctx, script)
	if err != nil {
		return ledger.Watched{}, wrap(err)
	}
	return toWatched(row)
}

// OwnersOfPayment returns the owners that a payment address belongs to, in every community, ordered by community and
// owner.
func (t *Tx) OwnersOfPayment(ctx context.Context, address string) (owners []OwnerOf, err error) {
	rows, err := t.q.OwnersOfPayment(ctx, address)
	for _, row := range rows {
		owners = append(owners, OwnerOf{row.Community, row.Owner, row.Signed != 0})
	}
	slices.SortFunc(owners, func(a, b OwnerOf) int {
		return cmp.Or(cmp.Compare(a.Community, b.Community), cmp.Compare(a.Owner, b.Owner), signedFirst(a.Signed, b.Signed))
	})
	return slices.CompactFunc(owners, func(a, b OwnerOf) bool {
		return a.Community == b.Community && a.Owner == b.Owner
	}), wrap(err)
}

// PaymentsOfOwner returns the distinct payment addresses of an owner, sorted.
func (t *Tx) PaymentsOfOwner(ctx context.Context, community, owner string) (all []PaymentOf, err error) {
	rows, err := t.q.PaymentsOfOwner(ctx, sqlc.PaymentsOfOwnerParams{Community: community, Owner: owner})
	for _, row := range rows {
		all = append(all, PaymentOf{row.Payment, row.Signed != 0})
	}
	slices.SortFunc(all, func(a, b PaymentOf) int {
		return cmp.Or(cmp.Compare(a.Address, b.Address), signedFirst(a.Signed, b.Signed))
	})
	return slices.CompactFunc(all, func(a, b PaymentOf) bool { return a.Address == b.Address }), wrap(err)
}

func signedFirst(a, b bool) int { return cmp.Compare(flag(b), flag(a)) }

// StakeAddressesOf returns the stake addresses that were issued to an owner, newest first.
func (t *Tx) StakeAddressesOf(ctx context.Context, community, owner string) ([]StakeAddress, error) {
	rows, err := t.q.StakeAddressesOf(ctx, sqlc.StakeAddressesOfParams{Community: community, Owner: owner})
	return mapAll(rows, err, toStakeAddress)
}

// StakeAddress returns a stake address, or state.ErrNotFound.
func (t *Tx) StakeAddress(ctx context.Context, address string) (StakeAddress, error) {
	row, err := t.q.StakeAddress(ctx, address)
	if err != nil {
		return StakeAddress{}, wrap(err)
	}
	return toStakeAddress(row)
}

func toStakeAddress(row sqlc.StakeAddress) (StakeAddress, error) {
	return StakeAddress{row.Address, row.Community, row.Owner, instant(row.CreatedAt)}, nil
}

// OutputsAt returns the outputs at a stake address, or the payments of an order, oldest first.
func (t *Tx) OutputsAt(ctx context.Context, ref string) ([]ledger.Output, error) {
	rows, err := t.q.CustodyAt(ctx, ref)
	return mapAll(rows, err, toOutput)
}

// QuarantinedOf returns an owner's outputs that can't be credited, including spent ones, oldest first.
func (t *Tx) QuarantinedOf(ctx context.Context, community, owner string) ([]ledger.Output, error) {
	rows, err := t.q.QuarantinedOf(ctx, sqlc.QuarantinedOfParams{Community: community, Owner: owner})
	return mapAll(rows, err, toOutput)
}

// UnexplainedSpendsBy returns the spends from the treasury by a transaction that is not a payout, whether they are
// explained or not. Their Height is not set: it is always chain.None.
func (t *Tx) UnexplainedSpendsBy(ctx context.Context, txid string) ([]ledger.UnexplainedSpend, error) {
	rows, err := t.q.UnexplainedSpendsBy(ctx, txid)
	return mapAll(rows, err, func(row sqlc.UnexplainedSpendsByRow) (ledger.UnexplainedSpend, error) {
		return toUnexplainedSpend(sqlc.UnexplainedSpendsRow(row))
	})
}

// RuneOrderTxs returns the roles of a transaction in mint and etch orders.
func (t *Tx) RuneOrderTxs(ctx context.Context, txid string) ([]etching.Tx, error) {
	rows, err := t.q.RuneOrderTxsByID(ctx, txid)
	return mapAll(rows, err, toRuneOrderTx)
}

// RuneOrderPayment is an output at the address of a mint or etch order.
type RuneOrderPayment struct {
	OutPoint wire.OutPoint
	OrderID  string
	Value    amount.Sats
	Height   int64
	Vanished bool
}

// RuneOrderPaymentsIn returns the payments of mint and etch orders that a transaction makes.
func (t *Tx) RuneOrderPaymentsIn(ctx context.Context, txid string) ([]RuneOrderPayment, error) {
	rows, err := t.q.RuneOrderOutputsIn(ctx, txid)
	return mapAll(rows, err, func(row sqlc.RuneOrderOutput) (RuneOrderPayment, error) {
		out, err := outPoint(row.Txid, row.Vout)
		return RuneOrderPayment{out, row.OrderID, amount.Sats(row.Value), row.Height, row.Vanished != 0}, err
	})
}

// RuneOrdersOf returns the mint or etch order whose payment address this is, if there is one, followed by at most limit
// orders whose request contains the address, for example as the destination or for refunds, newest first.
func (t *Tx) RuneOrdersOf(ctx context.Context, address string, script []byte, limit int) ([]etching.Order, error) {
	rows, err := t.q.RuneOrdersNaming(ctx, sqlc.RuneOrdersNamingParams{
		Promise: `%"` + address + `"%`, Limit: int32(limit),
	})
	if err != nil {
		return nil, wrap(err)
	}
	row, err := t.q.RuneOrderOfScript(ctx, script)
	if err = wrap(err); err == nil {
		rows = append([]sqlc.RuneOrder{row}, rows...)
	} else if errors.Is(err, state.ErrNotFound) {
		err = nil
	}
	return mapAll(rows, err, toRuneOrder)
}
