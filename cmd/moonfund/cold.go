package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"time"
	"unicode"

	"moonfund/amount"
	"moonfund/chain"
	"moonfund/community"
	"moonfund/console"
	"moonfund/message"
	"moonfund/operator"
	"moonfund/payout"
	"moonfund/signer"
	"moonfund/vault"
)

// exporter makes the PSBT of a payout that is to be signed elsewhere: with the
// keys' origins for a wallet, and the whole request for a signer of ours.
func (h *house) exporter(ask requests) func(payout.Unsigned) (string, error) {
	return func(u payout.Unsigned) (string, error) {
		request := ask.request(u)
		reasons, err := json.Marshal(request)
		if err != nil {
			return "", err
		}
		origin := vault.Origin{Fingerprint: h.signing.accounts.Fingerprint, Account: request.Account}
		return h.accounts[u.Community].PayoutPSBT(u.Tx, u.Inputs, origin, reasons)
	}
}

type payoutExport struct {
	requesting
	Order string `arg:"" help:"The order's id: PAID, SENT for a replacement, or one to be refunded. Or an output in quarantine, txid:vout, for its return."`
	File  string `arg:"" help:"Where to write the PSBT; never over an existing file." type:"path"`
}

// Run is `moonfund payout export`.
func (c payoutExport) Run(ctx context.Context) error {
	if _, err := os.Lstat(c.File); err == nil {
		return fmt.Errorf("%s exists already and is not overwritten", c.File)
	}
	c.Yes = true // nothing moves
	r, err := c.carry(ctx, c.Order, operator.Export(c.author(), c.Order, c.File))
	if err != nil {
		return err
	}
	if r.Status != payout.RequestDone {
		return c.report(r)
	}
	if err := writeNew(c.File, r.Tx+"\n"); err != nil {
		return err
	}
	return c.print(map[string]any{"file": c.File, "request": operator.ViewRequest(r)}, func() error {
		signed := strings.TrimSuffix(c.File, ".psbt") + ".signed.psbt"
		fmt.Printf("Wrote %s. Sign it where the key is, with the server's manifests:\n"+
			"    moonfund signer sign %s %s --key moonfund.key --communities communities\n"+
			"Then hand the signed file in here:\n    moonfund payout import %s %s --why \"signed by hand\"\n",
			c.File, quoted(c.File), quoted(signed), c.Order, quoted(signed))
		return nil
	})
}

// writeNew writes a file that must not exist yet.
func writeNew(path, text string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}

type payoutImport struct {
	requesting
	Order string `arg:"" help:"The order's id, or the output that is returned, txid:vout."`
	File  string `arg:"" help:"The signed PSBT, or the signed transaction in hex." type:"existingfile"`
}

// Run is `moonfund payout import`.
func (c payoutImport) Run(ctx context.Context) error {
	raw, err := os.ReadFile(c.File)
	if err != nil {
		return err
	}
	signed, err := readSigned(psbtText(raw))
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	return c.request(ctx, c.Order,
		operator.Import(c.author(), c.Order, signed.ID.String(), hex.EncodeToString(signed.Bytes())))
}

// psbtText returns a PSBT file as base64. Wallets write such files in base64 or, as BIP-174 says of .psbt files, in
// binary. What is neither stays as it is.
func psbtText(raw []byte) string {
	if bytes.HasPrefix(raw, []byte("psbt\xff")) {
		return base64.StdEncoding.EncodeToString(raw)
	}
	return string(raw)
}

// readSigned reads a signed PSBT in base64 or a transaction in hex.
func readSigned(text string) (chain.Tx, error) {
	text = strings.TrimSpace(text)
	if raw, err := hex.DecodeString(text); err == nil && text != "" {
		return chain.DecodeTx(raw)
	}
	tx, err := vault.FinishPSBT(text)
	if err != nil {
		return chain.Tx{}, err
	}
	return chain.NewTx(tx), nil
}

type signerSign struct {
	File        string `arg:"" help:"The file of 'moonfund payout export'." type:"existingfile"`
	Signed      string `arg:"" help:"Where to write the signed one; never over an existing file." type:"path"`
	Network     string `default:"mainnet" env:"MOONFUND_NETWORK" help:"mainnet, testnet, testnet4, signet or regtest."`
	Communities string `required:"" env:"MOONFUND_COMMUNITIES" help:"Folder with the manifests." type:"path"`
	Key         string `required:"" env:"MOONFUND_KEY" help:"The key file; its passphrase comes from MOONFUND_PASSPHRASE or is asked for." type:"path"`
	OlderOrder  bool   `help:"The order is from before ids were derived from messages, and you know that the message shown opened it."`
	Yes         bool   `help:"Sign without asking."`
}

// Run is `moonfund signer sign`.
func (c signerSign) Run(ctx context.Context) error {
	raw, err := os.ReadFile(c.File)
	if err != nil {
		return err
	}
	text := psbtText(raw)
	request, err := readExported(text)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	network, err := chain.NetworkByName(c.Network)
	if err != nil {
		return err
	}
	manifests, err := community.LoadDir(c.Communities, network.Name)
	if err != nil {
		return err
	}
	fmt.Print(describeRequest(request, network))
	if !c.Yes && !console.Agreed("Sign?") {
		return errors.New("nothing was signed")
	}
	keys, err := openKeys(c.Key)
	if err != nil {
		return err
	}
	hand, err := byHand(keys, network, manifests, c.OlderOrder)
	if err != nil {
		return err
	}
	tx, err := hand.Sign(ctx, request)
	if refusal := new(signer.Refusal); errors.As(err, &refusal) && refusal.Reason == signer.OtherOrder {
		return fmt.Errorf("the message in the file did not open this order. If the order is from before ids were derived from messages, "+
			"find it in your own records first, and then sign with --older-order: %w", err)
	}
	if err != nil {
		return err
	}
	signed, err := vault.SignPayoutPSBT(text, tx)
	if err != nil {
		return err
	}
	if err := writeNew(c.Signed, signed+"\n"); err != nil {
		return err
	}
	fmt.Printf("Wrote %s, which signs %s. Hand it in with:\n    moonfund payout import %s %s --why \"signed by hand\"\n",
		c.Signed, tx.TxHash(), orderOf(request), quoted(c.Signed))
	return nil
}

