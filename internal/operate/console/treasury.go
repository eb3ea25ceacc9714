package console

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/operate/decisions"
)

// runeName returns the name of a community's rune, or its prefix while the index does not have the rune.
func runeName(r request, prefix string) (string, error) {
	text, err := r.tx.RuneOf(r, prefix)
	if err != nil {
		return prefix, err
	}
	id, err := runes.ParseID(text)
	if err != nil {
		return prefix, err
	}
	entry, known, err := r.tx.Runes(r).RuneEntry(id)
	if err != nil || !known {
		return prefix, err
	}
	return entry.SpacedName().String(), nil
}

// treasury shows each community's holdings, debts, deposits and unexplained spends.
func (c *Console) treasury(r request) (page, error) {
	communities, err := r.tx.Communities(r)
	if err != nil {
		return page{}, err
	}
	p := page{Title: "Treasury", Intro: treasuryIntro}
	for _, prefix := range communities {
		v, err := c.readTreasury(r, prefix)
		if err != nil {
			return page{}, err
		}
		p.Blocks = append(p.Blocks, c.treasuryBlocks(v)...)
	}
	return p, nil
}

func (c *Console) treasuryBlocks(v holdings) []block {
	blocks := []block{{Heading: v.name, Tiles: v.tiles(), Text: v.covers(), Fields: []field{
		{"Address for runes", mono(v.RunesAddress)}, {"Address for sats", mono(v.SatsAddress)},
		{"Stakers' own runes", cell{Text: runesText(v.Staked), Note: "on stake outputs; not the treasury's"}},
		{"Paid and not sent", cell{Text: plural(v.PaidOrders, "order", "orders"), Note: runesText(v.PaidRunes) + " " + v.name,
			Link: ordersPath + "?status=PAID"}},
		{"Sent and not delivered", cell{Text: plural(v.LivePayouts, "payout", "payouts"), Link: payoutsPath}},
		{"In AUDIT", cell{Text: plural(v.RefundsDue, "order", "orders"), Note: satsText(v.RefundSats) + " sats received",
			Link: ordersPath}},
		{"In quarantine", cell{Text: plural(v.Quarantined, "output", "outputs"), Link: quarantinePath}},
	}, Commands: []command{{Does: "Show it in the terminal", Line: c.command("treasury", "show", v.Community)}}}}
	blocks = append(blocks, block{Heading: "Surplus of " + v.name, Text: surplusText, Plain: v.surplus.String(),
		Commands: []command{{Does: "Show it in the terminal", Line: c.command("treasury", "surplus", v.Community)}}})
	if len(v.Unbooked) > 0 {
		blocks = append(blocks, c.deposits(v))
	}
	for _, s := range v.Unexplained {
		blocks = append(blocks, block{Heading: "Unexplained spend of " + v.name, Text: explainAdvice, Fields: []field{
			{"Transaction", mono(s.TxID)}, {"To", mono(s.Owner)},
			{"Amount", cell{Text: tookText(s, "")}}, {"Block", height(s.Height)},
		}, Commands: []command{c.explain(s)}})
	}
	return blocks
}

// tookText returns the runes and the sats that a spend took. name is the rune's, or "".
func tookText(s decisions.SpendView, name string) string {
	taken := strings.TrimRight(runesText(s.Amount)+" "+name, " ")
	switch {
	case s.Sats == 0:
		return taken
	case s.Amount == 0:
		return satsText(s.Sats) + " sats"
	}
	return taken + " and " + satsText(s.Sats) + " sats"
}

// deposits lists the deposits to a treasury that are not credited.
func (c *Console) deposits(v holdings) block {
	t := &table{Name: "Deposits", Columns: columns("Output", "At", "#Sats", "#Runes", "#Block", "In quarantine")}
	for _, u := range v.Unbooked {
		t.Rows = append(t.Rows, []cell{found(u.OutPoint), text(string(u.Kind)), figure(satsText(u.Value)),
			figure(runesText(u.Runes)), height(u.Height), text(u.Reason)})
	}
	b := block{Heading: "Deposits of " + v.name + " that are not credited", Text: uncredited, Table: t}
	if credit := c.credit(v.TreasuryView); credit.Line != "" {
		b.Commands = []command{credit}
	}
	return b
}

// credit returns the command that credits a treasury's deposits, without a command line if there are none.
func (c *Console) credit(v decisions.TreasuryView) command {
	confirmed := func(u decisions.UnbookedView) bool { return u.Reason == "" && u.Height >= 0 }
	if !slices.ContainsFunc(v.Unbooked, confirmed) {
		return command{}
	}
	return command{Does: "Credit the confirmed deposits",
		Line: c.change("deposit for rewards and fees", "treasury", "credit", v.Community)}
}

