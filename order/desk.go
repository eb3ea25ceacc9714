package order

import (
	"context"
	"fmt"
	"time"

	"moonfund/amount"
	"moonfund/chain"
	"moonfund/fault"
	"moonfund/ledger"
)

// Desk opens orders and moves them along the status table.
type Desk struct {
	terms   map[string]Terms
	network chain.Network
}

// NewDesk returns the order desk of the given communities.
func NewDesk(network chain.Network, terms ...Terms) *Desk {
	d := &Desk{terms: map[string]Terms{}, network: network}
	for _, t := range terms {
		d.terms[t.Prefix] = t
	}
	return d
}

// Request is a claim or withdrawal whose proof was accepted.
type Request struct {
	ID        string // 128 random bits, hex
	Community string
	Reason    ledger.Reason
	Owner     string // ordinals address
	Payment   string // payment address
	ActionID  string
	Units     []ledger.Unit
	Rate      amount.FeeRate
}

// Estimate returns what a claim or withdrawal of these units by this owner would cost now.
func (d *Desk) Estimate(community string, units []ledger.Unit, owner string, rate amount.FeeRate) (Fees, error) {
	to, err := chain.ParseAddress(owner, d.network)
	if err != nil {
		return Fees{}, fault.Refuse(fault.InvalidAddress)
	}
	return price(d.terms[community], units, to.Script, rate)
}

// Open makes a PENDING order and locks its units for it.
func (d *Desk) Open(ctx context.Context, tx Tx, r Request, now time.Time) (Order, error) {
	terms := d.terms[r.Community]
	if len(r.Units) > terms.MaxUnits {
		return Order{}, fault.Refuse(fault.TooManyUnits, terms.MaxUnits)
	}
	fees, err := d.Estimate(r.Community, r.Units, r.Owner, r.Rate)
	if err != nil {
		return Order{}, err
	}
	real, total, err := sum(r.Units)
	if err != nil {
		return Order{}, err
	}
	address, _, err := terms.Account.PaymentAddress(r.ID)
	if err != nil {
		return Order{}, err
	}
	o := Order{
		ID: r.ID, Community: r.Community, Reason: r.Reason, Owner: r.Owner, Payment: r.Payment, ActionID: r.ActionID,
		RealUnits: real, Amount: total, FeeRate: r.Rate, Fees: fees, Address: address.Text, Script: address.Script,
		Status: Pending, Created: now, RateDate: now, Deadline: now.Add(FeeValid), Updated: now,
	}
	for _, unit := range r.Units {
		o.UnitIDs = append(o.UnitIDs, unit.ID)
	}
	if err := tx.Orders.InsertOrder(ctx, o); err != nil {
		return Order{}, err
	}
	watched := ledger.Watched{Script: o.Script, Community: o.Community, Kind: ledger.PaymentKind, Ref: o.ID, Owner: o.Owner}
	if err := tx.Outputs.WatchScript(ctx, watched); err != nil {
		return Order{}, err
	}
	cause := ledger.Cause{Kind: "action", ID: r.ActionID, At: now}
	event := ledger.WithdrawOrdered
	if r.Reason == ledger.ForClaim {
		event = ledger.ClaimOrdered
	}
	for _, unit := range r.Units {
		lock := func(u *ledger.Unit) { u.OrderID = o.ID }
		if _, err := ledger.Move(ctx, tx.Units, unit, event, r.Reason, cause, lock); err != nil {
			return Order{}, err
		}
	}
	return o, tx.Journal.Post(ctx, statusPosting(o, nowhere, ProofAccepted, cause))
}

// Apply moves an order along the table, and its units with it. change adjusts other fields.
func (d *Desk) Apply(ctx context.Context, tx Tx, o Order, event Event, cause ledger.Cause, change func(*Order)) (Order, error) {
	to, err := Next(o.Status, event)
	if err != nil {
		return o, err
	}
	before, from := o, o.Status
	units, err := d.unitsFor(ctx, tx, o, event)
	if err != nil {
		return o, err
	}
	payments, err := tx.Payments.PaymentsOf(ctx, o.ID)
	if err != nil {
		return o, err
	}
	o.Status, o.Updated, o.ByRefund = to, cause.At, event == RefundConfirmed
	if change != nil {
		change(&o)
	}
	o = o.owing(payments, cause.At)
	if err := tx.Orders.UpdateOrder(ctx, o, from); err != nil {
		return o, fmt.Errorf("order %s, %s: %w", o.ID, event, err)
	}
	if err := tx.Journal.Post(ctx, statusPosting(o, from, event, cause)); err != nil {
		return o, err
	}
	if err := rebook(ctx, tx, before, o, payments, cause.At); err != nil {
		return o, err
	}
	meaning := unitEvent(from, to, o.Reason)
	if meaning == "" {
		return o, nil
	}
	for _, unit := range units {
		if _, err := ledger.Move(ctx, tx.Units, unit, meaning, o.Reason, cause, func(u *ledger.Unit) {
			u.OrderID = o.ID
			if meaning == ledger.OrderClosed {
				u.OrderID = ""
			}
		}); err != nil {
			return o, fmt.Errorf("order %s, %s: %w", o.ID, event, err)
		}
	}
	return o, nil
}

