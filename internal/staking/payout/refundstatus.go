package payout

import (
	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/order"
)

// RefundState is the state of a refund, as the API returns it.
type RefundState string

const (
	RefundDue                 RefundState = "due"                  // the server sends it with the next payouts
	RefundWaitingRate         RefundState = "waiting_rate"         // it costs more than it returns at the current rate
	RefundWaitingConfirmation RefundState = "waiting_confirmation" // it waits for confirmations of its payments
	RefundOverLimit           RefundState = "over_limit"           // above the limits for refunds; an operator decides
	RefundWaitingPerson       RefundState = "waiting_person"       // an operator decides or signs, for another reason
	RefundSending             RefundState = "sending"              // signed; the node does not accept it yet
	RefundSent                RefundState = "sent"                 // broadcast; fewer than 3 confirmations
	RefundDone                RefundState = "done"                 // 3 confirmations
)

// RefundStatus is one refund of an order, signed or due.
type RefundStatus struct {
	State   RefundState
	Sats    amount.Sats    // amount before the network fee
	Cost    amount.Sats    // network fee: paid, or estimated at the current fee rate
	Net     amount.Sats    // amount that the owner receives; 0 if the fee exceeds Sats
	Address string         // payment address of the order's signed message
	Rate    amount.FeeRate // while due, the highest fee rate at which it is sent; then its fee rate
	TxID    string         // "" while it is due
	Due     order.Refund   // zero once it is signed
}

// RefundView has the data from which Refunds computes the refunds of an order.
type RefundView struct {
	Order    order.Order
	Payments []order.Payment // payments of Order
	Signed   []Payout        // signed refunds of Order, oldest first
	Refused  map[string]bool // ids of transactions that the node refuses
	Rate     amount.FeeRate  // current fee rate, at most the community's maximum
	Tip      int64           // height
}

// Refunds returns the refunds of an order: the signed ones that are not DEAD, oldest first, and then the due one, if
// any.
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
