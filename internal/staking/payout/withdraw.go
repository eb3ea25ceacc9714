package payout

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
)

// RequestWithdraw is a request to withdraw surplus from a treasury. Its OrderID is the TreasurySubject of the
// community.
const RequestWithdraw RequestKind = "withdraw"

// treasurySubject precedes the community in the subject of requests about its treasury.
const treasurySubject = "treasury:"

// TreasurySubject returns the subject of requests about a community's treasury.
func TreasurySubject(community string) string { return treasurySubject + community }

// CommunityOf returns the community of a TreasurySubject; ok is false for any other subject.
func CommunityOf(subject string) (community string, ok bool) {
	return strings.CutPrefix(subject, treasurySubject)
}

// maxWithdrawalAge is the age after which a request to withdraw is refused, because a ledger that was restored from a
// backup may contain a request that another server has carried out.
const maxWithdrawalAge = time.Hour

// Withdrawal is an amount that the operator withdraws from a treasury: either sats or runes, and the other is 0. The
// network fee is paid in addition, from the surplus of sats.
type Withdrawal struct {
	Sats  amount.Sats
	Runes amount.Runes
	To    string // address; "" in requests without a withdrawal
}

// WithdrawnAccount returns the journal account of the sats that withdrawals took out of a community's treasury.
func WithdrawnAccount(community string) string { return "withdrawn:" + community }

// WithdrawnRunesAccount returns the journal account of the base units that withdrawals took out of a community's
// treasury.
func WithdrawnRunesAccount(community string) string { return "withdrawn-runes:" + community }

// WithdrawalFeesAccount returns the journal account of the network fees of a community's withdrawals.
func WithdrawalFeesAccount(community string) string { return "withdrawal-fees:" + community }

// withdraw signs and stores a withdrawal. It computes the surplus in the database transaction that stores the payout.
// It returns a *order.Refusal if the withdrawal is not possible now.
func (s *Service) withdraw(ctx context.Context, tx Tx, watch ledger.WatchList, r Request, rate amount.FeeRate,
	now time.Time) (p Payout, err error) {
	if now.Sub(r.At) > maxWithdrawalAge {
		return p, refusal("it is older than an hour. Request it again if you still want it")
	}
	if err := checkExplained(ctx, tx, r); err != nil {
		return p, err
	}
	u, cost, err := s.draftWithdrawal(ctx, tx, watch, r, Payout{}, rate)
	if err != nil {
		return p, err
	}
	if p, err = s.storeRequested(ctx, tx, Withdraw, []string{}, u, cost, now); err != nil {
		return p, err
	}
	s.info("withdrawal stored", "payout", p.ID, "community", p.Community, "to", r.Withdrawal.To, "sats",
		int64(r.Withdrawal.Sats), "runes", r.Withdrawal.Runes.String(), "txid", p.Versions[0].Tx.ID.String(), "fee_sats",
		int64(cost.Fee))
	return p, s.recordVersion(ctx, tx, watch, u.Inputs, p.Versions[0], now)
}

// checkExplained returns a *order.Refusal while the community has an unexplained spend: in a restored ledger, another
// server may have carried out the same request by it.
func checkExplained(ctx context.Context, tx Tx, r Request) error {
	community, _ := CommunityOf(r.OrderID)
	open, err := tx.Unexplained.UnexplainedSpends(ctx)
	for _, o := range open {
		if o.Community == community {
			return refusal("transaction " + o.TxID + " took from the treasury and is no payout of this server: explain it " +
				"first (moonfund treasury explain), since it may be this withdrawal")
		}
	}
	return err
}

