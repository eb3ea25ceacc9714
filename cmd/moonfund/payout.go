package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"moonfund/amount"
	"moonfund/ledger"
	"moonfund/payout"
	"moonfund/store"
)

type payoutCommands struct {
	List payoutList `cmd:"" help:"List payouts and refunds, newest first."`
	Show payoutShow `cmd:"" help:"Show one payout with all of its versions."`
	Bump payoutBump `cmd:"" help:"Replace a payout that is stuck by a version that pays the network more."`

	Export payoutExport `cmd:"" help:"Write an order's payout to a file, to be signed elsewhere."`
	Import payoutImport `cmd:"" help:"Hand in a payout that was signed elsewhere."`
}

type payoutList struct {
	reading
	Community string `help:"Only of this community."`
	Status    string `help:"Only live, confirmed, final or dead ones." enum:",live,confirmed,final,dead" default:""`
	Kind      string `help:"Only deliveries, refunds or returns." enum:",delivery,refund,return" default:""`
}

type versionView struct {
	Txid    string      `json:"txid"`
	Fee     amount.Sats `json:"fee_sats"`
	VBytes  int64       `json:"vbytes"`
	Created time.Time   `json:"created"`
	Height  int64       `json:"height"` // -1 while it is in no block
	Hex     string      `json:"hex,omitempty"`

	Refused *refusalView `json:"not_accepted_by_node,omitempty"`
}

type payoutView struct {
	ID        string        `json:"id"`
	Community string        `json:"community"`
	Kind      string        `json:"kind"`
	Status    string        `json:"status"`
	Created   time.Time     `json:"created"`
	Orders    []string      `json:"orders"`
	Versions  []versionView `json:"versions"`
}

func viewPayout(p payout.Payout) payoutView {
	view := payoutView{
		ID: p.ID, Community: p.Community, Kind: string(p.Kind), Status: string(p.Status), Created: p.Created, Orders: p.OrderIDs,
		Versions: []versionView{},
	}
	for _, v := range p.Versions {
		view.Versions = append(view.Versions, versionView{Txid: v.Tx.ID.String(), Fee: v.Fee, VBytes: v.VBytes, Created: v.Created, Height: v.Height})
	}
	return view
}

// Run is `moonfund payout list`.
func (c payoutList) Run(ctx context.Context) error {
	return c.view(ctx, func(tx *store.Tx) error {
		if _, err := chosen(ctx, tx, c.Community); err != nil {
			return err
		}
		all, err := tx.Payouts(ctx)
		if err != nil {
			return err
		}
		all = slices.DeleteFunc(all, func(p payout.Payout) bool {
			return (c.Community != "" && p.Community != c.Community) || (c.Status != "" && string(p.Status) != c.Status) ||
				(c.Kind != "" && string(p.Kind) != c.Kind)
		})
		views, rows := []payoutView{}, [][]string{}
		for _, p := range all {
			views = append(views, viewPayout(p))
			rows = append(rows, payoutRow(p))
		}
		if c.JSON {
			return printJSON(views)
		}
		return table(payoutTitles, rows)
	})
}

type payoutShow struct {
	reading
	Payout string `arg:"" help:"The payout's id, or the id of one of its transactions."`
	Hex    bool   `help:"With the signed bytes of its transactions."`
}

// Run is `moonfund payout show`.
func (c payoutShow) Run(ctx context.Context) error {
	return c.view(ctx, func(tx *store.Tx) error {
		p, err := tx.Payout(ctx, c.Payout)
		if errors.Is(err, ledger.ErrNotFound) {
			p, err = tx.PayoutOf(ctx, strings.ToLower(c.Payout))
		}
		if errors.Is(err, ledger.ErrNotFound) {
			return fmt.Errorf("the ledger knows no payout %q", c.Payout)
		}
		if err != nil {
			return err
		}
		view := viewPayout(p)
		for i, v := range p.Versions {
			if c.Hex {
				view.Versions[i].Hex = v.Hex()
			}
			if view.Versions[i].Refused, err = refusalOf(ctx, tx, v.Tx.ID.String()); err != nil {
				return err
			}
		}
		if c.JSON {
			return printJSON(view)
		}
		return view.write()
	})
}

func (p payoutView) write() error {
	if err := fields("payout", p.ID, "community", p.Community, "kind", p.Kind, "status", p.Status, "created", shortTime(p.Created),
		"orders", orDash(strings.Join(p.Orders, ", "))); err != nil {
		return err
	}
	var rows [][]string
	for _, v := range p.Versions {
		rate := fmt.Sprintf("%.1f", float64(v.Fee)/float64(max(1, v.VBytes)))
		rows = append(rows, []string{v.Txid, shortTime(v.Created), sats(v.Fee), fmt.Sprint(v.VBytes), rate, height(v.Height)})
	}
	if err := section("Versions", "TRANSACTION,CREATED (UTC),FEE (SATS),VB,SAT/VB,BLOCK", rows); err != nil {
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
