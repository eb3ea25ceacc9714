package amount

import (
	"math"
	"strconv"
)

// FeeRate is a fee rate in satoshis per 1,000 virtual bytes, so that
// fractional rates stay integers: 1.5 sat/vB is FeeRate(1500).
type FeeRate int64

// SatPerVB returns the fee rate for a whole number of satoshis per virtual byte.
func SatPerVB(sats int64) FeeRate { return FeeRate(sats * 1000) }

// FeeRateFromFloat rounds a rate in sat/vB up to a thousandth. NaN, infinities
// and anything outside 0..1,000,000 sat/vB return ErrOverflow.
func FeeRateFromFloat(satPerVB float64) (FeeRate, error) {
	if math.IsNaN(satPerVB) || satPerVB < 0 || satPerVB > 1e6 {
		return 0, ErrOverflow
	}
	return FeeRate(math.Ceil(satPerVB*1000 - 1e-9)), nil
}

// Fee returns the fee in sats for a transaction of the given virtual size, rounded up.
func (r FeeRate) Fee(vbytes int64) Sats { return Sats((int64(r)*vbytes + 999) / 1000) }

// Float returns the rate in sat/vB, for display only.
func (r FeeRate) Float() float64 { return float64(r) / 1000 }

// String returns the rate in sat/vB as a plain decimal.
func (r FeeRate) String() string { return strconv.FormatFloat(r.Float(), 'f', -1, 64) }
