package decisions

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
	"moonfund/internal/store"
)

// SpendView is a spend of the treasury by a transaction that is no payout of this ledger.
type SpendView struct {
	TxID   string       `json:"txid"`
	Owner  string       `json:"owner"` // address that received the runes; "" if none
	Amount amount.Runes `json:"runes,string"`
	Sats   amount.Sats  `json:"sats"` // sent to addresses that are not ours
	Height int64        `json:"height"`
	Units  []string     `json:"units,omitempty"` // delivered by the spend; set when it is explained
}

func unexplainedSpends(ctx context.Context, tx *store.Tx, community string) ([]SpendView, error) {
	all := []SpendView{}
	open, err := tx.UnexplainedSpends(ctx)
	for _, o := range open {
		if o.Community == community {
			all = append(all, SpendView{TxID: o.TxID, Owner: o.Owner, Amount: o.Amount, Sats: o.Sats, Height: o.Height})
		}
	}
	return all, err
}

// Explanation is the purpose of an unexplained spend of the treasury.
type Explanation struct {
	TxID  string
	Owner string   // required if the transaction paid several addresses
	Units []string // rewards of that address that the spend delivered
}

// Explain returns the change that records an explanation.
func Explain(a Author, e Explanation) Change[SpendView] {
	return Change[SpendView]{
		Preview: func(ctx context.Context, tx *store.Tx) (string, error) {
			o, units, err := e.find(ctx, tx)
			return previewExplanation(o, units), err
		},
		Apply: func(ctx context.Context, tx *store.Tx, at time.Time, shown string) (view SpendView, err error) {
			o, units, err := e.find(ctx, tx)
			if err != nil {
				return view, err
			}
			number, err := tx.Log(ctx, a.Line(at, "treasury explain", o.TxID, shown))
			if err != nil {
				return view, err
			}
			o.Status = ledger.SpendExplained
			cause := ledger.Cause{Kind: "operator", ID: strconv.FormatInt(number, 10), At: at}
			_, err = ledger.RecordExplanation(ctx, tx.LedgerTx(), o, units, cause)
			return SpendView{o.TxID, o.Owner, o.Amount, o.Sats, o.Height, e.Units}, err
		},
	}
}

// find returns the spend of the explanation and the units that it names.
func (e Explanation) find(ctx context.Context,
	tx *store.Tx) (o ledger.UnexplainedSpend, units []ledger.Unit, err error) {
	open, err := tx.UnexplainedSpends(ctx)
	if err != nil {
		return o, nil, err
	}
	var matches []ledger.UnexplainedSpend
	for _, o := range open {
		if o.TxID == e.TxID && (e.Owner == "" || o.Owner == e.Owner) {
			matches = append(matches, o)
		}
	}
	switch {
	case len(matches) == 0:
		return o, nil, errors.New("it is not an open spend; 'moonfund treasury show' lists the open ones")
	case len(matches) > 1:
		return o, nil, fmt.Errorf("it paid %d addresses: name one of them after the transaction", len(matches))
	}
	o = matches[0]
	if units, err = e.units(ctx, tx, o); err != nil {
		return o, nil, err
	}
	tip, err := tx.Tip(ctx)
	depth := ledger.Confirmations(o.Height, tip.Height)
	if err == nil && len(units) > 0 && depth < ledger.ExplainDepth {
		err = fmt.Errorf("it has %d confirmations and could still be undone: explain it when it has %d",
			depth, ledger.ExplainDepth)
	}
	return o, units, err
}

// units returns the named rewards. Each must belong to the recipient of the spend and be undelivered.
func (e Explanation) units(ctx context.Context, tx *store.Tx,
	o ledger.UnexplainedSpend) (units []ledger.Unit, err error) {
	named := map[string]bool{}
	for _, id := range e.Units {
		unit, err := tx.Unit(ctx, o.Community, id)
		_, stays := ledger.Stages.Next(unit.Stage, ledger.DeliveredElsewhere, ledger.Any)
		switch {
		case errors.Is(err, state.ErrNotFound) || (err == nil && (unit.Owner != o.Owner || !unit.Virtual())):
			return nil, fmt.Errorf("%s has no reward %q", o.Owner, id)
		case err != nil:
			return nil, err
		case stays != nil:
			return nil, fmt.Errorf("the reward %s is %s: it must be CLAIMABLE or UNLOCKED", id, unit.Stage)
		case named[id]:
			return nil, fmt.Errorf("the reward %s is named twice", id)
		}
		named[id] = true
		units = append(units, unit)
	}
	return units, nil
}

func previewExplanation(o ledger.UnexplainedSpend, units []ledger.Unit) string {
	to := o.Owner
	if to == "" {
		to = "no address"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Transaction %s took %s of the rune out of the treasury of %s, to %s.\n",
		o.TxID, o.Amount.Whole(), o.Community, to)
	if o.Sats > 0 {
		fmt.Fprintf(&b, "It also sent %d sats of the treasury to addresses that are not ours.\n", o.Sats)
	}
	if o.Amount == 0 {
		return b.String()
	}
	if len(units) == 0 {
		b.WriteString("It delivered no reward: the rewards of that address can be claimed, " +
			"and are paid twice if it did.\n")
		return b.String()
	}
	var sum amount.Runes
	b.WriteString("It delivered these rewards, which can no longer be claimed:\n")
	for _, unit := range units {
		sum += unit.Amount
		fmt.Fprintf(&b, "  %s  %s, %s\n", unit.ID, unit.Amount.Whole(), unit.Stage)
	}
	switch {
	case sum < o.Amount:
		fmt.Fprintf(&b, "Their sum is %s less than the spend: the treasury bears the difference.\n",
			(o.Amount - sum).Whole())
	case sum > o.Amount:
		fmt.Fprintf(&b, "Their sum is %s more than the spend: their owner loses the difference.\n",
			(sum - o.Amount).Whole())
	}
	return b.String()
}
