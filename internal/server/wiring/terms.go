package wiring

import (
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/community"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
)

// Terms are the communities' rules, split by the services that use them.
type Terms struct {
	Ledger  []ledger.Terms
	Orders  []order.Terms
	Payouts []payout.Terms
	Actions ledger.Communities[action.Terms]
}

// Add adds the terms of a community. domain is the host in the community's signed messages, with its port if it is not
// the default port. Add returns an error if the rune id is invalid.
func (t *Terms) Add(m community.Manifest, network chain.Network, account vault.Account, domain string) error {
	id, err := m.RuneID()
	if err != nil {
		return err
	}
	t.Ledger = append(t.Ledger, ledger.Terms{
		Prefix: m.Prefix, Network: network, Rune: id, MinimumStake: m.MinimumStake, Budget: m.Budget,
	})
	limits := order.Limits{Units: m.Limits.MaxUnitsPerOrder, ColdAbove: m.Limits.ColdAbove}
	t.Orders = append(t.Orders, order.Terms{
		Prefix: m.Prefix, Rune: id, ServiceFee: m.ServiceFee, Limits: limits, Account: account,
	})
	t.Payouts = append(t.Payouts, payout.Terms{
		Prefix: m.Prefix, Rune: id, Account: account, MaxRate: m.Limits.MaxFeeRate, MaxWait: m.Limits.PayoutMaxWait,
		MaxRunestone: m.Limits.MaxRunestone, FeeTopUp: m.Limits.FeeTopUp, ColdAbove: m.Limits.ColdAbove,
		Refunds: payout.RefundLimits{PerDay: m.Refunds.PerDay, PerOwnerDay: m.Refunds.PerOwnerDay},
	})
	t.Actions.Add(m.Prefix, action.Terms{
		Prefix: m.Prefix, Name: m.Name, Token: m.Token, Domain: domain, Divisibility: m.Rune.Divisibility,
		MinimumStake: m.MinimumStake, Delay: m.RecoveryDelay, OperatorCustody: m.OperatorCustody,
		Limits: limits, Account: account,
	})
	return nil
}