// quoted returns a word for a shell.
func quoted(word string) string {
	if !strings.ContainsFunc(word, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("/._-+:@", c)
	}) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// orderOf is the id of the order, or the output in quarantine, that an exported request is for.
func orderOf(r signer.Request) string {
	switch {
	case r.Refund != nil:
		return r.Refund.OrderID
	case r.Return != nil:
		return r.Inputs[0].OutPoint.String()
	}
	return r.Orders[0].Delivery.OrderID
}

// byHand is a signer whose limits are the person who reads what it is asked. All
// its other rules hold: also here nothing goes where no staker's message says.
// older says that the order is from before ids were derived from messages.
func byHand(keys *signer.Keys, network chain.Network, manifests []community.Manifest, older bool) (*signer.Signer, error) {
	for i := range manifests {
		manifests[i].Limits.ColdAbove, manifests[i].Limits.DailyOutflow = 0, math.MaxInt64
	}
	return newSigner(keys, network, manifests, "", signer.Config{
		Now: func() (time.Time, error) { return time.Now(), nil }, Outflows: noOutflows{}, OlderOrders: older,
	})
}

// noOutflows remembers nothing: a hand signs one transaction at a time.
type noOutflows struct{}

func (noOutflows) Load() ([]signer.Outflow, error) { return nil, nil }
func (noOutflows) Store([]signer.Outflow) error    { return nil }

// readExported returns the request in an exported PSBT, whose transaction must be the PSBT's own.
func readExported(text string) (request signer.Request, err error) {
	tx, reasons, err := vault.ReadPayoutPSBT(text)
	if err != nil {
		return request, err
	}
	if request, err = signer.ReadRequest(bytes.NewReader(reasons)); err != nil {
		return request, fmt.Errorf("the reasons in it can't be read: %w", err)
	}
	if request.Tx == nil || request.Tx.TxHash() != tx.TxHash() || len(request.Inputs) == 0 || len(request.Tx.TxOut) == 0 ||
		(len(request.Orders) == 0 && request.Refund == nil && request.Return == nil) {
		return request, errors.New("the reasons in it are for another transaction: it was changed")
	}
	return request, nil
}

// describeRequest says what a payout does, for the person who signs it.
func describeRequest(r signer.Request, network chain.Network) string {
	var text strings.Builder
	var in, out int64
	for _, coin := range r.Inputs {
		in += coin.Output.Value
	}
	for _, o := range r.Tx.TxOut {
		out += o.Value
	}
	fmt.Fprintf(&text, "Transaction %s spends %d outputs and pays a fee of %s sats.\n", r.Tx.TxHash(), len(r.Inputs), console.Number(amount.Sats(in-out)))
	for _, o := range r.Orders {
		to := hex.EncodeToString(o.Delivery.To)
		if address, ok := chain.AddressFromScript(o.Delivery.To, network); ok {
			to = address.Text
		}
		fmt.Fprintf(&text, "Order %s: %s base units of rune %s to %s\n", o.Delivery.OrderID, o.Delivery.Amount, o.Delivery.Rune, to)
		describeProof(&text, o.Delivery.OrderID, o.Proof)
	}
	if r.Refund != nil {
		for _, out := range r.Tx.TxOut {
			to := hex.EncodeToString(out.PkScript)
			if address, ok := chain.AddressFromScript(out.PkScript, network); ok {
				to = address.Text
			}
			fmt.Fprintf(&text, "Refund of order %s: %s sats to %s\n", r.Refund.OrderID, console.Number(amount.Sats(out.Value)), to)
		}
		describeProof(&text, r.Refund.OrderID, r.Refund.Proof)
	}
	if r.Return != nil {
		describeReturn(&text, r)
	}
	return text.String()
}

// describeReturn shows what goes back to whom. The key in the leaf of a stake address says who its owner is; of a
// payment address only the message behind the order does.
func describeReturn(text *strings.Builder, r signer.Request) {
	deposit := r.Inputs[0]
	fmt.Fprintf(text, "Return of output %s to %s: %s sats", deposit.OutPoint, r.Return.Owner, console.Number(amount.Sats(r.Tx.TxOut[0].Value)))
	for _, b := range deposit.Runes {
		fmt.Fprintf(text, ", %s base units of rune %s", b.Amount, b.ID)
	}
	fmt.Fprintln(text)
	if deposit.Kind == vault.Payment {
		describeProof(text, deposit.OrderID, r.Return.Proof)
	}
}

// describeProof shows the message behind an order, and whether it opened that order.
func describeProof(text *strings.Builder, orderID string, p signer.Proof) {
	if p.Text != "" {
		fmt.Fprintf(text, "Its staker signed:\n    %s\n", strings.ReplaceAll(strings.TrimSpace(p.Text), "\n", "\n    "))
	}
	if message.OrderID(p.Text) != orderID {
		fmt.Fprintf(text, "CAUTION: this message did not open order %s by today's rule. Sign only if your own records say that it did.\n", orderID)
	}
}
