package main

import (
	"errors"
	"fmt"
	"os"

	"moonfund/internal/operate/terminal"
	"moonfund/internal/server/signing"
	"moonfund/internal/signer"
)

type keyRotate struct {
	File    string `arg:"" env:"MOONFUND_KEY" help:"${help_key_file}" type:"path"`
	Confirm bool   `help:"Open the new file with the new passphrase, then delete the old file."`
}

// Run is `moonfund key rotate`.
func (k keyRotate) Run() error {
	if k.Confirm {
		return k.confirm()
	}
	in := terminal.NewInput()
	secret, err := in.Passphrase(terminal.PassphraseVariable, "Passphrase of the key file")
	if err != nil {
		return err
	}
	if err := asCaller(func() error {
		_, err := signer.OpenKeyFile(k.File, secret)
		return err
	}); err != nil {
		return err
	}
	next, err := in.NewPassphrase(terminal.NewPassphraseVariable, "New passphrase")
	if err != nil {
		return err
	}
	if next == secret {
		return errors.New("the new passphrase is the old one: nothing was changed")
	}
	var aside string
	if err := asCaller(func() (err error) {
		aside, err = signer.Reencrypt(k.File, secret, next)
		return err
	}); err != nil {
		return err
	}
	fmt.Printf("%s has the new passphrase. The file with the old one is %s: remove it with\n"+
		"`moonfund key rotate --confirm %s` once you have typed the new one and it opened.\n"+
		"Earlier copies and backups still open with the old passphrase: destroy them. If somebody else knows that\n"+
		"passphrase, treat the key as stolen.\n", k.File, aside, k.File)
	return nil
}

func (k keyRotate) confirm() error {
	aside := k.File + ".old"
	if !present(aside) {
		return fmt.Errorf("%s does not exist: there is no rotation to confirm", aside)
	}
	keys, err := openKeys(k.File)
	if err != nil {
		return fmt.Errorf("%w. The old file was not deleted: restore it from %s if the new passphrase is lost", err, aside)
	}
	if err := asCaller(func() error { return os.Remove(aside) }); err != nil {
		return err
	}
	fmt.Printf("%s opens; its fingerprint is %s. Removed %s.\n", k.File, signing.Fingerprint(keys), aside)
	return nil
}
