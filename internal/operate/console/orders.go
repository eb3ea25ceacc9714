package console

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"moonfund/internal/operate/decisions"
	"moonfund/internal/operate/terminal"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/staking/payout/refund"
)

// rowsPerPage is the number of rows of a list, and cardsPerPage the number of orders with their decisions.
const (
	rowsPerPage  = 50
	cardsPerPage = 10
)

// statuses are the tabs of the orders' page.
var statuses = []order.Status{
	order.Pending, order.Confirmed, order.PendingRerate, order.Paid, order.Sent, order.Delivered, order.Consolidated,
	order.Canceled, order.Expired, order.Invalid, order.Audit,
}

// orders lists payment orders, beginning with the orders that need a decision.
func (c *Console) orders(r request) (page, error) {
	chosen := strings.ToUpper(r.query.Get("status"))
	tabs := []tab{{"Need a decision", ordersPath, chosen == ""}, {"All", ordersPath + "?status=all", chosen == "ALL"}}
	for _, s := range statuses {
		tabs = append(tabs, tab{string(s), ordersPath + "?status=" + url.QueryEscape(string(s)), chosen == string(s)})
	}
	p := page{Title: "Orders", Blocks: []block{{Tabs: tabs}}}
	if chosen == "" {
		cards, err := c.undecided(r)
		p.Blocks = append(p.Blocks, cards...)
		return p, err
	}
	filter := decisions.OrderFilter{Limit: (r.number()+1)*rowsPerPage + 1}
	if chosen != "ALL" {
		if filter.Status = order.Status(chosen); !slices.Contains(statuses, filter.Status) {
			return p, missing{fmt.Errorf("there is no status %q", chosen)}
		}
	}
	all, err := decisions.Orders(r, r.tx, filter)
	if err != nil {
		return p, err
	}
	shown, b := part(r, all, rowsPerPage)
	b.Table = &table{Name: "Orders", Empty: noOrders, Columns: columns("Order", "Created", "Status", "#Runes",
		"#Price (sats)", "#Received (sats)", "Refund", "Deadline", "Owner")}
	for _, o := range shown {
		b.Table.Rows = append(b.Table.Rows, orderRow(r, o))
	}
	p.Blocks = append(p.Blocks, b)
	return p, nil
}

func orderRow(r request, o decisions.OrderView) []cell {
	return []cell{
		orderLink(o.ID), {Time: since(r.now, o.Created)}, orderStatus(o), figure(runesText(o.Amount)),
		figure(satsText(o.Total)), figure(satsText(o.Confirmed + o.Late)), dueRefund(o),
		{Time: since(r.now, o.Deadline)}, found(o.Owner),
	}
}

// orderStatus returns the status of an order, with the action that opened it, the reason of AUDIT, or the node's
// refusal.
func orderStatus(o decisions.OrderView) cell {
	status := cell{Text: string(o.Status), Tone: statusTones[o.Status], Note: string(o.Reason)}
	if o.Economy != nil {
		status.Note += ", " + o.Speed()
	}
	if o.InAudit != nil {
		status.Note = o.InAudit.Text
	}
	if o.Refused != nil {
		status.Tone, status.Note = bad, "not accepted by the node"
	}
	return status
}

var statusTones = map[order.Status]tone{
	order.Audit: bad, order.PendingRerate: warn, order.Delivered: good, order.Consolidated: good,
}

// dueRefund returns the refund that is due for an order.
func dueRefund(o decisions.OrderView) cell {
	if o.RefundDue == nil {
		return text("")
	}
	return cell{Text: satsText(o.RefundDue.Sats) + " sats", Note: refundStates[o.RefundDue.State],
		Tone: refundTones[o.RefundDue.State]}
}

func orderLink(id string) cell {
	c := short(id)
	c.Link = ordersPath + "/" + url.PathEscape(id)
	return c
}

// undecided shows the orders that need a decision, with their decisions.
func (c *Console) undecided(r request) (blocks []block, err error) {
	needed, err := c.needDecision(r)
	if err != nil {
		return nil, err
	}
	if len(needed) == 0 {
		return []block{{Table: &table{Empty: nothingToDecide}}}, nil
	}
	shown, pager := part(r, needed, cardsPerPage)
	for _, o := range shown {
		facts, err := decisions.ReadOrder(r, r.tx, o.ID)
		if err != nil {
			return nil, err
		}
		v := facts.View()
		b := block{Heading: string(v.Status) + " order of " + runesText(v.Amount), Fields: []field{
			{"Order", orderLink(v.ID)}, {"Owner", found(v.Owner)}, {"Changed", cell{Time: since(r.now, v.Updated)}},
			{"Received", cell{Text: satsText(v.Confirmed+v.Late) + " of " + satsText(v.Total) + " sats"}},
		}}
		if v.InAudit != nil {
			b.Fields = append(b.Fields, inAudit(*v.InAudit))
		}
		if v.RefundDue != nil {
			due := dueRefund(v.OrderView)
			due.Note = refundWaits(facts)
			b.Fields = append(b.Fields, field{"Refund due", due})
		}
		b.Text, b.Commands = c.decisions(facts)
		blocks = append(blocks, b)
	}
	pager.Table = nil
	return append(blocks, pager), nil
}

