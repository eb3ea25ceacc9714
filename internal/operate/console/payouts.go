package console

import (
	"fmt"
	"net/url"
	"slices"

	"moonfund/internal/operate/decisions"
	"moonfund/internal/staking/payout"
)

// payoutTabs are the parts of the payouts' page.
var payoutTabs = []struct {
	name, status string
	kind         payout.Kind
}{
	{"Not confirmed", string(payout.Live), ""}, {"All", "all", ""}, {"Deliveries", "all", payout.Delivery},
	{"Refunds", "all", payout.Refund}, {"Returns", "all", payout.Return},
	{"In one transaction", "all", payout.OneTx}, {"Splits", "all", payout.Split},
}

// payouts lists payouts, beginning with the unconfirmed ones.
func (c *Console) payouts(r request) (page, error) {
	status, kind := r.query.Get("status"), payout.Kind(r.query.Get("kind"))
	if status == "" {
		status = string(payout.Live)
	}
	b := block{}
	for _, t := range payoutTabs {
		link := payoutsPath + "?" + url.Values{"status": {t.status}, "kind": {string(t.kind)}}.Encode()
		b.Tabs = append(b.Tabs, tab{t.name, link, t.status == status && t.kind == kind})
	}
	filter := decisions.PayoutFilter{Kind: kind}
	if status != "all" {
		filter.Status = payout.Status(status)
	}
	all, err := decisions.Payouts(r, r.tx, filter)
	if err != nil {
		return page{}, err
	}
	shown, list := part(r, all, rowsPerPage)
	list.Table = payoutTable(r, shown, noPayouts)
	return page{Title: "Payouts", Intro: payoutsIntro, Blocks: []block{b, list}}, nil
}

func payoutTable(r request, payouts []decisions.PayoutView, empty string) *table {
	t := &table{Name: "Payouts", Empty: empty, Columns: columns("Payout", "Kind", "Status", "Sent", "#Orders",
		"#Versions", "#Fee (sats)", "#sat/vB", "#Block", "Transaction")}
	for _, p := range payouts {
		v := p.Current()
		t.Rows = append(t.Rows, []cell{
			payoutLink(p.ID), text(string(p.Kind)), payoutStatus(p.Status), {Time: since(r.now, p.Created)},
			figure(count(len(p.Orders))), figure(count(len(p.Versions))), figure(satsText(v.Fee)),
			figure(fmt.Sprintf("%.1f", v.Rate())), height(v.Height), found(v.Txid),
		})
	}
	return t
}

func payoutStatus(s payout.Status) cell {
	return cell{Text: string(s), Tone: map[payout.Status]tone{
		payout.Live: warn, payout.Confirmed: good, payout.Final: good, payout.Dead: bad,
	}[s]}
}

func payoutLink(id string) cell {
	c := short(id)
	c.Link = payoutsPath + "/" + url.PathEscape(id)
	return c
}

// bump returns the command that replaces a payout.
func (c *Console) bump(id string) command {
	return command{Does: "Replace it with a version that pays the current fee rate",
		Line: c.change("it is stuck", "payout", "bump", id)}
}

// payout shows one payout with all of its versions. The id may belong to one of its transactions.
func (c *Console) payout(r request) (page, error) {
	p, err := decisions.ReadPayout(r, r.tx, r.id, false)
	if err != nil {
		return page{}, absent(err)
	}
	versions := &table{Name: "Versions", Columns: columns("Transaction", "Created", "#Fee (sats)", "#vB", "#sat/vB",
		"#Block", "Not accepted by the node")}
	for _, v := range p.Versions {
		refused := text("")
		if v.Refused != nil {
			refused = cell{Text: v.Refused.String(), Tone: bad}
		}
		versions.Rows = append(versions.Rows, []cell{found(v.Txid), {Time: since(r.now, v.Created)},
			figure(satsText(v.Fee)), figure(count(v.VBytes)), figure(fmt.Sprintf("%.1f", v.Rate())), height(v.Height), refused})
	}
	orders := &table{Name: "Orders", Empty: "It serves no order.", Columns: columns("Order")}
	for _, id := range p.Orders {
		orders.Rows = append(orders.Rows, []cell{orderLink(id)})
	}
	commands := []command{{Does: "Show it in the terminal, with the signed transactions",
		Line: c.command("payout", "show", p.ID, "--hex")}}
	mined := slices.ContainsFunc(p.Versions, func(v decisions.VersionView) bool { return v.Height >= 0 })
	if p.Status == payout.Live && !mined {
		commands = append([]command{c.bump(p.ID)}, commands...)
	}
	return page{Title: "Payout " + short(p.ID).Text, Blocks: []block{
		{Fields: []field{{"Payout", mono(p.ID)}, {"Kind", text(string(p.Kind))}, {"Status", payoutStatus(p.Status)},
			{"Created", cell{Time: since(r.now, p.Created)}}}},
		{Heading: "Commands", Commands: commands}, {Heading: "Versions", Table: versions},
		{Heading: "Orders", Table: orders},
	}}, nil
}

// refunds lists the refunds that are due, and the refunds that were sent.
func (c *Console) refunds(r request) (page, error) {
	due, err := decisions.Orders(r, r.tx, decisions.OrderFilter{RefundDue: true, Limit: 1 << 30})
	if err != nil {
		return page{}, err
	}
	slices.SortStableFunc(due, func(a, b decisions.OrderView) int { return a.RefundDue.Since.Compare(b.RefundDue.Since) })
	const most = 100
	waiting := &table{Name: "Refunds that are due", Empty: noRefunds,
		Columns: columns("Order", "Since", "#Sats", "Waits for", "Reason", "Goes to", "Command")}
	for _, o := range due[:min(most, len(due))] {
		command := cell{Text: "Decide", Link: ordersPath + "/" + url.PathEscape(o.ID)}
		if facts, err := decisions.ReadOrder(r, r.tx, o.ID); err != nil {
			return page{}, err
		} else if _, commands := c.decisions(facts); len(commands) > 0 && o.Status != "AUDIT" {
			command = cell{Code: commands[0].Line}
		}
		waiting.Rows = append(waiting.Rows, []cell{
			orderLink(o.ID), {Time: since(r.now, o.RefundDue.Since)}, figure(satsText(o.RefundDue.Sats)),
			{Text: refundStates[o.RefundDue.State], Tone: refundTones[o.RefundDue.State]}, text(o.RefundDue.Reason),
			found(o.RefundDue.Address), command,
		})
	}
	sent, err := decisions.Payouts(r, r.tx, decisions.PayoutFilter{Kind: payout.Refund})
	if err != nil {
		return page{}, err
	}
	shown, list := part(r, sent, rowsPerPage)
	list.Heading, list.Table = "Sent", payoutTable(r, shown, "No refund was sent yet.")
	first := block{Heading: "Due", Text: refundsIntro, Table: waiting}
	if len(due) > most {
		first.Text += fmt.Sprintf(" The oldest %d of %d are shown.", most, len(due))
	}
	return page{Title: "Refunds", Blocks: []block{first, list}}, nil
}
