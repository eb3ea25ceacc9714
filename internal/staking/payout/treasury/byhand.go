package treasury

import (
	"context"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/payout"
)

// AcceptSigned stores a withdrawal that was signed by hand, after the same checks as for any withdrawal.
func (s *Service) AcceptSigned(ctx context.Context, r payout.Round, f payout.Found,
	q payout.Request) (p payout.Payout, err error) {
	community, _ := payout.CommunityOf(q.OrderID)
	to, err := s.target(ctx, r.Tx, community, q.Withdrawal)
	if err != nil {
		return p, err
	}
	if _, err := r.Tx.Payouts.PayoutOf(ctx, f.Tx.ID.String()); err == nil {
		return p, payout.Refuse("it is stored already")
	}
	if f.Unexplained || len(f.Orders) > 0 {
		return p, payout.Refuse("it spends what is not the treasury's")
	}
	f.Community = community
	if err := s.checkSigned(ctx, r.Tx, f, q.Withdrawal, to); err != nil {
		return p, err
	}
	p = payout.Payout{Community: community, Kind: payout.Withdraw, OrderIDs: []string{},
		Versions: []payout.Version{f.Version(r.Now)}}
	if p, err = s.book.Insert(ctx, r.Tx, p); err != nil {
		return p, err
	}
	s.book.Info("withdrawal stored", "payout", p.ID, "community", community, "txid", f.Tx.ID.String(), "fee_sats",
		int64(f.Fee))
	return p, s.book.RecordFound(ctx, r, f)
}

// checkSigned returns a *order.Refusal if a signed transaction is not the withdrawal, takes more than the surplus, or
// can't be broadcast.
func (s *Service) checkSigned(ctx context.Context, tx payout.Tx, f payout.Found, w payout.Withdrawal,
	to chain.Address) error {
	terms, err := s.book.Communities.Of(f.Community)
	if err != nil {
		return err
	}
	for _, in := range f.Tx.Msg.TxIn {
		output, err := tx.Outputs.Output(ctx, in.PreviousOutPoint)
		if err != nil {
			return err
		}
		treasury := output.Kind == ledger.RunesKind || output.Kind == ledger.SatsKind && output.Runes == 0
		if !treasury || !output.Booked || output.Vanished || output.Quarantine != "" || output.Community != f.Community {
			return payout.Refusef("its input %s is not one that the treasury can spend", output.OutPoint)
		}
	}
	inputs, err := terms.Coins(ctx, tx, f.Tx.Msg)
	if err != nil {
		return err
	}
	runeChange, _ := terms.Account.TreasuryRunes()
	satsChange, _ := terms.Account.TreasurySats()
	if w.Sats > 0 {
		err = vault.VerifySatsWithdrawal(f.Tx.Msg, inputs, to.Script, w.Sats, satsChange.Script)
	} else {
		payment := vault.WithdrawalOf(terms.Rune, w.Runes, to.Script)
		err = vault.VerifyPayout(f.Tx.Msg, inputs, []vault.Delivery{payment}, runeChange.Script, satsChange.Script,
			s.book.Allocate)
	}
	if err != nil {
		return payout.Refuse("it is not the withdrawal that was requested: " + err.Error())
	}
	if err := s.book.CheckSpends(ctx, tx, f, payout.Payout{}); err != nil {
		return err
	}
	u := payout.Unsigned{Community: f.Community, Tx: f.Tx.Msg, Inputs: inputs, Withdrawal: &w}
	return s.checkSurplus(ctx, tx, terms, u, payout.Payout{})
}
