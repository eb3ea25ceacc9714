package inquiry

import (
	"slices"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/operate/decisions"
	"moonfund/internal/staking/etching"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/staking/payout/refund"
)

// orders lists the orders of an owner, newest first.
func (f *finder) orders(c community, owner string) error {
	all, err := f.tx.OrdersOf(f.ctx, c.Prefix, owner)
	if err != nil {
		return err
	}
	f.section(ordersTitle)
	for _, o := range all[:min(len(all), mostOrders)] {
		if err := f.order(c, o.ID); err != nil {
			return err
		}
	}
	if more := len(all) - mostOrders; more > 0 {
		f.say(moreOrders, number(more), owner)
	}
	return nil
}

// orderByID describes a payment order.
func (f *finder) orderByID(id string) (bool, error) {
	o, err := f.tx.Order(f.ctx, id)
	if exists, err := known(err); !exists {
		return false, err
	}
	c, exists := f.community(o.Community)
	if !exists {
		return false, nil
	}
	name, err := f.name(c)
	if err != nil {
		return false, err
	}
	f.answer.Found = true
	f.section(ownerTitle, name, o.Owner)
	if err := f.order(c, id); err != nil {
		return false, err
	}
	f.section(unitsTitle)
	units, err := f.tx.UnitsByID(f.ctx, c.Prefix, o.UnitIDs)
	if err != nil {
		return false, err
	}
	for _, u := range units {
		if err := f.unit(c, u); err != nil {
			return false, err
		}
	}
	return true, nil
}

// order describes an order, once.
func (f *finder) order(c community, id string) error {
	if !f.once("order " + id) {
		return nil
	}
	facts, err := decisions.ReadOrder(f.ctx, f.tx, id)
	if err != nil {
		return err
	}
	o := facts.Order
	what, err := f.tokens(c, o.Amount)
	if err != nil {
		return err
	}
	f.say(orderLine, id, date(o.Created), what, count(len(o.UnitIDs), "unit", "units"), o.Owner, sats(o.Fees.Total()),
		string(o.Status))
	if reason := facts.AuditReason(); reason != nil {
		f.say(inAudit, date(reason.Since), reason.Text)
	}
	f.speed(facts)
	f.payments(o, facts.Payments)
	if o.PayoutTx != "" && !o.Status.Closed() {
		if err := f.delivery(o); err != nil {
			return err
		}
	}
	f.refunds(facts)
	for _, l := range facts.Log {
		who := "an operator"
		if l.By == payout.ByAudit {
			who = "the server's audit"
		}
		f.say(recorded, date(l.At), who, l.Command)
	}
	return nil
}

// speed describes the next step of an order, and before it the rate of an economy order, with the limits until it is
// sent.
func (f *finder) speed(facts decisions.OrderFacts) {
	o := facts.Order
	switch {
	case !o.IsEconomy():
	case o.Status == order.Pending || o.Status == order.Confirmed || o.Status == order.Paid:
		block := ""
		if o.Economy.EndHeight > 0 {
			block = line(orderEndBlock, number(o.Economy.EndHeight)).Text
		}
		f.say(orderLimits, o.FeeRate.String(), date(o.Economy.Until), date(o.EndsAt()), block)
	default:
		f.say(orderSpeed, o.FeeRate.String())
	}
	ended := slices.ContainsFunc(facts.Moves, func(m decisions.MoveView) bool {
		return m.From == string(order.Paid) && m.Event == string(order.EconomyEnded)
	})
	switch {
	case o.IsEconomy() && o.Status == order.Paid:
		f.say(economyWaits, o.FeeRate.String())
	case o.Status == order.Expired && ended:
		f.say(economyEnded, o.FeeRate.String())
	default:
		f.say(next[o.Status], nextValues(o)...)
	}
}

// nextValues returns the values for the sentence about an order's status.
func nextValues(o order.Order) []string {
	switch o.Status {
	case order.Pending:
		return []string{o.Address, date(o.Deadline)}
	case order.Confirmed:
		return []string{sats(o.Seen), sats(o.Fees.Total()), o.Address, date(o.Deadline)}
	case order.PendingRerate:
		return []string{date(o.Deadline)}
	}
	return nil
}

// payments lists the payments for an order.
func (f *finder) payments(o order.Order, all []order.Payment) {
	if len(all) == 0 && o.Status != order.Pending {
		f.say(noPayment, o.Address)
	}
	for _, p := range all {
		note := ""
		switch {
		case p.Kept:
			continue // change of the delivery, not a payment
		case p.Vanished:
			note = replacedPay.text
		case p.Late:
			note = paidLate.text
		case !p.Counted:
			note = notCounted.text
		}
		f.say(orderPaid, p.OutPoint.String(), sats(p.Value), date(p.SeenAt), f.block(p.Height), note)
	}
}

