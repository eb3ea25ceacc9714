package payout

import (
	"context"
	"errors"
	"time"

	"moonfund/amount"
	"moonfund/chain"
	"moonfund/ledger"
	"moonfund/order"
	"moonfund/vault"
)

// What an operator may ask for besides what concerns one order.
const (
	AskBump   RequestKind = "bump"   // of a payout, named in place of the order
	AskReturn RequestKind = "return" // of a quarantined output, named in place of the order
)

// ReturnTo is to whom a return goes.
type ReturnTo struct{ Owner string } // ordinals address

func refusal(reason string) error { return &order.Refusal{Reason: reason} }

// asked carries out what operators asked for about payouts and quarantined
// outputs. What can't be done yet stays open, with the reason.
func (c *Cashier) asked(ctx context.Context, tx Tx, watch ledger.Watch, rate amount.FeeRate, now time.Time) (stored []Payout, err error) {
	requests, err := tx.OpenRequests(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range requests {
		var p Payout
		switch r.Kind {
		case AskBump:
			p, err = c.bumpAsked(ctx, tx, watch, r, rate, now)
		case AskReturn:
			p, err = c.giveBack(ctx, tx, watch, r, rate, now)
		default:
			continue
		}
		if waiting := new(notYet); errors.As(err, &waiting) {
			if r.Note != waiting.reason {
				r.Note = waiting.reason
				if err := tx.UpdateRequest(ctx, r); err != nil {
					return nil, err
				}
			}
			continue
		}
		if err == nil {
			r.PayoutID = p.ID
			stored = append(stored, p)
		}
		if err := c.answer(ctx, tx, r, err); err != nil {
			return nil, err
		}
	}
	return stored, nil
}

func (c *Cashier) bumpAsked(ctx context.Context, tx Tx, watch ledger.Watch, r Request, rate amount.FeeRate, now time.Time) (Payout, error) {
	p, err := tx.Payout(ctx, r.OrderID)
	if err == ledger.ErrNotFound {
		return p, refusal("there is no such payout")
	}
	if err != nil {
		return p, err
	}
	return c.Bump(ctx, tx, watch, p, rate, ledger.Cause{Kind: "operator", ID: r.By + ": " + r.Why, At: now})
}

// giveBack returns a quarantined output at a stake address to its owner.
func (c *Cashier) giveBack(ctx context.Context, tx Tx, watch ledger.Watch, r Request, rate amount.FeeRate, now time.Time) (p Payout, err error) {
	deposit, err := c.returnable(ctx, tx, r.OrderID)
	if err != nil {
		return p, err
	}
	u, cost, err := c.buildReturn(ctx, tx, deposit, rate)
	if err != nil {
		return p, err
	}
	signed, err := c.signer.Sign(ctx, u)
	if ctx.Err() != nil {
		return p, ctx.Err()
	}
	if err != nil {
		return p, wait("it is not signed: %v", err)
	}
	version := Version{Tx: chain.NewTx(signed), Fee: cost.Fee, VBytes: cost.VBytes, Created: now, Height: ledger.None}
	p = Payout{
		Community: deposit.Community, Kind: Return, OrderIDs: []string{}, Status: Live, Created: now, Versions: []Version{version},
	}
	if p.ID, err = c.newID(); err != nil {
		return p, err
	}
	if err := tx.InsertPayout(ctx, p); err != nil {
		return p, err
	}
	c.log.Info("return stored", "payout", p.ID, "output", r.OrderID, "txid", version.Tx.ID.String(), "fee_sats", int64(cost.Fee))
	return p, c.see(ctx, tx, watch, u.Inputs, version, now)
}

// returnable finds an output that may be given back.
func (c *Cashier) returnable(ctx context.Context, tx Tx, text string) (ledger.Output, error) {
	point, err := ledger.ParseOutPoint(text)
	if err != nil {
		return ledger.Output{}, refusal("it is not an outpoint")
	}
	output, err := tx.Output(ctx, point)
	if err == ledger.ErrNotFound {
		return output, refusal("there is no such output at an address of ours")
	}
	if err != nil {
		return output, err
	}
	tip, err := tx.Tip(ctx)
	if err != nil {
		return output, err
	}
	_, served := c.terms[output.Community]
	switch {
	case !served:
		return output, refusal("its community is not served here")
	case output.Kind != ledger.StakeKind:
		return output, refusal("only an output at a stake address can be returned: its address alone proves whose it is")
	case output.Quarantine == "":
		return output, refusal("it is not in quarantine; its staker withdraws it")
	case output.Vanished:
		return output, refusal("another transaction took its place")
	case output.SpentBy != "":
		return output, refusal("it is spent already, by " + output.SpentBy)
	case ledger.Confirmations(output.Height, tip.Height) < InputDepth:
		return output, wait("it has fewer than %d confirmations", InputDepth)
	}
	return output, nil
}

func (c *Cashier) buildReturn(ctx context.Context, tx Tx, deposit ledger.Output, rate amount.FeeRate) (u Unsigned, cost vault.PayoutCost, err error) {
	terms := c.terms[deposit.Community]
	u = Unsigned{Community: deposit.Community, Return: &ReturnTo{deposit.Owner}}
	keys, err := tx.StakeKeys(ctx, deposit.Ref)
	if err != nil {
		return u, cost, err
	}
	stake, err := terms.Account.StakeOutput(keys.Position, keys.Leaf, keys.Delay)
	if err != nil {
		return u, cost, err
	}
	balances, err := tx.Runes(ctx).RuneBalances(deposit.OutPoint)
	if err != nil {
		return u, cost, err
	}
	to, err := chain.ParseAddress(deposit.Owner, c.network)
	if err != nil {
		return u, cost, err
	}
	spare, err := c.spareSats(ctx, tx, terms)
	if err != nil {
		return u, cost, err
	}
	satsChange, _ := terms.Account.TreasurySats()
	u.Tx, u.Inputs, cost, err = vault.BuildReturn(vault.ReturnPlan{
		Deposit: stake.Coin(deposit.OutPoint, deposit.Value, balances, ""), Spare: spare, To: to.Script,
		SatsChange: satsChange.Script, FeeRate: min(rate, terms.MaxRate),
	})
	if err != nil {
		return u, cost, wait("it can't be built: %v", err)
	}
	topUp, err := c.topUp(ctx, tx, deposit.Community, "")
	if err != nil {
		return u, cost, err
	}
	if len(u.Inputs) > 1 && cost.Fee > topUp {
		return u, cost, wait("it costs %d sats, the fee account can give %d", cost.Fee, topUp)
	}
	if err := vault.VerifyReturn(u.Tx, u.Inputs, to.Script, satsChange.Script, c.allocate); err != nil {
		return u, cost, wait("%v", err)
	}
	if err := c.policed(u.Tx, u.Inputs); err != nil {
		return u, cost, wait("it is against policy: %v", err)
	}
	return u, cost, nil
}

// selfPaid reports whether a payout's fee comes from what it gives back.
func (p Payout) selfPaid() bool {
	return p.Kind == Refund || (p.Kind == Return && len(p.Versions[0].Tx.Msg.TxIn) == 1)
}
