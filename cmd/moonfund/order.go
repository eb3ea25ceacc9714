package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"moonfund/internal/operate/decisions"
	"moonfund/internal/operate/terminal"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
)

type orderCommands struct {
	List    orderList    `cmd:"" help:"List payment orders, newest first."`
	Show    orderShow    `cmd:"" help:"Show everything about one order."`
	Review  orderReview  `cmd:"" help:"${help_review}"`
	Resolve orderResolve `cmd:"" help:"${help_resolve}"`
	Refund  orderRefund  `cmd:"" help:"${help_refund}"`
}

// statuses are the values of --status.
var statuses = []order.Status{
	order.Pending, order.Confirmed, order.PendingRerate, order.Paid, order.Sent, order.Delivered, order.Consolidated,
	order.Canceled, order.Expired, order.Invalid, order.Audit,
}

type orderList struct {
	reading
	Community string `help:"Only of this community."`
	Status    string `help:"Only in this status, such as AUDIT."`
	Owner     string `help:"Only of the owner with this ordinals or payment address."`
	RefundDue bool   `help:"Only orders with a refund due, whatever their status."`
	Limit     int    `default:"50" help:"Number of rows, newest first."`
}

// Run is `moonfund order list`.
func (c orderList) Run(ctx context.Context) error {
	status := order.Status(strings.ToUpper(c.Status))
	if c.Status != "" && !slices.Contains(statuses, status) {
		return fmt.Errorf("--status is %q; it must be one of %v", c.Status, statuses)
	}
	if c.Limit < 1 || c.Limit > 100_000 {
		return errors.New("--limit must be from 1 to 100,000")
	}
	orders, err := read(ctx, c.reading, func(tx *store.Tx) ([]decisions.OrderView, error) {
		return decisions.Orders(ctx, tx, decisions.OrderFilter{
			Community: c.Community, Status: status, Owner: c.Owner, RefundDue: c.RefundDue, Limit: c.Limit,
		})
	})
	if err != nil {
		return err
	}
	const titles = "ORDER,COMMUNITY,CREATED (UTC),STATUS,REASON,RUNES,PRICE," +
		"SEEN,CONFIRMED,LATE,REFUNDED,REFUND DUE,REFUND STATE,DEADLINE"
	return terminal.List(c.JSON, orders, titles, func(o decisions.OrderView) []string {
		return []string{
			o.ID, o.Community, terminal.Time(o.Created), string(o.Status), string(o.Reason), o.Amount.Whole(),
			terminal.Number(o.Total), terminal.Number(o.Seen), terminal.Number(o.Confirmed), terminal.Number(o.Late),
			terminal.Number(o.Refunded), terminal.Number(o.DueSats()), terminal.OrDash(o.DueState()),
			terminal.Time(o.Deadline),
		}
	})
}

type orderShow struct {
	reading
	Order string `arg:"" help:"The order's id."`
}

// Run is `moonfund order show`.
func (c orderShow) Run(ctx context.Context) error {
	facts, err := read(ctx, c.reading, func(tx *store.Tx) (decisions.OrderFacts, error) {
		return decisions.ReadOrder(ctx, tx, c.Order)
	})
	if err != nil {
		return err
	}
	view := facts.View()
	return c.print(view, func() error { return c.write(facts, view) })
}

// write prints an order as text.
func (c orderShow) write(f decisions.OrderFacts, view decisions.OrderDetail) error {
	o := f.Order
	if err := terminal.Fields(
		"order", o.ID, "community", o.Community, "status", string(o.Status), "reason", string(o.Reason),
		"delivers", fmt.Sprintf("%s (%s base units) to %s", o.Amount.Whole(), o.Amount, o.Owner),
		"refunds go to", o.Payment, "paid at", o.Address,
		"price", fmt.Sprintf("%d sats: %d delivery, %d network, %d service, %d units; at %s sat/vB",
			o.Fees.Total(), o.Fees.Dust, o.Fees.Network, o.Fees.Service, o.Fees.Rutxos, o.FeeRate),
		"speed", speedText(view.OrderView),
		"received", fmt.Sprintf("%d sats seen, %d of them confirmed; %d late; %d refunded; overpayment %d",
			o.Seen, o.Confirmed, o.Late, o.Refunded, o.Overpayment()),
		"refund due", refundDue(o), "created", terminal.Time(o.Created), "rate of", terminal.Time(o.RateDate),
		"deadline", terminal.Time(o.Deadline), "changed", terminal.Time(o.Updated),
		"payout", terminal.OrDash(o.PayoutID), "transaction", terminal.OrDash(o.PayoutTx),
	); err != nil {
		return err
	}
	if view.InAudit != nil {
		if err := terminal.Fields("in AUDIT because", view.InAudit.String()); err != nil {
			return err
		}
	}
	if view.Refused != nil {
		if err := terminal.Fields("not accepted by the node", view.Refused.String()); err != nil {
			return err
		}
	}
	for _, w := range view.Waits {
		if err := terminal.Fields("waits", w.String()); err != nil {
			return err
		}
	}
	if err := printMoves(view.Moves); err != nil {
		return err
	}
	payments := terminal.Rows(view.Payments, func(p decisions.PaymentView) []string {
		return []string{p.OutPoint, terminal.Number(p.Value), terminal.Time(p.SeenAt), terminal.Height(p.Height),
			paymentState(p), terminal.OrDash(p.SpentBy)}
	})
	if err := terminal.Section("Payments", "OUTPUT,SATS,SEEN (UTC),BLOCK,COUNTS,SPENT BY", payments); err != nil {
		return err
	}
	units := terminal.Rows(f.Units, func(u ledger.Unit) []string {
		return []string{u.ID, u.Amount.Whole(), string(u.Stage)}
	})
	if err := terminal.Section("Units", "UNIT,RUNES,STAGE", units); err != nil {
		return err
	}
	requests := terminal.Rows(view.Requests, func(r decisions.RequestView) []string {
		return []string{terminal.Number(r.Number), terminal.Time(r.At), r.By, string(r.Kind), string(r.Status),
			terminal.OrDash(r.Note), r.Why}
	})
	if err := terminal.Section("Requested", "NUMBER,AT (UTC),BY,WHAT,STATUS,NOTE,WHY", requests); err != nil {
		return err
	}
	return terminal.Section("Refunds", payoutTitles, terminal.Rows(view.Refunds, payoutRow))
}

