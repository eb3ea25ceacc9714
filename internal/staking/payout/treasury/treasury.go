// Package treasury withdraws the surplus of communities' treasuries, at an operator's request.
package treasury

import (
	"bytes"
	"context"
	"errors"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
)

// Service withdraws surplus.
type Service struct{ book *payout.Book }

// NewService returns the service for withdrawals.
func NewService(book *payout.Book) *Service { return &Service{book} }

// maxWithdrawalAge is the age after which a request to withdraw is refused, because a ledger that was restored from a
// backup may contain a request that another server has carried out.
const maxWithdrawalAge = time.Hour

// Withdraw signs and stores a withdrawal. It computes the surplus in the database transaction that stores the payout.
// It returns a *order.Refusal if the withdrawal is not possible now.
func (s *Service) Withdraw(ctx context.Context, r payout.Round, q payout.Request) (p payout.Payout, err error) {
	if r.Now.Sub(q.At) > maxWithdrawalAge {
		return p, payout.Refuse("it is older than an hour. Request it again if you still want it")
	}
	if err := checkExplained(ctx, r.Tx, q); err != nil {
		return p, err
	}
	u, cost, err := s.Draft(ctx, r, q, payout.Payout{})
	if err != nil {
		return p, err
	}
	p = payout.Payout{Kind: payout.Withdraw, OrderIDs: []string{}}
	if p, err = s.book.SignNew(ctx, r, p, u, cost); err != nil {
		return p, err
	}
	s.book.Info("withdrawal stored", "payout", p.ID, "community", p.Community, "to", q.Withdrawal.To, "sats",
		int64(q.Withdrawal.Sats), "runes", q.Withdrawal.Runes.String(), "txid", p.Versions[0].Tx.ID.String(), "fee_sats",
		int64(cost.Fee))
	return p, s.book.RecordVersion(ctx, r, u.Inputs, p.Versions[0])
}

// checkExplained returns a *order.Refusal while the community has an unexplained spend: in a restored ledger, another
// server may have carried out the same request by it.
func checkExplained(ctx context.Context, tx payout.Tx, q payout.Request) error {
	community, _ := payout.CommunityOf(q.OrderID)
	open, err := tx.Unexplained.UnexplainedSpends(ctx)
	for _, o := range open {
		if o.Community == community {
			return payout.Refuse("transaction " + o.TxID + " took from the treasury and is no payout of this server: explain " +
				"it first (moonfund treasury explain), since it may be this withdrawal")
		}
	}
	return err
}

// Draft builds a withdrawal. replaced is the payout of which it is a new version, or the zero Payout. It returns a
// *order.Refusal if the withdrawal exceeds the surplus or can't be built.
func (s *Service) Draft(ctx context.Context, r payout.Round, q payout.Request,
	replaced payout.Payout) (u payout.Unsigned, cost vault.PayoutCost, err error) {
	community, _ := payout.CommunityOf(q.OrderID)
	to, err := s.target(ctx, r.Tx, community, q.Withdrawal)
	if err != nil {
		return u, cost, err
	}
	terms, err := s.book.Communities.Of(community)
	if err != nil {
		return u, cost, err
	}
	w := q.Withdrawal
	u = payout.Unsigned{Community: community, Withdrawal: &w}
	if w.Sats > 0 {
		cost, err = s.buildSats(ctx, r, terms, &u, to.Script, replaced)
	} else {
		cost, err = s.buildRunes(ctx, r, terms, &u, to.Script, replaced)
	}
	short, few, many := new(vault.ErrSatsShort), new(vault.ErrRunesShort), new(vault.ErrTooMany)
	if errors.As(err, &many) {
		return u, cost, payout.Refusef("it needs a transaction of %d %s, and the limit is %d: withdraw less at a time",
			many.Size, many.Unit, many.Limit)
	}
	if errors.As(err, &short) || errors.As(err, &few) {
		return u, cost, payout.Refuse("it can't be built from the confirmed outputs of the treasury: " + err.Error())
	}
	if err != nil {
		return u, cost, err
	}
	if err := s.checkSurplus(ctx, r.Tx, terms, u, replaced); err != nil {
		return u, cost, err
	}
	if err := s.book.CheckPolicy(u.Tx, u.Inputs, 0); err != nil {
		return u, cost, payout.Refuse("nodes would not relay it: " + err.Error())
	}
	return u, cost, nil
}

// target returns the address of a withdrawal, or a *order.Refusal if the address or the amount is invalid.
func (s *Service) target(ctx context.Context, tx payout.Tx, community string,
	w payout.Withdrawal) (to chain.Address, err error) {
	if !s.book.Communities.Has(community) {
		return to, payout.Refuse("its community is not served here")
	}
	if to, err = chain.ParseAddress(w.To, s.book.Network); err != nil {
		return to, payout.Refusef("%q is no address: %v", w.To, err)
	}
	ours, err := tx.Outputs.WatchedScripts(ctx, [][]byte{to.Script})
	switch {
	case err != nil:
		return to, err
	case len(ours) > 0:
		return to, payout.Refuse(w.To + " is an address of this server")
	case w.Sats < 0 || w.Runes < 0 || (w.Sats > 0) == (w.Runes > 0):
		return to, payout.Refuse("either sats or runes are withdrawn, and more than 0")
	case w.Sats > 0 && w.Sats < max(vault.DustSats, chain.Dust(to.Script)):
		return to, payout.Refusef("%d sats are too few for an output", w.Sats)
	}
	return to, nil
}