// explain returns the command that explains a spend of the treasury.
func (c *Console) explain(s decisions.SpendView) command {
	words := []string{"treasury", "explain", s.TxID}
	if s.Owner != "" {
		words = append(words, s.Owner)
	}
	return command{Does: "Record that it delivered no reward. For each reward that it delivered, add --unit ID",
		Line: c.change("sent by hand", words...)}
}

const epochRows = 20

// epochs lists the epochs of each community.
func (c *Console) epochs(r request) (page, error) {
	communities, err := r.tx.Communities(r)
	if err != nil {
		return page{}, err
	}
	p := page{Title: "Epochs", Intro: epochsIntro}
	for _, prefix := range communities {
		name, err := runeName(r, prefix)
		if err != nil {
			return page{}, err
		}
		all, err := decisions.Epochs(r, r.tx, prefix, (r.number()+1)*epochRows+1)
		if err != nil {
			return page{}, err
		}
		shown, b := part(r, all, epochRows)
		b.Heading, b.Table = name, &table{Name: "Epochs of " + name, Empty: noEpochs, Columns: columns("#Epoch", "Begins",
			"State", "#Budget", "#Distributed", "#Staked", "#Stakers", "#Block")}
		for _, e := range shown {
			link := cell{Text: count(e.Epoch), Number: true,
				Link: epochsPath + "/" + url.PathEscape(prefix) + "/" + strconv.FormatInt(e.Epoch, 10)}
			b.Table.Rows = append(b.Table.Rows, []cell{link, {Time: since(r.now, e.Start)}, epochState(r, e),
				figure(runesText(e.Planned)), figure(runesText(e.Rewarded)), figure(runesText(e.Staked)),
				figure(count(e.Owners)), height(e.Cut)})
		}
		p.Blocks = append(p.Blocks, b)
	}
	return p, nil
}

// epochState describes whether an epoch runs or is settled, and a budget that the treasury did not cover.
func epochState(r request, e decisions.EpochView) cell {
	state := cell{Text: "running"}
	switch {
	case e.Settled:
		state = cell{Text: "settled", Tone: good}
	case e.End != nil && e.End.Before(r.now):
		state = cell{Text: "ended", Note: epochEnded, Tone: warn}
	}
	if !e.Settled && e.Reserved < e.Planned {
		state.Note = "only " + runesText(e.Reserved) + " reserved"
	}
	return state
}

// epoch shows one epoch with its rewards.
func (c *Console) epoch(r request) (page, error) {
	number, err := strconv.ParseInt(r.id, 10, 64)
	if err != nil {
		return page{}, errNoPage
	}
	e, err := decisions.ReadEpoch(r, r.tx, r.community, number)
	if err != nil {
		return page{}, absent(err)
	}
	shown, b := part(r, e.Rewards, rowsPerPage)
	b.Heading, b.Table = "Rewards", &table{Name: "Rewards", Empty: noRewards,
		Columns: columns("Owner", "#Stake", "#Reward", "Unit")}
	for _, reward := range shown {
		b.Table.Rows = append(b.Table.Rows, []cell{found(reward.Owner), figure(runesText(reward.Stake)),
			figure(runesText(reward.Reward)), found(reward.Unit)})
	}
	commands := []command{{Does: "Show it in the terminal",
		Line: c.command("epoch", "show", e.Community, strconv.FormatInt(e.Epoch, 10))}}
	if e.Settled {
		commands = append(commands, command{Does: "Recompute every reward from the chain",
			Line: c.command("epoch", "verify", strconv.FormatInt(e.Epoch, 10), "--community", e.Community)})
	}
	return page{Title: fmt.Sprintf("Epoch %d of %s", e.Epoch, e.Community), Blocks: []block{
		{Fields: []field{
			{"Begins", cell{Time: since(r.now, e.Start)}}, {"State", epochState(r, e.EpochView)},
			{"Settled", cell{Text: "not yet", Time: since(r.now, e.SettledAt)}},
			{"Budget", cell{Text: runesText(e.Planned)}}, {"Reserved", cell{Text: runesText(e.Reserved)}},
			{"Distributed", cell{Text: runesText(e.Rewarded)}}, {"Staked", cell{Text: runesText(e.Staked)}},
			{"Last block", height(e.Cut)}, {"Its hash", mono(e.CutHash)},
		}}, {Heading: "Commands", Commands: commands}, b,
	}}, nil
}
