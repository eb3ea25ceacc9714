package main

import (
	"context"
	"fmt"
	"time"

	"moonfund/internal/operate/terminal"
	"moonfund/internal/server/signing"
)

type signerAdopt struct {
	FromKey string `required:"" env:"MOONFUND_KEY" help:"The key file to move." type:"path"`
	From    string `default:"data" env:"MOONFUND_DATA" help:"${help_adopt_key_from}" type:"path"`
	Key     string `required:"" help:"Where to move the key file." type:"path"`
	Data    string `default:"signer" help:"The signer's folder." type:"path"`
	JSON    bool   `help:"Print JSON."`
	answerable
}

// Run is `moonfund signer adopt`. It acts as root if root runs it, because the two folders belong to two users.
func (c signerAdopt) Run(ctx context.Context) error {
	if err := c.check(); err != nil {
		return err
	}
	return asRoot(func() error { return c.move(ctx) })
}

func (c signerAdopt) move(ctx context.Context) error {
	move := signing.Move{FromKey: c.FromKey, FromData: c.From, Key: c.Key, Data: c.Data}
	release, err := move.Prepare()
	if err != nil {
		return err
	}
	defer release()
	if err := c.agree(fmt.Sprintf("Moves the key file %s to %s,\n"+
		"and its records from %s to %s: the limits of 24 hours, the statements and the high-water mark.\n"+
		"After this nothing can sign with the old key file. Is every server and signer stopped that uses it?",
		c.FromKey, c.Key, c.From, c.Data)); err != nil {
		return err
	}
	a := c.author().Trimmed()
	if err := move.Run(ctx, a.By, a.Why, time.Now()); err != nil {
		return err
	}
	return terminal.Print(c.JSON, map[string]string{"key": c.Key, "data": c.Data}, func() error {
		_, err := fmt.Printf("Moved. Start the signer: moonfund signer run --key %s --data %s --communities FOLDER "+
			"--socket PATH. Then name the socket in MOONFUND_SIGNER.\n", c.Key, c.Data)
		return err
	})
}
