package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/operate/custody"
	"moonfund/internal/operate/terminal"
	"moonfund/internal/server/nodecheck"
	"moonfund/internal/signer"
	"moonfund/internal/staking/community"
	"moonfund/internal/store"
)

type initCommand struct {
	ledgerFlags
	Network        string `default:"mainnet" env:"MOONFUND_NETWORK" help:"${help_node_network}"`
	Communities    string `required:"" env:"MOONFUND_COMMUNITIES" help:"${help_communities}" type:"path"`
	Key            string `env:"MOONFUND_KEY" help:"Key file, whose addresses must have no history." type:"path"`
	Signer         string `env:"MOONFUND_SIGNER" help:"${help_signer}" type:"path"`
	Scan           string `enum:"auto,blocks" default:"auto" help:"${help_scan}"`
	DespiteHistory bool   `help:"${help_despite_history}"`
	Why            string `help:"Reason, for the log; with --despite-history."`
	By             string `env:"USER" help:"Name of the operator, for the log. Default: the user's name."`
	Yes            bool   `help:"Do not ask for confirmation."`
	JSON           bool   `help:"Print JSON."`
	nodeFlags      `prefix:"node-"`
}

// AfterApply drops a key file that only the environment names beside a signer.
func (c *initCommand) AfterApply() error { return preferSigner(&c.Key, c.Signer) }

// despite is the warning before the creation of a second ledger for a key.
const despite = "The new ledger will not contain the stakes, orders and rewards of the other one: " +
	"it shows and pays none of them, and stakers\n" +
	"can only recover their outputs with their own keys, after the recovery delay. " +
	"Do this only when the other ledger and its backups are lost.\n" +
	"`moonfund ledger adopt` adopts deposits from a staker's recovery kit, or from another ledger."

// Run is `moonfund init`.
func (c initCommand) Run(ctx context.Context) error {
	author := answerable{By: c.By, Why: c.Why, Yes: c.Yes}
	if c.DespiteHistory {
		if err := author.check(); err != nil {
			return err
		}
	}
	network, err := chain.NetworkByName(c.Network)
	if err != nil {
		return err
	}
	manifests, err := community.LoadDir(c.Communities, network.Name)
	if err != nil {
		return err
	}
	if err := c.vacant(ctx); err != nil {
		return err
	}
	node := c.client()
	if err := nodecheck.Suitable(ctx, node, network); err != nil {
		return err
	}
	own, err := openSigning(ctx, keySource{c.Key, c.Signer, c.Data}, network, manifests)
	if err != nil {
		return err
	}
	marks := own.Marks(network)
	stored, err := marks.Load(ctx)
	if err != nil {
		return err
	}
	accounts, err := custody.NewAccounts(network, manifests, own.Xpub)
	if err != nil {
		return err
	}
	history, err := c.history(ctx, accounts, node, stored)
	if err != nil {
		return err
	}
	if history != "" && !c.DespiteHistory {
		return fmt.Errorf("%s. This key has served a ledger already, and a new one would not contain its stakes: "+
			"serve that ledger (is its disk mounted?), or `moonfund restore` its backup. Only if both are lost: "+
			"--despite-history", history)
	}
	if history != "" {
		if err := author.agree(history + ".\n" + despite); err != nil {
			return err
		}
	}
	if err := c.create(ctx, marks, stored, history); err != nil || c.JSON {
		return err
	}
	return printTreasuries(accounts)
}

// printTreasuries says where the first runes and sats go.
func printTreasuries(accounts custody.Accounts) error {
	for prefix, account := range accounts.ByPrefix.All() {
		runes, _ := account.TreasuryRunes()
		sats, _ := account.TreasurySats()
		fmt.Printf("\nFill the treasury of %s before its genesis:\n", prefix)
		if err := terminal.Fields("runes go to", runes.Text, "sats go to", sats.Text); err != nil {
			return err
		}
		fmt.Printf("Once they are in a block: moonfund treasury credit %s\n", prefix)
	}
	return nil
}

type initView struct {
	Ledger string `json:"ledger"`
}

// vacant returns an error if there is a ledger at the address.
func (c initCommand) vacant(ctx context.Context) error {
	if !c.onDisk() {
		return nil
	}
	db, err := store.OpenWithoutMigration(ctx, c.address())
	if errors.Is(err, store.ErrNoLedger) {
		return nil
	}
	if err != nil {
		return err
	}
	defer db.Close()
	return db.View(ctx, func(tx *store.Tx) error {
		mark, err := tx.Mark(ctx)
		if err != nil {
			return err
		}
		bound, err := tx.Communities(ctx)
		if err == nil && (mark.Ledger != "" || len(bound) > 0) {
			err = fmt.Errorf("there is a ledger already, %s: nothing was changed", terminal.OrDash(mark.Ledger))
		}
		return err
	})
}

// history returns evidence that another ledger used the key, or "".
func (c initCommand) history(
	ctx context.Context, accounts custody.Accounts, node *chain.Client, stored signer.Mark,
) (string, error) {
	if stored.Ledger != "" {
		return "the key's high-water mark belongs to the ledger " + stored.Ledger, nil
	}
	return accounts.History(ctx, custody.Search{Node: node, Blocks: c.Scan == "blocks", Report: report})
}

// create creates the ledger and writes the ledger's id into the key's mark. A crash in between leaves a ledger without
// a mark; the first start of a server then writes the mark.
func (c initCommand) create(ctx context.Context, marks signer.Marks, stored signer.Mark, history string) error {
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return fmt.Errorf("the data folder can't be created: %w", err)
	}
	release, err := store.Lock(c.address())
	if err != nil {
		return err
	}
	defer release()
	id, err := store.Create(ctx, c.address())
	if err != nil {
		return err
	}
	if _, err := marks.Raise(ctx, signer.Mark{Ledger: id}, stored.Ledger); err != nil {
		return fmt.Errorf("the ledger %s is created, but the high-water mark beside the key could not be written: %w",
			id, err)
	}
	db, err := c.existing(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := db.Update(ctx, func(tx *store.Tx) error {
		_, err := tx.Log(ctx, store.OperatorLine{
			At: time.Now().UTC(), By: c.By, Command: "init", Subject: "ledger " + id, Why: c.Why, Detail: history,
		})
		return err
	}); err != nil {
		return err
	}
	if c.JSON {
		return terminal.JSON(initView{id})
	}
	where := c.Database
	if where == "" {
		where = filepath.Join(c.Data, "ledger.db")
	} else {
		where = "the database"
	}
	fmt.Printf("Created the ledger %s in %s. Next: sudo systemctl enable --now moonfund\n", id, where)
	return nil
}
