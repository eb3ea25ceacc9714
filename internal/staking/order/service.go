package order

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/fault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
)

// Service opens orders, records their payments, and changes their status along the status table.
type Service struct {
	terms   ledger.Communities[Terms]
	network chain.Network

	Log *slog.Logger // nil: the default one
}

// NewService returns the order service of the given communities.
func NewService(network chain.Network, terms ...Terms) *Service {
	s := &Service{network: network}
	for _, t := range terms {
		s.terms.Add(t.Prefix, t)
	}
	return s
}

// Request is a claim or withdrawal whose signed message was verified.
type Request struct {
	ID        string // 32 hex digits
	Community string
	Reason    ledger.Reason
	Owner     string // ordinals address
	Payment   string // payment address, which receives refunds
	ActionID  string
	Units     []ledger.Unit
	Rate      amount.FeeRate
	Economy   Economy // speed; Rate is the chosen one if it is not zero
}

// Estimate returns the price of a claim or withdrawal of units at a fee rate. owner is the ordinals address to which
// they are delivered. Estimate returns a fault for an invalid address.
func (s *Service) Estimate(community string, units []ledger.Unit, owner string, rate amount.FeeRate) (Fees, error) {
	terms, err := s.terms.Of(community)
	if err != nil {
		return Fees{}, err
	}
	to, err := chain.ParseAddress(owner, s.network)
	if err != nil {
		return Fees{}, fault.Refuse(fault.InvalidAddress)
	}
	return price(terms, units, to.Script, rate)
}

// typicalAmount is the amount in base units that TypicalFees assumes. It changes the size of a delivery by at most a
// few bytes.
const typicalAmount = 1_000_00000000

// TypicalFees returns the prices, at a fee rate, of a claim of one reward and of a withdrawal of one stake in
// self-custody to a taproot address.
func (s *Service) TypicalFees(community string, rate amount.FeeRate) (claim, withdrawal Fees, err error) {
	terms, err := s.terms.Of(community)
	if err != nil {
		return Fees{}, Fees{}, err
	}
	p2tr := make([]byte, 34)
	one := func(origin ledger.Origin) []ledger.Unit {
		return []ledger.Unit{{Origin: origin, Amount: typicalAmount, Self: origin == ledger.FromStake}}
	}
	if claim, err = price(terms, one(ledger.FromReward), p2tr, rate); err != nil {
		return Fees{}, Fees{}, err
	}
	withdrawal, err = price(terms, one(ledger.FromStake), p2tr, rate)
	return claim, withdrawal, err
}

// Limits are what one order can have at most.
type Limits struct {
	Units int
	// ColdAbove is the number of base units above which an operator signs an order by hand; 0 means no limit. Units in
	// self-custody do not count.
	ColdAbove amount.Runes
}

// Check returns a fault unless the units can be in one order. Units in self-custody can't be in an order that the
// treasury delivers or that an operator signs by hand, and need larger inputs.
func (l Limits) Check(units []ledger.Unit) error {
	s, err := shapeOf(units, nil)
	switch {
	case err != nil:
		return err
	case len(units) > l.Units:
		return fault.Refuse(fault.TooManyUnits, l.Units)
	case s.self > 0 && s.virtual:
		return fault.Refuse(fault.UnitsApart)
	case s.self > 0 && l.ColdAbove > 0 && s.movable > l.ColdAbove:
		return fault.Refuse(fault.UnitsByHand)
	case s.self > 0 && s.unitVBytes() > MaxSelfUnits*vault.SelfVBytes:
		return fault.Refuse(fault.TooManyUnits, MaxSelfUnits)
	}
	return nil
}

