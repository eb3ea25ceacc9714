package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"moonfund/amount"
	"moonfund/ledger"
	"moonfund/order"
	"moonfund/payout"
	"moonfund/store"
)

type orderCommands struct {
	List    orderList    `cmd:"" help:"List payment orders, newest first."`
	Show    orderShow    `cmd:"" help:"Show everything about one order."`
	Resolve orderResolve `cmd:"" help:"Take an AUDIT order back to PAID, to be delivered with the units that it had, or close it."`
	Refund  orderRefund  `cmd:"" help:"Give back what is left of an order's payments, to the payment address that its owner signed."`
}

// statuses are the words that --status takes.
var statuses = []order.Status{
	order.Pending, order.Confirmed, order.PendingRerate, order.Paid, order.Sent, order.Delivered, order.Consolidated,
	order.Canceled, order.Expired, order.Invalid, order.Audit,
}

type orderList struct {
	reading
	Community string `help:"Only of this community."`
	Status    string `help:"Only in this status, such as AUDIT."`
	Owner     string `help:"Only of this ordinals address."`
	RefundDue bool   `help:"Only orders with a refund due, whatever their status."`
	Limit     int    `default:"50" help:"How many, the newest."`
}

type orderView struct {
	ID        string      `json:"id"`
	Community string      `json:"community"`
	Status    string      `json:"status"`
	Reason    string      `json:"reason"`
	Owner     string      `json:"owner"`
	Payment   string      `json:"payment_address"`
	Units     []string    `json:"units"`
	Amount    string      `json:"amount"`
	FeeRate   string      `json:"fee_rate"`
	Total     amount.Sats `json:"total_sats"`
	Network   amount.Sats `json:"network_sats"`
	Service   amount.Sats `json:"service_sats"`
	Rutxos    amount.Sats `json:"rutxos_sats"`
	Seen      amount.Sats `json:"seen_sats"`
	Confirmed amount.Sats `json:"confirmed_sats"`
	Late      amount.Sats `json:"late_sats"`
	Refunded  amount.Sats `json:"refunded_sats"`
	Surplus   amount.Sats `json:"surplus_sats"`
	Address   string      `json:"address"`
	Created   time.Time   `json:"created"`
	RateDate  time.Time   `json:"rate_date"`
	Deadline  time.Time   `json:"deadline"`
	Updated   time.Time   `json:"updated"`
	PayoutID  string      `json:"payout_id"`
	PayoutTx  string      `json:"payout_txid"`
	Anchor    string      `json:"anchor"`
	RefundDue *refundView `json:"refund_due"` // null when nothing is due

	Refused *refusalView `json:"not_accepted_by_node,omitempty"`
}

// refundView is what an order owes its payer, before the network fee.
type refundView struct {
	Sats    amount.Sats `json:"sats"`
	Address string      `json:"address"`
	Reason  string      `json:"reason"`
	Since   time.Time   `json:"since"`
}

func viewOrder(o order.Order) orderView {
	v := orderView{
		ID: o.ID, Community: o.Community, Status: string(o.Status), Reason: string(o.Reason), Owner: o.Owner, Payment: o.Payment,
		Units: o.UnitIDs, Amount: o.Amount.String(), FeeRate: o.FeeRate.String(), Total: o.Fees.Total(), Network: o.Fees.Network,
		Service: o.Fees.Service, Rutxos: o.Fees.Rutxos, Seen: o.Seen, Confirmed: o.Confirmed, Late: o.Late, Refunded: o.Refunded,
		Surplus: o.Surplus(), Address: o.Address, Created: o.Created, RateDate: o.RateDate, Deadline: o.Deadline,
		Updated: o.Updated, PayoutID: o.PayoutID, PayoutTx: o.PayoutTx, Anchor: o.Anchor, Refused: viewRefusal(o.Refusal),
	}
	if o.Owed.Sats > 0 {
		v.RefundDue = &refundView{o.Owed.Sats, o.Payment, string(o.Owed.Reason), o.Owed.Since}
	}
	return v
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
	return c.view(ctx, func(tx *store.Tx) error {
		communities, err := chosen(ctx, tx, c.Community)
		if err != nil {
			return err
		}
		var found []order.Order
		for _, community := range communities {
			orders, err := tx.OrdersOfCommunity(ctx, community)
			if err != nil {
				return err
			}
			found = append(found, slices.DeleteFunc(orders, func(o order.Order) bool {
				return (status != "" && o.Status != status) || (c.Owner != "" && o.Owner != c.Owner) ||
					(c.RefundDue && o.Owed.Sats == 0)
			})...)
		}
		slices.SortStableFunc(found, func(a, b order.Order) int { return b.Created.Compare(a.Created) })
		return c.print(found[:min(len(found), c.Limit)])
	})
}

