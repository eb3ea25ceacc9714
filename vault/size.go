package vault

import (
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/amount"
	"moonfund/runes"
)

const (
	// DustSats is the value in sats of every rune-bearing output that we make.
	DustSats = 546
	// DefaultMaxRunestone is the standard size limit of an OP_RETURN script in bytes.
	DefaultMaxRunestone = 83
	// MaxPayoutVBytes bounds one payout: the limit of a version 3 transaction.
	MaxPayoutVBytes = 10_000
	// PaymentInputVBytes is what a payment must be worth spending: the price of
	// its input with a margin. A smaller one counts nothing.
	PaymentInputVBytes = 68

	// A key-path witness: item count, length, 64-byte signature (SIGHASH_DEFAULT).
	keySpendWeight = 66
	// What every witness transaction has beyond its stripped size: marker and flag.
	segwitMarkerWeight = 2
	strippedInputBytes = 41
)

// InputVBytes returns the vbytes of one input of the given kind, rounded up: 58
// for all of them, since we spend every output through its key path.
func InputVBytes(CoinKind) int64 { return (4*strippedInputBytes + keySpendWeight + 3) / 4 }

// PaymentFloor returns the least value in sats of a payment that counts at the
// given rate.
func PaymentFloor(rate amount.FeeRate) amount.Sats {
	return max(DustSats, rate.Fee(PaymentInputVBytes))
}

// SignedVBytes returns the virtual size of the transaction once every input
// carries its key-path signature, whether or not it does already.
func SignedVBytes(tx *wire.MsgTx) int64 {
	return signedVBytes(tx.SerializeSizeStripped(), len(tx.TxIn))
}

func signedVBytes(stripped, inputs int) int64 {
	weight := 4*stripped + segwitMarkerWeight + keySpendWeight*inputs
	return int64(weight+3) / 4
}

// OrderShape is what decides the size of one order delivered alone.
type OrderShape struct {
	Rune     runes.ID
	Amount   amount.Runes
	To       []byte // script of the ordinals address
	Virtual  bool   // some of its units are virtual: needs a treasury output and rune change
	Payments int    // payment outputs that must be spent, at least 1
}

// DeliveryVBytes returns the virtual size of the transaction that delivers this
// order alone, without the inputs of its units: what network_fee pays for.
// Treasury runes and sats change are P2TR. Its cost does not grow with the payments.
func DeliveryVBytes(s OrderShape) (int64, error) {
	p2tr := make([]byte, 34)
	plan := PayoutPlan{
		RuneChange: p2tr, SatsChange: p2tr,
		Deliveries: []Delivery{{Rune: s.Rune, Amount: s.Amount, To: s.To, Value: DustSats}}, Rune: s.Rune,
	}
	change := make([]amount.Runes, 0, 1)
	inputs := max(1, s.Payments)
	if s.Virtual {
		inputs++
		change = append(change, 1)
	}
	tx, err := plan.template(change, true)
	if err != nil {
		return 0, err
	}
	none := wire.VarIntSerializeSize(0)
	stripped := tx.SerializeSizeStripped() - none + wire.VarIntSerializeSize(uint64(inputs)) + inputs*strippedInputBytes
	return signedVBytes(stripped, inputs), nil
}

// KeptVBytes is what an output that keeps an order's surplus costs: P2TR.
const KeptVBytes = 43
