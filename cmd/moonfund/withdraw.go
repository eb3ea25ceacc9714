package main

import (
	"context"
	"fmt"

	"moonfund/internal/amount"
	"moonfund/internal/operate/decisions"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
)

type treasurySurplus struct {
	reading
	Community   string `arg:"" help:"The community's prefix."`
	Communities string `env:"MOONFUND_COMMUNITIES" help:"${help_treasury_communities}" type:"path"`
}

// Run is `moonfund treasury surplus`.
func (c treasurySurplus) Run(ctx context.Context) error {
	view, err := read(ctx, c.reading, func(tx *store.Tx) (decisions.SurplusView, error) {
		budgets, err := budgetsOf(ctx, tx, c.Communities, c.Community)
		if err != nil {
			return decisions.SurplusView{}, err
		}
		return decisions.ReadSurplus(ctx, tx, c.Community, budgets)
	})
	if err != nil {
		return err
	}
	return c.print(view, func() error {
		fmt.Print(view)
		return nil
	})
}

type treasuryWithdraw struct {
	requesting
	Community   string       `arg:"" help:"The community's prefix."`
	Sats        int64        `help:"Sats to take." xor:"amount" required:"" placeholder:"SATS"`
	Runes       amount.Runes `help:"Base units of the rune to take." xor:"amount" required:"" placeholder:"UNITS"`
	To          string       `help:"${help_withdraw_to}" required:"" placeholder:"ADDRESS"`
	DryRun      bool         `help:"Only show the computation of the surplus and what would be sent."`
	ByHand      string       `help:"${help_withdraw_by_hand}" type:"path" placeholder:"FILE"`
	Communities string       `env:"MOONFUND_COMMUNITIES" help:"${help_treasury_communities}" type:"path"`
}

// Run is `moonfund treasury withdraw`.
func (c treasuryWithdraw) Run(ctx context.Context) error {
	plan := decisions.WithdrawalPlan{Community: c.Community,
		Withdrawal: payout.Withdrawal{Sats: amount.Sats(c.Sats), Runes: c.Runes, To: c.To}}
	var preview string
	if err := c.view(ctx, func(tx *store.Tx) (err error) {
		if plan.Budgets, err = budgetsOf(ctx, tx, c.Communities, c.Community); err == nil {
			preview, err = plan.Preview(ctx, tx)
		}
		return err
	}); err != nil {
		return err
	}
	subject := payout.TreasurySubject(c.Community)
	switch {
	case c.DryRun:
		return c.print(map[string]string{"preview": preview}, func() error {
			fmt.Println(preview)
			return nil
		})
	case c.ByHand != "":
		return c.export(ctx, subject, c.ByHand, decisions.ExportWithdrawal(c.author(), plan))
	}
	return c.request(ctx, subject, decisions.Withdraw(c.author(), plan))
}
