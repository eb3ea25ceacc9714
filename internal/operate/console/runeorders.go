package console

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"moonfund/internal/operate/decisions"
	"moonfund/internal/staking/etching"
)

// runeOrders lists mint and etch orders.
func (c *Console) runeOrders(r request) (page, error) {
	chosen := etching.State(strings.ToLower(r.query.Get("state")))
	if chosen != "" && !slices.Contains(etching.States, chosen) {
		return page{}, missing{fmt.Errorf("there is no state %q", chosen)}
	}
	tabs := block{Tabs: []tab{{"All", mintsPath, chosen == ""}}}
	for _, s := range etching.States {
		tabs.Tabs = append(tabs.Tabs, tab{string(s), mintsPath + "?state=" + url.QueryEscape(string(s)), chosen == s})
	}
	all, err := decisions.RuneOrders(r, r.tx, chosen, (r.number()+1)*rowsPerPage+1)
	if err != nil {
		return page{}, err
	}
	shown, list := part(r, all, rowsPerPage)
	list.Table = &table{Name: "Mint and etch orders", Empty: noRuneOrders,
		Columns: columns("Order", "Created", "Kind", "State", "Rune", "#Price (sats)", "Deadline")}
	for _, o := range shown {
		link := short(o.ID)
		link.Link = mintsPath + "/" + url.PathEscape(o.ID)
		list.Table.Rows = append(list.Table.Rows, []cell{link, {Time: since(r.now, o.Created)}, text(string(o.Kind)),
			{Text: string(o.State), Note: o.Reason}, text(o.Rune), figure(satsText(o.FundAmount)),
			{Time: since(r.now, o.Deadline)}})
	}
	return page{Title: "Mint and etch", Blocks: []block{tabs, list}}, nil
}

// runeOrder shows a mint or etch order with its payments and transactions.
func (c *Console) runeOrder(r request) (page, error) {
	o, err := decisions.ReadRuneOrder(r, r.tx, r.id)
	if err != nil {
		return page{}, absent(err)
	}
	payments := &table{Name: "Payments", Empty: "Nothing was paid yet.",
		Columns: columns("Output", "#Sats", "#Runes", "#Block", "State")}
	for _, p := range o.Payments {
		state := text("")
		if p.Vanished {
			state = cell{Text: "replaced", Tone: bad}
		}
		payments.Rows = append(payments.Rows, []cell{found(p.Outpoint), figure(satsText(p.Value)), figure(count(p.Runes)),
			height(p.Height), state})
	}
	txs := &table{Name: "Transactions", Empty: "Nothing was sent yet.",
		Columns: columns("Transaction", "Role", "#Fee (sats)", "#vB", "#Block", "Not accepted by the node")}
	for _, t := range o.Txs {
		refused := text("")
		if t.Refused != nil {
			refused = cell{Text: t.Refused.String(), Tone: bad}
		}
		txs.Rows = append(txs.Rows, []cell{found(t.Txid), text(string(t.Role)), figure(satsText(t.Fee)),
			figure(count(t.VBytes)), height(t.Height), refused})
	}
	return page{Title: "Order " + short(o.ID).Text, Blocks: []block{
		{Fields: append([]field{
			{"Order", mono(o.ID)}, {"Kind", text(string(o.Kind))}, {"State", cell{Text: string(o.State), Note: o.Reason}},
			{"Rune", text(o.Rune)}, {"Price", cell{Text: satsText(o.FundAmount) + " sats", Note: "at " + o.FeeRate + " sat/vB"}},
			{"Paid at", mono(o.Address)}, {"Runes go to", mono(o.Destination)}, {"Refunds go to", mono(o.Refund)},
			{"Created", cell{Time: since(r.now, o.Created)}}, {"Deadline", cell{Time: since(r.now, o.Deadline)}},
			{"Changed", cell{Time: since(r.now, o.Updated)}},
		}, waits(o.Waits)...)},
		{Heading: "Commands", Commands: []command{
			{Does: "Show it in the terminal", Line: c.command("rune-order", "show", o.ID)},
			{Does: "Write a page for the customer", Line: c.command("find", o.ID)},
		}},
		{Heading: "Payments", Table: payments}, {Heading: "Transactions", Table: txs},
	}}, nil
}
