package decisions

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/operate/terminal"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
)

// TreasuryView contains the holdings and debts of a community. Amounts of the rune are in base units.
type TreasuryView struct {
	Community    string         `json:"community"`
	RunesAddress string         `json:"runes_address"`
	SatsAddress  string         `json:"sats_address"`
	Runes        amount.Runes   `json:"runes,string"`      // booked, including our own unconfirmed change
	RuneOutputs  int64          `json:"rune_outputs"`      // number of outputs that hold Runes
	Owed         amount.Runes   `json:"owed,string"`       // undelivered rewards
	Free         amount.Runes   `json:"free,string"`       // Runes minus Owed; negative only after an error
	Reserved     amount.Runes   `json:"reserved,string"`   // budgets of running epochs
	Covers       RunwayView     `json:"reward_runway"`     // by Free minus Reserved
	Staked       amount.Runes   `json:"staked,string"`     // on unspent stake outputs, owned by the stakers
	Sats         amount.Sats    `json:"sats"`              // at the treasury's address for sats, booked
	FeeAccount   amount.Sats    `json:"fee_account"`       // available for topping up payouts
	Unbooked     []UnbookedView `json:"unbooked"`          // deposits that do not count before `treasury credit`
	PaidOrders   int            `json:"paid_orders"`       // paid and not sent
	PaidRunes    amount.Runes   `json:"paid_runes,string"` // to be delivered for PaidOrders
	LivePayouts  int            `json:"live_payouts"`      // sent and not delivered
	RefundsDue   int            `json:"refunds_due"`       // orders in AUDIT
	RefundSats   amount.Sats    `json:"refund_sats"`       // sum of the payments of RefundsDue
	Quarantined  int            `json:"quarantined"`       // outputs that can't be credited
	Unexplained  []SpendView    `json:"unexplained"`       // spends of the treasury that are no payouts of this ledger
}

// RunwayView is the number of further epochs that the treasury can reward in full.
type RunwayView struct {
	Epochs int64        `json:"epochs"` // after the current one, at most ledger.MaxRunway
	Next   int64        `json:"next_epoch"`
	Until  time.Time    `json:"until"` // start of the first epoch that is not fully covered
	Budget amount.Runes `json:"budget,string"`
}

// String returns the runway in one line.
func (v RunwayView) String() string {
	switch {
	case v.Epochs >= ledger.MaxRunway:
		return fmt.Sprintf("the treasury covers %d more epochs or more", ledger.MaxRunway)
	case v.Epochs == 0:
		return fmt.Sprintf("the treasury does not cover epoch %d (%s): its rewards will be smaller",
			v.Next, v.Budget.Whole())
	case v.Epochs == 1:
		return "the treasury covers 1 more epoch, until " + terminal.Time(v.Until)
	}
	return fmt.Sprintf("the treasury covers %d more epochs, until %s", v.Epochs, terminal.Time(v.Until))
}

// Budgets returns the budget of an epoch by the manifest, in base units. With a nil Budgets, every epoch is assumed to
// have the budget of the newest one.
type Budgets func(epoch int64) amount.Runes

// UnbookedView is an output at a treasury address that does not count yet.
type UnbookedView struct {
	OutPoint string       `json:"outpoint"`
	Value    amount.Sats  `json:"value_sats"`
	Runes    amount.Runes `json:"runes,string"`
	Kind     ledger.Kind  `json:"kind"`
	Height   int64        `json:"height"`
	Reason   string       `json:"quarantine"` // if not empty, the output never counts
}

// ReadTreasury returns the holdings and debts of a community.
func ReadTreasury(ctx context.Context, tx *store.Tx, community string, budgets Budgets) (v TreasuryView, err error) {
	if err := CheckCommunity(ctx, tx, community); err != nil {
		return v, err
	}
	v = TreasuryView{Community: community, Unbooked: []UnbookedView{}, Unexplained: []SpendView{}}
	scripts, err := tx.WatchedAfter(ctx, 0)
	for _, w := range scripts {
		switch {
		case w.Community != community:
		case w.Kind == ledger.RunesKind:
			v.RunesAddress = w.Ref
		case w.Kind == ledger.SatsKind:
			v.SatsAddress = w.Ref
		}
	}
	read := func(part func() error) {
		if err == nil {
			err = part()
		}
	}
	read(func() (err error) { v.Runes, err = tx.Treasury(ctx, community); return err })
	read(func() (err error) { v.RuneOutputs, err = tx.TreasuryCount(ctx, community); return err })
	read(func() (err error) { v.Owed, err = tx.VirtualOwed(ctx, community); return err })
	read(func() (err error) { v.FeeAccount, err = tx.FeeBalance(ctx, community); return err })
	read(func() error { return v.addRunway(ctx, tx, budgets) })
	read(func() error { return v.addOutputs(ctx, tx) })
	read(func() error { return v.addOrders(ctx, tx) })
	read(func() (err error) { v.Unexplained, err = unexplainedSpends(ctx, tx, community); return err })
	v.Free = v.Runes - v.Owed
	return v, err
}

