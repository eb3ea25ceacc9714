package audit

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"moonfund/chain"
)

// ErrOtherTip is returned when the ledger is at another block than the last audit.
var ErrOtherTip = errors.New("audit: the ledger is at a block that was not audited yet")

// Sending checks a stored transaction of ours before it goes to the network: its
// payout, and every order, unit, output, payment, posting and action that it
// hangs on, by the rules of a whole audit. Sums over the whole ledger are left to
// the audits; the last one must have been of the same tip.
func (g *Guard) Sending(ctx context.Context, txid string) ([]Violation, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	tx, err := snapshot(ctx, g.db)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	a := newAuditor(g.Config, g.walked)
	a.part = true
	r := reader{ctx: ctx, tx: tx}
	tips := list(&r, blockRows, "ORDER BY height DESC LIMIT 1")
	if r.err == nil && (len(tips) == 0 || len(a.headers) == 0 || a.headers[len(a.headers)-1].hash != tips[0].hash) {
		return nil, ErrOtherTip
	}
	touched := a.readAround(&r, txid)
	if r.err != nil {
		return nil, r.err
	}
	a.checkSending(txid, touched)
	return a.report.Violations, nil
}

// touched is what one payout hangs on, beside what is only needed to judge it.
type touched struct {
	payout   payout
	versions []version
	twins    []payout           // other live payouts of its orders
	custody  map[string]custody // as it was read
	points   map[string]bool    // outputs that it spends, and those behind its orders' units and payments
}

// readAround reads what a payout touches, by its transaction.
func (a *auditor) readAround(r *reader, txid string) (t touched) {
	a.readFrame(r)
	t.versions = list(r, versionRows, "WHERE payout_id IN (SELECT payout_id FROM payout_version WHERE txid = $1) ORDER BY number", txid)
	a.versions, a.payouts = byKey(t.versions, version.entry), map[string]payout{}
	if len(t.versions) == 0 {
		return t
	}
	for _, p := range list(r, payoutRows, "WHERE id = $1 OR status = 'live'", t.versions[0].payoutID) {
		if p.id == t.versions[0].payoutID {
			t.payout = p
		}
		a.payouts[p.id] = p
	}
	for _, p := range a.payouts {
		shares := func(id string) bool { return slices.Contains(t.payout.orderIDs, id) }
		if p.id != t.payout.id && p.kind == t.payout.kind && slices.ContainsFunc(p.orderIDs, shares) {
			t.twins = append(t.twins, p)
		}
	}
	a.readTouchedOrders(r, t.payout)
	a.readTouchedOutputs(r, &t)
	a.readTouchedHistory(r, t.payout)
	return t
}

func (a *auditor) readTouchedOrders(r *reader, p payout) {
	condition, args := among("id", p.orderIDs)
	a.orders = keyed(r, orderRows, order.entry, condition, args...)
	var ids []string
	for _, o := range a.orders {
		ids = append(ids, o.unitIDs...)
	}
	condition, args = among("id", ids)
	held := keyed(r, unitRows, unit.entry, fmt.Sprintf("%s AND unit.community = $%d", condition, len(args)+1), append(args, p.community)...)
	condition, args = among("order_id", p.orderIDs)
	maps.Copy(held, keyed(r, unitRows, unit.entry, condition+" AND order_id <> ''", args...))
	for _, u := range held {
		a.takeUnit(u)
	}
	a.payments = list(r, paymentRows, condition+" ORDER BY number", args...)
}

