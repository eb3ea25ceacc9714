package store

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store/sqlc"
)

// WatchScript watches a script. Watching it again has no effect.
func (t *Tx) WatchScript(ctx context.Context, w ledger.Watched) error {
	number, err := t.next(ctx, "watch")
	if err != nil {
		return err
	}
	return wrap(t.q.InsertWatch(ctx, sqlc.InsertWatchParams{
		Number: number, Script: w.Script, Community: w.Community, Kind: string(w.Kind), Ref: w.Ref, Owner: w.Owner,
	}))
}

// WatchedAfter returns the watched scripts with a number above the given one, in the order of their numbers.
func (t *Tx) WatchedAfter(ctx context.Context, number int64) (watched []ledger.Watched, err error) {
	rows, err := t.q.WatchedAfter(ctx, number)
	return mapAll(rows, err, toWatched)
}

// WatchedScripts returns the watched ones among scripts, by script.
func (t *Tx) WatchedScripts(ctx context.Context, scripts [][]byte) (map[string]ledger.Watched, error) {
	watched := map[string]ledger.Watched{}
	err := eachList(t, nil, scripts, func(q *sqlc.Queries) error {
		rows, err := q.WatchedScripts(ctx, nil)
		for _, row := range rows {
			watched[string(row.Script)], _ = toWatched(row)
		}
		return err
	})
	return watched, err
}

const eachScript = `SELECT script FROM watch`

// EachScript calls visit for every watched script, in any order, and returns the number of the last one. The script is
// valid until visit returns. It reads the scripts by a cursor, because a ledger can have millions, and from their
// index, which on SQLite is a third as large as the table.
func (t *Tx) EachScript(ctx context.Context, visit func(script []byte)) (last int64, err error) {
	if last, err = t.q.LastWatched(ctx); err != nil {
		return 0, wrap(err)
	}
	var script sql.RawBytes
	return last, t.each(ctx, eachScript, nil, func(rows *sql.Rows) error {
		if err := rows.Scan(&script); err != nil {
			return err
		}
		visit(script)
		return nil
	})
}

// EachWatched calls visit for every watched script with a number above the given one, in the order of their numbers.
// The script is valid until visit returns. It reads them by a cursor, because a ledger can have millions.
func (t *Tx) EachWatched(ctx context.Context, number int64, visit func(number int64, script []byte)) error {
	var script sql.RawBytes
	return t.each(ctx, "SELECT number, script FROM watch WHERE number > $1 ORDER BY number", []any{number},
		func(rows *sql.Rows) error {
			if err := rows.Scan(&number, &script); err != nil {
				return err
			}
			visit(number, script)
			return nil
		})
}

// TreasuryWatched returns the scripts of a community's treasury.
func (t *Tx) TreasuryWatched(ctx context.Context, community string) ([]ledger.Watched, error) {
	rows, err := t.q.TreasuryWatch(ctx, community)
	return mapAll(rows, err, toWatched)
}

func toWatched(row sqlc.Watch) (ledger.Watched, error) {
	return ledger.Watched{
		Number: row.Number, Script: row.Script, Community: row.Community, Kind: ledger.Kind(row.Kind), Ref: row.Ref,
		Owner: row.Owner,
	}, nil
}

func toOutput(row sqlc.Custody) (ledger.Output, error) {
	point, err := outPoint(row.Txid, row.Vout)
	return ledger.Output{
		OutPoint: point, Community: row.Community, Kind: ledger.Kind(row.Kind), Ref: row.Ref, Owner: row.Owner,
		Script: row.Script,
		Value:  amount.Sats(row.Value), Runes: amount.Runes(row.Runes), Quarantine: row.Quarantine, Booked: row.Booked != 0,
		Coinbase: row.Coinbase != 0, SeenAt: instant(row.SeenAt), Height: row.Height, Vanished: row.Vanished != 0,
		SpentBy: row.SpentBy, SpentOurs: row.SpentOurs != 0, SpentHeight: row.SpentHeight, Position: row.Position,
	}, err
}

