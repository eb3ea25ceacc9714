package audit

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"moonfund/internal/bitcoin/chain"
)

// ErrOtherTip is returned if the ledger's tip differs from its tip at the last audit.
var ErrOtherTip = errors.New("audit: the ledger is at a block that was not audited yet")

// Sending checks a stored transaction of ours before it is broadcast: its payout, and every order, unit, output,
// payment, posting and action that it depends on, by the rules of a full audit. It returns the violations. It checks no
// sums over the whole ledger, so it returns ErrOtherTip unless the last full audit had the same tip.
func (c *Checker) Sending(ctx context.Context, txid string) ([]Violation, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	tx, err := snapshot(ctx, c.db)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	a := newAuditor(c.Config, c.chain)
	a.partial = true
	r := reader{ctx: ctx, tx: tx}
	tips := list(&r, blockRows, "ORDER BY height DESC LIMIT 1")
	walked := a.loaded && len(a.headers) > 0
	if r.err == nil && (len(tips) == 0 || !walked || a.headers[len(a.headers)-1].hash != tips[0].hash) {
		return nil, ErrOtherTip
	}
	s := a.readSending(&r, txid)
	if r.err == nil {
		a.checkSending(&r, txid, s)
	}
	if r.err != nil {
		return nil, r.err
	}
	if err := a.file.err; err != nil {
		c.chain.discard(err)
		return nil, err
	}
	a.report.accept(a.accepted)
	return a.report.Violations, nil
}

// toSendRows are the transactions of ours that a server broadcasts.
var toSendRows = table[string]{"SELECT txid FROM tracked WHERE ours = 1 AND height = -1 AND vanished = 0",
	func(txid *string) []any { return []any{txid} }}

// addSending adds the violations of Sending for each transaction of ours that is not in a block, unless the report has
// them. It adds none if the server has followed another block since the audit.
func (c *Checker) addSending(ctx context.Context, report *Report) error {
	tx, err := snapshot(ctx, c.db)
	if err != nil {
		return err
	}
	r := reader{ctx: ctx, tx: tx}
	waiting := list(&r, toSendRows, "ORDER BY txid")
	_ = tx.Rollback()
	if r.err != nil {
		return r.err
	}
	for _, txid := range waiting {
		found, err := c.Sending(ctx, txid)
		if errors.Is(err, ErrOtherTip) {
			return nil
		}
		if err != nil {
			return err
		}
		for _, v := range found {
			if !slices.ContainsFunc(report.Violations, func(w Violation) bool { return v.compare(w) == 0 }) {
				report.Violations = append(report.Violations, v)
			}
		}
	}
	slices.SortFunc(report.Violations, Violation.compare)
	return nil
}

// sending is a payout before it is broadcast, in addition to the rows that the auditor stores.
type sending struct {
	payout   payout
	versions []version

	siblings        []payout             // other live payouts of its orders
	siblingVersions map[string][]version // by payout
}

// readSending reads the rows that a payout depends on, by the payout's transaction.
func (a *auditor) readSending(r *reader, txid string) (s sending) {
	a.readSettings(r)
	s.versions = list(r, versionRows,
		"WHERE payout_id IN (SELECT payout_id FROM payout_version WHERE txid = $1) ORDER BY number", txid)
	a.versions, a.payouts = byKey(s.versions, version.entry), map[string]payout{}
	if len(s.versions) == 0 {
		return s
	}
	for _, p := range list(r, payoutRows, "WHERE id = $1 OR status = 'live'", s.versions[0].payoutID) {
		if p.id == s.versions[0].payoutID {
			s.payout = p
		}
		a.payouts[p.id] = p
	}
	s.readSiblings(r, a.payouts)
	a.readOrders(r, s.payout)
	a.readOutputs(r, s)
	return s
}

// readSiblings reads the versions of the other live payouts of the payout's orders.
func (s *sending) readSiblings(r *reader, live map[string]payout) {
	shares := func(id string) bool { return slices.Contains(s.payout.orderIDs, id) }
	var ids []string
	for _, id := range sortedKeys(live) {
		if p := live[id]; id != s.payout.id && slices.ContainsFunc(p.orderIDs, shares) {
			s.siblings, ids = append(s.siblings, p), append(ids, id)
		}
	}
	s.siblingVersions = map[string][]version{}
	condition, args := among("payout_id", ids)
	each(r, versionRows, condition, func(v version) {
		s.siblingVersions[v.payoutID] = append(s.siblingVersions[v.payoutID], v)
	}, args...)
}

// readOrders reads the orders of a payout with their payments, and the units that these orders hold. The units of a
// closed order can be on another order since.
func (a *auditor) readOrders(r *reader, p payout) {
	condition, args := among("id", p.orderIDs)
	a.orders = keyed(r, orderRows, order.entry, condition, args...)
	condition, args = among("u.order_id", p.orderIDs)
	each(r, unitRows, condition+" AND u.order_id <> ''", func(u unit) {
		u.output = a.outputs.at(u.id)
		a.units[u.key()] = u
	}, args...)
	condition, args = among("order_id", p.orderIDs)
	a.payments = list(r, paymentRows, condition+" ORDER BY number", args...)
}