func (c orderList) print(orders []order.Order) error {
	views, rows := []orderView{}, [][]string{}
	for _, o := range orders {
		views = append(views, viewOrder(o))
		rows = append(rows, []string{
			o.ID, o.Community, shortTime(o.Created), string(o.Status), string(o.Reason), o.Amount.Decimal(8), sats(o.Fees.Total()),
			sats(o.Seen), sats(o.Confirmed), sats(o.Late), sats(o.Refunded), sats(o.Owed.Sats), shortTime(o.Deadline),
		})
	}
	if c.JSON {
		return printJSON(views)
	}
	return table("ORDER,COMMUNITY,CREATED (UTC),STATUS,REASON,RUNES,PRICE,SEEN,CONFIRMED,LATE,REFUNDED,REFUND DUE,DEADLINE", rows)
}

func sats(n amount.Sats) string { return strconv.FormatInt(int64(n), 10) }

// orderFacts are an order with everything that hangs on it.
type orderFacts struct {
	order.Order
	payments []order.Payment
	units    []ledger.Unit
	requests []payout.Request
	refunds  []payout.Payout
	log      []store.OperatorLine
}

// factsOf reads them.
func factsOf(ctx context.Context, tx *store.Tx, id string) (f orderFacts, err error) {
	if f.Order, err = tx.Order(ctx, id); errors.Is(err, ledger.ErrNotFound) {
		return f, fmt.Errorf("the ledger knows no order %q", id)
	}
	if err != nil {
		return f, err
	}
	shown := []order.Order{f.Order}
	if err := addRefusals(ctx, tx, shown); err != nil {
		return f, err
	}
	f.Order = shown[0]
	if f.payments, err = tx.PaymentsOf(ctx, id); err != nil {
		return f, err
	}
	if f.units, err = tx.UnitsByID(ctx, f.Community, f.UnitIDs); err != nil {
		return f, err
	}
	if f.requests, err = tx.RequestsAbout(ctx, id); err != nil {
		return f, err
	}
	if f.refunds, err = tx.RefundsOf(ctx, id); err != nil {
		return f, err
	}
	f.log, err = tx.OperatorLinesAbout(ctx, id)
	return f, err
}

// open is the request about the order that a server still has to carry out.
func (f orderFacts) open() (payout.Request, bool) {
	i := slices.IndexFunc(f.requests, func(r payout.Request) bool { return r.Status == payout.RequestOpen })
	if i < 0 {
		return payout.Request{}, false
	}
	return f.requests[i], true
}

// asking is what the two commands that ask a server for something share.
type asking struct {
	changing
	Order string        `arg:"" help:"The order's id."`
	Wait  time.Duration `default:"10s" help:"How long to wait for the server to carry it out."`
}

