package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"moonfund/amount"
	"moonfund/console"
	"moonfund/etching"
	"moonfund/operator"
	"moonfund/state"
	"moonfund/store"
)

type runeOrderCommands struct {
	List runeOrderList `cmd:"" help:"List mint and etch orders, newest first."`
	Show runeOrderShow `cmd:"" help:"Show everything about one order."`
}

type runeOrderList struct {
	reading
	State string `help:"Only in this state, such as executing."`
	Limit int    `default:"50" help:"Number of rows, newest first."`
}

type runeOrderShow struct {
	reading
	ID string `arg:"" help:"The order's id."`
}

type runeOrderView struct {
	ID          string             `json:"id"`
	Kind        etching.Kind       `json:"kind"`
	State       etching.State      `json:"state"`
	Reason      string             `json:"reason,omitempty"`
	Rune        string             `json:"rune"`
	FeeRate     string             `json:"fee_rate"`
	FundAmount  amount.Sats        `json:"fund_sats"`
	ServiceFee  amount.Sats        `json:"service_fee_sats"`
	Address     string             `json:"address"`
	Destination string             `json:"destination"`
	Refund      string             `json:"refund"`
	Executed    string             `json:"executed_txid,omitempty"`
	Quotes      []etching.Quote    `json:"quotes,omitempty"`
	Created     time.Time          `json:"created"`
	Deadline    time.Time          `json:"deadline"`
	Updated     time.Time          `json:"updated"`
	Payments    []runePaymentView  `json:"payments,omitempty"`
	Txs         []runeOrderTxsView `json:"transactions,omitempty"`
}

type runePaymentView struct {
	Outpoint string      `json:"outpoint"`
	Value    amount.Sats `json:"value_sats"`
	Runes    int         `json:"runes"` // kinds of runes on it
	Height   int64       `json:"height"`
	Vanished bool        `json:"vanished"`
}

type runeOrderTxsView struct {
	Txid       string       `json:"txid"`
	Role       etching.Role `json:"role"`
	Generation int64        `json:"generation"`
	Fee        amount.Sats  `json:"fee_sats"`
	VBytes     int64        `json:"vbytes"`
	Height     int64        `json:"height"`

	Refused *operator.RefusalView `json:"not_accepted_by_node,omitempty"`
}

func viewRuneOrder(o etching.Order) runeOrderView {
	return runeOrderView{
		ID: o.ID, Kind: o.Kind, State: o.State, Reason: o.Reason, Rune: o.RuneName, FeeRate: o.FeeRate.String(),
		FundAmount: o.FundAmount,
		ServiceFee: o.ServiceFee, Address: o.Address, Destination: o.Destination, Refund: o.Refund, Executed: o.Executed,
		Quotes: o.Quotes, Created: o.Created, Deadline: o.Deadline, Updated: o.Updated,
	}
}

// Run is `moonfund rune-order list`.
func (c runeOrderList) Run(ctx context.Context) error {
	if c.State != "" && !slices.Contains(etching.States, etching.State(c.State)) {
		return fmt.Errorf("--state is %q; it must be one of %v", c.State, etching.States)
	}
	if c.Limit < 1 || c.Limit > 100_000 {
		return errors.New("--limit must be from 1 to 100,000")
	}
	return c.view(ctx, func(tx *store.Tx) error {
		orders, err := tx.RuneOrders(ctx, c.State, c.Limit)
		if err != nil {
			return err
		}
		views, rows := []runeOrderView{}, [][]string{}
		for _, o := range orders {
			views = append(views, viewRuneOrder(o))
			rows = append(rows, []string{o.ID, console.Time(o.Created), string(o.Kind), string(o.State), o.RuneName,
				console.Number(o.FundAmount), o.Reason})
		}
		if c.JSON {
			return console.JSON(views)
		}
		return console.Table("ORDER,CREATED (UTC),KIND,STATE,RUNE,PRICE,REASON", rows)
	})
}

// Run is `moonfund rune-order show`.
func (c runeOrderShow) Run(ctx context.Context) error {
	return c.view(ctx, func(tx *store.Tx) error {
		kept := tx.Etchings(ctx)
		o, err := kept.Orders.Order(c.ID)
		if errors.Is(err, state.ErrNotFound) {
			return fmt.Errorf("there is no mint or etch order %q", c.ID)
		}
		if err != nil {
			return err
		}
		outputs, err := kept.Outputs.Outputs(o.ID)
		if err != nil {
			return err
		}
		txs, err := kept.Txs.Txs(o.ID)
		if err != nil {
			return err
		}
		view := viewRuneOrder(o)
		for _, p := range outputs {
			view.Payments = append(view.Payments, runePaymentView{p.OutPoint.String(), p.Value, len(p.Runes), p.Height,
				p.Vanished})
		}
		for _, t := range txs {
			refused, err := operator.RefusalOf(ctx, tx, t.ID.String())
			if err != nil {
				return err
			}
			view.Txs = append(view.Txs, runeOrderTxsView{t.ID.String(), t.Role, t.Generation, t.Fee, t.VBytes, t.Height,
				refused})
		}
		if c.JSON {
			return console.JSON(view)
		}
		return view.print()
	})
}

func (v runeOrderView) print() error {
	fmt.Printf("%s %s of %s: %s", v.Kind, v.ID, v.Rune, v.State)
	if v.Reason != "" {
		fmt.Printf(" (%s)", v.Reason)
	}
	fmt.Printf("\n%d sats to %s until %s, at %s sat/vB\nto %s, back to %s\n", v.FundAmount, v.Address,
		console.Time(v.Deadline), v.FeeRate, v.Destination, v.Refund)
	rows := [][]string{}
	for _, p := range v.Payments {
		state := "payment"
		if p.Vanished {
			state = "payment, vanished"
		}
		rows = append(rows, []string{p.Outpoint, state, console.Number(p.Value), "", console.Height(p.Height)})
	}
	for _, t := range v.Txs {
		if t.Role != etching.Funding {
			rows = append(rows, []string{t.Txid, string(t.Role), console.Number(t.Fee), strconv.FormatInt(t.VBytes, 10),
				console.Height(t.Height)})
		}
	}
	for _, t := range v.Txs {
		if t.Refused != nil {
			fmt.Printf("%s is not accepted by the node %s\n", t.Txid, t.Refused)
		}
	}
	return console.Table("TRANSACTION,ROLE,SATS,VBYTES,HEIGHT", rows)
}
