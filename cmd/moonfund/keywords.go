package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"

	"moonfund/console"
	"moonfund/signer"
)

type keyBackup struct {
	File string `arg:"" help:"The key file." type:"path"`
}

type keyRestore struct {
	File   string `arg:"" help:"Where to write it; never over an existing file." type:"path"`
	Ledger bool   `help:"Write it only if every address that the ledger handed out is derived from it."`
	ledgerFlags
}

// asked is how many of the words are typed back.
const asked = 4

// paper is the person with the pen.
type paper struct {
	show func(text string)
	ask  func(prompt string) (string, error)
	hide func()                   // takes what was shown off the screen
	pick func(n int) (int, error) // a random number below n
}

// Run is `moonfund key backup`. Nothing of it is written anywhere, and it needs no network.
func (k keyBackup) Run() error {
	if !term.IsTerminal(int(os.Stdin.Fd())) || !term.IsTerminal(int(os.Stdout.Fd())) {
		return errors.New("the words are shown on a terminal only, to somebody who writes them down; a file or a pipe gets none")
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
	return paper{
		show: func(text string) { fmt.Print(text) },
		ask:  in.Line,
		hide: console.ClearScreen,
		pick: func(n int) (int, error) {
			at, err := rand.Int(rand.Reader, big.NewInt(int64(n)))
			if err != nil {
				return 0, err
			}
			return int(at.Int64()), nil
		},
	}.copy(seed)
}

// copy shows the words once, and wants some of them back from the paper.
func (p paper) copy(seed []byte) error {
	words, err := signer.Words(seed)
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("Nobody else may see this screen. Write these words on paper, in this order:\n\n")
	for i := 0; i < len(words); i += 4 {
		for j, word := range words[i:min(i+4, len(words))] {
			fmt.Fprintf(&b, "%4d %-9s", i+j+1, word)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "\nThey are the key itself: who has them needs no passphrase. Only `moonfund key restore` reads them;\n"+
		"a wallet that takes BIP-39 words makes another key of them.\n\n")
	p.show(b.String())
	_, err = p.ask("Press Enter when they are on paper; they are not shown again")
	p.hide()
	if err != nil {
		return errors.New("the words were shown, and nobody said that they are on paper: begin again")
	}
	left := make([]int, len(words))
	for i := range left {
		left[i] = i
	}
	for range asked {
		n, err := p.pick(len(left))
		if err != nil {
			return err
		}
		at := left[n]
		left = slices.Delete(left, n, n+1)
		word, err := p.ask(fmt.Sprintf("Type word %d from the paper", at+1))
		if err != nil || strings.ToLower(strings.TrimSpace(word)) != words[at] {
			return fmt.Errorf("that is not word %d: the paper is not a backup yet; begin again", at+1)
		}
	}
	p.hide()
	p.show("The paper is a backup. Keep it where neither the key file nor the server is, and try it once a year:\n" +
		"moonfund key restore, on a machine without a network, into a file that you remove again.\n")
	return nil
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
	seed, err := readWords(in)
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
		if fitted, err = fits(ctx, keys, k.ledgerFlags); err != nil {
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
	fmt.Printf("Wrote %s. The key's fingerprint is %s.\n", k.File, fingerprint(keys))
	if k.Ledger {
		fmt.Printf("It is the key of this ledger: all %d addresses that were handed out are derived from it.\n", fitted)
		return nil
	}
	fmt.Println("`moonfund key check --ledger` says whether it is the key of a ledger.")
	return nil
}

// readWords takes the words, on one line or on several.
func readWords(in console.Input) ([]byte, error) {
	fmt.Fprintln(os.Stderr, "Type the 24 words, in their order; several on a line, or one.")
	var words []string
	for len(words) < 24 {
		line, err := in.Line(fmt.Sprintf("From word %d on", len(words)+1))
		if err != nil {
			break // fewer were typed: their number says so
		}
		words = append(words, strings.Fields(line)...)
	}
	return signer.SeedOf(words)
}
