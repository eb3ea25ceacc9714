package payout

import (
	"moonfund/amount"
	"moonfund/chain"
	"moonfund/order"
)

// RefundState is where a refund stands, as its owner sees it.
type RefundState string

const (
	RefundDue                 RefundState = "due"                  // the server sends it next
	RefundWaitingRate         RefundState = "waiting_rate"         // it would cost more than it returns
	RefundWaitingConfirmation RefundState = "waiting_confirmation" // of the payments that it gives back
	RefundOverLimit           RefundState = "over_limit"           // above the limits for refunds: a person decides
	RefundWaitingPerson       RefundState = "waiting_person"       // a person decides or signs for another reason
	RefundSending             RefundState = "sending"              // signed; the node does not accept it yet
	RefundSent                RefundState = "sent"                 // broadcast; fewer than 3 confirmations
	RefundDone                RefundState = "done"                 // 3 confirmations
)

// RefundStatus is one refund of an order: one that was signed, or what is due.
type RefundStatus struct {
	State   RefundState
	Sats    amount.Sats    // what it gives back, before the network fee
	Cost    amount.Sats    // the network fee: paid, or estimated at the current rate
	Net     amount.Sats    // what arrives; 0 when nothing would
	Address string         // the payment address in the order's signed message
	Rate    amount.FeeRate // of a due one: the highest rate at which it is sent; of a signed one: what it pays
	TxID    string         // "" while it is due
	Due     order.Refund   // reason and start; the zero value once it is signed
}

// RefundView is what the refunds of an order are derived from.
type RefundView struct {
	Order    order.Order
	Payments []order.Payment // of the order
	Signed   []Payout        // its refunds, oldest first
	Refused  map[string]bool // ids of transactions that the node does not accept
	Rate     amount.FeeRate  // the current rate, at most the community's highest
	Tip      int64
}

// Refunds returns the refunds of an order: the signed ones that are not dead, oldest first, and then what is due.
func (v RefundView) Refunds() (all []RefundStatus) {
	for _, p := range v.Signed {
		if p.Kind == Refund && p.Status != Dead {
			all = append(all, v.signed(p))
		}
	}
	if v.Order.Owed.Sats > 0 {
		all = append(all, v.due())
	}
	return all
}

func (v RefundView) signed(p Payout) RefundStatus {
	current := p.Versions[len(p.Versions)-1]
	for _, version := range p.Versions {
		if version.Height != chain.None {
			current = version
		}
	}
	s := RefundStatus{State: RefundSent, Cost: current.Fee, Address: v.Order.Payment, TxID: current.Tx.ID.String(),
		Rate: amount.FeeRate(int64(current.Fee) * 1000 / max(1, current.VBytes))}
	for _, out := range current.Tx.Msg.TxOut {
		s.Net += amount.Sats(out.Value)
	}
	s.Sats = s.Net + s.Cost
	switch {
	case p.Status != Live:
		s.State = RefundDone
	case v.Refused[s.TxID]:
		s.State = RefundSending
	}
	return s
}

func (v RefundView) due() RefundStatus {
	o := v.Order
	unspent := order.Unspent(v.Payments)
	s := RefundStatus{State: RefundDue, Sats: o.Owed.Sats, Address: o.Payment, Rate: o.Owed.Rate, Due: o.Owed}
	s.Cost, s.Net = o.RefundCost(unspent, v.Rate)
	switch {
	case o.Owed.Hold == order.HoldLimit:
		s.State = RefundOverLimit
	case o.Status == order.Audit || o.Owed.Hold.NeedsPerson():
		s.State = RefundWaitingPerson
	case v.Rate > o.Owed.Rate:
		s.State = RefundWaitingRate
	case len(o.Returning(unspent, v.Tip, v.Rate)) == 0:
		s.State = RefundWaitingConfirmation
	}
	return s
}
