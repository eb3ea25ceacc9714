package payout

import (
	"context"
	"errors"
	"fmt"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
)

// draftReturn is Draft for a quarantined output: its return, or a replacement of an unconfirmed return.
func (s *Service) draftReturn(ctx context.Context, tx Tx, outpoint string,
	rate amount.FeeRate) (u Unsigned, cost vault.PayoutCost, err error) {
	deposit, replaced, err := s.returnable(ctx, tx, outpoint)
	if err != nil {
		return u, cost, err
	}
	return s.buildReturn(ctx, tx, deposit, replaced, rate)
}

// returning returns the return that spends an output if it can be replaced, else the zero Payout.
func returning(ctx context.Context, tx Tx, output ledger.Output) (Payout, error) {
	if output.SpentBy == "" || !output.SpentOurs {
		return Payout{}, nil
	}
	p, err := tx.Payouts.PayoutOf(ctx, output.SpentBy)
	if errors.Is(err, state.ErrNotFound) || err == nil && (p.Kind != Return || p.Status != Live ||
		p.height() != chain.None) {
		return Payout{}, nil
	}
	return p, err
}

// acceptSignedReturn stores a return that was signed by hand, after the same checks as for any return.
func (s *Service) acceptSignedReturn(ctx context.Context, tx Tx, watch ledger.WatchList, f finding,
	outpoint string) (p Payout, err error) {
	deposit, replaced, err := s.returnable(ctx, tx, outpoint)
	if err != nil {
		return p, err
	}
	if replaced.made(f.tx.ID.String()) {
		return p, refusal("it is stored already")
	}
	if err := s.explain(ctx, tx, &f, anyOutput); err != nil {
		return p, err
	}
	if f.unexplained || f.tx.Msg.TxIn[0].PreviousOutPoint != deposit.OutPoint {
		return p, refusal("it does not return this output, or spends outputs that are not in this ledger")
	}
	f.community = deposit.Community
	if err := s.checkSignedReturn(ctx, tx, f, deposit, replaced); err != nil {
		return p, err
	}
	if replaced.ID != "" {
		return replaced, s.storeFoundVersion(ctx, tx, watch, f, replaced)
	}
	p = Payout{Community: f.community, Kind: Return, OrderIDs: []string{}, Status: Live, Created: f.at,
		Versions: []Version{f.version()}}
	if p.ID, err = s.newID(); err != nil {
		return p, err
	}
	if err := tx.Payouts.InsertPayout(ctx, p); err != nil {
		return p, err
	}
	s.info("return stored", "payout", p.ID, "output", outpoint, "txid", f.tx.ID.String(), "fee_sats", int64(f.fee))
	return p, s.recordFound(ctx, tx, watch, f)
}

// checkSignedReturn returns a *order.Refusal if a signed transaction does not return the output to its owner, costs
// too much, or can't be broadcast.
func (s *Service) checkSignedReturn(ctx context.Context, tx Tx, f finding, deposit ledger.Output,
	replaced Payout) error {
	terms, err := s.terms.Of(f.community)
	if err != nil {
		return err
	}
	inputs, err := s.coins(ctx, tx, terms, f.tx.Msg)
	if err != nil {
		return err
	}
	to, err := chain.ParseAddress(deposit.Owner, s.network)
	if err != nil {
		return err
	}
	satsChange, _ := terms.Account.TreasurySats()
	if err := vault.VerifyReturn(f.tx.Msg, inputs, to.Script, satsChange.Script, s.allocate); err != nil {
		return refusal("it does not pay everything to the owner's ordinals address: " + err.Error())
	}
	if err := s.checkSpends(ctx, tx, f, replaced); err != nil {
		return err
	}
	topUp, err := s.topUp(ctx, tx, f.community, replaced.ID)
	if err != nil {
		return err
	}
	if len(inputs) > 1 && f.fee > topUp {
		return refusal(fmt.Sprintf("it pays a fee of %d sats, and the fee account can add %d", f.fee, topUp))
	}
	if n := len(replaced.Versions); n > 0 && f.fee < replaced.Versions[n-1].Fee+minRelay.Fee(chain.VSize(f.tx.Msg)) {
		return refusal("its fee is too low to replace the earlier version. Export it again at a higher rate")
	}
	return nil
}
