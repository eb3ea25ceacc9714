package proof

import (
	"cmp"
	"slices"
	"time"

	"moonfund/amount"
	"moonfund/ledger"
)

// Reserves is everything that a community holds for its stakers, and what it
// owes them, at one block. Anyone can look the outputs up on the chain.
type Reserves struct {
	Height    int64
	BlockHash string
	Time      time.Time // of the block
	Rune      string    // block:tx

	StakedUnits  amount.Runes // units of origin STAKE that are not WITHDRAWN
	VirtualUnits amount.Runes // units of origin REWARD that are not WITHDRAWN
	OnTheWay     amount.Runes // of both: in undelivered payouts, whose inputs are spent already
	Contested    amount.Runes // of StakedUnits: their staker is recovering them

	StakeOutputs    amount.Runes // on unspent stake outputs
	TreasuryOutputs amount.Runes // on unspent, booked treasury outputs
	Covered         bool         // what is owed and not on its way is there
	Outputs         []Reserve
}

// Reserve is one output that backs units.
type Reserve struct {
	OutPoint string // txid:vout
	Treasury bool   // else a stake
	Address  string
	Value    amount.Sats
	Amount   amount.Runes
	Height   int64 // ledger.None while unconfirmed
}

// Snapshot adds up a community's reserves at a block. Of the units it counts the
// live ones, of the outputs those that are unspent and creditable, so both may
// be given whole; sent says whether the payout of an order is under way.
func Snapshot(at ledger.Header, rune string, units []ledger.Unit, outputs []ledger.Output, sent func(orderID string) bool) (Reserves, error) {
	r := Reserves{Height: at.Height, BlockHash: at.Hash, Time: at.Time, Rune: rune}
	var stakes, rewards amount.Runes // owed here and now
	for _, u := range units {
		if !u.Stage.Live() {
			continue
		}
		all, now := &r.StakedUnits, &stakes
		if u.Virtual() {
			all, now = &r.VirtualUnits, &rewards
		}
		away := u.OrderID != "" && sent(u.OrderID)
		switch {
		case away:
			now = &r.OnTheWay
		case u.Contested:
			now = &r.Contested
		}
		if err := addTo(u.Amount, all, now); err != nil {
			return Reserves{}, err
		}
	}
	for _, o := range outputs {
		if o.Vanished || o.SpentBy != "" || o.Quarantine != "" || o.Runes == 0 {
			continue
		}
		var total *amount.Runes
		switch {
		case o.Kind == ledger.StakeKind:
			total = &r.StakeOutputs
		case o.Kind == ledger.RunesKind && o.Booked:
			total = &r.TreasuryOutputs
		default:
			continue
		}
		if err := addTo(o.Runes, total); err != nil {
			return Reserves{}, err
		}
		r.Outputs = append(r.Outputs, Reserve{
			OutPoint: o.OutPoint.String(), Treasury: o.Kind == ledger.RunesKind, Address: o.Ref, Value: o.Value, Amount: o.Runes, Height: o.Height,
		})
	}
	slices.SortFunc(r.Outputs, func(a, b Reserve) int { return cmp.Compare(a.OutPoint, b.OutPoint) })
	r.Covered = r.StakeOutputs >= stakes && r.TreasuryOutputs >= rewards
	return r, nil
}

func addTo(n amount.Runes, totals ...*amount.Runes) (err error) {
	for _, total := range totals {
		if *total, err = total.Add(n); err != nil {
			return err
		}
	}
	return nil
}
