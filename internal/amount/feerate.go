package amount

import (
	"math"
	"strconv"
)

// FeeRate is a fee rate in satoshis per 1,000 virtual bytes, so that fractional rates are integers: 1.5 sat/vB is
// FeeRate(1500).
type FeeRate int64

// SatPerVB returns the fee rate for a whole number of satoshis per virtual byte. It does not detect overflow.
func SatPerVB(sats int64) FeeRate { return FeeRate(sats * 1000) }

// FeeRateFromFloat converts a rate in sat/vB and rounds it up to a thousandth, except for an excess below 10^-12
// sat/vB, which is a rounding error of floats. It returns ErrOverflow for NaN and for a rate outside of 0 to 1,000,000
// sat/vB.
func FeeRateFromFloat(satPerVB float64) (FeeRate, error) {
	if math.IsNaN(satPerVB) || satPerVB < 0 || satPerVB > 1e6 {
		return 0, ErrOverflow
	}
	return FeeRate(math.Ceil(satPerVB*1000 - 1e-9)), nil
}

// Fee returns the fee for a transaction of the given virtual size, rounded up. It does not detect overflow.
func (r FeeRate) Fee(vbytes int64) Sats { return Sats((int64(r)*vbytes + 999) / 1000) }

// Float returns the rate in sat/vB. It is for display only, since amounts are never computed from floats.
func (r FeeRate) Float() float64 { return float64(r) / 1000 }

// String returns the rate in sat/vB in decimal, without an exponent.
func (r FeeRate) String() string { return strconv.FormatFloat(r.Float(), 'f', -1, 64) }
