package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"moonfund/amount"
	"moonfund/ledger"
	"moonfund/order"
	"moonfund/payout"
	"moonfund/store"
)

type treasuryCommand struct {
	Show   treasuryShow   `cmd:"" help:"Print where a community's treasury is filled, what it holds and what it owes."`
	Credit treasuryCredit `cmd:"" help:"Book the deposits that arrived at a community's treasury addresses."`

	Explain treasuryExplain `cmd:"" help:"Say which rewards a transaction delivered that this ledger does not remember."`
}

type ledgerFlags struct {
	Data     string `default:"data" env:"MOONFUND_DATA" help:"Folder of the ledger." type:"path"`
	Database string `env:"MOONFUND_DATABASE" help:"sqlite:PATH or postgres://…; ledger.db in the data folder when not given."`
}

func (f ledgerFlags) address() string {
	if f.Database != "" {
		return f.Database
	}
	return "sqlite:" + filepath.Join(f.Data, "ledger.db")
}

type treasuryShow struct {
	reading
	Community string `arg:"" help:"The community's prefix."`
}

// treasuryView is what a community holds and owes. Amounts of the rune are base units.
type treasuryView struct {
	Community    string       `json:"community"`
	RunesAddress string       `json:"runes_address"`
	SatsAddress  string       `json:"sats_address"`
	Runes        amount.Runes `json:"runes,string"`      // booked, our own unconfirmed change included
	RuneOutputs  int64        `json:"rune_outputs"`      // over which they are spread
	Owed         amount.Runes `json:"owed,string"`       // rewards not delivered
	Free         amount.Runes `json:"free,string"`       // runes less what is owed; below 0 when something is wrong
	Staked       amount.Runes `json:"staked,string"`     // on unspent stake outputs: the stakers' own
	Sats         amount.Sats  `json:"sats"`              // at the treasury's address for sats, booked
	FeeAccount   amount.Sats  `json:"fee_account"`       // what may top payouts up
	Unbooked     []unbooked   `json:"unbooked"`          // arrived, and does not count before `treasury credit`
	PaidOrders   int          `json:"paid_orders"`       // paid and not sent
	PaidRunes    amount.Runes `json:"paid_runes,string"` // that they are owed
	LivePayouts  int          `json:"live_payouts"`      // sent and not delivered
	RefundsDue   int          `json:"refunds_due"`       // orders in AUDIT
	RefundSats   amount.Sats  `json:"refund_sats"`       // that they received
	Quarantined  int          `json:"quarantined"`       // outputs that wait for a person
	Outgoes      []outgoView  `json:"outgoes"`           // left it by no payout of ours, and is not explained
}

type unbooked struct {
	OutPoint string       `json:"outpoint"`
	Value    amount.Sats  `json:"value_sats"`
	Runes    amount.Runes `json:"runes,string"`
	Kind     string       `json:"kind"`
	Height   int64        `json:"height"`
	Reason   string       `json:"quarantine"` // not empty: it never counts
}

// Run is `moonfund treasury show`.
func (t treasuryShow) Run(ctx context.Context) error {
	return t.view(ctx, func(tx *store.Tx) error {
		if err := known(ctx, tx, t.Community); err != nil {
			return err
		}
		view, err := viewTreasury(ctx, tx, t.Community)
		if err != nil {
			return err
		}
		if t.JSON {
			return printJSON(view)
		}
		return view.write()
	})
}

func viewTreasury(ctx context.Context, tx *store.Tx, community string) (v treasuryView, err error) {
	v = treasuryView{Community: community, Unbooked: []unbooked{}, Outgoes: []outgoView{}}
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
	read(func() error { return v.addOutputs(ctx, tx) })
	read(func() error { return v.addOrders(ctx, tx) })
	read(func() error { return v.addOutgoes(ctx, tx) })
	v.Free = v.Runes - v.Owed
	return v, err
}

func (v *treasuryView) addOutputs(ctx context.Context, tx *store.Tx) error {
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
			v.Unbooked = append(v.Unbooked, unbooked{o.OutPoint.String(), o.Value, o.Runes, string(o.Kind), o.Height, whyHeld(o)})
		}
		if o.Quarantine != "" || (o.Runes > 0 && (o.Kind == ledger.PaymentKind || o.Kind == ledger.SatsKind)) {
			v.Quarantined++
		}
	}
	return nil
}

// whyHeld is why an output at a treasury address never counts, or "".
func whyHeld(o ledger.Output) string {
	if o.Quarantine == "" && o.Kind == ledger.SatsKind && o.Runes > 0 {
		return ledger.RunesForSats
	}
	return o.Quarantine
}

