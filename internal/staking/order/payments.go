package order

import (
	"context"
	"slices"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
)

// Record records the payments among the outputs of transactions, and evaluates the orders of these payments.
func (s *Service) Record(ctx context.Context, tx Tx, outputs []ledger.Output, now time.Time) error {
	return s.Replace(ctx, tx, outputs, nil, now)
}

// Reverse records that the payments among the outputs vanished, and evaluates the orders of these payments.
func (s *Service) Reverse(ctx context.Context, tx Tx, vanished []ledger.Output, at time.Time) error {
	return s.Replace(ctx, tx, nil, vanished, at)
}

// Replace is Reverse of the vanished outputs and Record of the others, with one evaluation of each order.
func (s *Service) Replace(ctx context.Context, tx Tx, outputs, vanished []ledger.Output, at time.Time) error {
	affected, err := s.RecordOutputs(ctx, tx, outputs, vanished, at)
	if err != nil {
		return err
	}
	_, err = s.Evaluate(ctx, tx, affected, at, false)
	return err
}

// RecordOutputs records the payments among outputs and vanished, and returns the ids of their orders. The caller must
// pass these ids to Evaluate in the same database transaction. The evaluation is separate, so that an order with many
// payments is evaluated once, and not between a vanished payment and its replacement. Vanished payments are posted
// first, from the account that the order's current status implies.
func (s *Service) RecordOutputs(
	ctx context.Context, tx Tx, outputs, vanished []ledger.Output, at time.Time,
) (affected []string, err error) {
	outputs, vanished = paymentsAmong(outputs), paymentsAmong(vanished)
	affected = ordersPaid(slices.Concat(vanished, outputs))
	outputs = slices.DeleteFunc(outputs, func(output ledger.Output) bool { return output.Unchanged })
	changed := ordersPaid(slices.Concat(vanished, outputs))
	if len(changed) == 0 {
		return affected, nil
	}
	orders, err := ordersByID(ctx, tx, changed)
	if err != nil {
		return nil, err
	}
	var b batch
	if err := b.reverse(ctx, tx, orders, vanished, at); err != nil {
		return nil, err
	}
	if err := b.record(ctx, tx, orders, outputs); err != nil {
		return nil, err
	}
	return affected, b.write(ctx, tx)
}

// ordersPaid returns the distinct ids of the orders that payments pay.
func ordersPaid(payments []ledger.Output) (ids []string) {
	listed := map[string]bool{}
	for _, output := range payments {
		if !listed[output.Ref] {
			listed[output.Ref] = true
			ids = append(ids, output.Ref)
		}
	}
	return ids
}

func paymentsAmong(outputs []ledger.Output) (payments []ledger.Output) {
	for _, output := range outputs {
		if output.Kind == ledger.PaymentKind {
			payments = append(payments, output)
		}
	}
	return payments
}

// paymentsIn returns the stored payments of the transactions that made outputs, by outpoint.
func paymentsIn(ctx context.Context, tx Tx, outputs []ledger.Output) (map[wire.OutPoint]Payment, error) {
	payments, err := tx.Payments.PaymentsIn(ctx, makers(outputs)...)
	known := map[wire.OutPoint]Payment{}
	for _, p := range payments {
		known[p.OutPoint] = p
	}
	return known, err
}

// makers returns the distinct ids of the transactions that made outputs.
func makers(outputs []ledger.Output) (txids []string) {
	listed := map[chainhash.Hash]bool{}
	for _, output := range outputs {
		if hash := output.OutPoint.Hash; !listed[hash] {
			listed[hash] = true
			txids = append(txids, hash.String())
		}
	}
	return txids
}

// arrivals returns the payments of outputs as stored. fresh are the inserted payments. The others are read from the
// store, and all of them if one is spent or made by a payout of ours, because the ledger has more facts about such
// payments.
func arrivals(ctx context.Context, tx Tx, outputs []ledger.Output, fresh []Payment) (map[wire.OutPoint]Payment, error) {
	ours, err := tx.Payments.PayoutTxs(ctx, makers(outputs)...)
	if err != nil {
		return nil, err
	}
	spent := slices.ContainsFunc(outputs, func(output ledger.Output) bool { return output.SpentBy != "" })
	if len(fresh) < len(outputs) || len(ours) > 0 || spent {
		return paymentsIn(ctx, tx, outputs)
	}
	stored := make(map[wire.OutPoint]Payment, len(fresh))
	for _, p := range fresh {
		stored[p.OutPoint] = p
	}
	return stored, nil
}

