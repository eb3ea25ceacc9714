package main

import (
	"context"
	"fmt"
	"strings"

	"moonfund/internal/operate/decisions"
	"moonfund/internal/operate/terminal"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
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
	payouts, err := read(ctx, c.reading, func(tx *store.Tx) ([]decisions.PayoutView, error) {
		return decisions.Payouts(ctx, tx, decisions.PayoutFilter{
			Community: c.Community, Status: payout.Status(c.Status), Kind: payout.Kind(c.Kind),
		})
	})
	if err != nil {
		return err
	}
	return terminal.List(c.JSON, payouts, payoutTitles, payoutRow)
}

const payoutTitles = "PAYOUT,COMMUNITY,KIND,STATUS,CREATED (UTC),ORDERS,VERSIONS,FEE (SATS),VB,BLOCK,TRANSACTION"

func payoutRow(p decisions.PayoutView) []string {
	v := p.Current()
	return []string{
		p.ID, p.Community, string(p.Kind), string(p.Status), terminal.Time(p.Created), terminal.Number(len(p.Orders)),
		terminal.Number(len(p.Versions)), terminal.Number(v.Fee), terminal.Number(v.VBytes), terminal.Height(v.Height),
		v.Txid,
	}
}

type payoutShow struct {
	reading
	Payout string `arg:"" help:"The payout's id, or the id of one of its transactions."`
	Hex    bool   `help:"Also print the signed transactions in hex."`
}

// Run is `moonfund payout show`.
func (c payoutShow) Run(ctx context.Context) error {
	view, err := read(ctx, c.reading, func(tx *store.Tx) (decisions.PayoutView, error) {
		return decisions.ReadPayout(ctx, tx, c.Payout, c.Hex)
	})
	if err != nil {
		return err
	}
	return c.print(view, func() error { return c.write(view) })
}

// write prints a payout as text.
func (c payoutShow) write(p decisions.PayoutView) error {
	if err := terminal.Fields("payout", p.ID, "community", p.Community, "kind", string(p.Kind),
		"status", string(p.Status), "created", terminal.Time(p.Created),
		"orders", terminal.OrDash(strings.Join(p.Orders, ", "))); err != nil {
		return err
	}
	rows := terminal.Rows(p.Versions, func(v decisions.VersionView) []string {
		return []string{v.Txid, terminal.Time(v.Created), terminal.Number(v.Fee), terminal.Number(v.VBytes),
			fmt.Sprintf("%.1f", v.Rate()), terminal.Height(v.Height)}
	})
	if err := terminal.Section("Versions", "TRANSACTION,CREATED (UTC),FEE (SATS),VB,SAT/VB,BLOCK", rows); err != nil {
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
		p, err := decisions.FindPayout(ctx, tx, c.Payout)
		return p.ID, err
	})
	if err != nil {
		return err
	}
	return c.request(ctx, id, decisions.Bump(c.author(), id))
}
