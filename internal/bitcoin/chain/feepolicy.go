package chain

import "moonfund/internal/amount"

// FeePolicy limits the fee rates that the server pays. Fallback is the rate without an estimate. All rates are in sat
// per 1,000 vB.
type FeePolicy struct{ Fallback, Min, Max amount.FeeRate }

// Clamp limits a rate returned by Client.FeeRate to Min and Max. It uses Fallback if err is not nil or the rate is not
// positive.
func (p FeePolicy) Clamp(rate amount.FeeRate, err error) amount.FeeRate {
	if err != nil || rate <= 0 {
		rate = p.Fallback
	}
	return max(p.Min, min(rate, p.Max))
}
