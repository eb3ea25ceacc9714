package main

import (
	"context"
	"fmt"
	"strings"

	"moonfund/console"
	"moonfund/operator"
	"moonfund/payout"
	"moonfund/store"
)

type payoutCommands struct {
	List payoutList `cmd:"" help:"List payouts and refunds, newest first."`
	Show payoutShow `cmd:"" help:"Show one payout with all of its versions."`
	Bump payoutBump `cmd:"" help:"Replace a stuck payout with a version that pays a higher fee."`

	Export payoutExport `cmd:"" help:"Write an order's payout to a file, to sign it on another machine."`
	Import payoutImport `cmd:"" help:"Import a payout that was signed on another machine."`
}

type payoutList struct {
	reading
	Community string `help:"Only of this community."`
	Status    string `help:"Only live, confirmed, final or dead ones." enum:",live,confirmed,final,dead" default:""`
	Kind      string `help:"Only of one kind." enum:",delivery,refund,return,withdrawal" default:""`
}

// Run is `moonfund payout list`.
func (c payoutList) Run(ctx context.Context) error {
	payouts, err := read(ctx, c.reading, func(tx *store.Tx) ([]operator.PayoutView, error) {
		return operator.Payouts(ctx, tx, operator.PayoutFilter{
			Community: c.Community, Status: payout.Status(c.Status), Kind: payout.Kind(c.Kind),
		})
	})
	if err != nil {
		return err
	}
	return console.List(c.JSON, payouts, payoutTitles, payoutRow)
}

const payoutTitles = "PAYOUT,COMMUNITY,KIND,STATUS,CREATED (UTC),ORDERS,VERSIONS,FEE (SATS),VB,BLOCK,TRANSACTION"

func payoutRow(p operator.PayoutView) []string {
	v := p.Current()
	return []string{
		p.ID, p.Community, string(p.Kind), string(p.Status), console.Time(p.Created), console.Number(len(p.Orders)),
		console.Number(len(p.Versions)), console.Number(v.Fee), console.Number(v.VBytes), console.Height(v.Height), v.Txid,
	}
}

type payoutShow struct {
	reading
	Payout string `arg:"" help:"The payout's id, or the id of one of its transactions."`
	Hex    bool   `help:"Also print the signed transactions in hex."`
}

// Run is `moonfund payout show`.
func (c payoutShow) Run(ctx context.Context) error {
	view, err := read(ctx, c.reading, func(tx *store.Tx) (operator.PayoutView, error) {
		return operator.ReadPayout(ctx, tx, c.Payout, c.Hex)
	})
	if err != nil {
		return err
	}
	return c.print(view, func() error { return c.write(view) })
}

// write prints a payout as text.
func (c payoutShow) write(p operator.PayoutView) error {
	if err := console.Fields("payout", p.ID, "community", p.Community, "kind", string(p.Kind),
		"status", string(p.Status), "created", console.Time(p.Created),
		"orders", console.OrDash(strings.Join(p.Orders, ", "))); err != nil {
		return err
	}
	rows := console.Rows(p.Versions, func(v operator.VersionView) []string {
		return []string{v.Txid, console.Time(v.Created), console.Number(v.Fee), console.Number(v.VBytes),
			fmt.Sprintf("%.1f", v.Rate()), console.Height(v.Height)}
	})
	if err := console.Section("Versions", "TRANSACTION,CREATED (UTC),FEE (SATS),VB,SAT/VB,BLOCK", rows); err != nil {
		return err
	}
	for _, v := range p.Versions {
		if v.Refused != nil {
			fmt.Printf("\n%s is not accepted by the node %s\n", v.Txid, v.Refused)
		}
	}
	for _, v := range p.Versions {
		if v.Hex != "" {
			fmt.Printf("\n%s\n%s\n", v.Txid, v.Hex)
		}
	}
	return nil
}

type payoutBump struct {
	requesting
	Payout string `arg:"" help:"The payout's id, or the id of one of its transactions."`
}

// Run is `moonfund payout bump`.
func (c payoutBump) Run(ctx context.Context) error {
	if err := c.check(); err != nil {
		return err
	}
	id, err := read(ctx, c.reading, func(tx *store.Tx) (string, error) {
		p, err := operator.FindPayout(ctx, tx, c.Payout)
		return p.ID, err
	})
	if err != nil {
		return err
	}
	return c.request(ctx, id, operator.Bump(c.author(), id))
}
