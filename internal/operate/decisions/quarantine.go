package decisions

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"moonfund/internal/amount"
	"moonfund/internal/operate/terminal"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/payout"
	"moonfund/internal/state"
	"moonfund/internal/store"
)

// QuarantineView is an output at one of the server's addresses that can't be credited.
type QuarantineView struct {
	OutPoint   string      `json:"outpoint"`
	Community  string      `json:"community"`
	Kind       ledger.Kind `json:"kind"` // stake, payment, runes or sats (treasury)
	Reason     string      `json:"reason"`
	Owner      string      `json:"owner"` // ordinals address; empty for treasury outputs
	Address    string      `json:"address"`
	Value      amount.Sats `json:"value_sats"`
	Runes      []HeldRune  `json:"runes"`
	Height     int64       `json:"height"` // -1 while unconfirmed
	Returnable bool        `json:"returnable"`
	SpentBy    string      `json:"spent_by"`
}

// HeldRune is an amount of a rune on an output.
type HeldRune struct {
	Rune   string `json:"rune_id"`
	Amount string `json:"amount"` // base units, up to 128 bits
}

// Holding returns the runes on the output in one line, or "-".
func (v QuarantineView) Holding() string {
	var parts []string
	for _, r := range v.Runes {
		parts = append(parts, r.Amount+" of "+r.Rune)
	}
	return terminal.OrDash(strings.Join(parts, ", "))
}

// Quarantined returns the outputs that can't be credited, of one community or, for "", of all. Spent outputs are
// omitted unless spent is set.
func Quarantined(ctx context.Context, tx *store.Tx, community string, spent bool) (views []QuarantineView, err error) {
	communities, err := Communities(ctx, tx, community)
	if err != nil {
		return nil, err
	}
	for _, community := range communities {
		outputs, err := tx.Quarantined(ctx, community)
		if err != nil {
			return nil, err
		}
		for _, output := range outputs {
			if output.SpentBy != "" && !spent {
				continue
			}
			view, err := viewQuarantined(ctx, tx, output)
			if err != nil {
				return nil, err
			}
			views = append(views, view)
		}
	}
	return views, nil
}

func viewQuarantined(ctx context.Context, tx *store.Tx, o ledger.Output) (QuarantineView, error) {
	view := QuarantineView{
		OutPoint: o.OutPoint.String(), Community: o.Community, Kind: o.Kind, Reason: o.Quarantine, Owner: o.Owner,
		Address: o.Ref, Value: o.Value, Runes: []HeldRune{}, Height: o.Height, SpentBy: o.SpentBy,
		Returnable: o.Quarantine != "" && o.SpentBy == "" && (o.Kind == ledger.StakeKind ||
			o.Kind == ledger.PaymentKind || o.Quarantine == ledger.SatsForRunes),
	}
	if view.Reason == "" {
		view.Reason = ledger.RunesForSats // at the treasury's address for sats
	}
	held, err := tx.Runes(ctx).RuneBalances(o.OutPoint)
	for _, h := range held {
		for _, b := range h.All() {
			view.Runes = append(view.Runes, HeldRune{b.ID.String(), b.Amount.String()})
		}
	}
	return view, err
}

// Return returns the change that requests the server to return a quarantined output to its owner's address, or sats at
// the treasury's address for runes to its address for sats.
func Return(a Author, outpoint string) Change[int64] {
	r := payout.Request{Kind: payout.RequestReturn, OrderID: outpoint}
	return Request(a, r, func(ctx context.Context, tx *store.Tx) (string, error) {
		return previewReturn(ctx, tx, outpoint)
	})
}

func previewReturn(ctx context.Context, tx *store.Tx, outpoint string) (string, error) {
	point, err := ledger.ParseOutPoint(outpoint)
	if err != nil {
		return "", fmt.Errorf("%q is not an output: give it as txid:vout", outpoint)
	}
	output, err := tx.Output(ctx, point)
	if errors.Is(err, state.ErrNotFound) {
		return "", fmt.Errorf("the ledger has no output %s", outpoint)
	}
	if err != nil {
		return "", err
	}
	view, err := viewQuarantined(ctx, tx, output)
	switch {
	case err != nil:
		return "", err
	case output.Quarantine == "":
		return "", fmt.Errorf("it is not in quarantine: it is a %s output that counts", output.Kind)
	case !view.Returnable:
		return "", fmt.Errorf("it can't be returned: only an unspent output at a stake or payment address has an owner, "+
			"and this one is at a %s address, spent by %s", output.Kind, terminal.OrDash(output.SpentBy))
	case output.Quarantine == ledger.SatsForRunes:
		return fmt.Sprintf("%s moves to the treasury's address for sats:\n  %d sats, less the network fee, from %s\n"+
			"Once that is final, they count in the fee account.", view.OutPoint, view.Value, view.Address), nil
	}
	return fmt.Sprintf("%s goes back to its owner:\n  %d sats and runes %s, from %s\n  to %s\n"+
		"Why it is in quarantine: %s.\n"+
		"Its own sats pay the network fee if 546 sats remain; otherwise the treasury's sats pay it.",
		view.OutPoint, view.Value, view.Holding(), view.Address, view.Owner, view.Reason), nil
}
