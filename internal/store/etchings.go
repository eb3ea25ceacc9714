package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/etching"
	"moonfund/internal/staking/follower"
	"moonfund/internal/state"
	"moonfund/internal/store/sqlc"
)

// Etchings returns the store of the mint and etch service within this transaction.
func (t *Tx) Etchings(ctx context.Context) etching.Store {
	e := etchings{t, ctx}
	return etching.Store{Orders: e, Outputs: e, Txs: e}
}

// etchings implements the interfaces of etching.Store.
type etchings struct {
	tx  *Tx
	ctx context.Context
}

func (e etchings) Insert(o etching.Order) error {
	number, err := e.tx.next(e.ctx, "rune order")
	if err != nil {
		return err
	}
	promise, err := json.Marshal(o.RuneOrder)
	if err != nil {
		return err
	}
	return wrap(e.tx.q.InsertRuneOrder(e.ctx, sqlc.InsertRuneOrderParams{
		ID: o.ID, Number: number, Kind: string(o.Kind), State: string(o.State), RuneName: o.RuneName,
		Promise: string(promise),
		FeeRate: int64(o.FeeRate), Address: o.Address, Script: o.Script, FundAmount: int64(o.FundAmount),
		CreatedAt: unix(o.Created), Deadline: unix(o.Deadline), UpdatedAt: unix(o.Updated),
	}))
}

func toRuneOrder(row sqlc.RuneOrder) (etching.Order, error) {
	o := etching.Order{
		Number: row.Number, Kind: etching.Kind(row.Kind), RuneName: row.RuneName, FeeRate: amount.FeeRate(row.FeeRate),
		Address: row.Address, Script: row.Script, FundAmount: amount.Sats(row.FundAmount), State: etching.State(row.State),
		Cause: etching.Event(row.Cause), Reason: row.Reason, ReasonCode: row.ReasonCode, Executed: row.Executed,
		Created: instant(row.CreatedAt), Deadline: instant(row.Deadline), Updated: instant(row.UpdatedAt),
	}
	if err := json.Unmarshal([]byte(row.Promise), &o.RuneOrder); err != nil {
		return o, err
	}
	if err := json.Unmarshal([]byte(row.ReasonValues), &o.ReasonValues); err != nil {
		return o, err
	}
	return o, json.Unmarshal([]byte(row.Quotes), &o.Quotes)
}

func (e etchings) Order(id string) (etching.Order, error) {
	row, err := e.tx.q.RuneOrder(e.ctx, id)
	if err != nil {
		return etching.Order{}, wrap(err)
	}
	return toRuneOrder(row)
}

func (e etchings) Change(o etching.Order, from etching.State) error {
	quotes, err := json.Marshal(o.Quotes)
	if err != nil {
		return err
	}
	reasonValues, err := json.Marshal(append([]string{}, o.ReasonValues...)) // never null
	if err != nil {
		return err
	}
	return exactlyOne(e.tx.q.ChangeRuneOrder(e.ctx, sqlc.ChangeRuneOrderParams{
		ID: o.ID, State: string(o.State), Cause: string(o.Cause), Reason: o.Reason, Executed: o.Executed,
		Quotes: string(quotes), UpdatedAt: unix(o.Updated), State_2: string(from),
		ReasonCode: o.ReasonCode, ReasonValues: string(reasonValues),
	}))
}

func (e etchings) Due(now time.Time) ([]etching.Order, error) {
	rows, err := e.tx.q.DueRuneOrders(e.ctx, unix(now))
	return mapAll(rows, err, toRuneOrder)
}

func (e etchings) RefusedSince(txid string) (time.Time, error) {
	r, err := e.tx.Refusal(e.ctx, txid)
	if errors.Is(err, state.ErrNotFound) || err == nil && r.Passing {
		return time.Time{}, nil
	}
	return r.Since, err
}

func (e etchings) Waits(id string) (bool, error) {
	waits, err := e.tx.WaitsOf(e.ctx, []string{follower.RuneOrder + " " + id})
	return len(waits) > 0, err
}

func (e etchings) Settle(id string) error { return wrap(e.tx.q.SettleRuneOrder(e.ctx, id)) }

