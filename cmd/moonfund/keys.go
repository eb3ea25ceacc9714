package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"

	"moonfund/chain"
	"moonfund/signer"
)

type keyCommands struct {
	New   keyNew   `cmd:"" help:"Make a new encrypted key file."`
	Check keyCheck `cmd:"" help:"Open a key file and print the public keys of an account."`
}

type keyNew struct {
	File string `arg:"" help:"Where to write it; never over an existing file." type:"path"`
}

type keyCheck struct {
	File    string `arg:"" help:"The key file." type:"path"`
	Network string `default:"mainnet" env:"MOONFUND_NETWORK" help:"mainnet, testnet, testnet4, signet or regtest."`
	Account uint32 `default:"0" help:"The community's account."`
	JSON    bool   `help:"Print JSON, for programs."`
}

// passphraseVariable may hold the passphrase, for a server that starts by itself.
const passphraseVariable = "MOONFUND_PASSPHRASE"

// passphrase comes from the environment or, asked for, from standard input.
func passphrase(prompt string) (string, error) {
	if text := os.Getenv(passphraseVariable); text != "" {
		return text, nil
	}
	fmt.Fprintf(os.Stderr, "%s: ", prompt)
	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	line = strings.TrimRight(line, "\r\n")
	if err != nil && line == "" {
		return "", errors.New("no passphrase: type one, or set " + passphraseVariable)
	}
	return line, nil
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
	secret, err := passphrase("Passphrase for the new key file")
	if err != nil {
		return err
	}
	if _, err := signer.NewKeyFile(k.File, secret); err != nil {
		return err
	}
	fmt.Printf("Wrote %s. Keep copies of it in two places, and the passphrase in a third: without both, staked runes\n"+
		"come back to their stakers only after the recovery delay.\n", k.File)
	return nil
}

// Run is `moonfund key check`.
func (k keyCheck) Run() error {
	network, err := chain.NetworkByName(k.Network)
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
	if k.JSON {
		return printJSON(map[string]any{"network": network.Name, "account": k.Account, "xpub": xpub})
	}
	fmt.Printf("The key file opens. Account %d on %s:\n%s\n", k.Account, network.Name, xpub)
	return nil
}
