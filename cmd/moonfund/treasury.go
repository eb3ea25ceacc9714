package main

import (
	"context"
	"fmt"

	"moonfund/internal/operate/decisions"
	"moonfund/internal/operate/terminal"
	"moonfund/internal/staking/community"
	"moonfund/internal/store"
)

type treasuryCommand struct {
	Show   treasuryShow   `cmd:"" help:"Print a community's treasury addresses, holdings and debts."`
	Credit treasuryCredit `cmd:"" help:"Credit the deposits at a community's treasury addresses."`

	Surplus  treasurySurplus  `cmd:"" help:"Show what the operator may withdraw, line by line."`
	Withdraw treasuryWithdraw `cmd:"" help:"${help_treasury_withdraw}"`

	Report treasuryReport `cmd:"" help:"Write the fees, costs, rewards and withdrawals of a month as CSV."`

	Explain treasuryExplain `cmd:"" help:"Name the rewards that an unexplained transaction delivered."`

	Descriptors treasuryDescriptors `cmd:"" help:"Print watch-only descriptors of a community's treasury."`
}

type treasuryShow struct {
	reading
	Community   string `arg:"" help:"The community's prefix."`
	Communities string `env:"MOONFUND_COMMUNITIES" help:"${help_treasury_communities}" type:"path"`
}

// Run is `moonfund treasury show`.
func (c treasuryShow) Run(ctx context.Context) error {
	view, err := read(ctx, c.reading, func(tx *store.Tx) (decisions.TreasuryView, error) {
		budgets, err := budgetsOf(ctx, tx, c.Communities, c.Community)
		if err != nil {
			return decisions.TreasuryView{}, err
		}
		return decisions.ReadTreasury(ctx, tx, c.Community, budgets)
	})
	if err != nil {
		return err
	}
	return c.print(view, func() error { return c.write(view) })
}

// budgetsOf returns a community's budgets in the manifests of a folder, or nil if folder is "" or no manifest is of the
// community.
func budgetsOf(ctx context.Context, tx *store.Tx, folder, prefix string) (decisions.Budgets, error) {
	if folder == "" {
		return nil, nil
	}
	bindings, err := tx.Bindings(ctx)
	if err != nil || len(bindings) == 0 {
		return nil, err
	}
	manifests, err := community.LoadDir(folder, bindings[0].Network)
	if err != nil {
		return nil, err
	}
	for _, m := range manifests {
		if m.Prefix == prefix {
			return m.Budget, nil
		}
	}
	return nil, nil
}

// write prints a community's holdings and debts.
func (c treasuryShow) write(v decisions.TreasuryView) error {
	if err := terminal.Fields(
		"runes go to", v.RunesAddress,
		"sats go to", v.SatsAddress,
		"holds", fmt.Sprintf("%s of the rune on %d outputs, booked", v.Runes.Whole(), v.RuneOutputs),
		"owes", fmt.Sprintf("%s to rewards not delivered", v.Owed.Whole()),
		"free", fmt.Sprintf("%s; %s of it for running epochs", v.Free.Whole(), v.Reserved.Whole()),
		"rewards", v.Covers.String(),
		"stakers' own", fmt.Sprintf("%s on stake outputs", v.Staked.Whole()),
		"sats", fmt.Sprintf("%d; the fee account has %d, for payouts that cost more than was collected",
			v.Sats, v.FeeAccount),
		"paid, not sent", fmt.Sprintf("%d orders, %s of the rune", v.PaidOrders, v.PaidRunes.Whole()),
		"on its way", fmt.Sprintf("%d payouts", v.LivePayouts),
		"in AUDIT", fmt.Sprintf("%d orders that received %d sats", v.RefundsDue, v.RefundSats),
		"in quarantine", fmt.Sprintf("%d outputs (moonfund quarantine list)", v.Quarantined),
	); err != nil {
		return err
	}
	unbooked := terminal.Rows(v.Unbooked, func(u decisions.UnbookedView) []string {
		return []string{u.OutPoint, string(u.Kind), terminal.Number(u.Value), u.Runes.Whole(),
			terminal.Height(u.Height), terminal.OrDash(u.Reason)}
	})
	if err := terminal.Section("Arrived and not booked (moonfund treasury credit)",
		"OUTPUT,AT,SATS,RUNES,BLOCK,QUARANTINE", unbooked); err != nil {
		return err
	}
	return terminal.Section("Left by no payout of this ledger (moonfund treasury explain)",
		"TRANSACTION,TO,RUNES,SATS,BLOCK", terminal.Rows(v.Unexplained, func(s decisions.SpendView) []string {
			return []string{s.TxID, terminal.OrDash(s.Owner), s.Amount.Whole(), terminal.Number(s.Sats),
				terminal.Height(s.Height)}
		}))
}

type treasuryCredit struct {
	changing
	Community string `arg:"" help:"The community's prefix."`
}

// Run is `moonfund treasury credit`.
func (c treasuryCredit) Run(ctx context.Context) error {
	booked, err := change(ctx, c.changing, decisions.CreditTreasury(c.author(), c.Community))
	if err != nil {
		return err
	}
	return c.print(map[string]int64{"booked": booked}, func() error {
		fmt.Printf("Booked %d outputs.\n", booked)
		return nil
	})
}

type treasuryExplain struct {
	changing
	TxID  string   `arg:"" name:"txid" help:"The transaction, as 'moonfund treasury show' lists it."`
	Owner string   `arg:"" optional:"" help:"The receiving address, if there is more than one."`
	Unit  []string `help:"${help_explain_unit}" placeholder:"UNIT"`
}

// Run is `moonfund treasury explain`: an operator records the purpose of a transaction that is no payout of this
// ledger.
func (c treasuryExplain) Run(ctx context.Context) error {
	explained := decisions.Explanation{TxID: c.TxID, Owner: c.Owner, Units: c.Unit}
	view, err := change(ctx, c.changing, decisions.Explain(c.author(), explained))
	if err != nil {
		return err
	}
	return c.print(view, func() error {
		fmt.Println("Recorded. `moonfund audit` now includes it.")
		return nil
	})
}