// checkSurplus returns a *order.Refusal if a withdrawal exceeds the surplus. It compares the sats that leave the
// treasury's plain outputs, which include the network fee.
func (s *Service) checkSurplus(ctx context.Context, tx payout.Tx, terms payout.Terms, u payout.Unsigned,
	replaced payout.Payout) error {
	figures, err := s.surplusOf(ctx, tx, u.Community, replaced.ID)
	if err != nil {
		return err
	}
	runes, err := figures.Runes.Surplus()
	if err != nil {
		return err
	}
	sats, err := figures.Sats.Surplus()
	if err != nil {
		return err
	}
	satsChange, _ := terms.Account.TreasurySats()
	var taken amount.Sats
	for _, coin := range u.Inputs {
		if coin.Kind == vault.TreasurySats {
			taken += amount.Sats(coin.Output.Value)
		}
	}
	for _, out := range u.Tx.TxOut {
		if bytes.Equal(out.PkScript, satsChange.Script) {
			taken -= amount.Sats(out.Value)
		}
	}
	switch {
	case u.Withdrawal.Runes > max(0, runes):
		return payout.Refusef("it takes %s base units of the rune, and the surplus is %s (moonfund treasury surplus)",
			u.Withdrawal.Runes, runes)
	case taken > max(0, sats):
		return payout.Refusef("it takes %d sats with its network fee, and the surplus is %d (moonfund treasury surplus)",
			taken, sats)
	}
	return nil
}

// surplusOf reads the figures of a treasury. except is the id of a payout whose inputs count as unspent, or "".
func (s *Service) surplusOf(ctx context.Context, tx payout.Tx,
	community, except string) (f payout.TreasuryFigures, err error) {
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return f, err
	}
	next, err := s.book.Ledger.NextBudget(ctx, tx.LedgerTx(), community)
	if err != nil {
		return f, err
	}
	return tx.Treasury.TreasuryFigures(ctx, payout.FiguresQuery{
		Community: community, Highest: payout.HighestSpendable(tip.Height), NextBudget: next, Except: except,
	})
}

// BumpRate returns 0: a withdrawal is replaced only at an operator's request.
func (s *Service) BumpRate(payout.Payout, amount.FeeRate) amount.FeeRate { return 0 }

// Bump replaces a withdrawal by one of the same amount to the same address, with a higher fee from the surplus.
func (s *Service) Bump(ctx context.Context, r payout.Round, p payout.Payout) (payout.Payout, error) {
	if err := p.CheckReplaceable(); err != nil {
		return p, err
	}
	q, err := r.Tx.Requests.WithdrawalRequest(ctx, p.ID)
	if err != nil {
		return p, err
	}
	for _, in := range p.Last().Tx.Msg.TxIn {
		output, err := r.Tx.Outputs.Output(ctx, in.PreviousOutPoint)
		if err != nil {
			return p, err
		}
		if output.Vanished || output.SpentBy != "" && !output.SpentOurs {
			return p, payout.NotReplaceable("another transaction spends %s or replaced it", output.OutPoint)
		}
	}
	u, cost, err := s.Draft(ctx, r, q, p)
	if refused := new(order.Refusal); errors.As(err, &refused) {
		return p, payout.NotReplaceable("%s", refused.Reason)
	}
	if err != nil {
		return p, err
	}
	return s.book.Replace(ctx, r, p, u, cost)
}

// post posts the sats, the runes and the network fee of a final withdrawal.
func post(ctx context.Context, tx payout.Tx, p payout.Payout, confirmed payout.Version, cause ledger.Cause) error {
	q, err := tx.Requests.WithdrawalRequest(ctx, p.ID)
	if err != nil {
		return err
	}
	w := q.Withdrawal
	posting := func(event string, asset ledger.Asset, n int64, to string) ledger.Posting {
		return ledger.Posting{Community: p.Community, Subject: to, Event: event, Asset: asset, Amount: n,
			From: ledger.Outside, To: to, Cause: cause}
	}
	sats := w.Sats
	if w.Runes > 0 {
		sats = vault.DustSats
		if err := tx.Journal.Post(ctx, posting("runes withdrawn", ledger.TreasuryAsset, int64(w.Runes),
			payout.WithdrawnRunesAccount(p.Community))); err != nil {
			return err
		}
	}
	return tx.Journal.Post(ctx,
		posting("sats withdrawn", ledger.SatsAsset, int64(sats), payout.WithdrawnAccount(p.Community)),
		posting("network fee of a withdrawal", ledger.SatsAsset, int64(confirmed.Fee),
			payout.WithdrawalFeesAccount(p.Community)))
}

// Confirm applies at most one event to a withdrawal, and books its fees when it becomes final. No order depends on it.
func (s *Service) Confirm(ctx context.Context, r payout.Round, p *payout.Payout,
	tip ledger.Header) ([]order.Order, error) {
	now, err := s.book.Advance(ctx, r, p, tip)
	if err != nil || now.Event != payout.Settled {
		return nil, err
	}
	cause := ledger.Cause{Kind: "payout", ID: p.ID, At: r.Now}
	return nil, post(ctx, r.Tx, *p, now.Version, cause)
}
