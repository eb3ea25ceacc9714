package payout

import (
	"context"
	"errors"
	"slices"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/state"
)

// MinRelay is the minimum fee rate that nodes relay, and by which a replacement must raise the fee for its own size.
var MinRelay = amount.SatPerVB(1)

// Insert stores a new payout with its first version. The transaction may be broadcast only after the commit.
func (b *Book) Insert(ctx context.Context, tx Tx, p Payout) (_ Payout, err error) {
	if err := b.checkPaused(p.Community); err != nil {
		return p, err
	}
	p.Status, p.Created = Live, p.Versions[0].Created
	if p.ID, err = b.newID(); err != nil {
		return p, err
	}
	return p, tx.Payouts.InsertPayout(ctx, p)
}

// SignNew signs and stores a refund, a return, a withdrawal or a split. It returns a *WaitError if the node's mempool
// requires a higher fee. If the signer refuses it or does not answer, SignNew returns a *order.Refusal for a withdrawal
// and a *WaitError for the others.
func (b *Book) SignNew(ctx context.Context, r Round, p Payout, u Unsigned, cost vault.PayoutCost) (Payout, error) {
	if err := b.CheckRelayed(cost); err != nil {
		return Payout{}, err
	}
	signed, err := b.Signed(u)
	if err != nil {
		return Payout{}, notSigned(err, p.Kind, u)
	}
	p.Community, p.Versions = u.Community, []Version{r.NewVersion(signed, cost)}
	return b.Insert(ctx, r.Tx, p)
}

// Replace signs and stores a new version of a payout, and makes it the current one. It returns a *order.Refusal if the
// signer refuses the version, or if nodes, or the mempool of this one, require a higher fee.
func (b *Book) Replace(ctx context.Context, r Round, p Payout, u Unsigned, cost vault.PayoutCost) (Payout, error) {
	if least := p.Last().Fee + MinRelay.Fee(cost.VBytes); cost.Fee < least {
		return p, NotReplaceable("it would pay a fee of %d sats, nodes require at least %d", cost.Fee, least)
	}
	if least := b.RefusedBelow(cost); least > 0 {
		return p, NotReplaceable("it would pay a fee of %d sats for %d vB, the node's mempool requires %s sat/vB now",
			cost.Fee, cost.VBytes, least)
	}
	if err := b.checkPaused(u.Community); err != nil {
		return p, err
	}
	signed, err := b.Signed(u)
	if err != nil {
		return p, NotReplaceable("the signer refuses it: %v", err)
	}
	return b.AddVersion(ctx, r, p, r.NewVersion(signed, cost))
}

// RefusedBelow returns the minimum fee rate of the node's mempool if a transaction with a cost pays less, so that the
// node would not relay it now, and 0 otherwise.
func (b *Book) RefusedBelow(cost vault.PayoutCost) amount.FeeRate {
	if b.mempoolMin == nil {
		return 0
	}
	if least := b.mempoolMin(); cost.Fee < least.Fee(cost.VBytes) {
		return least
	}
	return 0
}

// CheckRelayed returns a *WaitError if a transaction with a cost pays less than the minimum of the node's mempool. It
// is called before a new transaction is signed: once stored, it would spend its inputs and could not be relayed.
func (b *Book) CheckRelayed(cost vault.PayoutCost) error {
	if least := b.RefusedBelow(cost); least > 0 {
		return Waitf("it would pay a fee of %d sats for %d vB, and the node's mempool requires %s sat/vB now: it waits "+
			"until that falls or it can pay that", cost.Fee, cost.VBytes, least)
	}
	return nil
}

// AddVersion adds a version to a payout, which becomes the current one.
func (b *Book) AddVersion(ctx context.Context, r Round, p Payout, v Version) (Payout, error) {
	if err := b.checkPaused(p.Community); err != nil {
		return p, err
	}
	if err := r.Tx.Payouts.InsertVersion(ctx, p.ID, v); err != nil {
		return p, err
	}
	last := p.Last()
	p.Versions = append(p.Versions, v)
	b.Info("payout replaced", "payout", p.ID, "kind", string(p.Kind), "txid", v.Tx.ID.String(), "fee_sats", int64(v.Fee),
		"was_sats", int64(last.Fee))
	return p, b.RecordCurrent(ctx, r, p)
}