// unitsFor returns the units that the order holds, or, when the operator resumes
// it, those that it held and that are all still there.
func (d *Desk) unitsFor(ctx context.Context, tx Tx, o Order, event Event) ([]ledger.Unit, error) {
	if event != ResolvedByOperator {
		return tx.Orders.UnitsOfOrder(ctx, o)
	}
	units, err := tx.Orders.UnitsByID(ctx, o.Community, o.UnitIDs)
	if err == nil && len(units) != len(o.UnitIDs) {
		err = ledger.ErrConflict
	}
	return units, err
}

func statusPosting(o Order, from Status, event Event, cause ledger.Cause) ledger.Posting {
	fromAccount := ledger.Outside
	if from != nowhere {
		fromAccount = "order:" + string(from)
	}
	return ledger.Posting{
		Community: o.Community, Subject: o.ID, Owner: o.Owner, Event: string(event), Asset: ledger.NoAsset,
		From: fromAccount, To: "order:" + string(o.Status), Cause: cause,
	}
}

// Record books the payments among the outputs that a transaction brought, and
// brings each of their orders in line once.
func (d *Desk) Record(ctx context.Context, tx Tx, outputs []ledger.Output, now time.Time) error {
	return d.Replace(ctx, tx, outputs, nil, now)
}

// record books one output as a payment. part says that it is a new part of the price.
func record(ctx context.Context, tx Tx, o Order, output ledger.Output) (part bool, err error) {
	p := Payment{
		OutPoint: output.OutPoint, OrderID: o.ID, Value: output.Value, SeenAt: output.SeenAt,
		Late: o.Status.Closed() || (o.Status == Pending && output.SeenAt.After(o.Deadline)),
	}
	p.Counted, p.Waiting = judge(o, output)
	if p.Late && p.Waiting == ForTheSum {
		p.Counted, p.Waiting = true, ForNothing
	}
	judged := p
	fresh, err := tx.Payments.PutPayment(ctx, p)
	if err != nil {
		return false, err
	}
	part = fresh && !p.Late && (p.Counted || p.Waiting == ForTheSum)
	if !fresh && output.Was != output.Quarantine {
		if err := recount(ctx, tx, o, output, judged); err != nil {
			return part, err
		}
	}
	if !fresh && !output.Returned {
		return part, nil
	}
	if p, err = tx.Payments.Payment(ctx, output.OutPoint); err != nil {
		return part, err
	}
	if !fresh && o.Status.done() && !p.Late { // it is back, and its order was closed or sent meanwhile
		p.Late = true
		if err := tx.Payments.LatePayment(ctx, p.OutPoint); err != nil {
			return part, err
		}
	}
	cause := ledger.Cause{Kind: "payment", ID: output.OutPoint.String(), At: output.SeenAt}
	event := "payment seen"
	if p.Kept {
		event = "surplus kept"
	}
	return part, tx.Journal.Post(ctx, ledger.SatsPosting(o.Community, o.ID, o.Owner, event, p.Value, ledger.Outside, p.account(o.abandons()), cause))
}