// readTouchedOutputs reads outputs with their transactions, their addresses and those who spend them.
func (a *auditor) readTouchedOutputs(r *reader, t *touched) {
	t.points = map[string]bool{}
	scripts := [][]byte{}
	for _, v := range t.versions {
		if tx, err := chain.DecodeTx(v.raw); err == nil {
			for _, in := range tx.Msg.TxIn {
				t.points[in.PreviousOutPoint.String()] = true
			}
			for _, out := range tx.Msg.TxOut {
				scripts = append(scripts, out.PkScript)
			}
		}
	}
	for _, u := range a.units.all() {
		if u.origin == "STAKE" {
			t.points[u.id] = true
		}
	}
	for _, p := range a.payments {
		t.points[p.outpoint()] = true
	}
	var txids, refs []string
	for point := range t.points {
		txid, _, _ := strings.Cut(point, ":")
		txids = append(txids, txid)
	}
	condition, args := among("txid", txids)
	t.custody = keyed(r, custodyRows, custody.entry, condition, args...)
	maps.DeleteFunc(t.custody, func(point string, _ custody) bool { return !t.points[point] })
	condition, args = among("ref", t.payout.orderIDs) // a payment that is not recorded as one
	for _, c := range list(r, custodyRows, condition, args...) {
		t.custody[c.outpoint()], t.points[c.outpoint()] = c, true
		txids = append(txids, c.txid)
	}
	for _, o := range a.orders {
		scripts, txids = append(scripts, o.script), append(txids, o.payoutTx)
	}
	for _, c := range t.custody {
		a.custody.put(c)
		scripts, refs, txids = append(scripts, c.script), append(refs, c.ref), append(txids, c.spentBy)
	}
	condition, args = among("txid", txids)
	a.tracked = keyed(r, trackedRows, tracked.entry, condition, args...)
	maps.Copy(a.versions, keyed(r, versionRows, version.entry, condition, args...))
	condition, args = among("script", scripts)
	each(r, watchRows, condition, a.watch.put, args...)
	condition, args = among("address", refs)
	each(r, addressRows, condition, func(s stakeAddress) { a.addresses[s.mark()] = true }, args...)
	var ids []string
	for _, v := range a.versions {
		ids = append(ids, v.payoutID)
	}
	condition, args = among("id", ids)
	maps.Copy(a.payouts, keyed(r, payoutRows, payout.entry, condition, args...))
}

// readTouchedHistory reads what the journal has of the orders and units, and the actions that it cites.
func (a *auditor) readTouchedHistory(r *reader, p payout) {
	subjects := slices.Clone(p.orderIDs)
	for key := range a.units.all() {
		subjects = append(subjects, key.id)
	}
	condition, args := among("subject", subjects)
	postings := list(r, postingRows, condition+" ORDER BY number", args...)
	var ids, owners []string
	for _, p := range postings {
		if p.causeKind == "action" {
			ids = append(ids, p.causeID)
		}
	}
	for _, o := range a.orders {
		ids, owners = append(ids, o.actionID), append(owners, o.owner)
	}
	condition, args = among("ordinals", owners)
	a.links = keyed(r, linkRows, link.entry, fmt.Sprintf("%s AND community = $%d", condition, len(args)+1), append(args, p.community)...)
	condition, args = among("id", ids)
	each(r, actionRows, condition, a.takeAction, args...)
	for _, p := range postings {
		a.post(p)
	}
}

// checkSending makes the checks of an audit on what was read around a payout.
func (a *auditor) checkSending(txid string, t touched) {
	p := t.payout
	if len(t.versions) == 0 || p.id == "" || p.status == "dead" {
		a.fail(Payouts, "transaction "+txid, "it is of no payout that lives")
		return
	}
	for _, twin := range t.twins {
		a.fail(Payouts, "payout "+p.id, "payout %s has an order of its too", twin.id)
	}
	for point, c := range t.custody {
		a.checkWatched(c)
		kept, _ := a.custody.at(point)
		a.checkOutput(point, kept)
	}
	a.checkTouchedUnits()
	a.checkTouchedOrders(p)
	if p.kind == "refund" {
		a.checkRefund(p)
	}
	a.checkFamily(p, t.versions)
}

func (a *auditor) checkTouchedUnits() {
	cuts := a.cuts()
	for key, u := range a.units.all() {
		a.checkStage(u)
		a.checkLock(u)
		if u.origin == "STAKE" {
			a.checkStake(u)
		}
		a.checkPlace(u, cuts)
		a.compareUnit(key, u)
	}
}

func (a *auditor) checkTouchedOrders(p payout) {
	lockedBy, sums, recorded := map[unitKey]string{}, map[string]received{}, map[string]bool{}
	for _, paid := range a.payments {
		recorded[paid.outpoint()] = true
		a.checkPayment(paid, sums)
	}
	for point, c := range a.custody.all() {
		a.checkRecorded(point, c, recorded)
	}
	for _, id := range p.orderIDs {
		o, exists := a.orders[id]
		if !exists || o.community != p.community {
			a.fail(Payouts, "payout "+p.id, "its order %s is not there", id)
			continue
		}
		if p.kind == "delivery" && o.payoutID != p.id {
			a.fail(Payouts, "payout "+p.id, "its order %s does not know it", id)
		}
		a.checkSent(o)
		a.checkHeld(o, lockedBy)
		a.checkReceived(o, sums[id])
		a.checkOrdered(o)
		a.compareOrder(o)
	}
}
