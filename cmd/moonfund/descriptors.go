package main

import (
	"context"
	"fmt"
	"slices"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/operate/decisions"
	"moonfund/internal/server/wiring"
	"moonfund/internal/staking/community"
	"moonfund/internal/store"
)

type treasuryDescriptors struct {
	reading
	Community string `arg:"" help:"The community's prefix."`
	Key       string `env:"MOONFUND_KEY" help:"Key file." type:"path"`
	Signer    string `env:"MOONFUND_SIGNER" help:"${help_signer}" type:"path"`
}

// AfterApply drops a key file that only the environment names beside a signer.
func (c *treasuryDescriptors) AfterApply() error { return preferSigner(&c.Key, c.Signer) }

// runeBlind is the warning that is printed with the treasury's descriptors.
const runeBlind = "Use them to watch only. A wallet that does not support runes shows the outputs as plain sats, and " +
	"burns the runes or gives them away when it spends them: never import the key or its words into one. Keep the " +
	"descriptors private: they contain the public key that every address of the community is made of."

// descriptorsView is the output of `moonfund treasury descriptors`.
type descriptorsView struct {
	Community    string `json:"community"`
	Network      string `json:"network"`
	Runes        string `json:"runes"`
	RunesAddress string `json:"runes_address"`
	Sats         string `json:"sats"`
	SatsAddress  string `json:"sats_address"`
	Warning      string `json:"warning"`
}

// Run is `moonfund treasury descriptors`.
func (c treasuryDescriptors) Run(ctx context.Context) error {
	b, err := read(ctx, c.reading, func(tx *store.Tx) (store.Binding, error) { return bindingOf(ctx, tx, c.Community) })
	if err != nil {
		return err
	}
	network, err := chain.NetworkByName(b.Network)
	if err != nil {
		return err
	}
	own, err := openSigning(ctx, keySource{c.Key, c.Signer, c.Data}, network,
		[]community.Manifest{{Account: uint32(b.Account)}})
	if err != nil {
		return err
	}
	account, err := own.Account(uint32(b.Account), network)
	if err != nil {
		return err
	}
	if err := c.view(ctx, func(tx *store.Tx) error {
		return wiring.CheckTreasury(ctx, tx, c.Community, account)
	}); err != nil {
		return err
	}
	runes, sats := account.TreasuryDescriptors(vault.Origin{
		Fingerprint: own.Accounts.Fingerprint, Account: uint32(b.Account),
	})
	runesAddress, _ := account.TreasuryRunes()
	satsAddress, _ := account.TreasurySats()
	view := descriptorsView{c.Community, b.Network, runes, runesAddress.Text, sats, satsAddress.Text, runeBlind}
	return c.print(view, func() error {
		fmt.Printf("Runes, %s:\n%s\n\nSats, %s:\n%s\n\n%s\n", view.RunesAddress, view.Runes, view.SatsAddress, view.Sats,
			view.Warning)
		return nil
	})
}

// bindingOf returns the binding of a community in the ledger, or an decisions.Unknown error.
func bindingOf(ctx context.Context, tx *store.Tx, prefix string) (b store.Binding, err error) {
	if err := decisions.CheckCommunity(ctx, tx, prefix); err != nil {
		return b, err
	}
	bindings, err := tx.Bindings(ctx)
	if at := slices.IndexFunc(bindings, func(b store.Binding) bool { return b.Prefix == prefix }); at >= 0 {
		b = bindings[at]
	}
	return b, err
}
