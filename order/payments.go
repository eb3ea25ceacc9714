package order

import (
	"context"
	"slices"
	"time"

	"moonfund/ledger"
	"moonfund/state"
)

// Record books the payments among the outputs that a transaction made, and evaluates each of their orders once.
func (d *Service) Record(ctx context.Context, tx Tx, outputs []ledger.Output, now time.Time) error {
	return d.Replace(ctx, tx, outputs, nil, now)
}

// Reverse books the payments among the outputs that vanished, and evaluates their orders.
func (d *Service) Reverse(ctx context.Context, tx Tx, vanished []ledger.Output, at time.Time) error {
	return d.Replace(ctx, tx, nil, vanished, at)
}

// Replace is Record of outputs that were seen and Reverse of those that vanished by it.
func (d *Service) Replace(ctx context.Context, tx Tx, outputs, vanished []ledger.Output, at time.Time) error {
	affected, err := d.Book(ctx, tx, outputs, vanished, at)
	if err != nil {
		return err
	}
	_, err = d.Evaluate(ctx, tx, affected, at, false)
	return err
}

// Book books the payments among the outputs that were seen and among those that vanished, and returns the ids of
// their orders. The caller must pass these to Evaluate in the same database transaction: booking every payment of a
// step before evaluating any order keeps the work linear, and a payment that replaces another leaves no moment in
// which the order is unpaid. Vanished payments leave the journal first, from the account that the order's present
// status implies.
func (d *Service) Book(
	ctx context.Context, tx Tx, outputs, vanished []ledger.Output, at time.Time,
) (affected []string, err error) {
	outputs, vanished = paymentsAmong(outputs), paymentsAmong(vanished)
	listed := map[string]bool{}
	for _, output := range slices.Concat(vanished, outputs) {
		if !listed[output.Ref] {
			listed[output.Ref] = true
			affected = append(affected, output.Ref)
		}
	}
	if len(affected) == 0 {
		return nil, nil
	}
	orders, err := ordersByID(ctx, tx, affected)
	if err != nil {
		return nil, err
	}
	tx, journal := journaled(tx)
	for _, made := range byTransaction(vanished) {
		if err := reverse(ctx, tx, orders, made, at); err != nil {
			return nil, err
		}
	}
	for _, made := range byTransaction(outputs) {
		if err := record(ctx, tx, orders, made); err != nil {
			return nil, err
		}
	}
	return affected, journal.write(ctx)
}

func paymentsAmong(outputs []ledger.Output) (payments []ledger.Output) {
	for _, output := range outputs {
		if output.Kind == ledger.PaymentKind {
			payments = append(payments, output)
		}
	}
	return payments
}

// byTransaction groups outputs by the transaction that makes them, in the order of the first of each.
func byTransaction(outputs []ledger.Output) (groups [][]ledger.Output) {
	index := map[string]int{}
	for _, output := range outputs {
		txid := output.OutPoint.Hash.String()
		i, known := index[txid]
		if !known {
			i = len(groups)
			index[txid], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], output)
	}
	return groups
}

// paymentsIn returns the payments that a transaction makes, by outpoint.
func paymentsIn(ctx context.Context, tx Tx, made []ledger.Output) (map[string]Payment, error) {
	payments, err := tx.Payments.PaymentsIn(ctx, made[0].OutPoint.Hash.String())
	known := map[string]Payment{}
	for _, p := range payments {
		known[p.OutPoint.String()] = p
	}
	return known, err
}

// reverse books that the payments of a transaction vanished.
func reverse(ctx context.Context, tx Tx, orders map[string]*Order, made []ledger.Output, at time.Time) error {
	known, err := paymentsIn(ctx, tx, made)
	if err != nil {
		return err
	}
	for _, output := range made {
		id := output.OutPoint.String()
		p, found := known[id]
		if !found {
			return state.ErrNotFound
		}
		o := orders[output.Ref]
		from := p.account(o.abandons())
		cause := ledger.Cause{Kind: "payment", ID: id, At: at}
		posting := o.satsPosting("payment vanished", p.Value, from, ledger.Outside, cause)
		if err := tx.Journal.Post(ctx, posting); err != nil {
			return err
		}
	}
	return nil
}

// record books the outputs of one transaction as payments. It adds new parts of the price to what their orders have
// seen, because the next part is judged by the sum with them.
func record(ctx context.Context, tx Tx, orders map[string]*Order, made []ledger.Output) error {
	known, err := paymentsIn(ctx, tx, made)
	if err != nil {
		return err
	}
	var fresh []Payment
	var arrived []ledger.Output // new, or back again
	for _, output := range made {
		o := orders[output.Ref]
		judged := newPayment(*o, output)
		p, exists := known[output.OutPoint.String()]
		if !exists {
			fresh = append(fresh, judged)
			if !judged.Late && (judged.Counted || judged.Waiting == ForTheSum) {
				o.Seen += output.Value
			}
		} else if output.Was != output.Quarantine {
			if err := recount(ctx, tx, *o, p, output, judged); err != nil {
				return err
			}
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
	stored, err := paymentsIn(ctx, tx, made) // says also what the payment bears, and whether a delivery kept it
	if err != nil {
		return err
	}
	for _, output := range arrived {
		id := output.OutPoint.String()
		_, returned := known[id]
		if err := postArrival(ctx, tx, *orders[output.Ref], stored[id], output, returned); err != nil {
			return err
		}
	}
	return nil
}

// postArrival journals a payment that is new, or that had vanished and returned.
func postArrival(ctx context.Context, tx Tx, o Order, p Payment, output ledger.Output, returned bool) error {
	if returned && o.Status.done() && !p.Late { // its order was closed or sent meanwhile
		p.Late = true
		if err := tx.Payments.LatePayment(ctx, p.OutPoint); err != nil {
			return err
		}
	}
	cause := ledger.Cause{Kind: "payment", ID: output.OutPoint.String(), At: output.SeenAt}
	event := "payment seen"
	if p.Kept {
		event = "surplus kept"
	}
	to := p.account(o.abandons())
	return tx.Journal.Post(ctx, o.satsPosting(event, p.Value, ledger.Outside, to, cause))
}

// recount books a known payment of which the chain now says otherwise what it
// bears: a mint or an etching in it took effect, or did not.
func recount(ctx context.Context, tx Tx, o Order, p Payment, output ledger.Output, judged Payment) error {
	if p.Counted == judged.Counted && p.Waiting == judged.Waiting {
		return nil
	}
	err := tx.Payments.CountPayment(ctx, p.OutPoint, judged.Counted, judged.Waiting)
	if err != nil || output.Returned {
		return err // what returned is booked as a whole
	}
	from, counted := p.account(o.abandons()), p.Counted
	p.Counted = judged.Counted
	if p.Counted == counted {
		return nil
	}
	event := "payment counts nothing"
	if p.Counted {
		event = "payment counts"
		if o.Status.done() && !p.Late {
			p.Late = true
			if err := tx.Payments.LatePayment(ctx, p.OutPoint); err != nil {
				return err
			}
		}
	}
	cause := ledger.Cause{Kind: "payment", ID: output.OutPoint.String(), At: output.SeenAt}
	to := p.account(o.abandons())
	return tx.Journal.Post(ctx, o.satsPosting(event, p.Value, from, to, cause))
}
