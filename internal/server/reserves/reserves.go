package reserves

import (
	"cmp"
	"slices"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/staking/ledger"
)

// Reserves has the amounts that a community owes its stakers at one block, and the outputs that back them, which anyone
// can verify on the chain.
type Reserves struct {
	Height    int64
	BlockHash string
	Time      time.Time // header time of the block
	Rune      string    // block:tx

	StakedUnits  amount.Runes // units of origin STAKE that are not WITHDRAWN
	VirtualUnits amount.Runes // units of origin REWARD that are not WITHDRAWN
	OnTheWay     amount.Runes // part of the two above in undelivered payouts, which spend their outputs already
	Contested    amount.Runes // part of StakedUnits whose staker is recovering them

	StakeOutputs    amount.Runes // sum of unspent stake outputs
	SelfOutputs     amount.Runes // part of StakeOutputs that nothing moves without its owner's signature
	TreasuryOutputs amount.Runes // sum of unspent, booked treasury outputs
	Covered         bool         // the outputs cover all units not in OnTheWay or Contested
	Outputs         []Reserve    // ordered by outpoint
}

// Reserve is an output that backs units.
type Reserve struct {
	OutPoint string // txid:vout
	Treasury bool   // whether it is a treasury output, else a stake output
	Self     bool   // a stake output in self-custody
	Address  string
	Value    amount.Sats
	Amount   amount.Runes
	Height   int64 // chain.None while unconfirmed
}

// Snapshot sums a community's reserves at a block. It counts units that are not WITHDRAWN, and unspent outputs that are
// not quarantined: stakes, and treasury outputs that are booked. sent reports whether an order is SENT, so that its
// payout is signed but not delivered. Snapshot returns amount.ErrOverflow if a sum exceeds an int64.
func Snapshot(
	at ledger.Header, rune string, units []ledger.Unit, outputs []ledger.Output, sent func(orderID string) bool,
) (Reserves, error) {
	r := Reserves{Height: at.Height, BlockHash: at.Hash, Time: at.Time, Rune: rune}
	var stakes, rewards amount.Runes // owed and not in OnTheWay or Contested
	self := map[wire.OutPoint]bool{}
	for _, u := range units {
		if u.Self {
			self[u.OutPoint] = true
		}
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
		totals := []*amount.Runes{total}
		if self[o.OutPoint] {
			totals = append(totals, &r.SelfOutputs)
		}
		if err := addTo(o.Runes, totals...); err != nil {
			return Reserves{}, err
		}
		r.Outputs = append(r.Outputs, Reserve{
			OutPoint: o.OutPoint.String(), Treasury: o.Kind == ledger.RunesKind, Self: self[o.OutPoint], Address: o.Ref,
			Value: o.Value, Amount: o.Runes, Height: o.Height,
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