// printMoves prints the changes of a unit's stage or of an order's status.
func printMoves(moves []decisions.MoveView) error {
	rows := terminal.Rows(moves, func(m decisions.MoveView) []string {
		return []string{terminal.Time(m.At), m.Event, m.From, m.To, m.Cause}
	})
	return terminal.Section("Moves", "AT (UTC),EVENT,FROM,TO,CAUSE", rows)
}

// refundDue describes the refund that is due for an order.
func refundDue(o order.Order) string {
	if o.Owed.Sats == 0 {
		return "nothing"
	}
	return fmt.Sprintf("%d sats, less the network fee, to %s (%s) since %s; %s",
		o.Owed.Sats, o.Payment, o.Owed.Reason, terminal.Time(o.Owed.Since), refundWaits(o))
}

// refundWaits returns the reason why a refund is delayed.
func refundWaits(o order.Order) string {
	switch {
	case o.Status == order.Audit:
		return "you decide: moonfund order refund " + o.ID
	case o.Owed.Hold == order.HoldLimit:
		return "over_limit: it is sent when the limits allow it, or now by: moonfund order refund " + o.ID + signerSays(o)
	case o.Owed.Hold == order.HoldRefused:
		return "it can't be built or is not signed, and is tried again" + signerSays(o)
	}
	return fmt.Sprintf("it is sent once its payments are confirmed and the network takes %s sat/vB or less", o.Owed.Rate)
}

// signerSays returns why the signer refuses the due refund of an order, or "".
func signerSays(o order.Order) string {
	if o.Owed.Refusal == "" {
		return ""
	}
	return ": " + o.Owed.Refusal
}

// paymentState describes whether a payment counts, and its state.
func paymentState(p decisions.PaymentView) string {
	words := []string{"in time"}
	if p.Late {
		words[0] = "late"
	}
	if !p.Counted {
		words[0] = "no: below the floor, or with runes"
	}
	if p.Vanished {
		words = append(words, "replaced")
	}
	if p.Refunded {
		words = append(words, "refunded")
	}
	return strings.Join(words, ", ")
}

// deciding has the flags of an operator's decision about an order.
type deciding struct {
	requesting
	Order string `arg:"" help:"The order's id."`
}

func (c deciding) decide(ctx context.Context, d decisions.Decision) error {
	return c.request(ctx, c.Order, decisions.Decide(c.author(), d, c.Order))
}

type orderRefund struct{ deciding }

// Run is `moonfund order refund`.
func (c orderRefund) Run(ctx context.Context) error { return c.decide(ctx, decisions.Refund) }

type orderReview struct{ deciding }

// Run is `moonfund order review`.
func (c orderReview) Run(ctx context.Context) error { return c.decide(ctx, decisions.Review) }

type orderResolve struct {
	deciding
	Close bool `help:"Close it instead: what is left of its payments is too little to refund."`
}

// Run is `moonfund order resolve`.
func (c orderResolve) Run(ctx context.Context) error {
	if c.Close {
		return c.decide(ctx, decisions.Close)
	}
	return c.decide(ctx, decisions.Deliver)
}

// speedText describes the speed of an order.
func speedText(v decisions.OrderView) string {
	if v.Economy == nil {
		return v.Speed()
	}
	return v.Speed() + "; " + v.Economy.Limits()
}
