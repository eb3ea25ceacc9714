package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"moonfund/amount"
	"moonfund/ledger"
	"moonfund/store"
)

type treasuryExplain struct {
	changing
	TxID  string   `arg:"" name:"txid" help:"The transaction, as 'moonfund treasury show' lists it."`
	Owner string   `arg:"" optional:"" help:"The address that it went to, when it went to more than one."`
	Unit  []string `help:"A reward of that address that it delivered, once for each; none: it delivered no reward." placeholder:"UNIT"`
}

type outgoView struct {
	TxID   string       `json:"txid"`
	Owner  string       `json:"owner"` // "" for what went to no address
	Amount amount.Runes `json:"runes,string"`
	Height int64        `json:"height"`
	Units  []string     `json:"units,omitempty"` // that it delivered, once it is explained
}

// Run is `moonfund treasury explain`: an operator says what a transaction was that
// this ledger does not remember.
func (t treasuryExplain) Run(ctx context.Context) error {
	if err := t.check(); err != nil {
		return err
	}
	db, err := t.existing(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	var shown string
	if err := db.View(ctx, func(tx *store.Tx) error {
		o, units, err := t.find(ctx, tx)
		shown = preview(o, units)
		return err
	}); err != nil {
		return err
	}
	if err := t.agree(shown); err != nil {
		return err
	}
	var view outgoView
	if err := db.Update(ctx, func(tx *store.Tx) error {
		o, units, err := t.find(ctx, tx)
		if err == nil && preview(o, units) != shown {
			err = errors.New("something changed meanwhile, nothing was done: look at it again")
		}
		if err != nil {
			return err
		}
		at, err := now(ctx, tx)
		if err != nil {
			return err
		}
		number, err := tx.Log(ctx, t.line(at, "treasury explain", o.TxID, shown))
		if err != nil {
			return err
		}
		o.Status = ledger.OutgoTold
		view = outgoView{o.TxID, o.Owner, o.Amount, o.Height, t.Unit}
		_, err = ledger.Tell(ctx, tx, o, units, ledger.Cause{Kind: "operator", ID: strconv.FormatInt(number, 10), At: at})
		return err
	}); err != nil {
		return err
	}
	if t.JSON {
		return printJSON(view)
	}
	fmt.Println("Done. `moonfund audit` holds the books against it from now on.")
	return nil
}

// find returns the outgo that is meant, and the units that are named.
func (t treasuryExplain) find(ctx context.Context, tx *store.Tx) (o ledger.Outgo, units []ledger.Unit, err error) {
	open, err := tx.OpenOutgoes(ctx)
	if err != nil {
		return o, nil, err
	}
	var meant []ledger.Outgo
	for _, o := range open {
		if o.TxID == t.TxID && (t.Owner == "" || o.Owner == t.Owner) {
			meant = append(meant, o)
		}
	}
	switch {
	case len(meant) == 0:
		return o, nil, errors.New("nothing of it is open; 'moonfund treasury show' lists what is")
	case len(meant) > 1:
		return o, nil, fmt.Errorf("it went to %d addresses: name one of them after the transaction", len(meant))
	}
	o = meant[0]
	named := map[string]bool{}
	for _, id := range t.Unit {
		unit, err := tx.Unit(ctx, o.Community, id)
		_, stays := ledger.Next(unit.Stage, ledger.DeliveredElsewhere, ledger.Any)
		switch {
		case errors.Is(err, ledger.ErrNotFound) || (err == nil && (unit.Owner != o.Owner || !unit.Virtual())):
			return o, nil, fmt.Errorf("%s has no reward %q", o.Owner, id)
		case err != nil:
			return o, nil, err
		case stays != nil:
			return o, nil, fmt.Errorf("the reward %s is %s: it must be CLAIMABLE or UNLOCKED", id, unit.Stage)
		case named[id]:
			return o, nil, fmt.Errorf("the reward %s is named twice", id)
		}
		named[id] = true
		units = append(units, unit)
	}
	tip, err := tx.Tip(ctx)
	if depth := ledger.Confirmations(o.Height, tip.Height); err == nil && len(units) > 0 && depth < ledger.OutgoDepth {
		err = fmt.Errorf("it is %d blocks deep, and could still be undone: say which rewards it delivered when it is %d", depth, ledger.OutgoDepth)
	}
	return o, units, err
}

// preview says what the operator is about to declare.
func preview(o ledger.Outgo, units []ledger.Unit) string {
	to := o.Owner
	if to == "" {
		to = "no address"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Transaction %s took %s of the rune out of the treasury of %s, to %s.\n", o.TxID, o.Amount.Decimal(8), o.Community, to)
	if len(units) == 0 {
		b.WriteString("No reward was delivered by it: what that address holds can be claimed, and is paid again if it was.\n")
		return b.String()
	}
	var sum amount.Runes
	b.WriteString("These rewards were delivered by it, and can't be claimed any more:\n")
	for _, unit := range units {
		sum += unit.Amount
		fmt.Fprintf(&b, "  %s  %s, %s\n", unit.ID, unit.Amount.Decimal(8), unit.Stage)
	}
	switch {
	case sum < o.Amount:
		fmt.Fprintf(&b, "They are %s less than what it took: the treasury bears that.\n", (o.Amount - sum).Decimal(8))
	case sum > o.Amount:
		fmt.Fprintf(&b, "They are %s more than what it brought: their owner loses that.\n", (sum - o.Amount).Decimal(8))
	}
	return b.String()
}

// addOutgoes lists what left the treasury by no payout of ours.
func (v *treasuryView) addOutgoes(ctx context.Context, tx *store.Tx) error {
	open, err := tx.OpenOutgoes(ctx)
	for _, o := range open {
		if o.Community == v.Community {
			v.Outgoes = append(v.Outgoes, outgoView{TxID: o.TxID, Owner: o.Owner, Amount: o.Amount, Height: o.Height})
		}
	}
	return err
}

func outgoRows(all []outgoView) (rows [][]string) {
	for _, o := range all {
		rows = append(rows, []string{o.TxID, orDash(o.Owner), o.Amount.Decimal(8), height(o.Height)})
	}
	return rows
}