// Output returns one of our outputs, or state.ErrNotFound.
func (t *Tx) Output(ctx context.Context, out wire.OutPoint) (ledger.Output, error) {
	row, err := t.q.Custody(ctx, sqlc.CustodyParams{Txid: out.Hash.String(), Vout: int64(out.Index)})
	if err != nil {
		return ledger.Output{}, wrap(err)
	}
	return toOutput(row)
}

// Outputs returns our outputs among outs, in the order of outs. outs must be distinct.
func (t *Tx) Outputs(ctx context.Context, outs []wire.OutPoint) ([]ledger.Output, error) {
	found := map[wire.OutPoint]ledger.Output{}
	err := eachOutPoints(t, outs, func(q *sqlc.Queries) error {
		rows, err := q.CustodyOfList(ctx, sqlc.CustodyOfListParams{})
		part, err := mapAll(rows, err, toOutput)
		for _, output := range part {
			found[output.OutPoint] = output
		}
		return err
	})
	var outputs []ledger.Output
	for _, out := range outs {
		if output, exists := found[out]; exists {
			outputs = append(outputs, output)
		}
	}
	return outputs, err
}

// OutputsOf returns our outputs that transactions make.
func (t *Tx) OutputsOf(ctx context.Context, txids ...string) ([]ledger.Output, error) {
	return t.outputsBy(txids, func(q *sqlc.Queries) ([]sqlc.Custody, error) { return q.CustodyOf(ctx, "") })
}

// OutputsSpentBy returns our outputs that transactions spend.
func (t *Tx) OutputsSpentBy(ctx context.Context, txids ...string) ([]ledger.Output, error) {
	return t.outputsBy(txids, func(q *sqlc.Queries) ([]sqlc.Custody, error) { return q.CustodySpentBy(ctx, "") })
}

// outputsBy returns the outputs that a query selects by lists of transactions.
func (t *Tx) outputsBy(
	txids []string, query func(*sqlc.Queries) ([]sqlc.Custody, error),
) (outputs []ledger.Output, err error) {
	err = eachList(t, nil, txids, func(q *sqlc.Queries) error {
		rows, err := query(q)
		part, err := mapAll(rows, err, toOutput)
		outputs = append(outputs, part...)
		return err
	})
	return outputs, err
}

// DepositsOf returns the outputs at an owner's stake addresses, oldest first. It includes quarantined and spent
// outputs, but not vanished ones.
func (t *Tx) DepositsOf(ctx context.Context, community, owner string) ([]ledger.Output, error) {
	rows, err := t.q.CustodyOfOwner(ctx, sqlc.CustodyOfOwnerParams{Community: community, Owner: owner})
	return mapAll(rows, err, toOutput)
}

// UnspentOutputs returns a community's unspent outputs, including quarantined ones.
func (t *Tx) UnspentOutputs(ctx context.Context, community string) ([]ledger.Output, error) {
	rows, err := t.q.UnspentCustody(ctx, community)
	return mapAll(rows, err, toOutput)
}

// eachOpenOutpoint reads unspent outputs from the index custody_kind, which on SQLite has their outpoints. A single
// condition for both kinds of spends would read the table.
const eachOpenOutpoint = `SELECT txid, vout FROM custody WHERE spent_by = ''
UNION ALL SELECT txid, vout FROM custody WHERE spent_by <> '' AND spent_height = -1
UNION ALL SELECT txid, vout FROM custody WHERE spent_by <> '' AND spent_height >= 0 AND spent_height > $1`

// EachOpenOutpoint calls visit for every outpoint of ours that is unspent, or whose spend is unconfirmed or above a
// height. It reads them by a cursor, because a ledger can have millions.
func (t *Tx) EachOpenOutpoint(ctx context.Context, height int64, visit func(wire.OutPoint)) error {
	var txid sql.RawBytes
	var vout int64
	return t.each(ctx, eachOpenOutpoint, []any{height}, func(rows *sql.Rows) error {
		if err := rows.Scan(&txid, &vout); err != nil {
			return err
		}
		point := wire.OutPoint{Index: uint32(vout)}
		if err := chainhash.Decode(&point.Hash, string(txid)); err != nil {
			return err
		}
		visit(point)
		return nil
	})
}

