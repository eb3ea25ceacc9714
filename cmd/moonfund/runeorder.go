package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"moonfund/internal/operate/decisions"
	"moonfund/internal/operate/terminal"
	"moonfund/internal/staking/etching"
	"moonfund/internal/store"
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

// Run is `moonfund rune-order list`.
func (c runeOrderList) Run(ctx context.Context) error {
	if c.State != "" && !slices.Contains(etching.States, etching.State(c.State)) {
		return fmt.Errorf("--state is %q; it must be one of %v", c.State, etching.States)
	}
	if c.Limit < 1 || c.Limit > 100_000 {
		return errors.New("--limit must be from 1 to 100,000")
	}
	orders, err := read(ctx, c.reading, func(tx *store.Tx) ([]decisions.RuneOrderView, error) {
		return decisions.RuneOrders(ctx, tx, etching.State(c.State), c.Limit)
	})
	if err != nil {
		return err
	}
	return terminal.List(c.JSON, orders, "ORDER,CREATED (UTC),KIND,STATE,RUNE,PRICE,REASON", runeOrderRow)
}

func runeOrderRow(o decisions.RuneOrderView) []string {
	return []string{o.ID, terminal.Time(o.Created), string(o.Kind), string(o.State), o.Rune, terminal.Number(o.FundAmount),
		o.Reason}
}

type runeOrderShow struct {
	reading
	ID string `arg:"" help:"The order's id."`
}

// Run is `moonfund rune-order show`.
func (c runeOrderShow) Run(ctx context.Context) error {
	view, err := read(ctx, c.reading, func(tx *store.Tx) (decisions.RuneOrderView, error) {
		return decisions.ReadRuneOrder(ctx, tx, c.ID)
	})
	if err != nil {
		return err
	}
	return c.print(view, func() error { return writeRuneOrder(view) })
}

func writeRuneOrder(v decisions.RuneOrderView) error {
	fmt.Printf("%s %s of %s: %s", v.Kind, v.ID, v.Rune, v.State)
	if v.Reason != "" {
		fmt.Printf(" (%s)", v.Reason)
	}
	fmt.Printf("\n%d sats to %s until %s, at %s sat/vB\nto %s, back to %s\n", v.FundAmount, v.Address,
		terminal.Time(v.Deadline), v.FeeRate, v.Destination, v.Refund)
	for _, w := range v.Waits {
		fmt.Printf("waits: %s\n", w)
	}
	rows := [][]string{}
	for _, p := range v.Payments {
		state := "payment"
		if p.Vanished {
			state = "payment, vanished"
		}
		rows = append(rows, []string{p.Outpoint, state, terminal.Number(p.Value), "", terminal.Height(p.Height)})
	}
	for _, t := range v.Txs {
		if t.Role != etching.Funding {
			rows = append(rows, []string{t.Txid, string(t.Role), terminal.Number(t.Fee), strconv.FormatInt(t.VBytes, 10),
				terminal.Height(t.Height)})
		}
	}
	for _, t := range v.Txs {
		if t.Refused != nil {
			fmt.Printf("%s is not accepted by the node %s\n", t.Txid, t.Refused)
		}
	}
	return terminal.Table("TRANSACTION,ROLE,SATS,VBYTES,HEIGHT", rows)
}
