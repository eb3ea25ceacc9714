package decisions

import (
	"context"
	"errors"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/staking/etching"
	"moonfund/internal/staking/follower"
	"moonfund/internal/state"
	"moonfund/internal/store"
)

// RuneOrderView is an order of the mint and etch service. Payments, Txs and Waits are set only by ReadRuneOrder.
type RuneOrderView struct {
	ID          string             `json:"id"`
	Kind        etching.Kind       `json:"kind"`
	State       etching.State      `json:"state"`
	Reason      string             `json:"reason,omitempty"`
	Rune        string             `json:"rune"`
	FeeRate     string             `json:"fee_rate"` // sat/vB
	FundAmount  amount.Sats        `json:"fund_sats"`
	ServiceFee  amount.Sats        `json:"service_fee_sats"`
	Address     string             `json:"address"`
	Destination string             `json:"destination"`
	Refund      string             `json:"refund"`
	Executed    string             `json:"executed_txid,omitempty"`
	Quotes      []etching.Quote    `json:"quotes,omitempty"`
	Created     time.Time          `json:"created"`
	Deadline    time.Time          `json:"deadline"`
	Updated     time.Time          `json:"updated"`
	Payments    []RunePaymentView  `json:"payments,omitempty"`
	Txs         []RuneOrderTxsView `json:"transactions,omitempty"`
	Waits       []WaitView         `json:"waits,omitempty"`
}

// RunePaymentView is an output at the address of a mint or etch order.
type RunePaymentView struct {
	Outpoint string      `json:"outpoint"`
	Value    amount.Sats `json:"value_sats"`
	Runes    int         `json:"runes"`  // number of different runes on the output
	Height   int64       `json:"height"` // -1 while unconfirmed
	Vanished bool        `json:"vanished"`
}

// RuneOrderTxsView is a transaction that the service sent for an order.
type RuneOrderTxsView struct {
	Txid       string       `json:"txid"`
	Role       etching.Role `json:"role"`
	Generation int64        `json:"generation"`
	Fee        amount.Sats  `json:"fee_sats"`
	VBytes     int64        `json:"vbytes"`
	Height     int64        `json:"height"` // -1 while unconfirmed

	Refused *RefusalView `json:"not_accepted_by_node,omitempty"`
}

// RuneOrders returns at most limit mint and etch orders in a state, newest first. "" means every state.
func RuneOrders(ctx context.Context, tx *store.Tx, in etching.State, limit int) ([]RuneOrderView, error) {
	orders, err := tx.RuneOrders(ctx, string(in), limit)
	if err != nil {
		return nil, err
	}
	views := []RuneOrderView{}
	for _, o := range orders {
		views = append(views, viewRuneOrder(o))
	}
	return views, nil
}

// ReadRuneOrder returns a mint or etch order with its payments and transactions, or an Unknown error if the ledger has
// no such order with the id.
func ReadRuneOrder(ctx context.Context, tx *store.Tx, id string) (RuneOrderView, error) {
	stored := tx.Etchings(ctx)
	o, err := stored.Orders.Order(id)
	if errors.Is(err, state.ErrNotFound) {
		return RuneOrderView{}, unknown("there is no mint or etch order %q", id)
	}
	if err != nil {
		return RuneOrderView{}, err
	}
	outputs, err := stored.Outputs.Outputs(o.ID)
	if err != nil {
		return RuneOrderView{}, err
	}
	txs, err := stored.Txs.Txs(o.ID)
	if err != nil {
		return RuneOrderView{}, err
	}
	view := viewRuneOrder(o)
	for _, p := range outputs {
		view.Payments = append(view.Payments, RunePaymentView{p.OutPoint.String(), p.Value, len(p.Runes), p.Height,
			p.Vanished})
	}
	for _, t := range txs {
		refused, err := RefusalOf(ctx, tx, t.ID.String())
		if err != nil {
			return RuneOrderView{}, err
		}
		view.Txs = append(view.Txs, RuneOrderTxsView{t.ID.String(), t.Role, t.Generation, t.Fee, t.VBytes, t.Height,
			refused})
	}
	// A pause leaves an order that was paid in the state new.
	sends := len(outputs) > 0 && o.State != etching.Complete && o.State != etching.Refunded
	subjects := []string{follower.RuneOrder + " " + id}
	if sends {
		subjects = append(subjects, follower.AnyRuneOrder)
	}
	view.Waits, err = viewWaits(ctx, tx, subjects, sends, "")
	return view, err
}

func viewRuneOrder(o etching.Order) RuneOrderView {
	return RuneOrderView{
		ID: o.ID, Kind: o.Kind, State: o.State, Reason: o.Reason, Rune: o.RuneName, FeeRate: o.FeeRate.String(),
		FundAmount: o.FundAmount, ServiceFee: o.ServiceFee, Address: o.Address, Destination: o.Destination,
		Refund: o.Refund, Executed: o.Executed, Quotes: o.Quotes, Created: o.Created, Deadline: o.Deadline,
		Updated: o.Updated,
	}
}