// each calls visit for every row of a query.
func (t *Tx) each(ctx context.Context, query string, args []any, visit func(*sql.Rows) error) (err error) {
	rows, err := t.db.QueryContext(ctx, query, args...)
	if err != nil {
		return wrap(err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := visit(rows); err != nil {
			return wrap(err)
		}
	}
	return wrap(rows.Err())
}

// InsertOutputs inserts new outputs, in less time than PutOutput. It returns an error if the ledger has one of them.
func (t *Tx) InsertOutputs(ctx context.Context, outputs ...ledger.Output) error {
	return writeAll(ctx, t, outputs, func(q *sqlc.Queries, o ledger.Output) error {
		return q.InsertCustody(ctx, sqlc.InsertCustodyParams(custodyRow(o)))
	})
}

// PutOutput inserts outputs, or updates the changeable fields of existing ones. The outputs must be distinct.
func (t *Tx) PutOutput(ctx context.Context, outputs ...ledger.Output) error {
	return writeAll(ctx, t, outputs, func(q *sqlc.Queries, o ledger.Output) error {
		return q.PutCustody(ctx, custodyRow(o))
	})
}

func custodyRow(o ledger.Output) sqlc.PutCustodyParams {
	return sqlc.PutCustodyParams{
		Txid: o.OutPoint.Hash.String(), Vout: int64(o.OutPoint.Index), Community: o.Community, Kind: string(o.Kind),
		Ref: o.Ref, Owner: o.Owner, Script: o.Script, Value: int64(o.Value), Runes: int64(o.Runes),
		Quarantine: o.Quarantine, Booked: flag(o.Booked), Coinbase: flag(o.Coinbase), SeenAt: unix(o.SeenAt),
		Height: o.Height, Vanished: flag(o.Vanished), SpentBy: o.SpentBy, SpentOurs: flag(o.SpentOurs),
		SpentHeight: o.SpentHeight, Position: o.Position,
	}
}

// ConfirmOutputs stores the blocks of transactions with all our outputs that the transactions make.
func (t *Tx) ConfirmOutputs(ctx context.Context, confirmed ...ledger.Confirmed) error {
	_, err := writeRows(ctx, t, confirmed, func(q *sqlc.Queries, c ledger.Confirmed) error {
		return q.ConfirmCustody(ctx, sqlc.ConfirmCustodyParams{Txid: c.TxID, Height: c.Height, Position: c.Position})
	})
	return err
}

// ConfirmSpends stores the height of the block of transactions with all our outputs that they spend.
func (t *Tx) ConfirmSpends(ctx context.Context, height int64, txids ...string) error {
	return eachList(t, []any{height}, txids, func(q *sqlc.Queries) error {
		return q.ConfirmSpends(ctx, sqlc.ConfirmSpendsParams{})
	})
}

// BookTreasury books every output of UnbookedTreasury and credits the sats outputs to the fee account. It returns the
// number of outputs.
func (t *Tx) BookTreasury(ctx context.Context, community string, cause ledger.Cause) (int64, error) {
	unbooked, err := t.UnbookedTreasury(ctx, community)
	if err != nil {
		return 0, err
	}
	account := payout.FeeAccount(community)
	for _, output := range unbooked {
		if output.Kind != ledger.SatsKind {
			continue
		}
		if err := t.Post(ctx, ledger.Posting{
			Community: community, Subject: account, Event: "sats credited", Asset: ledger.SatsAsset,
			Amount: int64(output.Value), From: ledger.Outside, To: account, Cause: cause,
		}); err != nil {
			return 0, err
		}
	}
	n, err := t.q.BookTreasury(ctx, community)
	return n, wrap(err)
}

// TreasuryOutputs returns booked, confirmed, unspent treasury outputs, oldest first.
func (t *Tx) TreasuryOutputs(ctx context.Context, community string, kind ledger.Kind) ([]ledger.Output, error) {
	rows, err := t.q.TreasuryOutputs(ctx, sqlc.TreasuryOutputsParams{Community: community, Kind: string(kind)})
	return mapAll(rows, err, toOutput)
}

// Treasury returns the sum of the runes on booked, unspent treasury outputs, which back the rewards, in base units. It
// ignores the inputs and outputs of our transactions whose ancestor was replaced.
func (t *Tx) Treasury(ctx context.Context, community string) (amount.Runes, error) {
	unspent, err := t.q.TreasuryRunes(ctx, community)
	if err != nil {
		return 0, wrap(err)
	}
	returned, err := t.q.TreasuryRunesReturned(ctx, community)
	return amount.Runes(unspent + returned), wrap(err)
}

// VirtualOwed returns the sum of the virtual units that are not withdrawn. It omits the units of orders whose payout is
// sent and not DELIVERED, because the payout has taken their runes from the treasury. A payout whose ancestor was
// replaced has taken nothing.
func (t *Tx) VirtualOwed(ctx context.Context, community string) (amount.Runes, error) {
	outstanding, err := t.q.VirtualOutstanding(ctx, community)
	if err != nil {
		return 0, wrap(err)
	}
	carried, err := t.q.VirtualCarried(ctx, community)
	return amount.Runes(outstanding - carried), wrap(err)
}

// InsertStake stores a stake address. Call it before the address is returned to a caller.
func (t *Tx) InsertStake(ctx context.Context, s action.StakeRecord) error {
	return wrap(t.q.InsertStakeAddress(ctx, sqlc.InsertStakeAddressParams{
		Address: s.Address, Community: s.Community, Position: s.Position, LeafKey: s.LeafKey, Delay: int64(s.Delay),
		SelfCustody: flag(s.Self), Owner: s.Wallet.Ordinals, Payment: s.Wallet.Payment,
		ActionID: s.ActionID, CreatedAt: unix(s.Created),
		ExpiresAt: expiry(s.Expires),
	}))
}

// OpenStake returns the latest stake address of an owner and leaf key that has received nothing, or state.ErrNotFound.
// It ignores the payment address, so that a caller can't create stake addresses by inventing payment addresses.
func (t *Tx) OpenStake(ctx context.Context, s action.StakeRecord) (action.StakeRecord, error) {
	row, err := t.q.OpenStakeAddress(ctx, sqlc.OpenStakeAddressParams{
		Community: s.Community, Owner: s.Wallet.Ordinals, LeafKey: s.LeafKey, Delay: int64(s.Delay),
		SelfCustody: flag(s.Self),
	})
	s.Address, s.Position, s.ActionID, s.Created = row.Address, row.Position, row.ActionID, instant(row.CreatedAt)
	if row.ExpiresAt > 0 {
		s.Expires = instant(row.ExpiresAt)
	}
	return s, wrap(err)
}

// NextStakePosition returns an unused derivation index, which is below the indexes of first addresses. It returns an
// error if no such index is left.
func (t *Tx) NextStakePosition(ctx context.Context, community string) (int64, error) {
	n, err := t.next(ctx, stakeCounter+community)
	if err == nil && vault.IsFirstStake(n) {
		return 0, fmt.Errorf("the community %s has no stake address index left", community)
	}
	return n, err
}

// StakeSeen reports whether a creditable deposit arrived at the address of a STAKE action.
func (t *Tx) StakeSeen(ctx context.Context, actionID string) (bool, error) {
	n, err := t.q.StakeSeen(ctx, actionID)
	return n > 0, wrap(err)
}

// StakeDelay returns the recovery delay of a stake address in blocks, or state.ErrNotFound.
func (t *Tx) StakeDelay(ctx context.Context, address string) (uint32, error) {
	keys, err := t.StakeKeys(ctx, address)
	return keys.Delay, err
}

// StakeKeys returns the data for spending from a stake address.
func (t *Tx) StakeKeys(ctx context.Context, address string) (vault.StakeKeys, error) {
	row, err := t.q.StakeAddress(ctx, address)
	if err != nil {
		return vault.StakeKeys{}, wrap(err)
	}
	return toStakeKeys(row)
}

func toStakeKeys(row sqlc.StakeAddress) (vault.StakeKeys, error) {
	leaf, err := hex.DecodeString(row.LeafKey)
	return vault.StakeKeys{Position: uint32(row.Position), Leaf: leaf, Delay: uint32(row.Delay),
		Self: row.SelfCustody != 0}, err
}
