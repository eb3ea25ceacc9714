package treasury

import (
	"context"

	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/payout"
)

// buildSats builds the transaction of a withdrawal of sats. replaced is the payout of which it is a new version, or
// zero.
func (s *Service) buildSats(ctx context.Context, r payout.Round, terms payout.Terms, u *payout.Unsigned, to []byte,
	replaced payout.Payout) (cost vault.PayoutCost, err error) {
	satsChange, _ := terms.Account.TreasurySats()
	plan := vault.SatsWithdrawal{Amount: u.Withdrawal.Sats, To: to, SatsChange: satsChange.Script,
		FeeRate: min(r.Rate, terms.MaxRate), Version: s.book.TxVersion()}
	if plan.Spare, err = terms.TreasurySats(ctx, r.Tx); err != nil {
		return cost, err
	}
	if replaced.ID != "" {
		last := replaced.Last().Tx.Msg
		plan.Version = last.Version
		if plan.Kept, err = terms.Coins(ctx, r.Tx, last); err != nil {
			return cost, err
		}
	}
	if u.Tx, u.Inputs, cost, err = vault.BuildSatsWithdrawal(plan); err != nil {
		return cost, err
	}
	return cost, vault.VerifySatsWithdrawal(u.Tx, u.Inputs, to, u.Withdrawal.Sats, satsChange.Script)
}

// buildRunes builds the transaction of a withdrawal of runes. replaced is the payout of which it is a new version, or
// zero.
func (s *Service) buildRunes(ctx context.Context, r payout.Round, terms payout.Terms, u *payout.Unsigned, to []byte,
	replaced payout.Payout) (cost vault.PayoutCost, err error) {
	runeChange, _ := terms.Account.TreasuryRunes()
	satsChange, _ := terms.Account.TreasurySats()
	payment := vault.WithdrawalOf(terms.Rune, u.Withdrawal.Runes, to)
	plan := vault.PayoutPlan{Rune: terms.Rune, RuneChange: runeChange.Script, SatsChange: satsChange.Script,
		Deliveries: []vault.Delivery{payment}, RuneChangeOutputs: 1, MaxRunestone: terms.MaxRunestone,
		FeeRate: min(r.Rate, terms.MaxRate), Version: s.book.TxVersion()}
	if replaced.ID != "" {
		last := replaced.Last().Tx.Msg
		plan.Version = last.Version
		plan.Inputs, err = terms.Coins(ctx, r.Tx, last)
	} else {
		var coins []vault.Coin
		if coins, err = terms.TreasuryRunes(ctx, r.Tx); err == nil {
			plan.Inputs, err = vault.SelectTreasury(coins, terms.Rune, u.Withdrawal.Runes)
		}
	}
	if err != nil {
		return cost, err
	}
	spare, err := terms.TreasurySats(ctx, r.Tx)
	if err != nil {
		return cost, err
	}
	funded, msg, cost, err := vault.FundPayout(plan, spare)
	if err != nil {
		return cost, err
	}
	u.Tx, u.Inputs = msg, funded.Inputs
	return cost, vault.VerifyPayout(u.Tx, u.Inputs, plan.Deliveries, runeChange.Script, satsChange.Script, s.book.Allocate)
}