// recount books a known payment of which the chain now says otherwise what it
// bears: a mint or an etching in it took effect, or did not.
func recount(ctx context.Context, tx Tx, o Order, output ledger.Output, judged Payment) error {
	p, err := tx.Payments.Payment(ctx, output.OutPoint)
	if err != nil || (p.Counted == judged.Counted && p.Waiting == judged.Waiting) {
		return err
	}
	if err := tx.Payments.CountPayment(ctx, p.OutPoint, judged.Counted, judged.Waiting); err != nil || output.Returned {
		return err // what is back is booked as a whole
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
	return tx.Journal.Post(ctx, ledger.SatsPosting(o.Community, o.ID, o.Owner, event, p.Value, from, p.account(o.abandons()), cause))
}

// Reverse books the payments among the outputs that vanished, and brings their orders in line.
func (d *Desk) Reverse(ctx context.Context, tx Tx, vanished []ledger.Output, at time.Time) error {
	return d.Replace(ctx, tx, nil, vanished, at)
}

// Replace is Record of outputs that were seen and Reverse of those that vanished by it.
func (d *Desk) Replace(ctx context.Context, tx Tx, outputs, vanished []ledger.Output, at time.Time) error {
	affected, err := d.Book(ctx, tx, outputs, vanished, at)
	if err != nil {
		return err
	}
	return d.EvaluateEach(ctx, tx, affected, at)
}

// Book books the payments among the outputs that were seen and among those that
// vanished, and returns the ids of their orders. The caller must pass these to
// EvaluateEach in the same database transaction: booking every payment of a step
// before evaluating any order keeps the work linear, and a payment that replaces
// another leaves no moment in which the order is unpaid. Vanished payments leave the
// journal first, from the account that the order's present status implies.
func (d *Desk) Book(ctx context.Context, tx Tx, outputs, vanished []ledger.Output, at time.Time) (affected []string, err error) {
	orders := map[string]Order{}
	orderOf := func(output ledger.Output) (Order, error) {
		o, known := orders[output.Ref]
		if known {
			return o, nil
		}
		o, err := tx.Orders.Order(ctx, output.Ref)
		if err != nil {
			return o, fmt.Errorf("payment %s: %w", output.OutPoint, err)
		}
		orders[output.Ref], affected = o, append(affected, output.Ref)
		return o, nil
	}
	for _, output := range vanished {
		if output.Kind != ledger.PaymentKind {
			continue
		}
		o, err := orderOf(output)
		if err != nil {
			return nil, err
		}
		p, err := tx.Payments.Payment(ctx, output.OutPoint)
		if err != nil {
			return nil, err
		}
		cause := ledger.Cause{Kind: "payment", ID: output.OutPoint.String(), At: at}
		posting := ledger.SatsPosting(output.Community, p.OrderID, output.Owner, "payment vanished", p.Value, p.account(o.abandons()), ledger.Outside, cause)
		if err := tx.Journal.Post(ctx, posting); err != nil {
			return nil, err
		}
	}
	for _, output := range outputs {
		if output.Kind != ledger.PaymentKind {
			continue
		}
		o, err := orderOf(output)
		if err != nil {
			return nil, err
		}
		part, err := record(ctx, tx, o, output)
		if err != nil {
			return nil, err
		}
		if part { // the next one in this step is judged by the sum with it
			o.Seen += output.Value
			orders[output.Ref] = o
		}
	}
	return affected, nil
}

// account is where the journal has a payment: sats received are applied or
// surplus (paid), late, refunded, or abandoned, which is what stays with an order
// that is over and too small for a refund. What counts nothing is apart, and so is
// what a delivery kept of a surplus that paid has already.
func (p Payment) account(abandoned bool) string {
	switch {
	case p.Kept && p.Refunded && p.Counted:
		return "returned:" + p.OrderID
	case p.Refunded && !p.Kept:
		return "refunded:" + p.OrderID
	case !p.Counted:
		return "uncounted:" + p.OrderID
	case p.Kept:
		return "kept:" + p.OrderID
	case abandoned:
		return "abandoned:" + p.OrderID
	case p.Late:
		return "late:" + p.OrderID
	}
	return "paid:" + p.OrderID
}

// update writes an order that keeps its status, if it changed, and books what that
// means to its payments.
func (d *Desk) update(ctx context.Context, tx Tx, before, after Order, payments []Payment, at time.Time) (Order, error) {
	if after.same(before) {
		return before, nil
	}
	if err := tx.Orders.UpdateOrder(ctx, after, before.Status); err != nil {
		return after, err
	}
	return after, rebook(ctx, tx, before, after, payments, at)
}

// rebook books what a change of an order means to its payments: what is left of
// them when it is over and too small to refund is abandoned, and owed again when not.
func rebook(ctx context.Context, tx Tx, before, after Order, payments []Payment, at time.Time) error {
	if before.abandons() == after.abandons() {
		return nil
	}
	event := "sats abandoned"
	if before.abandons() {
		event = "sats owed again"
	}
	cause := ledger.Cause{Kind: "order", ID: after.ID, At: at}
	for _, p := range payments {
		from, to := p.account(before.abandons()), p.account(after.abandons())
		if p.Vanished || from == to {
			continue
		}
		posting := ledger.SatsPosting(after.Community, after.ID, after.Owner, event, p.Value, from, to, cause)
		if err := tx.Journal.Post(ctx, posting); err != nil {
			return err
		}
	}
	return nil
}