// Open inserts a PENDING order and locks its units. It returns a fault for too many units or an invalid owner, and
// state.ErrConflict if the stored stage of a unit differs from r.Units.
func (s *Service) Open(ctx context.Context, tx Tx, r Request, now time.Time) (Order, error) {
	terms, err := s.terms.Of(r.Community)
	if err != nil {
		return Order{}, err
	}
	if err := terms.Limits.Check(r.Units); err != nil {
		return Order{}, err
	}
	units, err := shapeOf(r.Units, nil)
	if err != nil {
		return Order{}, err
	}
	fees, err := s.Estimate(r.Community, r.Units, r.Owner, r.Rate)
	if err != nil {
		return Order{}, err
	}
	address, _, err := terms.Account.PaymentAddress(r.ID)
	if err != nil {
		return Order{}, err
	}
	o := Order{
		ID: r.ID, Community: r.Community, Reason: r.Reason, Owner: r.Owner, Payment: r.Payment, ActionID: r.ActionID,
		RealUnits: units.real, SelfUnits: units.self, Amount: units.amount,
		FeeRate: r.Rate, Fees: fees, Address: address.Text, Script: address.Script,
		Status: Pending, Created: now, RateDate: now, Deadline: now.Add(FeeValid), Updated: now, Economy: r.Economy,
	}
	for _, unit := range r.Units {
		o.UnitIDs = append(o.UnitIDs, unit.ID)
	}
	if err := tx.Orders.InsertOrder(ctx, o); err != nil {
		return Order{}, err
	}
	watched := ledger.Watched{Script: o.Script, Community: o.Community, Kind: ledger.PaymentKind, Ref: o.ID,
		Owner: o.Owner}
	if err := tx.Outputs.WatchScript(ctx, watched); err != nil {
		return Order{}, err
	}
	cause := ledger.Cause{Kind: "action", ID: r.ActionID, At: now}
	event := ledger.WithdrawOrdered
	if r.Reason == ledger.ForClaim {
		event = ledger.ClaimOrdered
	}
	var b ledger.Batch
	for _, unit := range r.Units {
		lock := func(u *ledger.Unit) { u.OrderID = o.ID }
		if _, err := b.Move(unit, event, r.Reason, cause, lock); err != nil {
			return Order{}, err
		}
	}
	b.Post(statusPosting(o, nowhere, ProofAccepted, cause))
	return o, b.Write(ctx, tx.Units)
}

// Apply applies an event of the status table to an order, moves the order's units accordingly, journals both, and
// returns the changed order. change, if not nil, changes other fields. Apply returns an error if the table has no row
// for the event, and state.ErrConflict if the stored status is not o.Status.
func (s *Service) Apply(
	ctx context.Context, tx Tx, o Order, event Event, cause ledger.Cause, change func(*Order),
) (Order, error) {
	units, err := s.unitsFor(ctx, tx, o, event)
	if err != nil {
		return o, err
	}
	payments, err := tx.Payments.PaymentsOf(ctx, o.ID)
	if err != nil {
		return o, err
	}
	l := &loaded{Order: o, payments: payments, units: units}
	var b batch
	if err := l.apply(&b, event, cause, change); err != nil {
		return o, err
	}
	if err := b.write(ctx, tx); err != nil {
		return o, fmt.Errorf("order %s, %s: %w", o.ID, event, err)
	}
	return l.Order, nil
}

// apply is Service.Apply for a loaded order. It adds the changes to b.
func (l *loaded) apply(b *batch, event Event, cause ledger.Cause, change func(*Order)) error {
	to, err := Statuses.Next(l.Status, event, state.Always)
	if err != nil {
		return err
	}
	before := l.Order
	l.Status, l.Updated, l.ByRefund = to, cause.At, event == RefundConfirmed
	if event == PayoutDead {
		l.Order = l.limitMoved(cause.At)
	}
	undone := before.Status == Paid && to.payable()
	if undone {
		l.Deadline = l.RateDate.Add(PaymentWindow)
	}
	if l.NeedsSignature() || undone && cause.At.After(l.Deadline) {
		l.Deadline = cause.At.Add(PaymentWindow)
	}
	if change != nil {
		change(&l.Order)
	}
	l.Order = l.withRefundDue(l.payments, cause.At)
	b.update(l.Order, before.Status)
	b.Post(statusPosting(l.Order, before.Status, event, cause))
	b.postAbandoned(before, l.Order, l.payments, cause.At)
	meaning := unitEvent(before.Status, to, l.Reason)
	if meaning == "" {
		return nil
	}
	if err := l.moveUnits(b, meaning, cause); err != nil {
		return fmt.Errorf("order %s, %s: %w", l.ID, event, err)
	}
	return nil
}

