package chain

import "moonfund/amount"

// FeePolicy bounds what a fee estimate may make us pay. Fallback is used where
// there is no estimate; all three are rates in sat per 1,000 vB.
type FeePolicy struct{ Fallback, Min, Max amount.FeeRate }

// Clamp takes what Client.FeeRate returned and gives a rate within Min and Max:
// an error, zero or a negative rate count as no estimate, an absurd rate as Max.
func (p FeePolicy) Clamp(rate amount.FeeRate, err error) amount.FeeRate {
	if err != nil || rate <= 0 {
		rate = p.Fallback
	}
	return max(p.Min, min(rate, p.Max))
}
