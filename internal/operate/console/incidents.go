package console

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"moonfund/internal/operate/decisions"
	"moonfund/internal/server/stop"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
)

// incidents returns every failure, warning and pending decision of the operator, the worst first.
func (c *Console) incidents(r request) (all []notice, err error) {
	for _, find := range []func(request) ([]notice, error){
		c.pauses, c.serverIncidents, c.behind, c.refusals, c.treasuryIncidents, c.ordersInAudit, c.heldRefunds,
		c.quarantined, c.stuckPayouts, c.openRequests,
	} {
		found, err := find(r)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	slices.SortStableFunc(all, func(a, b notice) int { return severity(b) - severity(a) })
	return all, nil
}

func severity(n notice) int {
	if n.Tone == bad {
		return 1
	}
	return 0
}

// incidentsPage lists the open incidents, the open requests to the server, and the operator log.
func (c *Console) incidentsPage(r request) (page, error) {
	found, err := c.incidents(r)
	if err != nil {
		return page{}, err
	}
	open := block{Heading: "Open", Notices: found}
	if len(found) == 0 {
		open.Text = noIncidents
	}
	log, older, err := c.log(r)
	if err != nil {
		return page{}, err
	}
	return page{Title: "Incidents", Intro: incidentsIntro, Blocks: []block{open, {
		Heading: "Operator log", Text: logIntro, Table: log, Older: older,
	}}}, nil
}

const logRows = 50

// log returns the newest entries of the operator log, and the link to more of them.
func (c *Console) log(r request) (*table, string, error) {
	rows := logRows * (r.number() + 1)
	lines, err := decisions.Log(r, r.tx, rows+1)
	if err != nil {
		return nil, "", err
	}
	older := ""
	if len(lines) > rows {
		lines, older = lines[:rows], fmt.Sprintf("%s?page=%d", incidentsPath, r.number()+2)
	}
	t := &table{Name: "Operator log", Empty: "No operator has changed anything yet.",
		Columns: columns("When", "By", "Command", "About", "Why", "#Number")}
	for _, l := range lines {
		t.Rows = append(t.Rows, []cell{
			{Time: since(r.now, l.At)}, text(l.By), text(l.Command), found(l.Subject), text(l.Why), figure(count(l.Number)),
		})
	}
	return t, older, nil
}

// pauses reports the pauses of payouts and of all changes.
func (c *Console) pauses(r request) (all []notice, err error) {
	pauses, err := stop.Pauses(r, r.tx)
	for _, p := range pauses {
		what, community, isOne := strings.Cut(p.What, ":")
		title, arguments := pausedTitle[what], []string{"resume", what}
		if isOne {
			title, arguments = fmt.Sprintf(pausedCommunity, community), append(arguments, "--community", community)
		}
		all = append(all, notice{
			Tone: bad, Title: title, Since: since(r.now, p.Since), Text: p.Reason, Do: resumeAdvice + " " + p.Read(),
			Commands: []command{
				{Does: checkLedger, Line: c.audit()},
				{Does: resumes[what], Line: c.change("the cause is found and corrected", arguments...)},
			},
		})
	}
	return all, err
}

// serverIncidents reports the state of the running server.
func (c *Console) serverIncidents(r request) (all []notice, err error) {
	s := r.server.status
	if s == nil {
		return []notice{{Tone: bad, Title: serverAway, Text: r.server.why, Do: startServer, Commands: []command{
			{Does: checkMachine, Line: c.doctor()},
		}}}, nil
	}
	for _, p := range s.Stops {
		if found := stop.Stop(p); !found.IsPause() {
			all = append(all, notice{Tone: bad, Title: found.Title(), Text: found.Reason, Do: found.Read()})
		}
	}
	if len(all) == 0 && s.Lag > mostLag {
		all = append(all, notice{Tone: warn, Title: notFollowing, Do: nodeAdvice})
	}
	if s.PayoutsWaiting > 0 && s.PayoutsReason != nil {
		all = append(all, notice{Tone: warn, Title: plural(s.PayoutsWaiting, "order or task waits",
			"orders or tasks wait"), Text: *s.PayoutsReason, Link: ordersPath + "?status=PAID", LinkText: "Orders in PAID"})
	}
	return append(all, c.metricIncidents(r.server)...), nil
}

// metricIncidents reports problems in the metrics: of the audit and the backups.
func (c *Console) metricIncidents(s serverState) (all []notice) {
	audits := []command{{Does: checkLedger, Line: c.audit()}}
	if ok, known := s.metric("audit_ok"); known && ok == 0 {
		all = append(all, notice{Tone: bad, Title: auditFailed, Do: auditAdvice, Commands: audits})
	}
	if old, known := s.since("audit_age_seconds"); known && old > longestAuditAge {
		all = append(all, notice{Tone: warn, Title: "The last audit was " + span(old) + " ago", Do: auditAdvice,
			Commands: audits})
	}
	if old, known := s.since("backup_age_seconds"); known && old > longestBackupAge {
		all = append(all, notice{Tone: bad, Title: "The last backup was made " + span(old) + " ago", Do: backupAdvice,
			Commands: []command{{Does: "Make a backup now", Line: c.command("backup", "moonfund-backup.zip")}}})
	}
	return all
}

// behind reports a ledger that is behind its key's high-water mark.
func (c *Console) behind(r request) ([]notice, error) {
	v, err := decisions.Ledger(r, r.tx)
	if err != nil {
		return nil, err
	}
	if !v.Behind {
		return nil, nil
	}
	return []notice{{Tone: bad, Title: ledgerBehind, Do: behindAdvice, Commands: []command{
		{Does: "Show the ledger", Line: c.command("ledger", "show")},
	}}}, nil
}

// refusals reports the server's transactions that the node does not accept.
func (c *Console) refusals(r request) (all []notice, err error) {
	refused, err := r.tx.Refusals(r)
	for _, f := range ledger.ForOperators(refused) {
		advice := refusedAdvice
		if f.Passing {
			advice = refusedPassing
		}
		all = append(all, notice{
			Tone: bad, Title: "The node does not accept transaction " + short(f.TxID).Text, Since: since(r.now, f.Since),
			Text: f.Reason, Do: advice, Link: payoutsPath + "/" + f.TxID, LinkText: "The transaction and its versions",
		})
	}
	return all, err
}

// treasuryIncidents reports treasuries with deposits that are not credited, unexplained spends, a shortfall or a short
// runway.
func (c *Console) treasuryIncidents(r request) (all []notice, err error) {
	communities, err := r.tx.Communities(r)
	if err != nil {
		return nil, err
	}
	for _, prefix := range communities {
		v, err := c.readTreasury(r, prefix)
		if err != nil {
			return nil, err
		}
		if v.left() < 0 {
			all = append(all, notice{Tone: bad, Title: "The treasury of " + v.name + " is short of " +
				runesText(-v.left()), Text: shortfall, Link: treasuryPath, LinkText: "Treasury"})
		}
		if v.Covers.Epochs < lowRunway {
			all = append(all, notice{Tone: warn, Title: "Rewards of " + v.name + " end soon", Text: v.covers(),
				Do: runwayAdvice, Link: treasuryPath, LinkText: "Treasury"})
		}
		if credit := c.credit(v.TreasuryView); credit.Line != "" {
			all = append(all, notice{Tone: warn, Title: "Deposits to the treasury of " + v.name + " are not credited",
				Text: uncredited, Link: treasuryPath, LinkText: "The deposits", Commands: []command{credit}})
		}
		for _, s := range v.Unexplained {
			all = append(all, notice{Tone: bad, Title: "A transaction took " + tookText(s, v.name) +
				" from the treasury, and is no payout", Text: s.TxID, Do: explainAdvice,
				Commands: []command{c.explain(s)}})
		}
	}
	return all, nil
}

// ordersInAudit reports orders that need a decision.
func (c *Console) ordersInAudit(r request) ([]notice, error) {
	audited, err := r.tx.OrdersInStatus(r, order.Audit)
	if err != nil || len(audited) == 0 {
		return nil, err
	}
	oldest := audited[0].Updated
	for _, o := range audited {
		if o.Updated.Before(oldest) {
			oldest = o.Updated
		}
	}
	return []notice{{Tone: warn, Title: plural(len(audited), "order is", "orders are") + " in AUDIT",
		Since: since(r.now, oldest), Do: auditOrderAdvice, Link: ordersPath, LinkText: "Decide"}}, nil
}

// heldRefunds reports refunds that wait for the operator.
func (c *Console) heldRefunds(r request) (all []notice, err error) {
	due, err := r.tx.RefundsDue(r)
	if err != nil {
		return nil, err
	}
	held, oldest := int64(0), time.Time{}
	for _, d := range due {
		if d.Held > 0 && (held == 0 || d.HeldSince.Before(oldest)) {
			oldest = d.HeldSince
		}
		held += d.Held
	}
	if held == 0 {
		return nil, nil
	}
	return []notice{{Tone: warn, Title: plural(held, "refund waits", "refunds wait") + " for you",
		Since: since(r.now, oldest), Text: heldRefund, Link: refundsPath, LinkText: "Refunds"}}, nil
}

// quarantined reports outputs that can be returned to their owners.
func (c *Console) quarantined(r request) ([]notice, error) {
	outputs, err := decisions.Quarantined(r, r.tx, "", false)
	outputs = slices.DeleteFunc(outputs, func(o decisions.QuarantineView) bool { return !o.Returnable })
	if err != nil || len(outputs) == 0 {
		return nil, err
	}
	return []notice{{Tone: warn, Title: plural(len(outputs), "output", "outputs") + " in quarantine can be returned",
		Text: quarantineIntro, Link: quarantinePath, LinkText: "Quarantine"}}, nil
}

// stuckPayouts reports payouts that are unconfirmed for hours.
func (c *Console) stuckPayouts(r request) (all []notice, err error) {
	live, err := r.tx.PayoutsIn(r, payout.Live)
	for _, p := range live {
		last := p.Versions[len(p.Versions)-1]
		if r.now.Sub(last.Created) < longestLive {
			continue
		}
		all = append(all, notice{
			Tone: warn, Title: "Payout " + short(p.ID).Text + " is not confirmed", Since: since(r.now, last.Created),
			Do: bumpAdvice, Link: payoutsPath + "/" + p.ID, LinkText: "The payout", Commands: []command{c.bump(p.ID)},
		})
	}
	return all, err
}

// openRequests reports requests that the server has not carried out within longestRequest.
func (c *Console) openRequests(r request) (all []notice, err error) {
	open, err := r.tx.OpenRequests(r)
	for _, q := range open {
		if r.now.Sub(q.At) < longestRequest {
			continue
		}
		all = append(all, notice{
			Tone: warn, Title: fmt.Sprintf("Request %d (%s, by %s) is not carried out yet", q.Number, q.Kind, q.By),
			Since: since(r.now, q.At), Text: q.Note, Do: requestAdvice, Link: found(q.OrderID).Link,
			LinkText: short(q.OrderID).Text,
		})
	}
	return all, err
}