// readOutputs reads the outputs that a payout spends and the outputs of its orders' units and payments, with their
// transactions, their scripts and the payouts that spend them.
func (a *auditor) readOutputs(r *reader, s sending) {
	points := map[string]bool{}
	for _, v := range s.versions {
		for _, point := range inputsOf(v.raw) {
			points[point] = true
		}
	}
	for _, u := range a.units {
		if u.origin == "STAKE" {
			points[u.id] = true
		}
	}
	for _, p := range a.payments {
		points[p.outpoint()] = true
	}
	var txids []string
	for point := range points {
		txid, _, _ := strings.Cut(point, ":")
		txids = append(txids, txid)
	}
	condition, args := among("c.txid", txids)
	each(r, custodyRows, condition, func(c custody) {
		if point := c.outpoint(); points[point] {
			a.custody[point] = c
		}
	}, args...)
	condition, args = among("c.ref", s.payout.orderIDs) // outputs without a payment row
	for _, c := range list(r, custodyRows, condition, args...) {
		a.custody[c.outpoint()] = c
		txids = append(txids, c.txid)
	}
	for _, o := range a.orders {
		txids = append(txids, o.payoutTx)
	}
	for _, c := range a.custody {
		txids = append(txids, c.spentBy)
	}
	a.readTracked(r, txids)
	condition, args = among("txid", txids)
	maps.Copy(a.versions, keyed(r, versionRows, version.entry, condition, args...))
	var ids []string
	for _, v := range a.versions {
		ids = append(ids, v.payoutID)
	}
	condition, args = among("id", ids)
	maps.Copy(a.payouts, keyed(r, payoutRows, payout.entry, condition, args...))
	a.readScripts(r, s.versions)
}

// readScripts reads the purposes of the scripts of orders and outputs, and the keys of stake addresses.
func (a *auditor) readScripts(r *reader, versions []version) {
	scripts := [][]byte{}
	for _, v := range versions {
		if tx, err := chain.DecodeTx(v.raw); err == nil {
			for _, out := range tx.Msg.TxOut {
				scripts = append(scripts, out.PkScript)
			}
		}
	}
	for _, o := range a.orders {
		scripts = append(scripts, o.script)
	}
	for _, c := range a.custody {
		scripts = append(scripts, c.script)
	}
	condition, args := among("script", scripts)
	a.readWatching(r, condition, args...)
	refs := []string{}
	for _, c := range a.custody {
		refs = append(refs, c.ref)
	}
	condition, args = among("address", refs)
	a.readKeys(r, condition, args...)
}

// checkSending runs the checks of an audit on the rows that a payout depends on.
func (a *auditor) checkSending(r *reader, txid string, s sending) {
	p := s.payout
	switch {
	case len(s.versions) == 0 || p.id == "":
		a.fail(Payouts, onServer(noPayout, "transaction "+txid), "it is in no payout")
		return
	case p.status == "dead":
		a.fail(Payouts, p.transaction(txid), "it is of a payout that is dead")
		return
	}
	claimed := map[string]string{}
	for _, sibling := range s.siblings {
		a.checkClaims(sibling, s.siblingVersions[sibling.id], claimed)
	}
	a.checkClaims(p, s.versions, claimed)
	for point, c := range a.custody {
		a.checkWatched(c)
		a.checkOutput(c, a.outputs.at(point))
	}
	cuts := a.cuts()
	for _, u := range a.units {
		a.checkUnit(u, cuts)
	}
	a.checkHistory(r, p)
	a.checkOrders(p)
	if p.kind == "refund" {
		a.checkRefund(p)
	}
	a.checkFamily(p, s.versions)
}

// checkHistory replays the journal of a payout's orders and units, and checks the actions that caused it.
func (a *auditor) checkHistory(r *reader, p payout) {
	subjects := slices.Clone(p.orderIDs)
	for key := range a.units {
		subjects = append(subjects, key.id)
	}
	condition, args := among("j.subject", subjects)
	a.replayJournal(r, condition, args...)
	var ids []string
	for key := range a.units {
		ids = append(ids, key.id)
	}
	condition, args = among("u.id", ids)
	each(r, unitStateRows, condition, a.compareUnit, args...)
	a.checkCooled(r, condition+" AND "+hasCooled, args...)
	a.checkChosen(r, condition+" AND "+hasChosen, args...)
	for id, o := range a.orders {
		if !a.replayedOrders[id] {
			a.compareOrder(o, replayed{})
		}
	}
	condition, args = among("subject", subjects)
	ids = nil
	each(r, causeRows, condition+" AND cause_kind = 'action'", func(id string) { ids = append(ids, id) }, args...)
	for _, o := range a.orders {
		ids = append(ids, o.actionID)
	}
	var owners []string
	for _, o := range a.orders {
		owners = append(owners, o.owner)
	}
	condition, args = among("ordinals", owners)
	links := keyed(r, linkRows, link.entry, condition, args...)
	condition, args = among("id", ids)
	each(r, actionRows, condition+" AND used_at <> 0", func(act action) { a.checkProof(act, links) }, args...)
	condition, args = among("o.id", p.orderIDs)
	each(r, orderedRows, condition, a.checkOrdered, args...)
}

// causeRows are the actions that the journal cites.
var causeRows = table[string]{"SELECT DISTINCT cause_id FROM journal", func(id *string) []any { return []any{id} }}

// checkOrders checks the orders of a payout, their payments and their units.
func (a *auditor) checkOrders(p payout) {
	lockedBy, sums, recorded := map[unitKey]string{}, map[string]received{}, map[string]bool{}
	for _, paid := range a.payments {
		recorded[paid.outpoint()] = true
		a.checkPayment(paid, sums)
	}
	for point, c := range a.custody {
		if slices.Contains(p.orderIDs, c.ref) { // a return spends an output of an order that it does not deliver
			a.checkRecorded(point, c, recorded)
		}
	}
	for _, id := range p.orderIDs {
		o, exists := a.orders[id]
		if !exists || o.community != p.community {
			a.fail(Payouts, p.subject(), "its order %s is not there", id)
			continue
		}
		if p.delivers() && o.payoutID != p.id {
			a.fail(Payouts, p.subject(), "its order %s does not know it", id)
		}
		a.checkSent(o)
		a.checkHeld(o, lockedBy)
		a.checkReceived(o, sums[id])
	}
}