// RecordVersion records a transaction of ours in the ledger: its inputs as spent, and its change and kept overpayments
// as new outputs. Unconfirmed payments whose inputs it spends vanish.
func (b *Book) RecordVersion(ctx context.Context, r Round, inputs []vault.Coin, v Version) error {
	balances := map[wire.OutPoint][]runes.Balance{}
	for _, coin := range inputs {
		balances[coin.OutPoint] = coin.Runes
	}
	outputs, _, _, err := b.Allocate(v.Tx.Msg, func(out wire.OutPoint) []runes.Balance { return balances[out] })
	if err != nil {
		return err
	}
	seen, err := b.Ledger.RecordTx(ctx, r.Tx.LedgerTx(), r.Watch, ledger.Observation{
		Tx: v.Tx, Height: chain.None, At: r.Now, Ours: true,
		Allocated: func(vout uint32) []runes.Balance {
			if int(vout) < len(outputs) {
				return outputs[vout]
			}
			return nil
		},
	})
	if err != nil {
		return err
	}
	return b.Orders.Replace(ctx, r.Tx.OrderTx(), seen.Outputs, seen.Vanished, r.Now)
}

// dropVersion marks a version of a payout as vanished, with its outputs, and records that the overpayments that it
// keeps vanished.
func (b *Book) dropVersion(ctx context.Context, r Round, v Version) error {
	seen, err := b.Ledger.Drop(ctx, r.Tx.LedgerTx(), v.Tx.ID.String())
	if err != nil {
		return err
	}
	return b.Orders.Reverse(ctx, r.Tx.OrderTx(), seen.Vanished, r.Now)
}

// DropVersions drops every version of a payout, like dropVersion.
func (b *Book) DropVersions(ctx context.Context, r Round, p Payout) error {
	for _, v := range p.Versions {
		if err := b.dropVersion(ctx, r, v); err != nil {
			return err
		}
	}
	return nil
}

// RecordCurrent records the current version of a payout in the ledger: the confirmed one, else the newest. It marks the
// other versions as vanished. A block that contains one of them restores it. A version of a community that is not
// served is recorded once it is served again.
func (b *Book) RecordCurrent(ctx context.Context, r Round, p Payout) error {
	if len(p.Versions) < 2 {
		return nil
	}
	chosen, err := currentVersion(ctx, r.Tx, p)
	if err != nil {
		return err
	}
	missing := false // whether the chosen version must be recorded
	for _, v := range p.Versions {
		tracked, err := r.Tx.Tracked.TrackedTx(ctx, v.Tx.ID.String())
		absent := errors.Is(err, state.ErrNotFound) || tracked.Vanished
		switch {
		case err != nil && !errors.Is(err, state.ErrNotFound):
			return err
		case v.Tx.ID == chosen.Tx.ID:
			missing = missing || absent
		case !absent:
			if err := b.dropVersion(ctx, r, v); err != nil {
				return err
			}
			missing = true // it may have spent the chosen version's inputs
		}
	}
	if terms, err := b.Communities.Of(p.Community); err == nil && missing && chosen.Height == chain.None {
		inputs, err := terms.inputsOf(ctx, r.Tx, chosen)
		if err != nil {
			return err
		}
		if err := b.RecordVersion(ctx, r, inputs, chosen); err != nil {
			return err
		}
	}
	return setPayoutTx(ctx, r.Tx, p, chosen)
}

// currentVersion returns the confirmed version of a payout, else the newest, and of a OneTx the newest that can still
// spend all of its inputs if there is one.
func currentVersion(ctx context.Context, tx Tx, p Payout) (Version, error) {
	for _, v := range p.Versions {
		if v.Height != chain.None {
			return v, nil
		}
	}
	if p.Kind != OneTx {
		return p.Last(), nil
	}
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return Version{}, err
	}
	for _, v := range slices.Backward(p.Versions) {
		if lost, err := lostInputsOf(ctx, tx, v, tip); err != nil || len(lost) == 0 {
			return v, err
		}
	}
	return p.Last(), nil
}

// setPayoutTx sets the PayoutTx of a payout's orders to the current version.
func setPayoutTx(ctx context.Context, tx Tx, p Payout, v Version) error {
	for _, id := range p.OrderIDs {
		o, err := tx.Orders.Order(ctx, id)
		if err != nil {
			return err
		}
		if txid := v.Tx.ID.String(); o.PayoutID == p.ID && o.PayoutTx != txid {
			o.PayoutTx = txid
			if err := tx.Orders.UpdateOrders(ctx, order.Change{Order: o, From: o.Status}); err != nil {
				return err
			}
		}
	}
	return nil
}
