package decisions

import (
	"context"
	"fmt"
	"strings"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
)

// SurplusView is the computation of a treasury's surplus, which the operator may withdraw.
type SurplusView struct {
	Community string `json:"community"`
	payout.TreasuryFigures
	SurplusRunes amount.Runes `json:"surplus_runes,string"` // negative if the holdings do not suffice
	SurplusSats  amount.Sats  `json:"surplus_sats"`         // network fees included; can be negative
}

// ReadSurplus computes the surplus of a community by the query that the server uses. Without budgets, the next epoch is
// assumed to have the budget of the newest one.
func ReadSurplus(ctx context.Context, tx *store.Tx, community string, budgets Budgets) (v SurplusView, err error) {
	if err := CheckCommunity(ctx, tx, community); err != nil {
		return v, err
	}
	tip, err := tx.Tip(ctx)
	if err != nil {
		return v, err
	}
	next, err := nextBudget(ctx, tx, community, budgets)
	if err != nil {
		return v, err
	}
	v.Community = community
	if v.TreasuryFigures, err = tx.TreasuryFigures(ctx, payout.FiguresQuery{
		Community: community, Highest: payout.HighestSpendable(tip.Height), NextBudget: next,
	}); err != nil {
		return v, err
	}
	if v.SurplusRunes, err = v.Runes.Surplus(); err != nil {
		return v, err
	}
	v.SurplusSats, err = v.Sats.Surplus()
	return v, err
}

// nextBudget returns the budget of the first epoch that has not begun.
func nextBudget(ctx context.Context, tx *store.Tx, community string, budgets Budgets) (amount.Runes, error) {
	if budgets != nil {
		r, err := ledger.ReadRunway(ctx, tx.LedgerTx(), community, budgets)
		return budgets(r.Next), err
	}
	newest, _, err := tx.EpochsBelow(ctx, community, 1<<62, 1)
	if err != nil || len(newest) == 0 {
		return 0, err
	}
	return newest[0].Planned, nil
}

// String returns the computation line by line.
func (v SurplusView) String() string {
	var b strings.Builder
	runes := func(sign, what string, n amount.Runes) { fmt.Fprintf(&b, "  %s %24s  %s\n", sign, n.Whole(), what) }
	sats := func(sign, what string, n amount.Sats) { fmt.Fprintf(&b, "  %s %24d  %s\n", sign, n, what) }
	b.WriteString("Runes:\n")
	runes(" ", "credited and confirmed", v.Runes.Confirmed)
	runes("-", "rewards that are not delivered", v.Runes.Owed)
	runes("-", "rewards of payouts that are on their way", v.Runes.Carried)
	runes("-", "budgets of the running epochs", v.Runes.Running)
	runes("-", "budget of the next epoch", v.Runes.NextBudget)
	runes("=", fmt.Sprintf("surplus (%s base units)", v.SurplusRunes), v.SurplusRunes)
	b.WriteString("Sats:\n")
	sats(" ", "credited and confirmed", v.Sats.Confirmed)
	sats("-", "fee account", v.Sats.FeeAccount)
	sats("-", "network fees that orders paid for payouts that are not final", v.Sats.Payouts)
	sats("-", "refunds due, as a reserve: they are held at the addresses of their orders", v.Sats.Refunds)
	sats("=", "surplus, from which network fees of withdrawals are paid", v.SurplusSats)
	return b.String()
}

// WithdrawalPlan is a withdrawal that an operator requests.
type WithdrawalPlan struct {
	Community string
	payout.Withdrawal
	Budgets Budgets // may be nil
}

