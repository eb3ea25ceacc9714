package order

import (
	"errors"
	"testing"

	"moonfund/internal/amount"
	"moonfund/internal/fault"
	"moonfund/internal/staking/ledger"
)

// An order has as many units as one transaction can spend: 80 in self-custody, or others in place of some of them. It
// has no virtual units with units in self-custody, and others with them only up to cold_above.
func TestLimits(t *testing.T) {
	tooMany := func(most int) *fault.Error { return fault.Refuse(fault.TooManyUnits, most) }
	for _, row := range []struct {
		operator, self, virtual int
		coldAbove               amount.Runes
		want                    *fault.Error
	}{
		{operator: MaxUnits},
		{operator: MaxUnits + 1, want: tooMany(MaxUnits)},
		{virtual: MaxUnits},
		{self: MaxSelfUnits},
		{self: MaxSelfUnits + 1, want: tooMany(MaxSelfUnits)},
		{self: MaxSelfUnits, operator: 1, want: tooMany(MaxSelfUnits)},
		{self: MaxSelfUnits - 1, operator: 1},
		{self: 1, operator: MaxUnits - 1, want: tooMany(MaxSelfUnits)},
		{self: 1, virtual: 1, want: fault.Refuse(fault.UnitsApart)},
		{self: 1, operator: 1, virtual: 1, want: fault.Refuse(fault.UnitsApart)},
		{operator: 2, self: 3, coldAbove: 2000},
		{operator: 3, self: 1, coldAbove: 2000, want: fault.Refuse(fault.UnitsByHand)},
		{operator: 3, coldAbove: 2000},
		{self: 3, coldAbove: 2000},
	} {
		all := units(row.operator, row.virtual)
		for range row.self {
			all = append(all, ledger.Unit{Origin: ledger.FromStake, Amount: 1000, Self: true})
		}
		err := Limits{MaxUnits, row.coldAbove}.Check(all)
		if row.want == nil && err != nil || row.want != nil && !errors.Is(err, row.want) {
			t.Errorf("%d units, %d in self-custody, %d virtual: got %v, want %v", len(all), row.self, row.virtual, err,
				row.want)
		}
	}
}
