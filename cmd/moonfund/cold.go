package main

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"time"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/operate/decisions"
	"moonfund/internal/operate/terminal"
	"moonfund/internal/server/signing"
	"moonfund/internal/signer"
	"moonfund/internal/staking/community"
	"moonfund/internal/staking/payout"
)

type payoutExport struct {
	requesting
	Order string `arg:"" help:"${help_export_order}"`
	File  string `arg:"" help:"Where to write the PSBT. The file must not exist." type:"path"`
}

// Run is `moonfund payout export`.
func (c payoutExport) Run(ctx context.Context) error {
	return c.export(ctx, c.Order, c.File, decisions.Export(c.author(), c.Order, c.File))
}

// export requests the unsigned transaction of a subject from the server and writes it to a file.
func (c requesting) export(ctx context.Context, subject, file string, what decisions.Change[int64]) error {
	if present(file) {
		return fmt.Errorf("%s exists already and is not overwritten", file)
	}
	c.Yes = true // no confirmation: the command moves no funds
	r, err := c.carry(ctx, subject, what)
	if err != nil {
		return err
	}
	if r.Status != payout.RequestDone {
		return c.report(r)
	}
	if err := writeNew(file, r.Tx+"\n"); err != nil {
		return err
	}
	return c.print(map[string]any{"file": file, "request": decisions.ViewRequest(r)}, func() error {
		signed := strings.TrimSuffix(file, ".psbt") + ".signed.psbt"
		fmt.Printf("Wrote %s. Sign it where the key is, with the server's manifests:\n"+
			"    moonfund signer sign %s %s --key moonfund.key --communities communities\n"+
			"Then hand the signed file in here:\n    moonfund payout import %s %s --why \"signed by hand\"\n",
			file, terminal.Quote(file), terminal.Quote(signed), terminal.Quote(subject), terminal.Quote(signed))
		return nil
	})
}

// readFile reads a file of the caller's.
func readFile(path string) (text []byte, err error) {
	err = asCaller(func() error {
		text, err = os.ReadFile(path)
		return err
	})
	return text, err
}

// writeNew writes a file that must not exist yet.
func writeNew(path, text string) error {
	return asCaller(func() error {
		file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		_, err = file.WriteString(text)
		return errors.Join(err, file.Close())
	})
}

type payoutImport struct {
	requesting
	Order string `arg:"" help:"Id of the order, the returned output (txid:vout), or treasury:PREFIX for a withdrawal."`
	File  string `arg:"" help:"The signed PSBT, or the signed transaction in hex." type:"existingfile"`
}

// Run is `moonfund payout import`.
func (c payoutImport) Run(ctx context.Context) error {
	raw, err := readFile(c.File)
	if err != nil {
		return err
	}
	signed, err := vault.ReadSigned(vault.PSBTText(raw))
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	return c.request(ctx, c.Order,
		decisions.Import(c.author(), c.Order, signed.ID.String(), hex.EncodeToString(signed.Bytes())))
}

type signerSign struct {
	File        string `arg:"" help:"File of 'moonfund payout export'." type:"existingfile"`
	Signed      string `arg:"" help:"Where to write the signed PSBT. The file must not exist." type:"path"`
	Network     string `default:"mainnet" env:"MOONFUND_NETWORK" help:"mainnet, testnet, testnet4, signet or regtest."`
	Communities string `required:"" env:"MOONFUND_COMMUNITIES" help:"Folder with the manifests." type:"path"`
	Key         string `required:"" env:"MOONFUND_KEY" help:"${help_key}" type:"path"`
	Yes         bool   `help:"Do not ask for confirmation."`
}

// Run is `moonfund signer sign`.
func (c signerSign) Run(ctx context.Context) error {
	raw, err := readFile(c.File)
	if err != nil {
		return err
	}
	text := vault.PSBTText(raw)
	request, err := signer.ReadExport(text)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	network, err := chain.NetworkByName(c.Network)
	if err != nil {
		return err
	}
	var manifests []community.Manifest
	if err := asCaller(func() (err error) {
		manifests, err = community.LoadDir(c.Communities, network.Name)
		return err
	}); err != nil {
		return err
	}
	fmt.Print(request.Describe(network))
	if err := terminal.Confirm("This signs it.", c.Yes); err != nil {
		return err
	}
	keys, err := openKeys(c.Key)
	if err != nil {
		return err
	}
	hand, err := byHand(keys, network, manifests)
	if err != nil {
		return err
	}
	tx, err := hand.Sign(ctx, request)
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
	fmt.Printf("Wrote %s, which signs %s. Import it with:\n    moonfund payout import %s %s --why \"signed by hand\"\n",
		c.Signed, tx.TxHash(), terminal.Quote(request.Subject()), terminal.Quote(c.Signed))
	return nil
}

// byHand returns a signer without limits, because the operator confirms each transaction. All other rules apply.
func byHand(keys *signer.Keys, network chain.Network, manifests []community.Manifest) (*signer.Signer, error) {
	for i := range manifests {
		limits := &manifests[i].Limits
		limits.ColdAbove, limits.DailyOutflow, limits.DailySats = 0, math.MaxInt64, math.MaxInt64
		manifests[i].Refunds = community.Refunds{PerDay: math.MaxInt64, PerOwnerDay: math.MaxInt64}
	}
	return signing.NewSigner(keys, network, manifests, "", signer.Config{
		Now: func() (time.Time, error) { return time.Now(), nil }, Outflows: noOutflows{}, AnyWithdrawal: true,
	})
}

// noOutflows stores no outflows, because the operator confirms each transaction.
type noOutflows struct{}

func (noOutflows) Load() ([]signer.Outflow, error) { return nil, nil }
func (noOutflows) Store([]signer.Outflow) error    { return nil }
