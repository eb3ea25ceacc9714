package signer

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/signed/message"
)

// Subject returns the id of the order that the request pays, the quarantined output that it returns as txid:vout, or
// the treasury from which it withdraws. The request must be of an exported payout.
func (r Request) Subject() string {
	switch {
	case r.Refund != nil:
		return r.Refund.OrderID
	case r.Return != nil:
		return r.Inputs[0].OutPoint.String()
	case r.Withdrawal != nil:
		return "treasury:" + r.Withdrawal.Community
	}
	return r.Orders[0].Delivery.OrderID
}

// ReadExport returns the request of an exported PSBT (base64). It returns an error if the request and the PSBT have
// different transactions.
func ReadExport(text string) (request Request, err error) {
	tx, reasons, err := vault.ReadPayoutPSBT(text)
	if err != nil {
		return request, err
	}
	if request, err = ReadRequest(bytes.NewReader(reasons)); err != nil {
		return request, fmt.Errorf("the reasons in it can't be read: %w", err)
	}
	if request.Tx == nil || request.Tx.TxHash() != tx.TxHash() || len(request.Inputs) == 0 || len(request.Tx.TxOut) == 0 ||
		request.purposes() != 1 {
		return request, errors.New("the reasons in it are for another transaction: it was changed")
	}
	return request, nil
}

// Describe returns a text for the operator that explains the request's transaction.
func (r Request) Describe(network chain.Network) string {
	var text strings.Builder
	var in, out int64
	for _, coin := range r.Inputs {
		in += coin.Output.Value
	}
	for _, o := range r.Tx.TxOut {
		out += o.Value
	}
	fmt.Fprintf(&text, "Transaction %s spends %d outputs and pays a fee of %d sats.\n",
		r.Tx.TxHash(), len(r.Inputs), in-out)
	for _, o := range r.Orders {
		fmt.Fprintf(&text, "Order %s: %s base units of rune %s to %s\n", o.Delivery.OrderID, o.Delivery.Amount,
			o.Delivery.Rune, addressOrHex(o.Delivery.To, network))
		describeProof(&text, o.Delivery.OrderID, o.Proof)
	}
	if r.Refund != nil {
		for _, out := range r.Tx.TxOut {
			fmt.Fprintf(&text, "Refund of order %s: %d sats to %s\n", r.Refund.OrderID, out.Value,
				addressOrHex(out.PkScript, network))
		}
		describeProof(&text, r.Refund.OrderID, r.Refund.Proof)
	}
	if r.Return != nil {
		describeReturn(&text, r)
	}
	if w := r.Withdrawal; w != nil && w.Sats > 0 {
		fmt.Fprintf(&text, "Withdrawal from the treasury: %d sats to %s\n", w.Sats, w.To)
	} else if w != nil {
		fmt.Fprintf(&text, "Withdrawal from the treasury: %s base units of the rune to %s\n", w.Runes, w.To)
	}
	return text.String()
}

// addressOrHex returns the address of a script, or the script in hex if it has none.
func addressOrHex(script []byte, network chain.Network) string {
	if address, ok := chain.AddressFromScript(script, network); ok {
		return address.Text
	}
	return hex.EncodeToString(script)
}

// describeReturn writes the returned output and its owner. The leaf key of a stake address proves its owner; for a
// payment address only the order's message does.
func describeReturn(text *strings.Builder, r Request) {
	deposit := r.Inputs[0]
	fmt.Fprintf(text, "Return of output %s to %s: %d sats", deposit.OutPoint, r.Return.Owner, r.Tx.TxOut[0].Value)
	for _, b := range deposit.Runes {
		fmt.Fprintf(text, ", %s base units of rune %s", b.Amount, b.ID)
	}
	fmt.Fprintln(text)
	if deposit.Kind == vault.Payment {
		describeProof(text, deposit.OrderID, r.Return.Proof)
	}
}

// describeProof writes the message of an order and whether that message opened the order.
func describeProof(text *strings.Builder, orderID string, p Proof) {
	if p.Text != "" {
		fmt.Fprintf(text, "Its staker signed:\n    %s\n", strings.ReplaceAll(strings.TrimSpace(p.Text), "\n", "\n    "))
	}
	if message.OrderID(p.Text) != orderID {
		fmt.Fprintf(text, "CAUTION: this message did not open order %s, and is refused.\n", orderID)
	}
}
