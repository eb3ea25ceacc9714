package payout

import (
	"context"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
)

// finalDepth is the number of confirmations of a final payout: twice order.FinalDepth.
const finalDepth = 2 * order.FinalDepth

// Progress is what the chain says of a payout.
type Progress struct {
	Event   Event   // the event of the status table that follows, or ""
	Version Version // the confirmed version, else the newest
	Depth   int64   // its confirmations
	// Lost has the inputs that the payout can never spend, if Event is InputTaken.
	Lost map[wire.OutPoint]ledger.Output
}

// ProgressOf returns the progress of a payout. It depends only on the current chain, not on the blocks at which it was
// called.
func ProgressOf(ctx context.Context, tx Tx, p Payout, tip ledger.Header) (now Progress, err error) {
	now.Version = p.Last()
	for _, v := range p.Versions {
		if v.Height != chain.None {
			now.Version = v
		}
	}
	now.Depth = ledger.Confirmations(now.Version.Height, tip.Height)
	switch {
	case p.Status == Live && now.Depth >= order.DeliveryDepth:
		now.Event = Deep
	case p.Status == Confirmed && now.Depth < order.DeliveryDepth:
		now.Event = Shallow
	case p.Status == Confirmed && now.Depth >= finalDepth:
		now.Event = Settled
	case p.Status == Live && now.Depth == 0:
		if now.Lost, err = lostInputs(ctx, tx, p, tip); len(now.Lost) > 0 {
			now.Event = InputTaken
		}
	}
	return now, err
}

// Advance applies the event that follows to a payout, and drops the versions of one that can never confirm. It returns
// the progress before the event.
func (b *Book) Advance(ctx context.Context, r Round, p *Payout, tip ledger.Header) (Progress, error) {
	now, err := ProgressOf(ctx, r.Tx, *p, tip)
	if err != nil || now.Event == "" {
		return now, err
	}
	if err := Move(ctx, r.Tx, p, now.Event); err != nil {
		return now, err
	}
	if now.Event != InputTaken {
		return now, nil
	}
	b.Log.Warn("payout dead", "payout", p.ID, "inputs_taken", len(now.Lost))
	return now, b.DropVersions(ctx, r, *p)
}

// NothingLeft reports whether no unspent payment of an order is worth a refund.
func NothingLeft(ctx context.Context, tx Tx, o order.Order) (bool, error) {
	payments, err := tx.Payments.PaymentsOf(ctx, o.ID)
	return o.Refundable(payments) == 0, err
}
