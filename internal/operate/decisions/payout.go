package decisions

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/operate/terminal"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/payout"
	"moonfund/internal/state"
	"moonfund/internal/store"
)

// PayoutView is a payout with all of its versions, oldest first.
type PayoutView struct {
	ID        string        `json:"id"`
	Community string        `json:"community"`
	Kind      payout.Kind   `json:"kind"`
	Status    payout.Status `json:"status"`
	Created   time.Time     `json:"created"`
	Orders    []string      `json:"orders"`
	Versions  []VersionView `json:"versions"`
}

// VersionView is one signed transaction of a payout.
type VersionView struct {
	Txid    string      `json:"txid"`
	Fee     amount.Sats `json:"fee_sats"`
	VBytes  int64       `json:"vbytes"`
	Created time.Time   `json:"created"`
	Height  int64       `json:"height"` // -1 while unconfirmed
	Hex     string      `json:"hex,omitempty"`

	Refused *RefusalView `json:"not_accepted_by_node,omitempty"`
}

// Rate returns the fee rate in sat/vB.
func (v VersionView) Rate() float64 { return float64(v.Fee) / float64(max(1, v.VBytes)) }

// Current returns the confirmed version, or the newest one.
func (v PayoutView) Current() VersionView {
	for _, version := range slices.Backward(v.Versions) {
		if version.Height >= 0 {
			return version
		}
	}
	return v.Versions[len(v.Versions)-1]
}

// viewPayout returns the view of a payout.
func viewPayout(p payout.Payout) PayoutView {
	view := PayoutView{
		ID: p.ID, Community: p.Community, Kind: p.Kind, Status: p.Status, Created: p.Created, Orders: p.OrderIDs,
		Versions: []VersionView{},
	}
	for _, v := range p.Versions {
		view.Versions = append(view.Versions, VersionView{
			Txid: v.Tx.ID.String(), Fee: v.Fee, VBytes: v.VBytes, Created: v.Created, Height: v.Height,
		})
	}
	return view
}

// PayoutFilter selects payouts. Empty fields select all.
type PayoutFilter struct {
	Community string
	Status    payout.Status
	Kind      payout.Kind
}

// Payouts returns the selected payouts, newest first.
func Payouts(ctx context.Context, tx *store.Tx, f PayoutFilter) (views []PayoutView, err error) {
	if _, err := Communities(ctx, tx, f.Community); err != nil {
		return nil, err
	}
	all, err := tx.Payouts(ctx)
	for _, p := range all {
		if (f.Community == "" || p.Community == f.Community) && (f.Status == "" || p.Status == f.Status) &&
			(f.Kind == "" || p.Kind == f.Kind) {
			views = append(views, viewPayout(p))
		}
	}
	return views, err
}

// FindPayout returns the payout with an id, or with a transaction of that id. If there is none, it returns an Unknown
// error.
func FindPayout(ctx context.Context, tx *store.Tx, id string) (payout.Payout, error) {
	p, err := tx.Payout(ctx, id)
	if errors.Is(err, state.ErrNotFound) {
		p, err = tx.PayoutOf(ctx, strings.ToLower(id))
	}
	if errors.Is(err, state.ErrNotFound) {
		return p, unknown("the ledger has no payout %q", id)
	}
	return p, err
}

// ReadPayout returns the view of a payout with the node's refusals of its versions and, if raw is set, their bytes. id
// is the id of the payout or of one of its transactions. If there is none, ReadPayout returns an Unknown error.
func ReadPayout(ctx context.Context, tx *store.Tx, id string, raw bool) (view PayoutView, err error) {
	p, err := FindPayout(ctx, tx, id)
	if err != nil {
		return view, err
	}
	view = viewPayout(p)
	for i, v := range p.Versions {
		if raw {
			view.Versions[i].Hex = v.Hex()
		}
		if view.Versions[i].Refused, err = RefusalOf(ctx, tx, v.Tx.ID.String()); err != nil {
			return view, err
		}
	}
	return view, nil
}

// RefusalView is the node's refusal of a signed transaction.
type RefusalView struct {
	Reason  string    `json:"reason"` // as the node returned it
	Since   time.Time `json:"since"`
	Passing bool      `json:"passing"` // the node may accept the transaction later
}

// viewRefusal returns the view of a refusal, or nil for nil.
func viewRefusal(r *ledger.Refusal) *RefusalView {
	if r == nil {
		return nil
	}
	return &RefusalView{r.Reason, r.Since, r.Passing}
}

// RefusalOf returns the node's refusal of a transaction, or nil.
func RefusalOf(ctx context.Context, tx *store.Tx, txid string) (*RefusalView, error) {
	r, err := tx.Refusal(ctx, txid)
	if errors.Is(err, state.ErrNotFound) {
		return nil, nil
	}
	return viewRefusal(&r), err
}

// String returns the refusal in one line.
func (r *RefusalView) String() string {
	text := "since " + terminal.Time(r.Since) + ": " + r.Reason
	if r.Passing {
		return text + " (waiting can help)"
	}
	return text + " (see: moonfund help refused-payouts)"
}
