package payout

import (
	"context"
	"errors"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/state"
)

// Kinds of requests that do not concern an order.
const (
	RequestBump   RequestKind = "bump"   // of a payout, whose id is in OrderID
	RequestReturn RequestKind = "return" // of a quarantined output, whose outpoint is in OrderID
)

// ReturnTo justifies a return.
type ReturnTo struct {
	Owner string // ordinals address, which receives the output
	Proof Proof  // signed message of the order if the output is at an order's payment address, else zero
}

func refusal(reason string) error { return &order.Refusal{Reason: reason} }

// serveRequests carries out the operators' requests that create, export or import a transaction, except refunds. A
// request that can't be carried out yet stays open with the reason.
func (s *Service) serveRequests(ctx context.Context, tx Tx, watch ledger.WatchList, rate amount.FeeRate,
	now time.Time) (stored []Payout, err error) {
	requests, err := tx.Requests.OpenRequests(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range requests {
		var p Payout
		switch r.Kind {
		case RequestExport:
			r.Tx, err = s.exported(ctx, tx, watch, r, rate)
		case RequestBump:
			p, err = s.bumpRequested(ctx, tx, watch, r, rate, now)
		case RequestSend:
			p, err = s.acceptSigned(ctx, tx, watch, r, now)
		case RequestReturn:
			p, err = s.returnOutput(ctx, tx, watch, r, rate, now)
		case RequestWithdraw:
			p, err = s.withdraw(ctx, tx, watch, r, rate, now)
		default:
			continue
		}
		if waiting := new(waitError); errors.As(err, &waiting) {
			if r.Note != waiting.reason {
				r.Note = waiting.reason
				if err := tx.Requests.UpdateRequest(ctx, r); err != nil {
					return nil, err
				}
			}
			continue
		}
		if err == nil && p.ID != "" {
			r.PayoutID = p.ID
			stored = append(stored, p)
		}
		if err := s.closeRequest(ctx, tx, r, err); err != nil {
			return nil, err
		}
	}
	return stored, nil
}

// bumpRequested replaces the payout that a request names, or returns a *order.Refusal.
func (s *Service) bumpRequested(ctx context.Context, tx Tx, watch ledger.WatchList, r Request, rate amount.FeeRate,
	now time.Time) (Payout, error) {
	p, err := tx.Payouts.Payout(ctx, r.OrderID)
	if errors.Is(err, state.ErrNotFound) {
		return p, refusal("there is no such payout")
	}
	if err != nil {
		return p, err
	}
	return s.Bump(ctx, tx, watch, p, rate, ledger.Cause{Kind: "operator", ID: r.By + ": " + r.Why, At: now})
}

// returnOutput signs and stores the return of a quarantined output at a stake or payment address to its owner.
func (s *Service) returnOutput(ctx context.Context, tx Tx, watch ledger.WatchList, r Request, rate amount.FeeRate,
	now time.Time) (p Payout, err error) {
	deposit, replaced, err := s.returnable(ctx, tx, r.OrderID)
	if err != nil {
		return p, err
	}
	if replaced.ID != "" {
		return p, refusal("it is spent already, by its return " + replaced.ID)
	}
	u, cost, err := s.buildReturn(ctx, tx, deposit, Payout{}, rate)
	if err != nil {
		return p, err
	}
	if p, err = s.storeRequested(ctx, tx, Return, []string{}, u, cost, now); err != nil {
		return p, err
	}
	s.info("return stored", "payout", p.ID, "output", r.OrderID, "txid", p.Versions[0].Tx.ID.String(), "fee_sats",
		int64(cost.Fee))
	return p, s.recordVersion(ctx, tx, watch, u.Inputs, p.Versions[0], now)
}

// returnable returns the output with outpoint text if it may be returned to its owner. replaced is the return that
// spends it and can be replaced, or the zero Payout. returnable returns a *order.Refusal if the output can't be
// returned, and a *waitError if it can't be returned yet.
func (s *Service) returnable(ctx context.Context, tx Tx,
	text string) (output ledger.Output, replaced Payout, err error) {
	point, err := ledger.ParseOutPoint(text)
	if err != nil {
		return output, replaced, refusal("it is not an outpoint")
	}
	output, err = tx.Outputs.Output(ctx, point)
	if errors.Is(err, state.ErrNotFound) {
		return output, replaced, refusal("there is no such output at an address of ours")
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
	switch {
	case !s.terms.Has(output.Community):
		return output, replaced, refusal("its community is not served here")
	case output.Kind != ledger.StakeKind && output.Kind != ledger.PaymentKind:
		return output, replaced, refusal("it belongs to the treasury; only outputs at a stake or payment address can be " +
			"returned")
	case output.Quarantine == "":
		return output, replaced, refusal("it is not in quarantine")
	case output.Vanished:
		return output, replaced, refusal("another transaction replaced it")
	case output.SpentBy != "" && replaced.ID == "":
		return output, replaced, refusal("it is spent already, by " + output.SpentBy)
	case ledger.Confirmations(output.Height, tip.Height) < InputDepth:
		return output, replaced, waitf("it has fewer than %d confirmations", InputDepth)
	}
	return output, replaced, nil
}

// buildReturn builds a return. replaced is the payout of which it is a new version, or the zero Payout. It returns a
// *waitError if the return can't be built or funded now.
func (s *Service) buildReturn(ctx context.Context, tx Tx, deposit ledger.Output, replaced Payout,
	rate amount.FeeRate) (u Unsigned, cost vault.PayoutCost, err error) {
	terms, err := s.terms.Of(deposit.Community)
	if err != nil {
		return u, cost, err
	}
	u = Unsigned{Community: deposit.Community, Return: &ReturnTo{Owner: deposit.Owner}}
	if deposit.Kind == ledger.PaymentKind {
		o, err := tx.Orders.Order(ctx, deposit.Ref)
		if err != nil {
			return u, cost, err
		}
		if u.Return.Proof, err = tx.Proofs.ProofOf(ctx, o.ActionID); err != nil {
			return u, cost, err
		}
	}
	to, err := chain.ParseAddress(deposit.Owner, s.network)
	if err != nil {
		return u, cost, err
	}
	satsChange, _ := terms.Account.TreasurySats()
	plan := vault.ReturnPlan{To: to.Script, SatsChange: satsChange.Script, FeeRate: min(rate, terms.MaxRate),
		Version: s.version()}
	if plan.Deposit, err = s.quarantined(ctx, tx, terms, deposit); err != nil {
		return u, cost, err
	}
	if plan.Spare, err = s.plainTreasuryCoins(ctx, tx, terms); err != nil {
		return u, cost, err
	}
	if n := len(replaced.Versions); n > 0 {
		spent, err := s.coins(ctx, tx, terms, replaced.Versions[n-1].Tx.Msg)
		if err != nil {
			return u, cost, err
		}
		plan.Kept, plan.Version = spent[1:], replaced.Versions[n-1].Tx.Msg.Version
	}
	if u.Tx, u.Inputs, cost, err = vault.BuildReturn(plan); err != nil {
		return u, cost, waitf("it can't be built: %v", err)
	}
	topUp, err := s.topUp(ctx, tx, deposit.Community, replaced.ID)
	if err != nil {
		return u, cost, err
	}
	if len(u.Inputs) > 1 && cost.Fee > topUp {
		return u, cost, waitf("it costs %d sats, the fee account can add %d", cost.Fee, topUp)
	}
	if err := vault.VerifyReturn(u.Tx, u.Inputs, to.Script, satsChange.Script, s.allocate); err != nil {
		return u, cost, waitf("%v", err)
	}
	if err := s.checkPolicy(u.Tx, u.Inputs); err != nil {
		return u, cost, waitf("nodes would not relay it: %v", err)
	}
	return u, cost, nil
}

// quarantined returns a quarantined output with the data needed to spend it, and with every rune on it according to the
// rune index.
func (s *Service) quarantined(ctx context.Context, tx Tx, terms Terms, output ledger.Output) (vault.Coin, error) {
	balances, err := runes.BalancesOf(tx.Index.Runes(ctx), output.OutPoint)
	if err != nil {
		return vault.Coin{}, err
	}
	if output.Kind == ledger.PaymentKind {
		return terms.Account.Coin(vault.Payment, output.OutPoint, output.Value, balances, output.Ref)
	}
	keys, err := tx.Proofs.StakeKeys(ctx, output.Ref)
	if err != nil {
		return vault.Coin{}, err
	}
	stake, err := terms.Account.StakeOutput(keys.Position, keys.Leaf, keys.Delay)
	return stake.Coin(output.OutPoint, output.Value, balances, ""), err
}

// bumpReturn is Bump for a return. The new version returns the same output to the same owner.
func (s *Service) bumpReturn(ctx context.Context, tx Tx, watch ledger.WatchList, p Payout, rate amount.FeeRate,
	cause ledger.Cause) (Payout, error) {
	if p.Status != Live || p.height() != chain.None {
		return p, notReplaceable("it is %s, in block %d", p.Status, p.height())
	}
	if !s.terms.Has(p.Community) {
		return p, notReplaceable("its community %s is not served here", p.Community)
	}
	last := p.Versions[len(p.Versions)-1]
	deposit, err := tx.Outputs.Output(ctx, last.Tx.Msg.TxIn[0].PreviousOutPoint)
	if err != nil {
		return p, err
	}
	if !deposit.SpentOurs || deposit.Vanished {
		return p, notReplaceable("another transaction spends %s or replaced it", deposit.OutPoint)
	}
	u, cost, err := s.buildReturn(ctx, tx, deposit, p, rate)
	if waiting := new(waitError); errors.As(err, &waiting) {
		return p, notReplaceable("%s", waiting.reason)
	}
	if err != nil {
		return p, err
	}
	if least := last.Fee + minRelay.Fee(cost.VBytes); cost.Fee < least {
		return p, notReplaceable("it would pay a fee of %d sats, nodes require at least %d", cost.Fee, least)
	}
	return s.replace(ctx, tx, watch, p, u, cost, cause)
}

// selfPaid reports whether a payout takes nothing from the fee account, because it pays its fee from the sats that it
// refunds or returns, from the surplus, or from coins of its owner.
func (p Payout) selfPaid() bool {
	last := p.Versions[len(p.Versions)-1]
	return p.Kind == Refund || p.Kind == Withdraw || p.Kind == OneTx ||
		(p.Kind == Return && len(last.Tx.Msg.TxIn) == 1)
}