// moveUnits applies an event to the order's units. If the event is ledger.OrderClosed, it also unlocks them.
func (l *loaded) moveUnits(b *batch, event ledger.Event, cause ledger.Cause) (err error) {
	holder := l.ID
	if event == ledger.OrderClosed {
		holder = ""
	}
	for i, unit := range l.units {
		l.units[i], err = b.Move(unit, event, l.Reason, cause, func(u *ledger.Unit) { u.OrderID = holder })
		if err != nil {
			return err
		}
	}
	if holder == "" {
		l.units = nil
	}
	return nil
}

// unitsFor returns the units that an event of an order moves: the units that the order locks, or if the operator
// resumes the order, the units that it locked before. It returns state.ErrConflict if one of them no longer exists.
func (s *Service) unitsFor(ctx context.Context, tx Tx, o Order, event Event) ([]ledger.Unit, error) {
	if event != ResolvedByOperator {
		return tx.Orders.UnitsOfOrder(ctx, o)
	}
	units, err := tx.Units.UnitsByID(ctx, o.Community, o.UnitIDs)
	if err == nil && len(units) != len(o.UnitIDs) {
		err = state.ErrConflict
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

// satsPosting returns the posting that moves sats of a payment between two accounts.
func (o Order) satsPosting(event string, sats amount.Sats, from, to string, cause ledger.Cause) ledger.Posting {
	return ledger.Posting{
		Community: o.Community, Subject: o.ID, Owner: o.Owner, Event: event, Asset: ledger.SatsAsset,
		Amount: int64(sats), From: from, To: to, Cause: cause,
	}
}

// account returns the journal account of a payment: "paid", "late", "refunded", or "abandoned" if its order is closed
// and the rest is too small for a refund. A payment that does not count is on "uncounted". The part of an overpayment
// that the delivery kept is on "kept", because "paid" already includes it, and on "returned" once it is refunded.
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

// update stores an order whose status does not change, if its computed fields changed, and posts the resulting moves of
// its payments between accounts.
func (s *Service) update(ctx context.Context, tx Tx, before, after Order, payments []Payment,
	at time.Time) (Order, error) {
	var b batch
	after = b.updateSums(before, after, payments, at)
	return after, b.write(ctx, tx)
}

// updateSums is Service.update. It adds the changes to b.
func (b *batch) updateSums(before, after Order, payments []Payment, at time.Time) Order {
	if after.same(before) {
		return before
	}
	b.update(after, before.Status)
	b.postAbandoned(before, after, payments, at)
	return after
}

// postAbandoned posts the payments of an order as abandoned when they become too small to refund, and posts them back
// when a refund becomes due. Payments that move between the same accounts have one posting.
func (b *batch) postAbandoned(before, after Order, payments []Payment, at time.Time) {
	if before.isAbandoned() == after.isAbandoned() {
		return
	}
	event := "sats abandoned"
	if before.isAbandoned() {
		event = "sats owed again"
	}
	type move struct{ from, to string }
	byAccounts := func(a, b move) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) }
	sums := map[move]amount.Sats{} // anyone can send thousands of payments
	for _, p := range payments {
		m := move{p.account(before.isAbandoned()), p.account(after.isAbandoned())}
		if !p.Vanished && m.from != m.to {
			sums[m] += p.Value
		}
	}
	cause := ledger.Cause{Kind: "order", ID: after.ID, At: at}
	for _, m := range slices.SortedFunc(maps.Keys(sums), byAccounts) {
		b.Post(after.satsPosting(event, sums[m], m.from, m.to, cause))
	}
}
