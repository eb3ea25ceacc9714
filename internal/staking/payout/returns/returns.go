// Package returns returns quarantined outputs to their owners, at an operator's request.
package returns

import (
	"context"
	"errors"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/staking/payout/fees"
	"moonfund/internal/state"
)

// Service returns outputs.
type Service struct{ book *payout.Book }

// NewService returns the service for returns.
func NewService(book *payout.Book) *Service { return &Service{book} }

// Return signs and stores the return of a quarantined output at a stake or payment address to its owner.
func (s *Service) Return(ctx context.Context, r payout.Round, outpoint string) (p payout.Payout, err error) {
	deposit, replaced, err := s.returnable(ctx, r.Tx, outpoint)
	if err != nil {
		return p, err
	}
	if replaced.ID != "" {
		return p, payout.Refuse("it is spent already, by its return " + replaced.ID)
	}
	u, cost, err := s.build(ctx, r.Tx, deposit, payout.Payout{}, r.Rate)
	if err != nil {
		return p, err
	}
	p = payout.Payout{Kind: payout.Return, OrderIDs: []string{}}
	if p, err = s.book.SignNew(ctx, r, p, u, cost); err != nil {
		return p, err
	}
	s.book.Info("return stored", "payout", p.ID, "output", outpoint, "txid", p.Versions[0].Tx.ID.String(), "fee_sats",
		int64(cost.Fee))
	return p, s.book.RecordVersion(ctx, r, u.Inputs, p.Versions[0])
}

// returnable returns the output with outpoint text if it may be returned to its owner. replaced is the return that
// spends it and can be replaced, or the zero Payout. returnable returns a *order.Refusal if the output can't be
// returned, and a *payout.WaitError if it can't be returned yet.
func (s *Service) returnable(ctx context.Context, tx payout.Tx,
	text string) (output ledger.Output, replaced payout.Payout, err error) {
	point, err := ledger.ParseOutPoint(text)
	if err != nil {
		return output, replaced, payout.Refuse("it is not an outpoint")
	}
	output, err = tx.Outputs.Output(ctx, point)
	if errors.Is(err, state.ErrNotFound) {
		return output, replaced, payout.Refuse("there is no such output at an address of ours")
	}
	if err != nil {
		return output, replaced, err
	}
	if replaced, err = returning(ctx, tx, output); err != nil {
		return output, replaced, err
	}
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return output, replaced, err
	}
	self, err := selfCustody(ctx, tx, output)
	if err != nil {
		return output, replaced, err
	}
	switch {
	case !s.book.Communities.Has(output.Community):
		return output, replaced, payout.Refuse("its community is not served here")
	case output.Kind != ledger.StakeKind && output.Kind != ledger.PaymentKind &&
		output.Quarantine != ledger.SatsForRunes:
		return output, replaced, payout.Refuse("it belongs to the treasury; only outputs at a stake or payment address, " +
			"and sats at the address for runes, can be returned")
	case output.Quarantine == "":
		return output, replaced, payout.Refuse("it is not in quarantine")
	case output.Vanished:
		return output, replaced, payout.Refuse("another transaction replaced it")
	case self:
		return output, replaced, payout.Refuse("it is in self-custody: only its owner can recover it, from the recovery kit")
	case output.SpentBy != "" && replaced.ID == "":
		return output, replaced, payout.Refuse("it is spent already, by " + output.SpentBy)
	case ledger.Confirmations(output.Height, tip.Height) < payout.InputDepth:
		return output, replaced, payout.Waitf("it has fewer than %d confirmations", payout.InputDepth)
	}
	return output, replaced, nil
}

// selfCustody reports whether an output is a stake that our key can't spend without its owner.
func selfCustody(ctx context.Context, tx payout.Tx, output ledger.Output) (bool, error) {
	if output.Kind != ledger.StakeKind {
		return false, nil
	}
	keys, err := tx.Proofs.StakeKeys(ctx, output.Ref)
	return keys.Self, err
}

// returning returns the return that spends an output if it can be replaced, else the zero Payout.
func returning(ctx context.Context, tx payout.Tx, output ledger.Output) (payout.Payout, error) {
	if output.SpentBy == "" || !output.SpentOurs {
		return payout.Payout{}, nil
	}
	p, err := tx.Payouts.PayoutOf(ctx, output.SpentBy)
	if errors.Is(err, state.ErrNotFound) || err == nil && (p.Kind != payout.Return || p.CheckReplaceable() != nil) {
		return payout.Payout{}, nil
	}
	return p, err
}