// addRunway sets the reserved budgets and the runway.
func (v *TreasuryView) addRunway(ctx context.Context, tx *store.Tx, budgets Budgets) error {
	running, err := tx.Unsettled(ctx, v.Community)
	if err != nil {
		return err
	}
	for _, account := range running {
		if v.Reserved, err = v.Reserved.Add(account.Reserved); err != nil {
			return err
		}
	}
	newest, _, err := tx.EpochsBelow(ctx, v.Community, 1<<62, 1)
	if err != nil {
		return err
	}
	budget := func(epoch int64) amount.Runes {
		switch {
		case budgets != nil:
			return budgets(epoch)
		case len(newest) > 0:
			return newest[0].Planned
		}
		return 0
	}
	r, err := ledger.ReadRunway(ctx, tx.LedgerTx(), v.Community, budget)
	if err != nil {
		return err
	}
	calendar, err := tx.Calendar(ctx, v.Community)
	v.Covers = RunwayView{r.Epochs, r.Next, calendar.Start(r.Next + r.Epochs), budget(r.Next)}
	return err
}

func (v *TreasuryView) addOutputs(ctx context.Context, tx *store.Tx) error {
	outputs, err := tx.UnspentOutputs(ctx, v.Community)
	if err != nil {
		return err
	}
	for _, o := range outputs {
		switch {
		case o.Kind == ledger.StakeKind && o.Quarantine == "":
			v.Staked += o.Runes
		case o.Kind == ledger.SatsKind && o.Booked && o.Runes == 0:
			v.Sats += o.Value
		case (o.Kind == ledger.RunesKind || o.Kind == ledger.SatsKind) && !o.Booked:
			v.Unbooked = append(v.Unbooked, UnbookedView{
				o.OutPoint.String(), o.Value, o.Runes, o.Kind, o.Height, whyNotBooked(o),
			})
		}
		if o.Quarantine != "" || (o.Runes > 0 && (o.Kind == ledger.PaymentKind || o.Kind == ledger.SatsKind)) {
			v.Quarantined++
		}
	}
	return nil
}

// whyNotBooked returns why an output at a treasury address never counts, or "".
func whyNotBooked(o ledger.Output) string {
	if o.Quarantine == "" && o.Kind == ledger.SatsKind && o.Runes > 0 {
		return ledger.RunesForSats
	}
	return o.Quarantine
}

func (v *TreasuryView) addOrders(ctx context.Context, tx *store.Tx) error {
	paid, err := tx.OrdersInStatus(ctx, order.Paid)
	if err != nil {
		return err
	}
	for _, o := range paid {
		if o.Community == v.Community {
			v.PaidOrders, v.PaidRunes = v.PaidOrders+1, v.PaidRunes+o.Amount
		}
	}
	audited, err := tx.OrdersInStatus(ctx, order.Audit)
	if err != nil {
		return err
	}
	for _, o := range audited {
		if o.Community == v.Community {
			v.RefundsDue, v.RefundSats = v.RefundsDue+1, v.RefundSats+o.Seen+o.Late
		}
	}
	live, err := tx.PayoutsIn(ctx, payout.Live)
	for _, p := range live {
		if p.Community == v.Community {
			v.LivePayouts++
		}
	}
	return err
}

// CreditTreasury returns the change that books the deposits at a community's treasury addresses. The result of the
// change is the number of booked outputs.
func CreditTreasury(a Author, community string) Change[int64] {
	return Change[int64]{
		Preview: func(ctx context.Context, tx *store.Tx) (string, error) { return previewCredit(ctx, tx, community) },
		Apply: func(ctx context.Context, tx *store.Tx, at time.Time, shown string) (int64, error) {
			number, err := tx.Log(ctx, a.Line(at, "treasury credit", community, shown))
			if err != nil {
				return 0, err
			}
			cause := ledger.Cause{Kind: "operator", ID: strconv.FormatInt(number, 10), At: at}
			return tx.BookTreasury(ctx, community, cause)
		},
	}
}

// previewCredit lists the outputs to book. It returns an error if there are none.
func previewCredit(ctx context.Context, tx *store.Tx, community string) (string, error) {
	if err := CheckCommunity(ctx, tx, community); err != nil {
		return "", err
	}
	outputs, err := tx.UnbookedTreasury(ctx, community)
	if err != nil {
		return "", err
	}
	if len(outputs) == 0 {
		return "", errors.New("there is nothing to book: unconfirmed deposits wait, " +
			"and deposits in quarantine never count")
	}
	var b strings.Builder
	for _, o := range outputs {
		fmt.Fprintf(&b, "  %s  %d sats, %s of the rune, block %s: %s\n",
			o.OutPoint, o.Value, o.Runes.Whole(), terminal.Height(o.Height), purposeOf(o))
	}
	return fmt.Sprintf("These outputs count for %s from now on:\n%s"+
		"Unconfirmed and quarantined outputs are not included.",
		community, b.String()), nil
}

// purposeOf describes the use of a deposit after it is booked.
func purposeOf(o ledger.Output) string {
	switch {
	case o.Kind == ledger.SatsKind:
		return "its sats go to the fee account"
	}
	return "its runes back rewards"
}
