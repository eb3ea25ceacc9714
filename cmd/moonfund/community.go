package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/operate/decisions"
	"moonfund/internal/operate/setup"
	"moonfund/internal/operate/terminal"
	"moonfund/internal/staking/community"
	"moonfund/internal/store"
)

type communityCommands struct {
	List   communityList   `cmd:"" help:"List the communities of the ledger and of the manifests."`
	Add    communityAdd    `cmd:"" help:"${help_community_add}"`
	Retire communityRetire `cmd:"" help:"${help_community_retire}"`
}

// manifestFlags name the folder of the manifests.
type manifestFlags struct {
	Communities string `required:"" env:"MOONFUND_COMMUNITIES" help:"${help_communities}" type:"path"`
	Network     string `default:"mainnet" env:"MOONFUND_NETWORK" help:"mainnet, testnet, testnet4, signet or regtest."`
}

// load returns the network and the manifests of the folder.
func (f manifestFlags) load() (network chain.Network, manifests []community.Manifest, err error) {
	if network, err = chain.NetworkByName(f.Network); err == nil {
		manifests, err = community.LoadDir(f.Communities, network.Name)
	}
	return network, manifests, err
}

type communityList struct {
	reading
	manifestFlags
}

// Run is `moonfund community list`.
func (c communityList) Run(ctx context.Context) error {
	_, manifests, err := c.load()
	if err != nil {
		return err
	}
	views, err := read(ctx, c.reading, func(tx *store.Tx) ([]decisions.CommunityView, error) {
		return decisions.CommunityViews(ctx, tx, manifests)
	})
	if err != nil {
		return err
	}
	return terminal.List(c.JSON, views, "PREFIX,STATE,ACCOUNT,RUNE,GENESIS (UTC),STAKES AND REWARDS,OPEN ORDERS",
		func(v decisions.CommunityView) []string {
			return []string{v.Prefix, v.State, terminal.Number(v.Account), v.Rune, terminal.Time(v.Genesis),
				terminal.Number(v.Units), terminal.Number(v.Orders)}
		})
}

type communityAdd struct {
	reading
	manifestFlags
	unexplained
	nodeFlags `prefix:"node-"`
	File      string `arg:"" help:"The manifest, outside of the folder. Its account is replaced." type:"path"`
}

// Run is `moonfund community add`. It records the community before it writes the manifest. After an interruption it
// takes the recorded account and can be repeated.
func (c communityAdd) Run(ctx context.Context) error {
	network, manifests, err := c.load()
	if err != nil {
		return err
	}
	m, text, err := c.read(ctx, network, manifests)
	if err != nil {
		return err
	}
	target := filepath.Join(c.Communities, m.Prefix+".toml")
	if _, err := os.Stat(target); err == nil {
		return fmt.Errorf("%s exists already", target)
	}
	if err := community.Together(append(manifests[:len(manifests):len(manifests)], m)); err != nil {
		return err
	}
	_, unasked, err := lookUp(ctx, c.client(), network, []community.Manifest{m})
	if err != nil {
		return err
	}
	if unasked != nil {
		fmt.Fprintf(os.Stderr, "Whether the rune exists is checked at the next start, because now %s.\n", unasked)
	}
	view, err := change(ctx, c.changing(c.reading), decisions.AddCommunity(c.author(), m, manifests))
	if err != nil {
		return err
	}
	if err := asRoot(func() error { return os.WriteFile(target, text, 0o644) }); err != nil {
		return fmt.Errorf("the community is recorded, but its manifest is not written: %w. Repeat the command", err)
	}
	return c.print(view, func() error {
		fmt.Printf("Added %s with account %d, in %s.\n", m.Prefix, m.Account, target)
		if err := setup.CheckAppearance(c.Communities, network, []community.Manifest{m}); err != nil {
			fmt.Println("Still missing:", err)
		}
		fmt.Println("Next: copy the manifest to the signer, if it is a process of its own. Then restart both: " +
			"sudo systemctl restart moonfund.")
		return nil
	})
}

// accountLine matches the account of a manifest.
var accountLine = regexp.MustCompile(`(?m)^account[ \t]*=.*$`)

// read returns the manifest with the account that it gets, and its text.
func (c communityAdd) read(
	ctx context.Context, network chain.Network, manifests []community.Manifest,
) (m community.Manifest, text []byte, err error) {
	if text, err = readFile(c.File); err != nil {
		return m, nil, err
	}
	name := filepath.Base(c.File)
	if m, err = community.Read(name, text, network.Name); err != nil {
		return m, nil, err
	}
	account, err := read(ctx, c.reading, func(tx *store.Tx) (uint32, error) {
		return decisions.NextAccount(ctx, tx, m.Prefix, manifests)
	})
	if err != nil {
		return m, nil, err
	}
	text = accountLine.ReplaceAll(text, fmt.Appendf(nil, "account = %d", account))
	m, err = community.Read(name, text, network.Name)
	if err == nil && m.Account != account {
		err = fmt.Errorf("%s: write the account in a line of its own: account = %d", c.File, account)
	}
	return m, text, err
}

type communityRetire struct {
	reading
	unexplained
	Prefix string `arg:"" help:"The community."`
}

// Run is `moonfund community retire`.
func (c communityRetire) Run(ctx context.Context) error {
	view, err := change(ctx, c.changing(c.reading), decisions.RetireCommunity(c.author(), c.Prefix))
	if err != nil {
		return err
	}
	return c.print(view, func() error {
		fmt.Printf("Closed: %s. Keep its manifest until `moonfund community list` shows no stakes, rewards and orders.\n",
			c.Prefix)
		return nil
	})
}