// draftWithdrawal builds a withdrawal. replaced is the payout of which it is a new version, or the zero Payout. It
// returns a *order.Refusal if the withdrawal exceeds the surplus or can't be built.
func (s *Service) draftWithdrawal(ctx context.Context, tx Tx, watch ledger.WatchList, r Request, replaced Payout,
	rate amount.FeeRate) (u Unsigned, cost vault.PayoutCost, err error) {
	community, _ := CommunityOf(r.OrderID)
	to, err := s.withdrawalTarget(ctx, tx, community, r.Withdrawal)
	if err != nil {
		return u, cost, err
	}
	w := r.Withdrawal
	u = Unsigned{Community: community, Withdrawal: &w}
	if w.Sats > 0 {
		err = s.buildSatsWithdrawal(ctx, tx, &u, &cost, to, replaced, rate)
	} else {
		err = s.buildRuneWithdrawal(ctx, tx, &u, &cost, to, replaced, rate)
	}
	short, few, many := new(vault.ErrSatsShort), new(vault.ErrRunesShort), new(vault.ErrTooMany)
	if errors.As(err, &many) {
		return u, cost, refusal(fmt.Sprintf("it needs a transaction of %d %s, and the limit is %d: withdraw less at a time",
			many.Size, many.Unit, many.Limit))
	}
	if errors.As(err, &short) || errors.As(err, &few) {
		return u, cost, refusal("it can't be built from the confirmed outputs of the treasury: " + err.Error())
	}
	if err != nil {
		return u, cost, err
	}
	if err := s.checkSurplus(ctx, tx, u, replaced); err != nil {
		return u, cost, err
	}
	if err := s.checkPolicy(u.Tx, u.Inputs); err != nil {
		return u, cost, refusal("nodes would not relay it: " + err.Error())
	}
	return u, cost, nil
}

// withdrawalTarget returns the address of a withdrawal, or a *order.Refusal if the address or the amount is invalid.
func (s *Service) withdrawalTarget(ctx context.Context, tx Tx, community string,
	w Withdrawal) (to chain.Address, err error) {
	if !s.terms.Has(community) {
		return to, refusal("its community is not served here")
	}
	if to, err = chain.ParseAddress(w.To, s.network); err != nil {
		return to, refusal(fmt.Sprintf("%q is no address: %v", w.To, err))
	}
	ours, err := tx.Outputs.WatchedScripts(ctx, [][]byte{to.Script})
	switch {
	case err != nil:
		return to, err
	case len(ours) > 0:
		return to, refusal(w.To + " is an address of this server")
	case w.Sats < 0 || w.Runes < 0 || (w.Sats > 0) == (w.Runes > 0):
		return to, refusal("either sats or runes are withdrawn, and more than 0")
	case w.Sats > 0 && w.Sats < max(vault.DustSats, chain.Dust(to.Script)):
		return to, refusal(fmt.Sprintf("%d sats are too few for an output", w.Sats))
	}
	return to, nil
}

func (s *Service) buildSatsWithdrawal(ctx context.Context, tx Tx, u *Unsigned, cost *vault.PayoutCost, to chain.Address,
	replaced Payout, rate amount.FeeRate) (err error) {
	terms, err := s.terms.Of(u.Community)
	if err != nil {
		return err
	}
	satsChange, _ := terms.Account.TreasurySats()
	plan := vault.SatsWithdrawal{Amount: u.Withdrawal.Sats, To: to.Script, SatsChange: satsChange.Script,
		FeeRate: min(rate, terms.MaxRate), Version: s.version()}
	if plan.Spare, err = s.plainTreasuryCoins(ctx, tx, terms); err != nil {
		return err
	}
	if n := len(replaced.Versions); n > 0 {
		last := replaced.Versions[n-1].Tx.Msg
		plan.Version = last.Version
		if plan.Kept, err = s.coins(ctx, tx, terms, last); err != nil {
			return err
		}
	}
	if u.Tx, u.Inputs, *cost, err = vault.BuildSatsWithdrawal(plan); err != nil {
		return err
	}
	return vault.VerifySatsWithdrawal(u.Tx, u.Inputs, to.Script, u.Withdrawal.Sats, satsChange.Script)
}