// ask shows a preview, and records the request if what the preview was made from still holds.
func (c asking) ask(ctx context.Context, kind payout.RequestKind, preview func(orderFacts) (string, error)) error {
	if err := c.check(); err != nil {
		return err
	}
	db, err := c.existing(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	text := func(tx *store.Tx) (string, error) {
		facts, err := factsOf(ctx, tx, c.Order)
		if err != nil {
			return "", err
		}
		if r, waits := facts.open(); waits {
			return "", fmt.Errorf("request %d (%s, by %s) about this order is not carried out yet%s", r.Number, r.Kind, r.By, because(r.Note))
		}
		return preview(facts)
	}
	var shown string
	if err := db.View(ctx, func(tx *store.Tx) (err error) {
		shown, err = text(tx)
		return err
	}); err != nil {
		return err
	}
	if err := c.agree(shown); err != nil {
		return err
	}
	var number int64
	if err := db.Update(ctx, func(tx *store.Tx) error {
		again, err := text(tx)
		if err != nil {
			return err
		}
		if again != shown {
			return errors.New("the order changed meanwhile, nothing was done: look at it again")
		}
		at, err := now(ctx, tx)
		if err != nil {
			return err
		}
		r := payout.Request{Kind: kind, OrderID: c.Order, By: strings.TrimSpace(c.By), Why: strings.TrimSpace(c.Why), At: at}
		number, err = tx.Ask(ctx, r, shown)
		return err
	}); err != nil {
		return err
	}
	return c.await(ctx, db, number)
}

func because(note string) string {
	if note == "" {
		return ""
	}
	return ": " + note
}

// await tells what became of a request.
func (c asking) await(ctx context.Context, db *store.Store, number int64) error {
	r, err := awaited(ctx, db, c.Order, number, c.Wait)
	if err != nil {
		return err
	}
	return c.tell(r)
}

// tell says how a request stands; one that was refused is an error.
func (c changing) tell(r payout.Request) error {
	number := r.Number
	if c.JSON {
		if err := printJSON(viewRequest(r)); err != nil {
			return err
		}
	}
	switch {
	case r.Status == payout.RequestRefused:
		return fmt.Errorf("request %d is refused: %s", number, r.Note)
	case c.JSON:
	case r.Status == payout.RequestDone:
		fmt.Printf("Request %d is carried out.\n", number)
	default:
		fmt.Printf("Request %d is recorded; a running server carries it out%s.\n", number, because(r.Note))
	}
	return nil
}

// awaited returns a request once it is not open any more, or as it is after a while.
func awaited(ctx context.Context, db *store.Store, about string, number int64, wait time.Duration) (r payout.Request, err error) {
	deadline := time.NewTimer(wait)
	defer deadline.Stop()
	look := time.NewTicker(200 * time.Millisecond)
	defer look.Stop()
	for {
		if err := db.View(ctx, func(tx *store.Tx) error {
			requests, err := tx.RequestsAbout(ctx, about)
			i := slices.IndexFunc(requests, func(r payout.Request) bool { return r.Number == number })
			if err == nil && i >= 0 {
				r = requests[i]
			}
			return err
		}); err != nil {
			return r, err
		}
		if r.Status != payout.RequestOpen {
			return r, nil
		}
		select {
		case <-ctx.Done():
			return r, ctx.Err()
		case <-deadline.C:
			return r, waitsFor(ctx, db, &r)
		case <-look.C:
		}
	}
}

// waitsFor adds to a request that waits without a reason of its own that everything of its kind waits.
func waitsFor(ctx context.Context, db *store.Store, r *payout.Request) error {
	return db.View(ctx, func(tx *store.Tx) error {
		for _, what := range []string{"payouts", "all"} {
			reason, since, err := tx.PausedSince(ctx, store.Pauses[what])
			if err != nil {
				return err
			}
			ledgerOnly := r.Kind == payout.AskResume || r.Kind == payout.AskClose // sends nothing
			if r.Note == "" && reason != "" && (what == "all" || !ledgerOnly) {
				r.Note = fmt.Sprintf("`moonfund resume %s` comes first, paused since %s because: %s", what, shortTime(since), reason)
			}
		}
		return nil
	})
}

type requestView struct {
	Number   int64     `json:"number"`
	Kind     string    `json:"kind"`
	Order    string    `json:"order"`
	Status   string    `json:"status"`
	Note     string    `json:"note"`
	PayoutID string    `json:"payout_id"`
	By       string    `json:"by"`
	Why      string    `json:"why"`
	At       time.Time `json:"at"`
}

func viewRequest(r payout.Request) requestView {
	return requestView{r.Number, string(r.Kind), r.OrderID, string(r.Status), r.Note, r.PayoutID, r.By, r.Why, r.At}
}

type orderRefund struct{ asking }

// Run is `moonfund order refund`.
func (c orderRefund) Run(ctx context.Context) error {
	return c.ask(ctx, payout.AskRefund, previewRefund)
}

func previewRefund(f orderFacts) (string, error) {
	switch f.Status {
	case order.Canceled, order.Expired, order.Invalid, order.Audit, order.Sent, order.Delivered, order.Consolidated:
	default:
		return "", fmt.Errorf("the order is %s: an order is refunded once it is closed, and its surplus once it is delivered", f.Status)
	}
	unspent := order.Unspent(f.payments)
	if len(unspent) == 0 {
		if f.Surplus() > 0 {
			return "", fmt.Errorf("its surplus of %d sats is less than keeping and refunding it costs, and stays in the treasury", f.Surplus())
		}
		return "", errors.New("it has no payment that is not spent: there is nothing left to refund")
	}
	var sum amount.Sats
	var b strings.Builder
	for _, p := range unspent {
		sum += p.Value
		fmt.Fprintf(&b, "  %s  %d sats, block %s\n", p.OutPoint, p.Value, height(p.Height))
	}
	return fmt.Sprintf("Refund of order %s (%s, %s) of %s:\n%s%d sats, less the network fee, go to %s.\nWhat is in no block yet is left out.",
		f.ID, f.Status, f.Community, f.Owner, b.String(), sum, f.Payment), nil
}

type orderResolve struct {
	asking
	Close bool `help:"Close it instead: nothing that is left of its payments is worth a refund."`
}

// Run is `moonfund order resolve`.
func (c orderResolve) Run(ctx context.Context) error {
	if c.Close {
		return c.ask(ctx, payout.AskClose, previewClose)
	}
	return c.ask(ctx, payout.AskResume, previewResolve)
}

func previewResolve(f orderFacts) (string, error) {
	if f.Status != order.Audit {
		return "", fmt.Errorf("the order is %s: only an AUDIT order is resolved", f.Status)
	}
	if f.Refunded > 0 {
		return "", fmt.Errorf("%d sats of it are refunded: it is not delivered any more", f.Refunded)
	}
	var b strings.Builder
	for _, u := range f.units {
		fmt.Fprintf(&b, "  %s  %s, %s\n", u.ID, u.Amount.Decimal(8), u.Stage)
	}
	return fmt.Sprintf("Order %s (%s, %s) of %s becomes PAID, and is delivered with its %d units:\n%s%s of the rune go to that address.\nReceived: %d sats in time, %d late; they all count. Its price was %d sats.",
		f.ID, f.Reason, f.Community, f.Owner, len(f.UnitIDs), b.String(), f.Amount.Decimal(8), f.Seen, f.Late, f.Fees.Total()), nil
}

func previewClose(f orderFacts) (string, error) {
	if f.Status != order.Audit {
		return "", fmt.Errorf("the order is %s: only an AUDIT order is closed", f.Status)
	}
	if owed := f.Left(f.payments); owed > 0 {
		return "", fmt.Errorf("%d sats of it are owed to its owner: give them back by `moonfund order refund`", owed)
	}
	var left amount.Sats
	for _, p := range order.Unspent(f.payments) {
		left += p.Value
	}
	return fmt.Sprintf("Order %s (%s) of %s becomes CANCELED. It holds no units.\n%d sats of its payments are left, too little to refund, and are abandoned.",
		f.ID, f.Reason, f.Owner, left), nil
}
