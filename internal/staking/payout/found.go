package payout

import (
	"context"
	"slices"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
)

// Found is a signed transaction that is not stored, with the orders whose payments it spends.
type Found struct {
	Tx          chain.Tx
	Community   string
	Orders      []order.Order
	Spent       map[wire.OutPoint]ledger.Output // the outputs in the ledger that it spends
	Fee         amount.Sats
	Unexplained bool // it spends outputs that are not in the ledger, or payments of several communities
	ByHand      bool // an operator signed it by hand and submitted it
}

// Version returns the transaction as a version that is found at an instant.
func (f Found) Version(at time.Time) Version {
	return Version{Tx: f.Tx, Fee: f.Fee, VBytes: chain.VSize(f.Tx.Msg), Created: at, Height: chain.None}
}

// SpentOf returns the payments of an order that the found transaction spends.
func (f Found) SpentOf(ctx context.Context, tx Tx, o order.Order) ([]order.Payment, error) {
	payments, err := tx.Payments.PaymentsOf(ctx, o.ID)
	return slices.DeleteFunc(payments, func(p order.Payment) bool {
		return !slices.ContainsFunc(f.Tx.Msg.TxIn, func(in *wire.TxIn) bool { return in.PreviousOutPoint == p.OutPoint })
	}), err
}

// AnyOutput is a filter for Explain that selects every output.
func AnyOutput(wire.OutPoint) bool { return true }

// Explain sets the orders whose payments a transaction spends, and its fee. It does not read an input for which
// mayBeOurs returns false.
func (b *Book) Explain(ctx context.Context, tx Tx, f *Found, mayBeOurs func(wire.OutPoint) bool) error {
	outputs, err := tx.Outputs.Outputs(ctx, f.Tx.Spends(mayBeOurs))
	if err != nil {
		return err
	}
	f.Unexplained = len(outputs) < len(f.Tx.Msg.TxIn)
	f.Spent = map[wire.OutPoint]ledger.Output{}
	for _, output := range outputs {
		f.Spent[output.OutPoint] = output
		f.Fee += output.Value
		if output.Kind != ledger.PaymentKind || slices.ContainsFunc(f.Orders, func(o order.Order) bool {
			return o.ID == output.Ref
		}) {
			continue
		}
		o, err := tx.Orders.Order(ctx, output.Ref)
		if err != nil {
			return err
		}
		f.Unexplained = f.Unexplained || !b.Communities.Has(o.Community) ||
			(len(f.Orders) > 0 && f.Orders[0].Community != o.Community)
		f.Orders, f.Community = append(f.Orders, o), o.Community
	}
	for _, out := range f.Tx.Msg.TxOut {
		f.Fee -= amount.Sats(out.Value)
	}
	return nil
}

// FoundCoins returns the inputs of a found transaction with the data needed to spend them. All must be outputs of ours.
func (b *Book) FoundCoins(ctx context.Context, tx Tx, f Found) ([]vault.Coin, error) {
	terms, err := b.Communities.Of(f.Community)
	if err != nil {
		return nil, err
	}
	return terms.Coins(ctx, tx, f.Tx.Msg)
}

// InsertFound stores a new payout whose transaction was found or signed by hand, without its effects.
func (b *Book) InsertFound(ctx context.Context, r Round, f Found, kind Kind) (Payout, error) {
	p := Payout{Community: f.Community, Kind: kind, OrderIDs: []string{}, Versions: []Version{f.Version(r.Now)}}
	for _, o := range f.Orders {
		p.OrderIDs = append(p.OrderIDs, o.ID)
	}
	p, err := b.Insert(ctx, r.Tx, p)
	if err == nil {
		b.Log.Warn("stored a payout that was not signed here", "payout", p.ID, "kind", string(kind), "txid",
			f.Tx.ID.String(), "orders", len(f.Orders))
	}
	return p, err
}

// StoreFoundVersion adds a found replacement to the payout that it replaces.
func (b *Book) StoreFoundVersion(ctx context.Context, r Round, f Found, p Payout) error {
	if err := r.Tx.Payouts.InsertVersion(ctx, p.ID, f.Version(r.Now)); err != nil {
		return err
	}
	b.Log.Warn("stored a replacement that was not signed here", "payout", p.ID, "txid", f.Tx.ID.String())
	p.Versions = append(p.Versions, f.Version(r.Now))
	return b.RecordCurrent(ctx, r, p)
}

// RecordFound records a found transaction in the ledger.
func (b *Book) RecordFound(ctx context.Context, r Round, f Found) error {
	coins, err := b.FoundCoins(ctx, r.Tx, f)
	if err != nil {
		return err
	}
	return b.RecordVersion(ctx, r, coins, f.Version(r.Now))
}

// CheckSpends returns a *order.Refusal if an input can't be spent, nodes would not relay the transaction, or a
// signature is invalid, and a *WaitError if the node's mempool requires a higher fee now.
func (b *Book) CheckSpends(ctx context.Context, tx Tx, f Found, replaced Payout) error {
	inputs, err := b.FoundCoins(ctx, tx, f)
	if err != nil {
		return err
	}
	if err := checkSpendable(ctx, tx, inputs, replaced); err != nil {
		return err
	}
	if err := b.CheckPolicy(f.Tx.Msg, inputs, 0); err != nil {
		return Refuse("nodes would not relay it: " + err.Error())
	}
	if err := chain.CheckSignatures(f.Tx.Msg, vault.Outputs(inputs)); err != nil {
		return Refuse("an input is not validly signed: " + err.Error())
	}
	return b.CheckRelayed(vault.PayoutCost{Fee: f.Fee, VBytes: chain.VSize(f.Tx.Msg)})
}

// checkSpendable returns a *order.Refusal if a transaction that is no version of replaced spends an input, or if an
// input lacks confirmations.
func checkSpendable(ctx context.Context, tx Tx, inputs []vault.Coin, replaced Payout) error {
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return err
	}
	for _, coin := range inputs {
		output, err := tx.Outputs.Output(ctx, coin.OutPoint)
		if err != nil {
			return err
		}
		depth := int64(InputDepth)
		if output.Kind == ledger.PaymentKind {
			depth = 1
		}
		switch {
		case output.SpentBy != "" && !replaced.Made(output.SpentBy):
			return Refusef("its input %s was spent meanwhile: export it again", coin.OutPoint)
		case ledger.Confirmations(output.Height, tip.Height) < depth:
			return Refusef("its input %s is not confirmed deeply enough", coin.OutPoint)
		}
	}
	return nil
}
