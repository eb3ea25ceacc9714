package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/term"

	"moonfund/chain"
	"moonfund/signer"
)

type keyCommands struct {
	New     keyNew     `cmd:"" help:"Make a new encrypted key file."`
	Check   keyCheck   `cmd:"" help:"Open a key file and print the public keys of an account."`
	Backup  keyBackup  `cmd:"" help:"Show the key as 24 words, once and on a terminal only, to be written down."`
	Restore keyRestore `cmd:"" help:"Make a key file from the 24 words."`
	Rotate  keyRotate  `cmd:"" help:"Encrypt the key file anew, with another passphrase."`
	Sweep   keySweep   `cmd:"" help:"Move the treasury to another key: when this one was stolen, or is to be retired."`
}

type keyNew struct {
	File string `arg:"" help:"Where to write it; never over an existing file." type:"path"`
	JSON bool   `help:"Print JSON, for programs."`
}

type keyCheck struct {
	File    string `arg:"" help:"The key file." type:"path"`
	Network string `default:"mainnet" env:"MOONFUND_NETWORK" help:"mainnet, testnet, testnet4, signet or regtest."`
	Account uint32 `default:"0" help:"The community's account."`
	JSON    bool   `help:"Print JSON, for programs."`

	Ledger bool `help:"Also derive every address that the ledger handed out, and refuse a key that gives another one."`
	ledgerFlags
}

// passphraseVariable may hold the passphrase, for a server that starts by itself.
const passphraseVariable = "MOONFUND_PASSPHRASE"

// passphrase comes from the environment or, asked for, from standard input.
func passphrase(prompt string) (string, error) {
	return typed{bufio.NewReader(os.Stdin)}.passphrase(passphraseVariable, prompt)
}

// typed is standard input, read by one reader from beginning to end.
type typed struct{ *bufio.Reader }

// line asks for a line.
func (t typed) line(prompt string) (string, error) {
	fmt.Fprintf(os.Stderr, "%s: ", prompt)
	line, err := t.ReadString('\n')
	line = strings.TrimRight(line, "\r\n")
	if err != nil && line == "" {
		return "", errors.New("nothing was typed")
	}
	return line, nil
}

// passphrase comes from a variable of the environment, or is typed: unseen on a terminal.
func (t typed) passphrase(variable, prompt string) (string, error) {
	if text := os.Getenv(variable); text != "" {
		return text, nil
	}
	none := errors.New("no passphrase: type one, or set " + variable)
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		line, err := t.line(prompt)
		if err != nil {
			return "", none
		}
		return line, nil
	}
	fmt.Fprintf(os.Stderr, "%s: ", prompt)
	text, err := term.ReadPassword(int(os.Stdin.Fd()))
	fmt.Fprintln(os.Stderr)
	if err != nil || len(text) == 0 {
		return "", none
	}
	return string(text), nil
}

// newPassphrase is passphrase for one that nobody has typed before: a terminal asks twice.
func (t typed) newPassphrase(variable, prompt string) (string, error) {
	secret, err := t.passphrase(variable, prompt)
	if err != nil || os.Getenv(variable) != "" || !term.IsTerminal(int(os.Stdin.Fd())) {
		return secret, err
	}
	again, err := t.passphrase(variable, "The same again")
	if err == nil && again != secret {
		err = errors.New("these are two different passphrases: nothing was done")
	}
	return secret, err
}

func openKeys(path string) (*signer.Keys, error) {
	secret, err := passphrase("Passphrase of the key file")
	if err != nil {
		return nil, err
	}
	return signer.OpenKeyFile(path, secret)
}

// Run is `moonfund key new`.
func (k keyNew) Run() error {
	secret, err := typed{bufio.NewReader(os.Stdin)}.newPassphrase(passphraseVariable, "Passphrase for the new key file")
	if err != nil {
		return err
	}
	keys, err := signer.NewKeyFile(k.File, secret)
	if err != nil {
		return err
	}
	if k.JSON {
		return printJSON(map[string]any{"file": k.File, "fingerprint": fingerprint(keys)})
	}
	fmt.Printf("Wrote %s. Keep copies of it in two places, and the passphrase in a third: without both, staked runes\n"+
		"come back to their stakers only after the recovery delay. `moonfund key backup` shows it as words, for paper.\n", k.File)
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
	fitted := 0
	if k.Ledger {
		if fitted, err = fits(ctx, keys, k.ledgerFlags); err != nil {
			return err
		}
	}
	if k.JSON {
		return printJSON(map[string]any{
			"network": network.Name, "account": k.Account, "xpub": xpub, "fingerprint": fingerprint(keys), "ledger_addresses": fitted,
		})
	}
	fmt.Printf("The key file opens. Its fingerprint is %s. Account %d on %s:\n%s\n", fingerprint(keys), k.Account, network.Name, xpub)
	if k.Ledger {
		fmt.Printf("It is the key of this ledger: all %d addresses that were handed out are derived from it.\n", fitted)
	}
	return nil
}