// reverse posts that payments vanished.
func (b *batch) reverse(
	ctx context.Context, tx Tx, orders map[string]*Order, vanished []ledger.Output, at time.Time,
) error {
	known, err := paymentsIn(ctx, tx, vanished)
	if err != nil {
		return err
	}
	for _, output := range vanished {
		p, found := known[output.OutPoint]
		if !found {
			return state.ErrNotFound
		}
		o := orders[output.Ref]
		from := p.account(o.isAbandoned())
		cause := ledger.Cause{Kind: "payment", ID: output.OutPoint.String(), At: at}
		b.Post(o.satsPosting("payment vanished", p.Value, from, ledger.Outside, cause))
	}
	return nil
}

// record stores outputs as payments. It adds new parts of the price to the Seen of their orders, because judge compares
// the sum of the parts with smallParts.
func (b *batch) record(ctx context.Context, tx Tx, orders map[string]*Order, outputs []ledger.Output) error {
	known, err := paymentsIn(ctx, tx, outputs)
	if err != nil {
		return err
	}
	var fresh []Payment
	var arrived []ledger.Output // new, or no longer vanished
	for _, output := range outputs {
		o := orders[output.Ref]
		judged := newPayment(*o, output)
		p, exists := known[output.OutPoint]
		if !exists {
			fresh = append(fresh, judged)
			if !judged.Late && (judged.Counted || judged.Waiting == WaitingForSum) {
				o.Seen += output.Value
			}
		} else if output.Was != output.Quarantine {
			b.recount(*o, p, output, judged)
		}
		if !exists || output.Returned {
			arrived = append(arrived, output)
		}
	}
	if len(arrived) == 0 {
		return nil
	}
	if err := tx.Payments.InsertPayments(ctx, fresh); err != nil {
		return err
	}
	if err := b.writePayments(ctx, tx); err != nil {
		return err
	}
	stored, err := arrivals(ctx, tx, arrived, fresh)
	if err != nil {
		return err
	}
	for _, output := range arrived {
		_, returned := known[output.OutPoint]
		b.postArrival(*orders[output.Ref], stored[output.OutPoint], output, returned)
	}
	return nil
}

// postArrival posts a payment that is new or no longer vanished. It marks the payment as late if the order was closed
// or sent after the payment vanished, except if the delivery of the order spends it.
func (b *batch) postArrival(o Order, p Payment, output ledger.Output, returned bool) {
	paysDelivery := !o.Status.Closed() && p.SpentBy != "" && !p.Refunded
	if returned && o.Status.done() && !p.Late && !paysDelivery {
		p.Late = true
		b.payments = append(b.payments, p)
	}
	cause := ledger.Cause{Kind: "payment", ID: output.OutPoint.String(), At: output.SeenAt}
	event := "payment seen"
	if p.Kept {
		event = "overpayment kept"
	}
	to := p.account(o.isAbandoned())
	b.Post(o.satsPosting(event, p.Value, ledger.Outside, to, cause))
}

// recount updates whether a known payment counts, after a block changed whether the payment holds runes: a mint or an
// etching in its transaction took effect or did not.
func (b *batch) recount(o Order, p Payment, output ledger.Output, judged Payment) {
	if p.Counted == judged.Counted && p.Waiting == judged.Waiting {
		return
	}
	from, changes := p.account(o.isAbandoned()), p.Counted != judged.Counted
	p.Counted, p.Waiting = judged.Counted, judged.Waiting
	event := "payment counts nothing"
	if p.Counted {
		event = "payment counts"
	}
	posts := changes && !output.Returned // postArrival posts a returned payment with its new account
	if posts && p.Counted && o.Status.done() {
		p.Late = true
	}
	b.payments = append(b.payments, p)
	if posts {
		cause := ledger.Cause{Kind: "payment", ID: output.OutPoint.String(), At: output.SeenAt}
		b.Post(o.satsPosting(event, p.Value, from, p.account(o.isAbandoned()), cause))
	}
}