func (v *treasuryView) addOrders(ctx context.Context, tx *store.Tx) error {
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

func (v treasuryView) write() error {
	if err := fields(
		"runes go to", v.RunesAddress,
		"sats go to", v.SatsAddress,
		"holds", fmt.Sprintf("%s of the rune on %d outputs, booked", v.Runes.Decimal(8), v.RuneOutputs),
		"owes", fmt.Sprintf("%s to rewards not delivered", v.Owed.Decimal(8)),
		"free", v.Free.Decimal(8),
		"stakers' own", fmt.Sprintf("%s on stake outputs", v.Staked.Decimal(8)),
		"sats", fmt.Sprintf("%d; the fee account stands at %d, for payouts that cost more than was collected", v.Sats, v.FeeAccount),
		"paid, not sent", fmt.Sprintf("%d orders, %s of the rune", v.PaidOrders, v.PaidRunes.Decimal(8)),
		"on its way", fmt.Sprintf("%d payouts", v.LivePayouts),
		"in AUDIT", fmt.Sprintf("%d orders that received %d sats", v.RefundsDue, v.RefundSats),
		"in quarantine", fmt.Sprintf("%d outputs (moonfund quarantine list)", v.Quarantined),
	); err != nil {
		return err
	}
	if err := section("Arrived and not booked (moonfund treasury credit)", "OUTPUT,AT,SATS,RUNES,BLOCK,QUARANTINE", unbookedRows(v.Unbooked)); err != nil {
		return err
	}
	return section("Left by no payout of this ledger (moonfund treasury explain)", "TRANSACTION,TO,RUNES,BLOCK", outgoRows(v.Outgoes))
}

func unbookedRows(all []unbooked) (rows [][]string) {
	for _, u := range all {
		rows = append(rows, []string{
			u.OutPoint, u.Kind, sats(u.Value), u.Runes.Decimal(8), height(u.Height), orDash(u.Reason),
		})
	}
	return rows
}

type treasuryCredit struct {
	changing
	Community string `arg:"" help:"The community's prefix."`
}

// Run is `moonfund treasury credit`.
func (t treasuryCredit) Run(ctx context.Context) error {
	if err := t.check(); err != nil {
		return err
	}
	db, err := t.existing(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	var shown string
	if err := db.View(ctx, func(tx *store.Tx) (err error) {
		shown, err = t.preview(ctx, tx)
		return err
	}); err != nil {
		return err
	}
	if err := t.agree(shown); err != nil {
		return err
	}
	var booked int64
	if err := db.Update(ctx, func(tx *store.Tx) error {
		again, err := t.preview(ctx, tx)
		if err == nil && again != shown {
			err = errors.New("something else arrived meanwhile, nothing was done: look at it again")
		}
		if err != nil {
			return err
		}
		at, err := now(ctx, tx)
		if err != nil {
			return err
		}
		number, err := tx.Log(ctx, t.line(at, "treasury credit", t.Community, shown))
		if err != nil {
			return err
		}
		cause := ledger.Cause{Kind: "operator", ID: strconv.FormatInt(number, 10), At: at}
		booked, err = tx.BookTreasury(ctx, t.Community, cause)
		return err
	}); err != nil {
		return err
	}
	if t.JSON {
		return printJSON(map[string]int64{"booked": booked})
	}
	fmt.Printf("Booked %d outputs.\n", booked)
	return nil
}

// preview lists what would be booked, or says that there is nothing.
func (t treasuryCredit) preview(ctx context.Context, tx *store.Tx) (string, error) {
	if err := known(ctx, tx, t.Community); err != nil {
		return "", err
	}
	outputs, err := tx.UnbookedTreasury(ctx, t.Community)
	if err != nil {
		return "", err
	}
	if len(outputs) == 0 {
		return "", errors.New("nothing arrived that can be booked and is not: what is in no block yet waits, and what is in quarantine never counts")
	}
	var b strings.Builder
	for _, o := range outputs {
		fmt.Fprintf(&b, "  %s  %d sats, %s of the rune, block %s: %s\n", o.OutPoint, o.Value, o.Runes.Decimal(8), height(o.Height), countsAs(o))
	}
	return fmt.Sprintf("These outputs count for %s from now on:\n%sWhat is in no block yet, or in quarantine, is left out.", t.Community, b.String()), nil
}

// countsAs says what a deposit is for once it is booked.
func countsAs(o ledger.Output) string {
	switch {
	case o.Kind == ledger.SatsKind:
		return "its sats go to the fee account"
	case o.Runes > 0:
		return "its runes back rewards"
	}
	return "nothing, since its sats came to the address for runes"
}