// Preview describes the withdrawal with the computation of the surplus. It returns an error if the withdrawal exceeds
// the surplus, is less than an output can hold, or has an invalid destination.
func (p WithdrawalPlan) Preview(ctx context.Context, tx *store.Tx) (string, error) {
	v, err := ReadSurplus(ctx, tx, p.Community, p.Budgets)
	if err != nil {
		return "", err
	}
	to, err := p.address(ctx, tx)
	if err != nil {
		return "", err
	}
	var what string
	switch {
	case p.Sats < 0 || p.Runes < 0 || (p.Sats > 0) == (p.Runes > 0):
		return "", fmt.Errorf("either --sats or --runes must be given, and more than 0")
	case p.Sats > 0 && p.Sats < vault.DustSats:
		return "", fmt.Errorf("--sats is %d; an output has at least %d", p.Sats, vault.DustSats)
	case p.Sats > max(0, v.SurplusSats):
		return "", fmt.Errorf("%d sats are more than the surplus of %d:\n%s", p.Sats, v.SurplusSats, v)
	case p.Runes > max(0, v.SurplusRunes):
		return "", fmt.Errorf("%s base units are more than the surplus of %s:\n%s", p.Runes, v.SurplusRunes, v)
	case p.Runes > 0:
		what = fmt.Sprintf("%s of the rune (%s base units)", p.Runes.Whole(), p.Runes)
	default:
		what = fmt.Sprintf("%d sats", p.Sats)
	}
	return fmt.Sprintf("%s%s leave the treasury of %s for good, to %s.\nThe network fee is paid from the surplus of "+
		"sats. The server computes the surplus again before it sends.", v, what, p.Community, to), nil
}

// address returns the destination in its canonical form. It returns an error if the destination is no address on the
// community's network.
func (p WithdrawalPlan) address(ctx context.Context, tx *store.Tx) (string, error) {
	bindings, err := tx.Bindings(ctx)
	if err != nil {
		return "", err
	}
	for _, b := range bindings {
		if b.Prefix != p.Community {
			continue
		}
		network, err := chain.NetworkByName(b.Network)
		if err != nil {
			return "", err
		}
		address, err := chain.ParseAddress(p.To, network)
		if err != nil {
			return "", fmt.Errorf("--to is %q, which is no address on %s: %w", p.To, network.Name, err)
		}
		return address.Text, nil
	}
	return "", CheckCommunity(ctx, tx, p.Community)
}

// Withdraw returns the change that requests a withdrawal from the server.
func Withdraw(a Author, p WithdrawalPlan) Change[int64] {
	r := payout.Request{Kind: payout.RequestWithdraw, OrderID: payout.TreasurySubject(p.Community),
		Withdrawal: p.Withdrawal}
	return Request(a, r, p.Preview)
}

// ExportWithdrawal returns the change that requests the unsigned transaction of a withdrawal from the server, to be
// signed by hand.
func ExportWithdrawal(a Author, p WithdrawalPlan) Change[int64] {
	r := payout.Request{Kind: payout.RequestExport, OrderID: payout.TreasurySubject(p.Community),
		Withdrawal: p.Withdrawal}
	return Request(a, r, p.Preview)
}

// importWithdrawal is Import for a withdrawal. Its amount and its address come from the export with the same
// transaction.
func importWithdrawal(a Author, r payout.Request, txid string) Change[int64] {
	c := Request(a, r, func(ctx context.Context, tx *store.Tx) (string, error) {
		w, err := exportedWithdrawal(ctx, tx, r.OrderID, txid)
		return fmt.Sprintf("Transaction %s takes %d sats and %s base units of the rune out of the treasury, to %s.",
			txid, w.Sats, w.Runes, w.To), err
	})
	c.Apply = func(ctx context.Context, tx *store.Tx, at time.Time, shown string) (int64, error) {
		a, recorded := a.Trimmed(), r
		recorded.By, recorded.Why, recorded.At = a.By, a.Why, at
		var err error
		if recorded.Withdrawal, err = exportedWithdrawal(ctx, tx, r.OrderID, txid); err != nil {
			return 0, err
		}
		return tx.InsertRequest(ctx, recorded, shown)
	}
	return c
}

// exportedWithdrawal returns the withdrawal that was exported as a transaction.
func exportedWithdrawal(ctx context.Context, tx *store.Tx, subject, txid string) (w payout.Withdrawal, err error) {
	all, err := tx.RequestsAbout(ctx, subject)
	if err != nil {
		return w, err
	}
	for _, r := range all {
		if r.Kind != payout.RequestExport || r.Status != payout.RequestDone {
			continue
		}
		if msg, _, err := vault.ReadPayoutPSBT(r.Tx); err == nil && msg.TxHash().String() == txid {
			return r.Withdrawal, nil
		}
	}
	return w, fmt.Errorf("transaction %s was not exported from this ledger: export it with "+
		"`moonfund treasury withdraw` and --by-hand FILE", txid)
}