// needDecision returns the orders in AUDIT and the orders whose refund waits for the operator, oldest change first.
func (c *Console) needDecision(r request) (needed []decisions.OrderView, err error) {
	all, err := decisions.Orders(r, r.tx, decisions.OrderFilter{RefundDue: true, Limit: 1 << 30})
	if err != nil {
		return nil, err
	}
	audited, err := decisions.Orders(r, r.tx, decisions.OrderFilter{Status: order.Audit, Limit: 1 << 30})
	for _, o := range append(audited, all...) {
		waits := o.DueState() == string(refund.WaitingPerson) || o.DueState() == string(refund.OverLimit)
		again := slices.ContainsFunc(needed, func(n decisions.OrderView) bool { return n.ID == o.ID })
		if (o.Status == order.Audit || waits) && !again {
			needed = append(needed, o)
		}
	}
	slices.SortStableFunc(needed, func(a, b decisions.OrderView) int { return a.Updated.Compare(b.Updated) })
	return needed, err
}

// part returns the rows of a list that the page number selects, and a block with links to the neighboring parts.
func part[T any](r request, all []T, size int) ([]T, block) {
	first := min(r.number()*size, len(all))
	last := min(first+size, len(all))
	b := block{}
	link := func(number int) string {
		query := url.Values{}
		for key, values := range r.query {
			query[key] = values
		}
		query.Set("page", fmt.Sprint(number))
		return "?" + query.Encode()
	}
	if first > 0 {
		b.Newer = link(r.number())
	}
	if last < len(all) {
		b.Older = link(r.number() + 2)
	}
	return all[first:last], b
}

// order shows everything about one order, and the decisions that the operator can make about it.
func (c *Console) order(r request) (page, error) {
	facts, err := decisions.ReadOrder(r, r.tx, r.id)
	if err != nil {
		return page{}, absent(err)
	}
	v := facts.View()
	name, err := runeName(r, v.Community)
	if err != nil {
		return page{}, err
	}
	blocks := []block{{Fields: orderFields(r, facts, name)}}
	why, commands := c.decisions(facts)
	commands = append(commands, command{Does: "Show the order in the terminal", Line: c.command("order", "show", v.ID)},
		command{Does: "Write a page for the staker", Line: c.command("find", v.ID)})
	blocks = append(blocks, block{Heading: "Commands", Text: why, Commands: commands})
	return page{Title: "Order " + short(v.ID).Text, Blocks: append(blocks, orderTables(r, v)...)}, nil
}

func orderFields(r request, f decisions.OrderFacts, name string) []field {
	v := f.View()
	all := []field{
		{"Order", cell{Text: v.ID, Mono: true}}, {"Status", orderStatus(v.OrderView)},
		{"Delivers", cell{Text: runesText(v.Amount) + " " + name}}, {"Owner", mono(v.Owner)},
		{"Payment address", mono(v.Address)}, {"Refunds go to", mono(v.Payment)},
		{"Price", cell{Text: satsText(v.Total) + " sats", Note: fmt.Sprintf("delivery %s, network %s, service %s, units %s; "+
			"at %s sat/vB", satsText(f.Fees.Dust), satsText(v.Network), satsText(v.Service), satsText(v.Rutxos), v.FeeRate)}},
		{"Speed", speed(v.OrderView)},
		{"Received", cell{Text: satsText(v.Seen+v.Late) + " sats", Note: fmt.Sprintf("%s in time, %s of it confirmed; "+
			"%s late", satsText(v.Seen), satsText(v.Confirmed), satsText(v.Late))}},
		{"Refunded", cell{Text: satsText(v.Refunded) + " sats"}},
		{"Overpayment", cell{Text: satsText(v.Overpayment) + " sats"}},
		{"Created", cell{Time: since(r.now, v.Created)}}, {"Deadline", cell{Time: since(r.now, v.Deadline)}},
		{"Changed", cell{Time: since(r.now, v.Updated)}},
	}
	if v.InAudit != nil {
		all[1].Value.Note = string(v.Reason) // the field after the status has the reason of AUDIT, with its cause
		all = slices.Insert(all, 2, inAudit(*v.InAudit))
	}
	if v.RefundDue != nil {
		due := dueRefund(v.OrderView)
		due.Note = refundWaits(f)
		all = append(all, field{"Refund due", due})
	}
	if v.PayoutID != "" {
		all = append(all, field{"Payout", payoutLink(v.PayoutID)}, field{"Transaction", mono(v.PayoutTx)})
	}
	if v.Refused != nil {
		all = append(all, field{"Not accepted by the node", cell{Text: v.Refused.String(), Tone: bad}})
	}
	return append(all, waits(v.Waits)...)
}

// waits returns fields with what the server does not send or carry out now.
func waits(all []decisions.WaitView) (fields []field) {
	for _, w := range all {
		fields = append(fields, field{"Waits", cell{Text: w.String(), Tone: warn}})
	}
	return fields
}

