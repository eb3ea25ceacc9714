package main

import (
	"context"
	"encoding/hex"
	"fmt"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/operate/custody"
	"moonfund/internal/server/signing"
	"moonfund/internal/server/wiring"
	"moonfund/internal/signer"
	"moonfund/internal/store"
)

type keySweep struct {
	changing
	File      string `arg:"" help:"File of the key that holds the treasury now." type:"path"`
	Community string `arg:"" help:"The community's prefix."`
	To        string `required:"" help:"${help_sweep_to}" placeholder:"XPUB"`
	Rate      int64  `required:"" help:"Fee rate in sat/vB. Outbid a thief." placeholder:"N"`
	nodeFlags `prefix:"node-"`
}

// Run is `moonfund key sweep`.
func (c keySweep) Run(ctx context.Context) error {
	if err := c.check(); err != nil {
		return err
	}
	if c.Rate <= 0 || c.Rate > 10_000 {
		return fmt.Errorf("--rate is %d: want 1 to 10000 sat/vB", c.Rate)
	}
	db, err := c.existing(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	keys, err := openKeys(c.File)
	if err != nil {
		return err
	}
	var s custody.Sweep
	if err := db.View(ctx, func(tx *store.Tx) (err error) {
		s, err = custody.NewSweep(ctx, tx, keys, c.plan(keys))
		return err
	}); err != nil {
		return err
	}
	if err := c.agree(s.Preview(c.Community)); err != nil {
		return err
	}
	if err := s.Log(ctx, db, c.author(), c.Community); err != nil {
		return err
	}
	raw := chain.NewTx(s.Tx)
	if err := c.client().Broadcast(ctx, raw.Bytes()); err != nil {
		return fmt.Errorf("the node did not accept it: %w. It is signed; you can send it from any node "+
			"with sendrawtransaction\n%s",
			err, hex.EncodeToString(raw.Bytes()))
	}
	view := map[string]any{
		"txid": raw.ID.String(), "runes": s.Runes.String(), "sats": s.Sats, "fee": s.Cost.Fee, "outputs_left": s.Left,
	}
	return c.print(view, func() error {
		fmt.Printf("Sent %s. When the server has recorded it: moonfund treasury explain %s\n", raw.ID, raw.ID)
		return nil
	})
}

func (c keySweep) plan(keys *signer.Keys) custody.SweepPlan {
	return custody.SweepPlan{
		Community: c.Community, To: c.To, Rate: c.Rate,
		Account: func(ctx context.Context, tx *store.Tx, b store.Binding) (vault.Account, error) {
			account, err := signing.AccountOf(keys, b)
			if err == nil {
				err = wiring.CheckTreasury(ctx, tx, b.Prefix, account)
			}
			return account, err
		},
	}
}