func (s *Service) buildRuneWithdrawal(ctx context.Context, tx Tx, u *Unsigned, cost *vault.PayoutCost, to chain.Address,
	replaced Payout, rate amount.FeeRate) (err error) {
	terms, err := s.terms.Of(u.Community)
	if err != nil {
		return err
	}
	runeChange, _ := terms.Account.TreasuryRunes()
	satsChange, _ := terms.Account.TreasurySats()
	payment := vault.WithdrawalOf(terms.Rune, u.Withdrawal.Runes, to.Script)
	plan := vault.PayoutPlan{Rune: terms.Rune, RuneChange: runeChange.Script, SatsChange: satsChange.Script,
		Deliveries: []vault.Delivery{payment}, RuneChangeOutputs: 1, MaxRunestone: terms.MaxRunestone,
		FeeRate: min(rate, terms.MaxRate), Version: s.version()}
	if n := len(replaced.Versions); n > 0 {
		last := replaced.Versions[n-1].Tx.Msg
		plan.Version = last.Version
		plan.Inputs, err = s.coins(ctx, tx, terms, last)
	} else {
		var coins []vault.Coin
		if coins, err = s.treasury(ctx, tx, terms); err == nil {
			plan.Inputs, err = vault.SelectTreasury(coins, terms.Rune, u.Withdrawal.Runes)
		}
	}
	if err != nil {
		return err
	}
	spare, err := s.plainTreasuryCoins(ctx, tx, terms)
	if err != nil {
		return err
	}
	funded, msg, price, err := vault.FundPayout(plan, spare)
	if err != nil {
		return err
	}
	u.Tx, u.Inputs, *cost = msg, funded.Inputs, price
	return vault.VerifyPayout(u.Tx, u.Inputs, plan.Deliveries, runeChange.Script, satsChange.Script, s.allocate)
}

// checkSurplus returns a *order.Refusal if a withdrawal exceeds the surplus. It compares the sats that leave the
// treasury's plain outputs, which include the network fee.
func (s *Service) checkSurplus(ctx context.Context, tx Tx, u Unsigned, replaced Payout) error {
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
	terms, err := s.terms.Of(u.Community)
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
		return refusal(fmt.Sprintf("it takes %s base units of the rune, and the surplus is %s (moonfund treasury surplus)",
			u.Withdrawal.Runes, runes))
	case taken > max(0, sats):
		return refusal(fmt.Sprintf("it takes %d sats with its network fee, and the surplus is %d (moonfund treasury surplus)",
			taken, sats))
	}
	return nil
}

// surplusOf reads the figures of a treasury. except is the id of a payout whose inputs count as unspent, or "".
func (s *Service) surplusOf(ctx context.Context, tx Tx, community, except string) (f TreasuryFigures, err error) {
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return f, err
	}
	next, err := s.ledger.NextBudget(ctx, tx.LedgerTx(), community)
	if err != nil {
		return f, err
	}
	return tx.Treasury.TreasuryFigures(ctx, FiguresQuery{
		Community: community, Highest: HighestSpendable(tip.Height), NextBudget: next, Except: except,
	})
}

// HighestSpendable returns the height of the last block whose outputs have InputDepth confirmations at a tip.
func HighestSpendable(tip int64) int64 { return tip - InputDepth + 1 }

// bumpWithdrawal is Bump for a withdrawal: the same amount to the same address, with a higher fee from the surplus.
func (s *Service) bumpWithdrawal(ctx context.Context, tx Tx, watch ledger.WatchList, p Payout, rate amount.FeeRate,
	cause ledger.Cause) (Payout, error) {
	if p.Status != Live || p.height() != chain.None {
		return p, notReplaceable("it is %s, in block %d", p.Status, p.height())
	}
	r, err := tx.Requests.WithdrawalRequest(ctx, p.ID)
	if err != nil {
		return p, err
	}
	last := p.Versions[len(p.Versions)-1]
	for _, in := range last.Tx.Msg.TxIn {
		output, err := tx.Outputs.Output(ctx, in.PreviousOutPoint)
		if err != nil {
			return p, err
		}
		if output.Vanished || output.SpentBy != "" && !output.SpentOurs {
			return p, notReplaceable("another transaction spends %s or replaced it", output.OutPoint)
		}
	}
	u, cost, err := s.draftWithdrawal(ctx, tx, watch, r, p, rate)
	if refused := new(order.Refusal); errors.As(err, &refused) {
		return p, notReplaceable("%s", refused.Reason)
	}
	if err != nil {
		return p, err
	}
	if least := last.Fee + minRelay.Fee(cost.VBytes); cost.Fee < least {
		return p, notReplaceable("it would pay a fee of %d sats, nodes require at least %d", cost.Fee, least)
	}
	return s.replace(ctx, tx, watch, p, u, cost, cause)
}

