package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"moonfund/amount"
	"moonfund/ledger"
	"moonfund/payout"
	"moonfund/store"
)

type quarantineCommands struct {
	List   quarantineList   `cmd:"" help:"List what arrived at our addresses and can't be credited."`
	Return quarantineReturn `cmd:"" help:"Give one such output back to the ordinals address of its owner."`
}

type quarantineList struct {
	reading
	Community string `help:"Only of this community."`
	All       bool   `help:"Also what was returned or recovered already."`
}

type heldRune struct {
	Rune   string `json:"rune_id"`
	Amount string `json:"amount"` // base units
}

type quarantineView struct {
	OutPoint   string      `json:"outpoint"`
	Community  string      `json:"community"`
	Kind       string      `json:"kind"` // stake, payment, runes or sats (treasury)
	Reason     string      `json:"reason"`
	Owner      string      `json:"owner"` // ordinals address; empty for the treasury's own
	Address    string      `json:"address"`
	Value      amount.Sats `json:"value_sats"`
	Runes      []heldRune  `json:"runes"`
	Height     int64       `json:"height"` // -1 while it is in no block
	Returnable bool        `json:"returnable"`
	SpentBy    string      `json:"spent_by"`
}

// Run is `moonfund quarantine list`.
func (c quarantineList) Run(ctx context.Context) error {
	return c.view(ctx, func(tx *store.Tx) error {
		communities, err := chosen(ctx, tx, c.Community)
		if err != nil {
			return err
		}
		views, rows := []quarantineView{}, [][]string{}
		for _, community := range communities {
			outputs, err := tx.Quarantined(ctx, community)
			if err != nil {
				return err
			}
			for _, output := range outputs {
				if output.SpentBy != "" && !c.All {
					continue
				}
				view, err := viewQuarantined(ctx, tx, output)
				if err != nil {
					return err
				}
				views = append(views, view)
				rows = append(rows, []string{
					view.OutPoint, view.Community, view.Kind, view.Reason, sats(view.Value), view.held(), height(view.Height), orDash(view.Owner), orDash(view.SpentBy),
				})
			}
		}
		if c.JSON {
			return printJSON(views)
		}
		return table("OUTPUT,COMMUNITY,AT,WHY,SATS,RUNES,BLOCK,OWNER,SPENT BY", rows)
	})
}

func viewQuarantined(ctx context.Context, tx *store.Tx, o ledger.Output) (quarantineView, error) {
	view := quarantineView{
		OutPoint: o.OutPoint.String(), Community: o.Community, Kind: string(o.Kind), Reason: o.Quarantine, Owner: o.Owner,
		Address: o.Ref, Value: o.Value, Runes: []heldRune{}, Height: o.Height, SpentBy: o.SpentBy,
		Returnable: o.Quarantine != "" && (o.Kind == ledger.StakeKind || o.Kind == ledger.PaymentKind) && o.SpentBy == "",
	}
	if view.Reason == "" {
		view.Reason = ledger.RunesForSats // the treasury's own
	}
	balances, err := tx.Runes(ctx).RuneBalances(o.OutPoint)
	for _, b := range balances {
		view.Runes = append(view.Runes, heldRune{b.ID.String(), b.Amount.String()})
	}
	return view, err
}

func (v quarantineView) held() string {
	var parts []string
	for _, r := range v.Runes {
		parts = append(parts, r.Amount+" of "+r.Rune)
	}
	return orDash(strings.Join(parts, ", "))
}

type quarantineReturn struct {
	requesting
	Output string `arg:"" help:"The output, txid:vout, at a stake or payment address."`
}

// Run is `moonfund quarantine return`.
func (c quarantineReturn) Run(ctx context.Context) error {
	return c.request(ctx, payout.AskReturn, c.Output, func(tx *store.Tx) (string, error) {
		point, err := ledger.ParseOutPoint(c.Output)
		if err != nil {
			return "", fmt.Errorf("%q is not an output: give it as txid:vout", c.Output)
		}
		output, err := tx.Output(ctx, point)
		if errors.Is(err, ledger.ErrNotFound) {
			return "", fmt.Errorf("the ledger knows no output %s", c.Output)
		}
		if err != nil {
			return "", err
		}
		view, err := viewQuarantined(ctx, tx, output)
		switch {
		case err != nil:
			return "", err
		case output.Quarantine == "":
			return "", fmt.Errorf("it is not in quarantine: it is a %s output that counts", output.Kind)
		case !view.Returnable:
			return "", fmt.Errorf("it can't be returned: only an unspent output at a stake or payment address is somebody's, and this one is at a %s address, spent by %s",
				output.Kind, orDash(output.SpentBy))
		}
		return fmt.Sprintf("%s goes back to its owner:\n  %d sats and runes %s, from %s\n  to %s\nWhy it is in quarantine: %s.\n"+
			"It pays the network itself where 546 sats are left; else the treasury's sats do.",
			view.OutPoint, view.Value, view.held(), view.Address, view.Owner, view.Reason), nil
	})
}