// delivery describes the transaction that delivers an order, and the node's refusal of it.
func (f *finder) delivery(o order.Order) error {
	p, err := f.tx.PayoutOf(f.ctx, o.PayoutTx)
	exists, err := known(err)
	if err != nil {
		return err
	}
	height, txid := int64(chain.None), o.PayoutTx
	if exists {
		for _, v := range p.Versions {
			if v.Height != chain.None {
				height, txid = v.Height, v.Tx.ID.String()
			}
		}
	}
	f.say(delivered, txid, f.block(height))
	return f.refusal(txid)
}

// refusal adds the node's refusal of a transaction.
func (f *finder) refusal(txid string) error {
	r, err := f.tx.Refusal(f.ctx, txid)
	exists, err := known(err)
	if exists {
		f.say(nodeRefuses, txid, date(r.Since), r.Reason)
	}
	return err
}

// refunds lists the signed and the due refunds of an order.
func (f *finder) refunds(facts decisions.OrderFacts) {
	view := refund.View{Order: facts.Order, Payments: facts.Payments, Signed: facts.Refunds, Tip: f.tip}
	for _, r := range view.Refunds() {
		comes := line(refundNext[r.State], rateOf(r)...).Text
		if r.TxID != "" {
			f.say(refundSigned, sats(r.Net), r.Address, r.TxID, comes)
			continue
		}
		f.say(refundIsDue, sats(r.Sats), r.Address, date(r.Due.Since), comes)
	}
}

// rateOf returns the values for the sentence about a refund's state.
func rateOf(r refund.Status) []string {
	switch r.State {
	case refund.Due, refund.WaitingRate, refund.WaitingConfirmation:
		return []string{r.Rate.String()}
	}
	return nil
}

// runeOrdersOf lists the mint and etch orders that contain an address.
func (f *finder) runeOrdersOf(a chain.Address) error {
	all, err := f.tx.RuneOrdersOf(f.ctx, a.Text, a.Script, mostOrders)
	if err != nil {
		return err
	}
	f.section(runeTitle)
	for _, o := range all {
		if err := f.runeOrder(o); err != nil {
			return err
		}
	}
	return nil
}

// runeOrderByID describes a mint or etch order.
func (f *finder) runeOrderByID(id string) (bool, error) {
	o, err := f.tx.Etchings(f.ctx).Orders.Order(id)
	if exists, err := known(err); !exists {
		return false, err
	}
	f.section(runeTitle)
	return true, f.runeOrder(o)
}

// runeOrder describes a mint or etch order, once.
func (f *finder) runeOrder(o etching.Order) error {
	if !f.once("rune order " + o.ID) {
		return nil
	}
	view, err := decisions.ReadRuneOrder(f.ctx, f.tx, o.ID)
	if err != nil {
		return err
	}
	reason := ""
	if o.Reason != "" {
		reason = line(runeReason, o.Reason).Text
	}
	f.found(runeLine, o.ID, string(o.Kind), date(o.Created), o.RuneName, sats(o.FundAmount), o.Address, string(o.State),
		reason)
	f.say(runeGoes, o.Destination, o.Refund)
	for _, p := range view.Payments {
		f.say(runePayment, p.Outpoint, sats(p.Value), f.block(p.Height))
	}
	for _, t := range view.Txs {
		if t.Role != etching.Funding {
			f.say(runeTx, t.Txid, string(t.Role), f.block(t.Height))
		}
		if t.Refused != nil {
			f.say(nodeRefuses, t.Txid, date(t.Refused.Since), t.Refused.Reason)
		}
	}
	return nil
}

// payoutByID describes a payout by its id.
func (f *finder) payoutByID(id string) (bool, error) {
	p, err := f.tx.Payout(f.ctx, id)
	if exists, err := known(err); !exists {
		return false, err
	}
	f.section(txTitle)
	return true, f.payout(p, "")
}

// payout describes a payout. txid is the version that the query names; "" describes every version.
func (f *finder) payout(p payout.Payout, txid string) error {
	for _, v := range p.Versions {
		id := v.Tx.ID.String()
		if id != txid && txid != "" {
			f.say(txVersion, id)
			continue
		}
		f.found(txPayout, id, payoutKinds[p.Kind].text, p.ID, string(p.Status), f.block(v.Height))
		if err := f.refusal(id); err != nil {
			return err
		}
	}
	for _, id := range p.OrderIDs {
		if err := f.serves(p, id); err != nil {
			return err
		}
	}
	return nil
}

// serves describes the effect of a payout on one order.
func (f *finder) serves(p payout.Payout, id string) error {
	o, err := f.tx.Order(f.ctx, id)
	if exists, err := known(err); !exists {
		return err
	}
	c, exists := f.community(o.Community)
	if !exists {
		return nil
	}
	if p.Kind == payout.Refund {
		f.say(txServes, id, refundWord.text, o.Payment)
		return nil
	}
	brings, err := f.tokens(c, o.Amount)
	f.say(txServes, id, brings, o.Owner)
	return err
}
