package action

import (
	"time"

	"moonfund/internal/amount"
)

// OneTxEstimate asks for the price of a withdrawal in one transaction.
type OneTxEstimate struct {
	Community string
	Wallet    Wallet
	UnitIDs   []string
	Key       []byte // public key of the payment address, or nil
	Source    string // of the request: see coins.Finder.FindFor
}

// OneTxQuote is the price of a withdrawal in one transaction.
type OneTxQuote struct {
	Fee    amount.Sats // network fee
	VBytes int64
	Rate   amount.FeeRate
	Coins  int         // of the payment address, which it spends
	Change amount.Sats // that returns to the payment address
}

// OneTxDraft is a withdrawal that its owner's wallet has to sign.
type OneTxDraft struct {
	PSBT    string // base64
	Inputs  []int  // that the payment address signs
	Units   []int  // inputs in self-custody, which the ordinals address signs
	Address string // payment address of the order, whose coins Inputs spend
	Quote   OneTxQuote
	Until   time.Time // end of the attempt
}
