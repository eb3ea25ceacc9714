package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"golang.org/x/term"

	"moonfund/internal/operate/terminal"
	"moonfund/internal/server/signing"
	"moonfund/internal/server/wiring"
	"moonfund/internal/signer"
)

type keyBackup struct {
	File string `arg:"" env:"MOONFUND_KEY" help:"${help_key_file}" type:"path"`
}

type keyRestore struct {
	File   string `arg:"" help:"Where to write it. The file must not exist." type:"path"`
	Scheme string `enum:"auto,seed,bip39" default:"auto" help:"${help_restore_scheme}"`
	Ledger bool   `help:"Write it only if the key derives every address in the ledger."`
	ledgerFlags
}

// Run is `moonfund key backup`. It writes nothing to disk and needs no network.
func (k keyBackup) Run() error {
	if !onTerminal() {
		return errors.New("the words are shown on a terminal only, to somebody who writes them down; a file or a pipe gets " +
			"none")
	}
	in := terminal.NewInput()
	passphrase, err := in.Passphrase(terminal.PassphraseVariable, "Passphrase of the key file")
	if err != nil {
		return err
	}
	var secret signer.Secret
	if err := asCaller(func() (err error) {
		secret, err = signer.ReadSecret(k.File, passphrase)
		return err
	}); err != nil {
		return err
	}
	defer secret.Clear()
	return onPaper(in).Copy(secret)
}

// onPaper returns the dialog on the terminal that shows a key's words and prompts for some of them.
func onPaper(in terminal.Input) signer.Paper {
	return signer.Paper{
		Show: func(text string) { fmt.Print(text) }, Ask: in.Line, Hide: terminal.ClearScreen, Pick: signer.RandomBelow,
	}
}

// onTerminal reports whether standard input and output are terminals, so that no file or pipe receives the words.
func onTerminal() bool {
	return term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stdout.Fd()))
}

// Run is `moonfund key restore`.
func (k keyRestore) Run(ctx context.Context) error {
	if present(k.File) {
		return fmt.Errorf("%s: %w", k.File, signer.ErrKeyFileExists)
	}
	if k.Ledger {
		if err := k.exists(); err != nil {
			return err
		}
	} else if k.Scheme == anyScheme {
		return errors.New("the same words are another key in another scheme. Give --scheme bip39 or --scheme seed, as the " +
			"paper says (seed if it names none), or --ledger to take the one that derives the ledger's addresses")
	}
	in := terminal.NewInput()
	fmt.Fprintln(os.Stderr, "Type the 12 or 24 words, in their order; several on a line, or one.")
	words, err := signer.ReadWords(in.Line)
	if err != nil {
		return err
	}
	defer clear(words)
	if term.IsTerminal(int(os.Stdout.Fd())) {
		terminal.ClearScreen()
	}
	secret := signer.Secret{Scheme: signer.Scheme(k.Scheme), Bytes: words}
	fitted := 0
	if k.Ledger {
		if secret, fitted, err = k.match(ctx, words); err != nil {
			return err
		}
	}
	passphrase, err := in.NewPassphrase(terminal.PassphraseVariable, "Passphrase for the key file")
	if err != nil {
		return err
	}
	var keys *signer.Keys
	if err := asCaller(func() (err error) {
		keys, err = signer.WriteKeyFile(k.File, passphrase, secret)
		return err
	}); err != nil {
		return err
	}
	fmt.Printf("Wrote %s. The key's fingerprint is %s, its scheme is %s.\n", k.File, signing.Fingerprint(keys),
		secret.Scheme)
	if k.Ledger {
		fmt.Printf("It is the key of this ledger: all %d issued addresses are derived from it.\n", fitted)
		return nil
	}
	fmt.Println("`moonfund key check --ledger` says whether it is the key of a ledger.")
	return nil
}

// anyScheme is the value of --scheme that tries every scheme.
const anyScheme = "auto"

// match returns the secret whose keys derive every address of the ledger, and the number of addresses.
func (k keyRestore) match(ctx context.Context, words []byte) (secret signer.Secret, addresses int, err error) {
	schemes := signer.Schemes()
	if k.Scheme != anyScheme {
		schemes = []signer.Scheme{signer.Scheme(k.Scheme)}
	}
	for _, scheme := range schemes {
		secret = signer.Secret{Scheme: scheme, Bytes: words}
		keys, err := secret.Keys()
		if err != nil {
			return secret, 0, err
		}
		if addresses, err = k.checkKeys(ctx, keys); err == nil || !errors.Is(err, wiring.ErrOtherKey) {
			return secret, addresses, err
		}
	}
	neither := "neither scheme derives"
	if len(schemes) == 1 {
		neither = fmt.Sprintf("the scheme %s does not derive", schemes[0])
	}
	return secret, 0, fmt.Errorf("%w: the words are valid, and %s the addresses that this ledger handed out from them. "+
		"Nothing was written", wiring.ErrOtherKey, neither)
}
