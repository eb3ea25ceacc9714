package vault

import (
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/runes"
)

const (
	// DustSats is the value in sats of every output with runes that this package builds.
	DustSats = 546
	// DefaultMaxRunestone is the standardness limit of an OP_RETURN script in bytes.
	DefaultMaxRunestone = 83
	// MaxPayoutVBytes is the maximum size of a payout, which is the limit of a version 3 transaction.
	MaxPayoutVBytes = 10_000
	// PaymentInputVBytes is the virtual size, with a margin, of a payment's input. A payment worth less than the fee
	// for it does not count.
	PaymentInputVBytes = 68

	// Weight of a key-path witness: item count, length, 64-byte signature (SIGHASH_DEFAULT).
	keySpendWeight = 66
	// Weight of the witness of a stake in self-custody: item count, and with their lengths the signatures of the
	// community (64 bytes) and of the staker (65 bytes with SIGHASH_ALL), the leaf (68 bytes) and the control block (65
	// bytes).
	togetherWeight = 1 + 1 + 64 + 1 + 65 + 1 + 68 + 1 + 65
	// Weight of the marker and flag of a transaction with witnesses.
	segwitMarkerWeight = 2
	strippedInputBytes = 41
)

// SelfVBytes is the virtual size of an input that spends a stake in self-custody, rounded up: 108.
const SelfVBytes = (4*strippedInputBytes + togetherWeight + 3) / 4

// InputVBytes returns the virtual size of one input of the given kind that is spent through its key path, rounded up:
// 58.
func InputVBytes(CoinKind) int64 { return (4*strippedInputBytes + keySpendWeight + 3) / 4 }

// PaymentFloor returns the minimum value in sats of a payment that counts at the given rate.
func PaymentFloor(rate amount.FeeRate) amount.Sats {
	return max(DustSats, rate.Fee(PaymentInputVBytes))
}

// SignedVBytes returns the virtual size of the transaction after every input has its key-path signature. Existing
// witnesses are ignored.
func SignedVBytes(tx *wire.MsgTx) int64 {
	return signedVBytes(tx.SerializeSizeStripped(), len(tx.TxIn))
}

func signedVBytes(stripped, inputs int) int64 {
	weight := 4*stripped + segwitMarkerWeight + keySpendWeight*inputs
	return int64(weight+3) / 4
}

// OrderShape contains the properties that determine the size of an order delivered alone.
type OrderShape struct {
	Rune     runes.ID
	Amount   amount.Runes
	To       []byte // script of the ordinals address
	Virtual  bool   // some units are virtual, which needs a treasury output and rune change
	Payments int    // number of payment outputs to spend, at least 1
}

// DeliveryVBytes returns the virtual size of the signed transaction that delivers only this order, without the inputs
// of its units. The order's network_fee pays for this size. Treasury runes and sats change are P2TR.
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

// KeptVBytes is the virtual size of the P2TR output that keeps an order's overpayment.
const KeptVBytes = 43
