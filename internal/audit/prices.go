package audit

import (
	"encoding/binary"

	"moonfund/internal/bitcoin/chain"
)

// Sizes of a delivery, in bytes and in weight units. The orders and the signer have their own.
const (
	inputVBytes   = 58  // of each input that our key signs, rounded up
	selfVBytes    = 108 // of each input in self-custody, rounded up
	inputBytes    = 41  // without the witness
	witnessWeight = 66
	p2trOutput    = 43
	txBytes       = 4 + 1 + 1 + 4 // version, numbers of inputs and outputs, lock time
	outputBytes   = 8 + 1         // without the script
)

// leastLowered is the number of sats by which the service fee may always be lowered for an order whose payments lack
// them, because no further payment can pay less than the dust limit.
const leastLowered = dust - 1

// mostServiceFee is the highest service fee in sats that a manifest can have. The manifest's fee can change at any
// time, so an order has the one by which its price was computed.
const mostServiceFee = 1_000_000

// feeAt returns the fee in sats of a size, rounded up, at a rate in sats per 1,000 vB.
func feeAt(rate, vbytes int64) int64 { return (rate*vbytes + 999) / 1000 }

// checkPrice recomputes the network fees of an order from its fee rate, and the service fee from the community's
// (invariant 5). Each of its payments may add the cost of its input, at most its own value.
func (a *auditor) checkPrice(o order, sum received) {
	on := a.onOrder(o.id)
	if input := feeAt(o.feeRate, inputVBytes); o.perRutxo != input {
		a.fail(Payments, on, "an input costs %d sats at %d sats per 1,000 vB, not %d", input, o.feeRate, o.perRutxo)
	}
	self := feeAt(o.feeRate, selfVBytes)
	if o.rutxosFee != o.perRutxo*(o.realUnits-o.selfUnits)+self*o.selfUnits {
		a.fail(Payments, on, "%d sats for its %d outputs, at %d sats each, and %d for each of %d in self-custody",
			o.rutxosFee, o.realUnits, o.perRutxo, self, o.selfUnits)
	}
	if size, known := a.sizeOf(o); known {
		inputs := o.networkFee - feeAt(o.feeRate, size)
		whole := sum.small || inputs%max(1, o.perRutxo) == 0
		if inputs < 0 || inputs > sum.outputs*o.perRutxo || !whole {
			a.fail(Payments, on, "its network fee is %d sats; at %d sats per 1,000 vB, the %d vB of its delivery cost %d, "+
				"and each of its %d payments adds nothing or %d", o.networkFee, o.feeRate, size, o.networkFee-inputs,
				sum.outputs, o.perRutxo)
		}
	}
	lowered := max(leastLowered, 2*o.perRutxo)
	if o.serviceFee < max(0, o.listedFee-lowered) || o.serviceFee > min(o.listedFee, mostServiceFee) {
		a.fail(Payments, on, "its service fee is %d sats; the community's was %d, which its payments lower by %d at most",
			o.serviceFee, o.listedFee, lowered)
	}
}

// sizeOf returns the size in vbytes of the delivery of an order alone with one payment, without the inputs of its
// units: an output for the owner, the runestone, change in sats, and for a reward a treasury input and its change.
func (a *auditor) sizeOf(o order) (vbytes int64, known bool) {
	to, err := chain.ParseAddress(o.owner, a.Rules.Network)
	id := a.runeOf(o.community)
	if err != nil || id.Block == 0 {
		return 0, false
	}
	payload := 2 + 1 + 1 // pointer, end of the fields, output of the edict
	for _, n := range []uint64{id.Block, uint64(id.Tx), uint64(o.amount)} {
		payload += len(binary.AppendUvarint(nil, n))
	}
	runestone := outputBytes + 2 + 1 + payload // OP_RETURN OP_13, push
	bytes, inputs := txBytes+outputBytes+len(to.Script)+runestone+p2trOutput, 1
	if o.realUnits < int64(len(o.unitIDs)) {
		bytes, inputs = bytes+p2trOutput, 2
	}
	weight := 4*(bytes+inputs*inputBytes) + 2 + inputs*witnessWeight
	return int64(weight+3) / 4, true
}

// paidUntil returns when the payments of an order must be seen to pay its price: while its rate is valid, or until the
// end of economy delivery, whose rate its owner chose.
func (o order) paidUntil() int64 {
	if o.limitAt == noLimit {
		return o.rateAt + rateValid
	}
	return min(o.limitAt+economyGrace, o.created+economyLongest)
}
