package returns

import (
	"context"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/payout"
	"moonfund/internal/staking/payout/fees"
)

// Draft builds the return of a quarantined output, or a replacement of its unconfirmed return, to sign by hand.
func (s *Service) Draft(ctx context.Context, tx payout.Tx, outpoint string,
	rate amount.FeeRate) (u payout.Unsigned, cost vault.PayoutCost, err error) {
	deposit, replaced, err := s.returnable(ctx, tx, outpoint)
	if err != nil {
		return u, cost, err
	}
	return s.build(ctx, tx, deposit, replaced, rate)
}

// AcceptSigned stores a return that was signed by hand, after the same checks as for any return.
func (s *Service) AcceptSigned(ctx context.Context, r payout.Round, f payout.Found,
	outpoint string) (p payout.Payout, err error) {
	deposit, replaced, err := s.returnable(ctx, r.Tx, outpoint)
	if err != nil {
		return p, err
	}
	if replaced.Made(f.Tx.ID.String()) {
		return p, payout.Refuse("it is stored already")
	}
	if f.Unexplained || f.Tx.Msg.TxIn[0].PreviousOutPoint != deposit.OutPoint {
		return p, payout.Refuse("it does not return this output, or spends outputs that are not in this ledger")
	}
	f.Community = deposit.Community
	if err := s.checkSigned(ctx, r.Tx, f, deposit, replaced); err != nil {
		return p, err
	}
	if replaced.ID != "" {
		return replaced, s.book.StoreFoundVersion(ctx, r, f, replaced)
	}
	p = payout.Payout{Community: f.Community, Kind: payout.Return, OrderIDs: []string{},
		Versions: []payout.Version{f.Version(r.Now)}}
	if p, err = s.book.Insert(ctx, r.Tx, p); err != nil {
		return p, err
	}
	s.book.Info("return stored", "payout", p.ID, "output", outpoint, "txid", f.Tx.ID.String(), "fee_sats", int64(f.Fee))
	return p, s.book.RecordFound(ctx, r, f)
}

// checkSigned returns a *order.Refusal if a signed transaction does not return the output to its owner, costs too much,
// or can't be broadcast.
func (s *Service) checkSigned(ctx context.Context, tx payout.Tx, f payout.Found, deposit ledger.Output,
	replaced payout.Payout) error {
	terms, err := s.book.Communities.Of(f.Community)
	if err != nil {
		return err
	}
	inputs, err := terms.Coins(ctx, tx, f.Tx.Msg)
	if err != nil {
		return err
	}
	to, err := chain.ParseAddress(deposit.Owner, s.book.Network)
	if err != nil {
		return err
	}
	satsChange, _ := terms.Account.TreasurySats()
	if err := vault.VerifyReturn(f.Tx.Msg, inputs, to.Script, satsChange.Script, s.book.Allocate); err != nil {
		return payout.Refuse("it does not pay everything to the owner's ordinals address: " + err.Error())
	}
	if err := s.book.CheckSpends(ctx, tx, f, replaced); err != nil {
		return err
	}
	topUp, err := fees.TopUp(ctx, tx, terms, replaced.ID)
	if err != nil {
		return err
	}
	if len(inputs) > 1 && f.Fee > topUp {
		return payout.Refusef("it pays a fee of %d sats, and the fee account can add %d", f.Fee, topUp)
	}
	if replaced.ID != "" && f.Fee < replaced.Last().Fee+payout.MinRelay.Fee(chain.VSize(f.Tx.Msg)) {
		return payout.Refuse("its fee is too low to replace the earlier version. Export it again at a higher rate")
	}
	return nil
}
