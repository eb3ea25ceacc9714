package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"golang.org/x/term"

	"moonfund/console"
	"moonfund/signer"
	"moonfund/signing"
)

type keyBackup struct {
	File string `arg:"" help:"The key file." type:"path"`
}

type keyRestore struct {
	File   string `arg:"" help:"Where to write it. The file must not exist." type:"path"`
	Ledger bool   `help:"Write it only if the key derives every address in the ledger."`
	ledgerFlags
}

// Run is `moonfund key backup`. It writes nothing to disk and needs no network.
func (k keyBackup) Run() error {
	if !term.IsTerminal(int(os.Stdin.Fd())) || !term.IsTerminal(int(os.Stdout.Fd())) {
		return errors.New("the words are shown on a terminal only, to somebody who writes them down; a file or a pipe gets " +
			"none")
	}
	in := console.NewInput()
	secret, err := in.Passphrase(console.PassphraseVariable, "Passphrase of the key file")
	if err != nil {
		return err
	}
	seed, err := signer.ReadSeed(k.File, secret)
	if err != nil {
		return err
	}
	defer clear(seed)
	return signer.Paper{
		Show: func(text string) { fmt.Print(text) }, Ask: in.Line, Hide: console.ClearScreen, Pick: signer.RandomBelow,
	}.Copy(seed)
}

// Run is `moonfund key restore`.
func (k keyRestore) Run(ctx context.Context) error {
	if _, err := os.Lstat(k.File); err == nil {
		return fmt.Errorf("%s: %w", k.File, signer.ErrKeyFileExists)
	}
	if k.Ledger {
		if err := k.exists(); err != nil {
			return err
		}
	}
	in := console.NewInput()
	fmt.Fprintln(os.Stderr, "Type the 24 words, in their order; several on a line, or one.")
	seed, err := signer.ReadWords(in.Line)
	if err != nil {
		return err
	}
	defer clear(seed)
	if term.IsTerminal(int(os.Stdout.Fd())) {
		console.ClearScreen()
	}
	keys, err := signer.KeysOf(seed)
	if err != nil {
		return err
	}
	fitted := 0
	if k.Ledger {
		if fitted, err = k.checkKeys(ctx, keys); err != nil {
			return err
		}
	}
	secret, err := in.NewPassphrase(console.PassphraseVariable, "Passphrase for the key file")
	if err != nil {
		return err
	}
	if keys, err = signer.RestoreKeyFile(k.File, secret, seed); err != nil {
		return err
	}
	fmt.Printf("Wrote %s. The key's fingerprint is %s.\n", k.File, signing.Fingerprint(keys))
	if k.Ledger {
		fmt.Printf("It is the key of this ledger: all %d addresses that were handed out are derived from it.\n", fitted)
		return nil
	}
	fmt.Println("`moonfund key check --ledger` says whether it is the key of a ledger.")
	return nil
}
