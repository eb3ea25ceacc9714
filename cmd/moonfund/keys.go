package main

import (
	"context"
	"fmt"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/operate/terminal"
	"moonfund/internal/server/signing"
	"moonfund/internal/signer"
)

type keyCommands struct {
	New     keyNew     `cmd:"" help:"Create an encrypted key file."`
	Check   keyCheck   `cmd:"" help:"Open a key file and print the public keys of an account."`
	Backup  keyBackup  `cmd:"" help:"Show the key as words to write down; on a terminal only."`
	Restore keyRestore `cmd:"" help:"Create a key file from the words."`
	Rotate  keyRotate  `cmd:"" help:"Encrypt the key file with another passphrase."`
	Sweep   keySweep   `cmd:"" help:"Move the treasury to another key, after a theft or to retire this key."`
}

type keyNew struct {
	File   string `arg:"" help:"Where to write it. The file must not exist." type:"path"`
	Scheme string `enum:"seed,bip39" default:"seed" help:"${help_key_scheme}"`
	Words  int    `enum:"12,24" default:"24" help:"Number of words, 12 or 24."`
	JSON   bool   `help:"Print JSON."`
}

type keyCheck struct {
	File    string `arg:"" env:"MOONFUND_KEY" help:"${help_key_file}" type:"path"`
	Network string `default:"mainnet" env:"MOONFUND_NETWORK" help:"mainnet, testnet, testnet4, signet or regtest."`
	Account uint32 `default:"0" help:"The community's account."`
	JSON    bool   `help:"Print JSON."`

	Ledger bool `help:"Also derive every address in the ledger, and fail if one differs."`
	ledgerFlags
}

func openKeys(path string) (keys *signer.Keys, err error) {
	secret, err := terminal.NewInput().Passphrase(terminal.PassphraseVariable, "Passphrase of the key file")
	if err != nil {
		return nil, err
	}
	err = asCaller(func() error {
		keys, err = signer.OpenKeyFile(path, secret)
		return err
	})
	return keys, err
}

// Run is `moonfund key new`. On a terminal it shows the words of a bip39 key, and writes the file only after the words
// were confirmed.
func (k keyNew) Run() error {
	if present(k.File) {
		return fmt.Errorf("%s: %w", k.File, signer.ErrKeyFileExists)
	}
	in := terminal.NewInput()
	passphrase, err := in.NewPassphrase(terminal.PassphraseVariable, "Passphrase for the new key file")
	if err != nil {
		return err
	}
	secret, err := signer.NewSecret(signer.Scheme(k.Scheme), k.Words)
	if err != nil {
		return err
	}
	defer secret.Clear()
	shown := secret.Scheme == signer.SchemeBIP39 && !k.JSON && onTerminal()
	if shown {
		if err := onPaper(in).Copy(secret); err != nil {
			return fmt.Errorf("%w. Nothing was written", err)
		}
	}
	keys, err := signer.WriteKeyFile(k.File, passphrase, secret)
	if err != nil {
		return err
	}
	if k.JSON {
		return terminal.JSON(map[string]any{
			"file": k.File, "fingerprint": signing.Fingerprint(keys), "scheme": secret.Scheme,
		})
	}
	fmt.Printf("Wrote %s. Keep copies of it in two places, and the passphrase in a third: without both, staked runes\n"+
		"come back to their stakers only after the recovery delay.", k.File)
	if !shown {
		fmt.Print(" `moonfund key backup` shows it as words, for paper.")
	}
	fmt.Println()
	return nil
}

// Run is `moonfund key check`.
func (k keyCheck) Run(ctx context.Context) error {
	network, err := chain.NetworkByName(k.Network)
	if err == nil && k.Ledger {
		err = k.exists()
	}
	if err != nil {
		return err
	}
	keys, err := openKeys(k.File)
	if err != nil {
		return err
	}
	xpub, err := keys.AccountXpub(k.Account, network)
	if err != nil {
		return err
	}
	statementKey, err := keys.StatementKey(k.Account, network)
	if err != nil {
		return err
	}
	fitted := 0
	if k.Ledger {
		if fitted, err = k.checkKeys(ctx, keys); err != nil {
			return err
		}
	}
	if k.JSON {
		return terminal.JSON(map[string]any{
			"network": network.Name, "account": k.Account, "xpub": xpub, "fingerprint": signing.Fingerprint(keys),
			"ledger_addresses": fitted, "scheme": keys.Scheme(),
			"statement_key": statementKey,
		})
	}
	fmt.Printf("The key file opens. Its fingerprint is %s, its scheme is %s. Account %d on %s:\n%s\n"+
		"In the manifest, for statements:\nstatement_key = %q\n",
		signing.Fingerprint(keys), keys.Scheme(), k.Account, network.Name, xpub, statementKey)
	if k.Ledger {
		fmt.Printf("It is the key of this ledger: all %d issued addresses are derived from it.\n", fitted)
	}
	return nil
}
