package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"moonfund/amount"
	"moonfund/order"
	"moonfund/payout"
	"moonfund/store"
)

type orderShow struct {
	reading
	Order string `arg:"" help:"The order's id."`
}

type paymentView struct {
	OutPoint string      `json:"outpoint"`
	Value    amount.Sats `json:"value_sats"`
	SeenAt   time.Time   `json:"seen_at"`
	Height   int64       `json:"height"` // -1 while it is in no block
	Counted  bool        `json:"counted"`
	Late     bool        `json:"late"`
	Vanished bool        `json:"vanished"`
	SpentBy  string      `json:"spent_by"`
	Refunded bool        `json:"refunded"`
}

func viewPayment(p order.Payment) paymentView {
	return paymentView{p.OutPoint.String(), p.Value, p.SeenAt, p.Height, p.Counted, p.Late, p.Vanished, p.SpentBy, p.Refunded}
}

// Run is `moonfund order show`.
func (c orderShow) Run(ctx context.Context) error {
	return c.view(ctx, func(tx *store.Tx) error {
		facts, err := factsOf(ctx, tx, c.Order)
		if err != nil {
			return err
		}
		if c.JSON {
			return printJSON(jsonOrder(facts))
		}
		return facts.write()
	})
}

type orderDetail struct {
	orderView
	Payments []paymentView `json:"payments"`
	UnitList []unitView    `json:"unit_list"`
	Requests []requestView `json:"requests"`
	Refunds  []payoutView  `json:"refunds"`
	Log      []logView     `json:"log"`
}

func jsonOrder(f orderFacts) orderDetail {
	d := orderDetail{
		orderView: viewOrder(f.Order), Payments: []paymentView{}, UnitList: []unitView{}, Requests: []requestView{}, Refunds: []payoutView{},
		Log: logViews(f.log),
	}
	for _, p := range f.payments {
		d.Payments = append(d.Payments, viewPayment(p))
	}
	for _, u := range f.units {
		d.UnitList = append(d.UnitList, viewUnit(u))
	}
	for _, r := range f.requests {
		d.Requests = append(d.Requests, viewRequest(r))
	}
	for _, p := range f.refunds {
		d.Refunds = append(d.Refunds, viewPayout(p))
	}
	return d
}

// dueWords says what of an order's payments is due to its payer.
func dueWords(o order.Order) string {
	if o.Owed.Sats == 0 {
		return "nothing"
	}
	return fmt.Sprintf("%d sats, less the network fee, to %s (%s) since %s: moonfund order refund %s",
		o.Owed.Sats, o.Payment, o.Owed.Reason, shortTime(o.Owed.Since), o.ID)
}

func (f orderFacts) write() error {
	o := f.Order
	if err := fields(
		"order", o.ID, "community", o.Community, "status", string(o.Status), "reason", string(o.Reason),
		"delivers", fmt.Sprintf("%s (%s base units) to %s", o.Amount.Decimal(8), o.Amount, o.Owner),
		"refunds go to", o.Payment, "paid at", o.Address,
		"price", fmt.Sprintf("%d sats: %d delivery, %d network, %d service, %d units; at %s sat/vB",
			o.Fees.Total(), o.Fees.Dust, o.Fees.Network, o.Fees.Service, o.Fees.Rutxos, o.FeeRate),
		"received", fmt.Sprintf("%d sats seen, %d of them confirmed; %d late; %d refunded; surplus %d", o.Seen, o.Confirmed, o.Late, o.Refunded, o.Surplus()),
		"refund due", dueWords(o),
		"created", shortTime(o.Created), "rate of", shortTime(o.RateDate), "deadline", shortTime(o.Deadline), "changed", shortTime(o.Updated),
		"payout", orDash(o.PayoutID), "transaction", orDash(o.PayoutTx),
	); err != nil {
		return err
	}
	if err := viewRefusal(o.Refusal).write(); err != nil {
		return err
	}
	var rows [][]string
	for _, p := range f.payments {
		rows = append(rows, []string{p.OutPoint.String(), sats(p.Value), shortTime(p.SeenAt), height(p.Height), paymentWords(p), orDash(p.SpentBy)})
	}
	if err := section("Payments", "OUTPUT,SATS,SEEN (UTC),BLOCK,COUNTS,SPENT BY", rows); err != nil {
		return err
	}
	rows = nil
	for _, u := range f.units {
		rows = append(rows, []string{u.ID, u.Amount.Decimal(8), string(u.Stage)})
	}
	if err := section("Units", "UNIT,RUNES,STAGE", rows); err != nil {
		return err
	}
	rows = nil
	for _, r := range f.requests {
		rows = append(rows, []string{strconv.FormatInt(r.Number, 10), shortTime(r.At), r.By, string(r.Kind), string(r.Status), orDash(r.Note), r.Why})
	}
	if err := section("Asked for", "NUMBER,AT (UTC),BY,WHAT,STATUS,NOTE,WHY", rows); err != nil {
		return err
	}
	rows = nil
	for _, p := range f.refunds {
		rows = append(rows, payoutRow(p))
	}
	return section("Refunds", payoutTitles, rows)
}

func paymentWords(p order.Payment) string {
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

// section prints a table under a title, or nothing when it has no rows.
func section(title, titles string, rows [][]string) error {
	if len(rows) == 0 {
		return nil
	}
	fmt.Printf("\n%s\n", title)
	return table(titles, rows)
}

const payoutTitles = "PAYOUT,COMMUNITY,KIND,STATUS,CREATED (UTC),ORDERS,VERSIONS,FEE (SATS),VB,BLOCK,TRANSACTION"

func payoutRow(p payout.Payout) []string {
	v := p.Versions[len(p.Versions)-1]
	for _, other := range p.Versions {
		if other.Height >= 0 {
			v = other
		}
	}
	return []string{
		p.ID, p.Community, string(p.Kind), string(p.Status), shortTime(p.Created), strconv.Itoa(len(p.OrderIDs)), strconv.Itoa(len(p.Versions)),
		sats(v.Fee), strconv.FormatInt(v.VBytes, 10), height(v.Height), v.Tx.ID.String(),
	}
}