// bookWithdrawal posts the sats, the runes and the network fee of a final withdrawal.
func (s *Service) bookWithdrawal(ctx context.Context, tx Tx, p Payout, confirmed Version, cause ledger.Cause) error {
	r, err := tx.Requests.WithdrawalRequest(ctx, p.ID)
	if err != nil {
		return err
	}
	w := r.Withdrawal
	post := func(event string, asset ledger.Asset, n int64, to string) ledger.Posting {
		return ledger.Posting{Community: p.Community, Subject: to, Event: event, Asset: asset, Amount: n,
			From: ledger.Outside, To: to, Cause: cause}
	}
	sats := w.Sats
	if w.Runes > 0 {
		sats = vault.DustSats
		if err := tx.Journal.Post(ctx, post("runes withdrawn", ledger.TreasuryAsset, int64(w.Runes),
			WithdrawnRunesAccount(p.Community))); err != nil {
			return err
		}
	}
	return tx.Journal.Post(ctx,
		post("sats withdrawn", ledger.SatsAsset, int64(sats), WithdrawnAccount(p.Community)),
		post("network fee of a withdrawal", ledger.SatsAsset, int64(confirmed.Fee), WithdrawalFeesAccount(p.Community)))
}

// acceptSignedWithdrawal stores a withdrawal that was signed by hand, after the same checks as for any withdrawal.
func (s *Service) acceptSignedWithdrawal(ctx context.Context, tx Tx, watch ledger.WatchList, f finding,
	r Request) (p Payout, err error) {
	community, _ := CommunityOf(r.OrderID)
	to, err := s.withdrawalTarget(ctx, tx, community, r.Withdrawal)
	if err != nil {
		return p, err
	}
	if _, err := tx.Payouts.PayoutOf(ctx, f.tx.ID.String()); err == nil {
		return p, refusal("it is stored already")
	}
	if err := s.explain(ctx, tx, &f, anyOutput); err != nil {
		return p, err
	}
	if f.unexplained || len(f.orders) > 0 {
		return p, refusal("it spends what is not the treasury's")
	}
	f.community = community
	if err := s.checkSignedWithdrawal(ctx, tx, f, r.Withdrawal, to); err != nil {
		return p, err
	}
	p = Payout{Community: community, Kind: Withdraw, OrderIDs: []string{}, Status: Live, Created: f.at,
		Versions: []Version{f.version()}}
	if p.ID, err = s.newID(); err != nil {
		return p, err
	}
	if err := tx.Payouts.InsertPayout(ctx, p); err != nil {
		return p, err
	}
	s.info("withdrawal stored", "payout", p.ID, "community", community, "txid", f.tx.ID.String(), "fee_sats", int64(f.fee))
	return p, s.recordFound(ctx, tx, watch, f)
}

// checkSignedWithdrawal returns a *order.Refusal if a signed transaction is not the withdrawal, takes more than the
// surplus, or can't be broadcast.
func (s *Service) checkSignedWithdrawal(ctx context.Context, tx Tx, f finding, w Withdrawal, to chain.Address) error {
	terms, err := s.terms.Of(f.community)
	if err != nil {
		return err
	}
	for _, in := range f.tx.Msg.TxIn {
		output, err := tx.Outputs.Output(ctx, in.PreviousOutPoint)
		if err != nil {
			return err
		}
		treasury := output.Kind == ledger.RunesKind || output.Kind == ledger.SatsKind && output.Runes == 0
		if !treasury || !output.Booked || output.Vanished || output.Quarantine != "" || output.Community != f.community {
			return refusal(fmt.Sprintf("its input %s is not one that the treasury can spend", output.OutPoint))
		}
	}
	inputs, err := s.coins(ctx, tx, terms, f.tx.Msg)
	if err != nil {
		return err
	}
	runeChange, _ := terms.Account.TreasuryRunes()
	satsChange, _ := terms.Account.TreasurySats()
	if w.Sats > 0 {
		err = vault.VerifySatsWithdrawal(f.tx.Msg, inputs, to.Script, w.Sats, satsChange.Script)
	} else {
		payment := vault.WithdrawalOf(terms.Rune, w.Runes, to.Script)
		err = vault.VerifyPayout(f.tx.Msg, inputs, []vault.Delivery{payment}, runeChange.Script, satsChange.Script,
			s.allocate)
	}
	if err != nil {
		return refusal("it is not the withdrawal that was requested: " + err.Error())
	}
	if err := s.checkSpends(ctx, tx, f, Payout{}); err != nil {
		return err
	}
	u := Unsigned{Community: f.community, Tx: f.tx.Msg, Inputs: inputs, Withdrawal: &w}
	return s.checkSurplus(ctx, tx, u, Payout{})
}
