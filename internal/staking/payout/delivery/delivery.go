// Package delivery delivers the runes of PAID orders: it groups orders into batches, builds a transaction that the
// orders pay, and replaces it if it does not confirm. It does so for orders of economy delivery, too, and with
// transactions that an operator signed by hand.
package delivery

import (
	"context"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
)

// Service delivers orders. Only Waiting is safe for concurrent use.
type Service struct {
	book  *payout.Book
	waits waits
}

// NewService returns the service for deliveries.
func NewService(book *payout.Book) *Service { return &Service{book: book} }

// dueDelivery is an order with the inputs of its delivery.
type dueDelivery struct {
	payout.Owed
	inputs      []vault.Coin // the outputs of its units and its payments
	funds       amount.Sats  // sats of the order that pay the payout's fee
	overpayment amount.Sats  // the sats of the spent payments above the price
	unshared    bool         // its staker can soon recover a unit, which would invalidate a shared payout
	height      int64        // of the chain's tip
}

// built is an unsigned payout.
type built struct {
	tx     *wire.MsgTx
	cost   vault.PayoutCost
	inputs []vault.Coin
}

// Prepare stores the deliveries that are due of PAID orders.
func (s *Service) Prepare(ctx context.Context, r payout.Round, paid []order.Order) (stored []payout.Payout, err error) {
	for _, terms := range s.book.Communities.All() {
		payouts, err := s.prepare(ctx, r, terms, paid)
		if err != nil {
			return nil, err
		}
		stored = append(stored, payouts...)
	}
	return stored, nil
}

// prepare stores the deliveries of one community. A batch to which further orders could be added is stored only when
// one of its orders has waited MaxWait.
func (s *Service) prepare(
	ctx context.Context, r payout.Round, terms payout.Terms, paid []order.Order,
) (stored []payout.Payout, err error) {
	waiting, err := s.dueDeliveries(ctx, r, terms, paid)
	if err != nil {
		return nil, err
	}
	var short []string
	sharing := false // an order waits that will spend the treasury's outputs
	for len(waiting) > 0 {
		f, err := s.fitBatch(ctx, r, terms, waiting)
		if err != nil {
			return nil, err
		}
		short = append(short, f.short...)
		if len(f.batch) == 0 {
			break
		}
		waiting = f.rest
		if !f.full && !overdue(f.batch, terms.MaxWait, r.Now) {
			for _, d := range f.batch {
				sharing = sharing || takesTreasury(d.Order)
				s.waits.add(d.Order.ID, "for other orders to share the payout with, "+terms.MaxWait.String()+" at most")
			}
			continue
		}
		payouts, err := s.deliver(ctx, r, terms, f)
		if err != nil {
			return nil, err
		}
		stored = append(stored, payouts...)
	}
	if len(short) == 0 || sharing {
		return stored, nil
	}
	split, err := s.splitFor(ctx, r, terms, short)
	return append(stored, split...), err
}

// overdue reports whether an order of a batch has been PAID for a duration.
func overdue(batch []dueDelivery, wait time.Duration, now time.Time) bool {
	for _, d := range batch {
		if !now.Before(d.Order.Updated.Add(wait)) {
			return true
		}
	}
	return false
}

// deliver signs and stores a batch. If the node's mempool requires a higher fee, the signer refuses the batch, or it
// can't be stored, deliver tries both halves, so that only the orders wait for which that is so.
func (s *Service) deliver(
	ctx context.Context, r payout.Round, terms payout.Terms, whole fitted,
) (stored []payout.Payout, err error) {
	batch := whole.batch
	var p payout.Payout
	failed, err := r.Tx.Attempts.Attempt(ctx, func() error {
		if err := s.book.CheckRelayed(whole.built.cost); err != nil {
			return err
		}
		signed, err := s.book.Signed(whole.built.unsigned(terms.Prefix, batch))
		if err == nil {
			p, err = s.store(ctx, r, batch, whole.built, r.NewVersion(signed, whole.built.cost))
		}
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case failed == nil:
		return []payout.Payout{p}, nil
	case len(batch) == 1:
		s.waits.log(s.book.Log, batch[0].Order.ID, failed)
		return nil, nil
	}
	half := len(batch) / 2
	for _, part := range [][]dueDelivery{batch[:half], batch[half:]} {
		f, err := s.fitBatch(ctx, r, terms, part)
		if err != nil {
			return nil, err
		}
		if len(f.batch) == 0 {
			continue
		}
		payouts, err := s.deliver(ctx, r, terms, f)
		if err != nil {
			return nil, err
		}
		stored = append(stored, payouts...)
	}
	return stored, nil
}

// unsigned returns the transaction of a batch with what the signer verifies.
func (b built) unsigned(community string, batch []dueDelivery) payout.Unsigned {
	u := payout.Unsigned{Community: community, Tx: b.tx, Inputs: b.inputs}
	for _, d := range batch {
		u.Orders = append(u.Orders, d.Owed)
	}
	return u
}

// store stores a signed delivery, and moves its orders to SENT.
func (s *Service) store(
	ctx context.Context, r payout.Round, batch []dueDelivery, b built, v payout.Version,
) (p payout.Payout, err error) {
	p = payout.Payout{Community: batch[0].Order.Community, Kind: payout.Delivery, Versions: []payout.Version{v}}
	for _, d := range batch {
		p.OrderIDs = append(p.OrderIDs, d.Order.ID)
	}
	if p, err = s.book.Insert(ctx, r.Tx, p); err != nil {
		return p, err
	}
	if err := s.book.RecordVersion(ctx, r, b.inputs, v); err != nil {
		return p, err
	}
	cause := ledger.Cause{Kind: "payout", ID: p.ID, At: r.Now}
	for _, d := range batch {
		if _, err := s.book.Orders.Apply(ctx, r.Tx.OrderTx(), d.Order, order.PayoutStored, cause, func(o *order.Order) {
			o.PayoutID, o.PayoutTx = p.ID, v.Tx.ID.String()
		}); err != nil {
			return p, err
		}
	}
	s.book.Info("payout stored", "payout", p.ID, "txid", v.Tx.ID.String(), "orders", len(batch), "fee_sats", int64(v.Fee),
		"vbytes", v.VBytes)
	return p, nil
}
