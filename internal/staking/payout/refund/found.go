package refund

import (
	"bytes"
	"context"
	"slices"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
)

// Find stores a refund that another server signed. If its order is active in this ledger, Find closes the order,
// because it was closed when the refund was signed. found is false if the transaction is no refund of one order.
func (s *Service) Find(ctx context.Context, r payout.Round, f payout.Found) (found bool, err error) {
	if len(f.Orders) != 1 || f.Unexplained {
		return false, nil
	}
	o := f.Orders[0]
	if o.Owed.Sats == 0 && !o.Status.Active() || !s.isRefundOf(f, o) {
		return false, nil
	}
	if o.Status.Active() {
		cause := ledger.Cause{Kind: "chain", ID: f.Tx.ID.String(), At: r.Now}
		if f.Orders[0], err = s.book.Orders.Apply(ctx, r.Tx.OrderTx(), o, order.RefundFound, cause, nil); err != nil {
			return false, err
		}
	}
	_, err = s.storeFound(ctx, r, f)
	return true, err
}

// AcceptSigned stores a refund that was signed by hand. It returns a *order.Refusal unless it is a refund of one order
// that can be refunded now.
func (s *Service) AcceptSigned(ctx context.Context, r payout.Round, f payout.Found) (payout.Payout, error) {
	if err := s.checkSigned(ctx, r.Tx, f); err != nil {
		return payout.Payout{}, err
	}
	return s.storeFound(ctx, r, f)
}

// Draft builds the refund of an order, to sign by hand.
func (s *Service) Draft(ctx context.Context, tx payout.Tx, o order.Order,
	rate amount.FeeRate) (u payout.Unsigned, cost vault.PayoutCost, err error) {
	if refundable(o) != nil {
		return u, cost, payout.Refusef("it is %s: only what is PAID or SENT has a payout to sign, and it is not "+
			"refunded either", o.Status)
	}
	return s.build(ctx, tx, o, rate)
}

// isRefundOf reports whether a transaction has one output, to the payment address in an order's message, and no
// runestone.
func (s *Service) isRefundOf(f payout.Found, o order.Order) bool {
	to, err := chain.ParseAddress(o.Payment, s.book.Network)
	out := f.Tx.Msg.TxOut
	return err == nil && len(out) == 1 && bytes.Equal(out[0].PkScript, to.Script) && runes.Decipher(f.Tx.Msg) == nil
}

// storeFound stores a found refund as if this server had signed it. It counts the refund against the limits, because
// the signer counted it when it was signed, but not one that an operator signed by hand.
func (s *Service) storeFound(ctx context.Context, r payout.Round, f payout.Found) (payout.Payout, error) {
	p, err := s.book.InsertFound(ctx, r, f, payout.Refund)
	if err != nil {
		return p, err
	}
	coins, err := s.book.FoundCoins(ctx, r.Tx, f)
	if err != nil {
		return p, err
	}
	if !f.ByHand {
		if err := charge(ctx, r, p.ID, f.Orders[0], coins); err != nil {
			return p, err
		}
	}
	cause := ledger.Cause{Kind: "payout", ID: p.ID, At: r.Now}
	_, err = s.book.Orders.ChangeSpends(ctx, r.Tx.OrderTx(), f.Orders[0].ID, "refund sent", cause, func() error {
		return s.book.RecordVersion(ctx, r, coins, f.Version(r.Now))
	})
	return p, err
}

// checkSigned returns a *order.Refusal if a signed transaction is not the refund of exactly one order to the address in
// its message, or does not spend the payment that every refund of that order spends.
func (s *Service) checkSigned(ctx context.Context, tx payout.Tx, f payout.Found) error {
	o := f.Orders[0]
	if err := refundable(o); err != nil {
		return err
	}
	if len(f.Orders) != 1 || !s.isRefundOf(f, o) {
		return payout.Refuse("it does not pay everything to the payment address in the order's message")
	}
	payments, err := tx.Payments.PaymentsOf(ctx, o.ID)
	if err != nil {
		return err
	}
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return err
	}
	spent := o.Refunding(order.Unspent(payments), tip.Height, payout.MinRelay)
	if len(spent) == 0 || !slices.ContainsFunc(f.Tx.Msg.TxIn, func(in *wire.TxIn) bool {
		return in.PreviousOutPoint == spent[0].OutPoint
	}) {
		return payout.Refuse("it does not spend the first unspent payment of its order: export it again")
	}
	return s.book.CheckSpends(ctx, tx, f, payout.Payout{})
}