func (e etchings) Scripts(after int64) ([]etching.Script, error) {
	rows, err := e.tx.q.RuneOrderScripts(e.ctx, after)
	return mapAll(rows, err, func(row sqlc.RuneOrderScriptsRow) (etching.Script, error) {
		return etching.Script{Number: row.Number, OrderID: row.ID, Script: row.Script}, nil
	})
}

func (e etchings) NameBusy(name, except string) (bool, error) {
	n, err := e.tx.q.RuneNameBusy(e.ctx, sqlc.RuneNameBusyParams{RuneName: name, ID: except})
	return n > 0, wrap(err)
}

func (e etchings) Outputs(orderID string) ([]etching.Output, error) {
	rows, err := e.tx.q.RuneOrderOutputs(e.ctx, orderID)
	return mapAll(rows, err, func(row sqlc.RuneOrderOutput) (etching.Output, error) {
		o := etching.Output{
			OrderID: row.OrderID, Value: amount.Sats(row.Value), SeenAt: instant(row.SeenAt), Height: row.Height,
			Vanished: row.Vanished == 1,
		}
		var err error
		if o.OutPoint, err = outPoint(row.Txid, row.Vout); err != nil {
			return o, err
		}
		o.Runes, err = readBalances(row.Runes)
		return o, err
	})
}

func (e etchings) PutOutput(o etching.Output) error {
	held, err := writeBalances(o.Runes)
	if err != nil {
		return err
	}
	if err := e.tx.q.PutRuneOrderOutput(e.ctx, sqlc.PutRuneOrderOutputParams{
		Txid: o.OutPoint.Hash.String(), Vout: int64(o.OutPoint.Index), OrderID: o.OrderID, Value: int64(o.Value), Runes: held,
		SeenAt: unix(o.SeenAt), Height: o.Height, Vanished: flag(o.Vanished),
	}); err != nil {
		return wrap(err)
	}
	return wrap(e.tx.q.UnsettleRuneOrder(e.ctx, o.OrderID))
}

func toRuneOrderTx(row sqlc.RuneOrderTx) (etching.Tx, error) {
	t := etching.Tx{
		OrderID: row.OrderID, Role: etching.Role(row.Role), Generation: row.Generation, Position: int(row.Position),
		Fee: amount.Sats(row.Fee), VBytes: row.Vbytes, Created: instant(row.CreatedAt), Height: row.Height,
		Vanished: row.Vanished == 1,
	}
	var err error
	if t.Tx, err = chain.DecodeTx(row.Raw); err != nil {
		return t, err
	}
	if t.RunesReceived, err = uint128.FromString(row.Got); err != nil || row.Ancestors == "" {
		return t, err
	}
	return t, json.Unmarshal([]byte(row.Ancestors), &t.Ancestors)
}

func (e etchings) Txs(orderID string) ([]etching.Tx, error) {
	rows, err := e.tx.q.RuneOrderTxs(e.ctx, orderID)
	return mapAll(rows, err, toRuneOrderTx)
}

func (e etchings) PutTx(t etching.Tx) error {
	ancestors := ""
	if len(t.Ancestors) > 0 {
		text, err := json.Marshal(t.Ancestors)
		if err != nil {
			return err
		}
		ancestors = string(text)
	}
	if err := e.tx.q.PutRuneOrderTx(e.ctx, sqlc.PutRuneOrderTxParams{
		Txid: t.ID.String(), OrderID: t.OrderID, Role: string(t.Role), Generation: t.Generation, Position: int64(t.Position),
		Raw: t.Bytes(), Fee: int64(t.Fee), Vbytes: t.VBytes, CreatedAt: unix(t.Created), Height: t.Height,
		Vanished: flag(t.Vanished), Ancestors: ancestors,
	}); err != nil {
		return wrap(err)
	}
	return wrap(e.tx.q.UnsettleRuneOrder(e.ctx, t.OrderID))
}

