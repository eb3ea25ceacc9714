package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/operate/custody"
	"moonfund/internal/server"
	"moonfund/internal/server/nodecheck"
	"moonfund/internal/staking/community"
	"moonfund/internal/store"
)

type ledgerCommands struct {
	Show    ledgerShow    `cmd:"" help:"Show the ledger's identity and what it watches on the chain."`
	Adopt   adoptCommand  `cmd:"" help:"Adopt stake addresses that another ledger with the same key created."`
	Upgrade ledgerUpgrade `cmd:"" help:"Make a backup and migrate an older version's ledger to this program's schema."`
}

type adoptCommand struct {
	changing
	Kit         string `help:"Recovery kit that a staker saved." type:"existingfile" xor:"source"`
	From        string `help:"${help_adopt_from}" xor:"source"`
	Search      bool   `help:"Search the chain for deposits of stakers in this ledger." xor:"source"`
	Gap         uint32 `default:"100" help:"With --search: number of address indexes to try after the last known one."`
	Network     string `default:"mainnet" env:"MOONFUND_NETWORK" help:"mainnet, testnet, testnet4, signet or regtest."`
	Communities string `required:"" env:"MOONFUND_COMMUNITIES" help:"${help_communities}" type:"path"`
	Key         string `env:"MOONFUND_KEY" help:"The key file, from which the addresses are derived." type:"path"`
	Signer      string `env:"MOONFUND_SIGNER" help:"${help_signer}" type:"path"`
	nodeFlags   `prefix:"node-"`
}

// searchDeposits returns the task that searches for deposits at stake addresses that another copy of the ledger issued.
func searchDeposits(s *server.Server) func(context.Context) {
	search := custody.Deposits{
		Accounts: custody.Accounts{Network: s.Network, Manifests: s.Communities, ByPrefix: s.Accounts},
		Store:    s.Store, Node: s.Node, Log: s.Log, Now: s.Clock.Real,
		Ready:   func() bool { return s.Leads() && s.Follower.State().Synced },
		Watches: s.Follower.Watches, Credit: s.Follower.Wake,
	}
	return search.Run
}

// AfterApply drops a key file that only the environment names beside a signer, and asks for a missing reason.
func (c *adoptCommand) AfterApply() error {
	return errors.Join(preferSigner(&c.Key, c.Signer), c.answerable.AfterApply())
}

type adoptView struct {
	Found   int      `json:"addresses_found"`
	Adopted []string `json:"adopted"`
}

// Run is `moonfund ledger adopt`.
func (c adoptCommand) Run(ctx context.Context) error {
	if err := c.check(); err != nil {
		return err
	}
	if c.Kit == "" && c.From == "" && !c.Search {
		return errors.New("one of --kit FILE, --from LEDGER and --search is needed")
	}
	if c.Gap < 1 || c.Gap > custody.MaxGap {
		return fmt.Errorf("--gap is %d; it must be from 1 to %d", c.Gap, custody.MaxGap)
	}
	network, err := chain.NetworkByName(c.Network)
	if err != nil {
		return err
	}
	manifests, err := community.LoadDir(c.Communities, network.Name)
	if err != nil {
		return err
	}
	db, err := c.existing(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	own, err := openSigning(ctx, keySource{c.Key, c.Signer, c.Data}, network, manifests)
	if err != nil {
		return err
	}
	accounts, err := custody.NewAccounts(network, manifests, own.Xpub)
	if err != nil {
		return err
	}
	var found []custody.StakeAddress
	if err := asCaller(func() (err error) { // the kit or the other ledger may belong to another user
		found, err = c.find(ctx, db, accounts)
		return err
	}); err != nil {
		return err
	}
	return c.adopt(ctx, db, found)
}

// find returns the addresses from the chosen source.
func (c adoptCommand) find(ctx context.Context, db *store.Store, a custody.Accounts) ([]custody.StakeAddress, error) {
	switch {
	case c.Kit != "":
		return a.FromKit(ctx, db, c.Kit)
	case c.From != "":
		return a.FromLedger(ctx, c.From)
	}
	node := c.client()
	return a.FromChain(ctx, db, custody.Search{Node: node, Report: report}, c.Gap, func() error {
		return nodecheck.SameNetwork(ctx, node, a.Network)
	})
}

// report prints the progress of a search.
func report(text string) { fmt.Fprintln(os.Stderr, text) }

// adopt previews and adopts the addresses that the ledger does not have.
func (c adoptCommand) adopt(ctx context.Context, db *store.Store, found []custody.StakeAddress) error {
	fresh, err := custody.Unknown(ctx, db, found)
	if err != nil {
		return err
	}
	view := adoptView{Found: len(found), Adopted: []string{}}
	if len(fresh) > 0 {
		if view.Adopted, err = custody.Adopt(c.author(), fresh).Make(ctx, db, c.agree); err != nil {
			return err
		}
	}
	return c.print(view, func() error {
		fmt.Printf("Found %d addresses, adopted %d.\n", view.Found, len(view.Adopted))
		if len(view.Adopted) > 0 {
			fmt.Println("The server now searches the chain for deposits at these addresses, including in blocks that it " +
				"has followed,\nand credits them. `moonfund ledger show` shows the progress.")
		}
		return nil
	})
}
