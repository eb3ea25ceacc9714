package main

import (
	"context"
	"errors"
	"fmt"

	"moonfund/internal/operate/inquiry"
	"moonfund/internal/store"
)

type findCommand struct {
	reading
	Query string `arg:"" name:"address|txid|outpoint|order" help:"${help_find_query}"`
}

// Run is `moonfund find`.
func (c findCommand) Run(ctx context.Context) error {
	answer, err := read(ctx, c.reading, func(tx *store.Tx) (inquiry.Answer, error) {
		return inquiry.Find(ctx, tx, c.Query)
	})
	if err != nil && !errors.Is(err, inquiry.ErrNothing) {
		return err
	}
	return errors.Join(c.print(answer, func() error {
		fmt.Print(answer)
		return nil
	}), err)
}