// speed returns the speed of an order, with the limits of an economy order.
func speed(o decisions.OrderView) cell {
	c := cell{Text: o.Speed()}
	if o.Economy != nil {
		c.Note = o.Economy.Limits()
	}
	return c
}

// inAudit returns the field with the reason of AUDIT.
func inAudit(reason decisions.AuditReason) field {
	return field{"In AUDIT because", cell{Text: reason.Text, Note: reason.Cause, Tone: bad}}
}

// refundWaits returns the text for the condition that delays an order's refund.
func refundWaits(f decisions.OrderFacts) string {
	if f.Status == order.Audit {
		return refundStates[string(refund.WaitingPerson)]
	}
	return strings.TrimSuffix(refundHolds[f.Owed.Hold]+": "+f.Owed.Refusal, ": ")
}

// mono returns a cell with a complete address or id.
func mono(s string) cell { return cell{Text: terminal.OrDash(s), Mono: true} }

func orderTables(r request, v decisions.OrderDetail) []block {
	payments := &table{Name: "Payments", Empty: "Nothing was paid yet.",
		Columns: columns("Output", "#Sats", "Seen", "#Block", "Counts", "Spent by")}
	for _, p := range v.Payments {
		payments.Rows = append(payments.Rows, []cell{found(p.OutPoint), figure(satsText(p.Value)),
			{Time: since(r.now, p.SeenAt)}, height(p.Height), paymentState(p), found(p.SpentBy)})
	}
	units := &table{Name: "Units", Empty: "It has no units.", Columns: columns("Unit", "#Runes", "Stage", "Custody")}
	for _, u := range v.UnitList {
		units.Rows = append(units.Rows, []cell{found(u.ID), figure(runesText(u.Amount)), text(string(u.Stage)),
			text(u.Custody)})
	}
	requests := &table{Name: "Requests", Empty: "No operator has decided anything about it.",
		Columns: columns("When", "By", "Request", "Status", "Note", "Why")}
	for _, q := range v.Requests {
		requests.Rows = append(requests.Rows, []cell{{Time: since(r.now, q.At)}, text(q.By), text(string(q.Kind)),
			text(string(q.Status)), text(q.Note), text(q.Why)})
	}
	moves := &table{Name: "Changes", Columns: columns("When", "Event", "From", "To", "Cause")}
	for _, m := range v.Moves {
		moves.Rows = append(moves.Rows, []cell{{Time: since(r.now, m.At)}, text(m.Event), text(m.From), text(m.To),
			text(m.Cause)})
	}
	return []block{{Heading: "Changes of its status", Table: moves},
		{Heading: "Payments", Table: payments}, {Heading: "Units", Table: units},
		{Heading: "Refunds", Table: payoutTable(r, v.Refunds, "No refund was sent.")},
		{Heading: "Requests", Table: requests}}
}

// paymentState describes whether a payment counts.
func paymentState(p decisions.PaymentView) cell {
	state := cell{Text: "in time"}
	switch {
	case p.Vanished:
		state = cell{Text: "replaced", Tone: bad}
	case !p.Counted:
		state = cell{Text: "no", Note: "too small, or with runes", Tone: warn}
	case p.Late:
		state = cell{Text: "late", Tone: warn}
	}
	if p.Refunded {
		state.Note = "refunded"
	}
	return state
}

func height(n int64) cell {
	if n < 0 {
		return figure("-")
	}
	return figure(count(n))
}

// option is a decision about an order, with its command.
type option struct {
	does     string
	decision decisions.Decision
	words    []string
	why      string
}

var options = []option{
	{"Deliver it with its units", decisions.Deliver, []string{"order", "resolve"}, "it is right to deliver it"},
	{"Refund what is left of its payments", decisions.Refund, []string{"order", "refund"}, "the payer gets it back"},
	{"Close it", decisions.Close, []string{"order", "resolve", "--close"}, "nothing is left that is worth a refund"},
	{"Take it to AUDIT, so that nothing happens before you decide", decisions.Review, []string{"order", "review"},
		"I want to look at it first"},
}

// decisions returns the commands of the decisions that an order permits now. why is the text above them: instructions,
// or the reason why there are none.
func (c *Console) decisions(f decisions.OrderFacts) (why string, commands []command) {
	for _, q := range f.Requests {
		if q.Status == payout.RequestOpen {
			return fmt.Sprintf("Request %d (%s, by %s) is recorded and not carried out yet%s. Wait for it before you decide "+
				"again.", q.Number, q.Kind, q.By, decisions.NoteSuffix(q.Note)), nil
		}
	}
	for _, o := range options {
		preview, err := o.decision.Preview(f)
		if err != nil {
			continue // the order does not permit this decision
		}
		commands = append(commands, command{Does: o.does, Note: preview,
			Line: c.change(o.why, append(slices.Clone(o.words), f.ID)...)})
	}
	if len(commands) > 0 {
		why = decide
	}
	return why, commands
}