// build builds a return. replaced is the payout of which it is a new version, or the zero Payout. It returns a
// *payout.WaitError if the return can't be built or funded now.
func (s *Service) build(ctx context.Context, tx payout.Tx, deposit ledger.Output, replaced payout.Payout,
	rate amount.FeeRate) (u payout.Unsigned, cost vault.PayoutCost, err error) {
	terms, err := s.book.Communities.Of(deposit.Community)
	if err != nil {
		return u, cost, err
	}
	u = payout.Unsigned{Community: deposit.Community, Return: &payout.ReturnTo{Owner: deposit.Owner}}
	if deposit.Kind == ledger.PaymentKind {
		o, err := tx.Orders.Order(ctx, deposit.Ref)
		if err != nil {
			return u, cost, err
		}
		if u.Return.Proof, err = tx.Proofs.ProofOf(ctx, o.ActionID); err != nil {
			return u, cost, err
		}
	}
	satsChange, _ := terms.Account.TreasurySats()
	if deposit.Kind == ledger.RunesKind { // sats that were meant for the treasury's other address
		u.Return.Owner = satsChange.Text
	}
	to, err := chain.ParseAddress(u.Return.Owner, s.book.Network)
	if err != nil {
		return u, cost, err
	}
	plan := vault.ReturnPlan{To: to.Script, SatsChange: satsChange.Script, FeeRate: min(rate, terms.MaxRate),
		Version: s.book.TxVersion()}
	if plan.Deposit, err = terms.Quarantined(ctx, tx, deposit); err != nil {
		return u, cost, err
	}
	if deposit.Kind != ledger.RunesKind { // sats of the treasury pay their own way
		if plan.Spare, err = terms.TreasurySats(ctx, tx); err != nil {
			return u, cost, err
		}
	}
	if replaced.ID != "" {
		last := replaced.Last().Tx.Msg
		spent, err := terms.Coins(ctx, tx, last)
		if err != nil {
			return u, cost, err
		}
		plan.Kept, plan.Version = spent[1:], last.Version
	}
	if u.Tx, u.Inputs, cost, err = vault.BuildReturn(plan); err != nil {
		return u, cost, payout.Waitf("it can't be built: %v", err)
	}
	topUp, err := fees.TopUp(ctx, tx, terms, replaced.ID)
	if err != nil {
		return u, cost, err
	}
	if len(u.Inputs) > 1 && cost.Fee > topUp {
		return u, cost, payout.Waitf("it costs %d sats, the fee account can add %d", cost.Fee, topUp)
	}
	if err := vault.VerifyReturn(u.Tx, u.Inputs, to.Script, satsChange.Script, s.book.Allocate); err != nil {
		return u, cost, payout.Waitf("%v", err)
	}
	if err := s.book.CheckPolicy(u.Tx, u.Inputs, 0); err != nil {
		return u, cost, payout.Waitf("nodes would not relay it: %v", err)
	}
	return u, cost, nil
}

// BumpRate returns 0: a return is replaced only at an operator's request.
func (s *Service) BumpRate(payout.Payout, amount.FeeRate) amount.FeeRate { return 0 }

// Bump replaces a return. The new version returns the same output to the same owner.
func (s *Service) Bump(ctx context.Context, r payout.Round, p payout.Payout) (payout.Payout, error) {
	if err := p.CheckReplaceable(); err != nil {
		return p, err
	}
	if !s.book.Communities.Has(p.Community) {
		return p, payout.NotReplaceable("its community %s is not served here", p.Community)
	}
	deposit, err := r.Tx.Outputs.Output(ctx, p.Last().Tx.Msg.TxIn[0].PreviousOutPoint)
	if err != nil {
		return p, err
	}
	if !deposit.SpentOurs || deposit.Vanished {
		return p, payout.NotReplaceable("another transaction spends %s or replaced it", deposit.OutPoint)
	}
	u, cost, err := s.build(ctx, r.Tx, deposit, p, r.Rate)
	if waiting := new(payout.WaitError); errors.As(err, &waiting) {
		return p, payout.NotReplaceable("%s", waiting.Reason)
	}
	if err != nil {
		return p, err
	}
	return s.book.Replace(ctx, r, p, u, cost)
}

// Confirm applies at most one event to a return, and books its fees when it becomes final. No order depends on it.
func (s *Service) Confirm(ctx context.Context, r payout.Round, p *payout.Payout,
	tip ledger.Header) ([]order.Order, error) {
	now, err := s.book.Advance(ctx, r, p, tip)
	if err != nil || now.Event != payout.Settled {
		return nil, err
	}
	cause := ledger.Cause{Kind: "payout", ID: p.ID, At: r.Now}
	if err := s.credit(ctx, r.Tx, now.Version, cause); err != nil {
		return nil, err
	}
	return nil, fees.Post(ctx, r.Tx, *p, now.Version, cause)
}

// credit posts the sats that a return moved from the treasury's address for runes to the one for sats. Like every
// deposit of sats they belong to the fee account.
func (s *Service) credit(ctx context.Context, tx payout.Tx, v payout.Version, cause ledger.Cause) error {
	deposit, err := tx.Outputs.Output(ctx, v.Tx.Msg.TxIn[0].PreviousOutPoint)
	if err != nil || deposit.Kind != ledger.RunesKind {
		return err
	}
	account := payout.FeeAccount(deposit.Community)
	return tx.Journal.Post(ctx, ledger.Posting{
		Community: deposit.Community, Subject: account, Event: "sats credited", Asset: ledger.SatsAsset,
		Amount: v.Tx.Msg.TxOut[0].Value, From: ledger.Outside, To: account, Cause: cause,
	})
}
