package refund

import (
	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
)

// State is the state of a refund, as the API returns it.
type State string

const (
	Due                 State = "due"                  // the server sends it with the next payouts
	WaitingRate         State = "waiting_rate"         // it costs more than it returns at the current rate
	WaitingConfirmation State = "waiting_confirmation" // it waits for confirmations of its payments
	OverLimit           State = "over_limit"           // above the limits for refunds; an operator decides
	WaitingPerson       State = "waiting_person"       // an operator decides or signs, for another reason
	Sending             State = "sending"              // signed; the node does not accept it yet
	Sent                State = "sent"                 // broadcast; fewer than 3 confirmations
	Done                State = "done"                 // 3 confirmations
)

// Status is one refund of an order, signed or due.
type Status struct {
	State   State
	Sats    amount.Sats    // amount before the network fee
	Cost    amount.Sats    // network fee: paid, or estimated at the current fee rate
	Net     amount.Sats    // amount that the owner receives; 0 if the fee exceeds Sats
	Address string         // payment address of the order's signed message
	Rate    amount.FeeRate // while due, the highest fee rate at which it is sent; then its fee rate
	TxID    string         // "" while it is due
	Due     order.Refund   // zero once it is signed
}

// View has the data from which Refunds computes the refunds of an order.
type View struct {
	Order    order.Order
	Payments []order.Payment // payments of Order
	Signed   []payout.Payout // signed refunds of Order, oldest first
	Refused  map[string]bool // ids of transactions that the node refuses
	Rate     amount.FeeRate  // current fee rate, at most the community's maximum
	Tip      int64           // height
}

// Refunds returns the refunds of an order: the signed ones that are not DEAD, oldest first, and then the due one, if
// any.
func (v View) Refunds() (all []Status) {
	for _, p := range v.Signed {
		if p.Kind == payout.Refund && p.Status != payout.Dead {
			all = append(all, v.signed(p))
		}
	}
	if v.Order.Owed.Sats > 0 {
		all = append(all, v.due())
	}
	return all
}

func (v View) signed(p payout.Payout) Status {
	current := p.Last()
	for _, version := range p.Versions {
		if version.Height != chain.None {
			current = version
		}
	}
	s := Status{State: Sent, Cost: current.Fee, Address: v.Order.Payment, TxID: current.Tx.ID.String(),
		Rate: amount.FeeRate(int64(current.Fee) * 1000 / max(1, current.VBytes))}
	for _, out := range current.Tx.Msg.TxOut {
		s.Net += amount.Sats(out.Value)
	}
	s.Sats = s.Net + s.Cost
	switch {
	case p.Status != payout.Live:
		s.State = Done
	case v.Refused[s.TxID]:
		s.State = Sending
	}
	return s
}

func (v View) due() Status {
	o := v.Order
	unspent := order.Unspent(v.Payments)
	s := Status{State: Due, Sats: o.Owed.Sats, Address: o.Payment, Rate: o.Owed.Rate, Due: o.Owed}
	s.Cost, s.Net = o.RefundCost(unspent, v.Rate)
	switch {
	case o.Owed.Hold == order.HoldLimit:
		s.State = OverLimit
	case o.Status == order.Audit || o.Owed.Hold.NeedsPerson():
		s.State = WaitingPerson
	case v.Rate > o.Owed.Rate:
		s.State = WaitingRate
	case len(o.Returning(unspent, v.Tip, v.Rate)) == 0:
		s.State = WaitingConfirmation
	}
	return s
}