func (e etchings) Ours() (map[string]string, error) {
	rows, err := e.tx.q.OurRuneOrderTxs(e.ctx)
	ours := make(map[string]string, len(rows))
	for _, row := range rows {
		ours[row.Txid] = row.OrderID
	}
	return ours, wrap(err)
}

func (e etchings) Funds() (map[wire.OutPoint]string, error) {
	rows, err := e.tx.q.RuneOrderFunds(e.ctx)
	if err != nil {
		return nil, wrap(err)
	}
	funds := make(map[wire.OutPoint]string, len(rows))
	for _, row := range rows {
		out, err := outPoint(row.Txid, row.Vout)
		if err != nil {
			return nil, err
		}
		funds[out] = row.OrderID
	}
	return funds, nil
}

func (e etchings) UnconfirmedFunding() ([]etching.Tx, error) {
	rows, err := e.tx.q.UnconfirmedRuneFunding(e.ctx)
	return mapAll(rows, err, toRuneOrderTx)
}

func (e etchings) Confirm(txid string, height int64, got uint128.Uint128) error {
	if err := e.tx.q.ConfirmRuneOrderTx(e.ctx, sqlc.ConfirmRuneOrderTxParams{
		Txid: txid, Height: height, Got: got.String(),
	}); err != nil {
		return wrap(err)
	}
	return wrap(e.tx.q.UnsettleByTx(e.ctx, txid))
}

func (e etchings) Vanish(txid string) error {
	rows, err := e.tx.q.VanishRuneFunding(e.ctx, txid)
	if err != nil || rows == 0 {
		return wrap(err)
	}
	if err := e.tx.q.VanishRuneOutputs(e.ctx, txid); err != nil {
		return wrap(err)
	}
	return wrap(e.tx.q.UnsettleByTx(e.ctx, txid))
}

func (e etchings) Undo(height int64) error {
	for _, undo := range []func(context.Context, int64) error{
		e.tx.q.UnsettleAtHeight, e.tx.q.UndoRuneOrderTxs, e.tx.q.UndoRuneOrderOutputs,
	} {
		if err := undo(e.ctx, height); err != nil {
			return wrap(err)
		}
	}
	return nil
}

func (e etchings) Tip() (int64, error) {
	tip, err := e.tx.Tip(e.ctx)
	if errors.Is(err, state.ErrNotFound) {
		return chain.None, nil
	}
	return tip.Height, err
}

// RuneOrders returns at most limit orders of the mint and etch service, newest first, in one state or, with "", in all
// states.
func (t *Tx) RuneOrders(ctx context.Context, state string, limit int) ([]etching.Order, error) {
	rows, err := t.q.RuneOrders(ctx, sqlc.RuneOrdersParams{State: state, Limit: int32(limit)})
	return mapAll(rows, err, toRuneOrder)
}

// RuneOrderTally counts the orders of the mint and etch service by state.
func (t *Tx) RuneOrderTally(ctx context.Context) (map[etching.State]int64, error) {
	rows, err := t.q.RuneOrderTally(ctx)
	tally := make(map[etching.State]int64, len(rows))
	for _, row := range rows {
		tally[etching.State(row.State)] = row.Total
	}
	return tally, wrap(err)
}

// heldRune is a balance of an output of a mint or etch order as JSON: the rune's id and a decimal amount.
type heldRune struct {
	ID     string `json:"id"`
	Amount string `json:"amount"`
}

func readBalances(text string) ([]runes.Balance, error) {
	var held []heldRune
	if err := json.Unmarshal([]byte(text), &held); err != nil {
		return nil, fmt.Errorf("store: rune balances: %w", err)
	}
	balances := make([]runes.Balance, len(held))
	for i, h := range held {
		var err error
		if balances[i].ID, err = runes.ParseID(h.ID); err != nil {
			return nil, err
		}
		if balances[i].Amount, err = uint128.FromString(h.Amount); err != nil {
			return nil, err
		}
	}
	return balances, nil
}

func writeBalances(balances []runes.Balance) (string, error) {
	held := make([]heldRune, len(balances))
	for i, b := range balances {
		held[i] = heldRune{b.ID.String(), b.Amount.String()}
	}
	text, err := json.Marshal(held)
	return string(text), err
}
