package main

import (
	"context"
	"errors"
	"fmt"

	"moonfund/internal/amount"
	"moonfund/internal/audit"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/operate/decisions"
	"moonfund/internal/operate/published"
	"moonfund/internal/operate/terminal"
	"moonfund/internal/server/dev"
	"moonfund/internal/server/nodecheck"
	"moonfund/internal/server/runeindex"
	"moonfund/internal/store"
)

type epochVerify struct {
	reading
	Epoch     int64  `arg:"" help:"The settled epoch's number."`
	Community string `help:"The community's prefix; optional if there is only one."`
	Server    string `help:"${help_verify_server}"`
	Rune      string `help:"With --server: the community's rune id, block:tx."`
	Network   string `env:"MOONFUND_NETWORK" help:"Network of the server; optional for a dev network's data folder."`
	Index     string `enum:",full,followed" default:"" placeholder:"full|followed" help:"${help_verify_index}"`
	nodeFlags `prefix:"node-"`
}

// records is the source of published epochs, with the community's rune.
type records struct {
	published.Source
	id       runes.ID   // the community's rune
	followed []runes.ID // the runes that the ledger's index follows; nil: every rune
	close    func()
}

// Run is `moonfund epoch verify`. Like an audit, it exits with 2 when the epoch can't be verified.
func (c epochVerify) Run(ctx context.Context) error {
	p, verdict, err := c.verify(ctx)
	if err != nil {
		return unfinished{err}
	}
	return c.write(p, verdict)
}

// verify computes the epoch's rewards from the chain and compares them with the published rewards.
func (c epochVerify) verify(ctx context.Context) (p audit.Published, verdict audit.Verdict, err error) {
	network, node, err := whereNode(c.Network, c.Data, c.nodeFlags)
	if err != nil {
		return p, verdict, err
	}
	from, err := c.records(ctx, network)
	if err != nil {
		return p, verdict, err
	}
	defer from.close()
	if err := nodecheck.SameNetwork(ctx, node, network); err != nil {
		return p, verdict, err
	}
	rules := runes.RulesFor(network)
	if c.Index == runeindex.Followed || (c.Index == "" && from.followed != nil) {
		rules = rules.Only(append(from.followed, from.id)...)
	}
	return from.Verify(ctx, audit.Verifier{Node: node, Rules: rules, Start: rules.Start(), Rune: from.id}, c.Epoch)
}

// whereNode returns the network and the node of the flags, or of the dev network in a data folder.
func whereNode(network, data string, flags nodeFlags) (chain.Network, *chain.Client, error) {
	node := flags.client()
	if network == "" {
		where, err := dev.ReadNode(data)
		if err != nil {
			return chain.Network{}, nil, fmt.Errorf("%w: name the --network and the node", err)
		}
		network, node = where.Network, chain.NewClient(where.Node)
	}
	found, err := chain.NetworkByName(network)
	return found, node, err
}

// records returns the source that the flags name: a server, or the ledger.
func (c epochVerify) records(ctx context.Context, network chain.Network) (from records, err error) {
	byHand := network.Name == "regtest"
	if c.Server != "" {
		if from.id, err = runes.ParseID(c.Rune); err != nil {
			return from, fmt.Errorf("--rune is %q: with --server it must be the community's rune id, such as 840000:35", c.Rune)
		}
		if c.Community == "" {
			return from, errors.New("with --server the --community must be named")
		}
		from.close = func() {}
		from.Source, err = published.FromServer(c.Server, c.Community, byHand)
		return from, err
	}
	if c.Rune != "" {
		return from, errors.New("--rune is for --server: a ledger of your own knows its rune")
	}
	db, err := c.existing(ctx)
	if err != nil {
		return from, err
	}
	var community string
	if err := db.View(ctx, func(tx *store.Tx) error {
		prefix, text, err := decisions.BoundRune(ctx, tx, c.Community)
		if err != nil {
			return err
		}
		community = prefix
		if from.id, err = runes.ParseID(text); err != nil {
			return err
		}
		from.followed, err = tx.Followed(ctx)
		return err
	}); err != nil {
		return from, errors.Join(err, db.Close())
	}
	from.close = func() { _ = db.Close() }
	from.Source = published.FromLedger(db, community, byHand)
	return from, nil
}

// verdictView is the result for one epoch.
type verdictView struct {
	Community string   `json:"community"`
	Epoch     int64    `json:"epoch"`
	Right     bool     `json:"right"`
	Findings  []string `json:"findings"`
}

// write prints the verdict. It returns an error if a reward is wrong.
func (c epochVerify) write(p audit.Published, v audit.Verdict) error {
	right := len(v.Findings) == 0
	view := verdictView{p.Community, p.Epoch, right, append([]string{}, v.Findings...)}
	if err := terminal.Print(c.JSON, view, func() error {
		fmt.Printf("Epoch %d of %s, up to block %d (%s): %d blocks read, %d units of %d owners, %s staked, %s of %s due.\n",
			p.Epoch, p.Community, p.Cut, p.CutHash, v.Blocks, v.Units, v.Owners, amount.Runes(v.Staked).Whole(),
			amount.Runes(v.Rewarded).Whole(), amount.Runes(p.Budget).Whole())
		for _, finding := range v.Findings {
			fmt.Println(" -", finding)
		}
		if right {
			fmt.Println("Every reward is right.")
		}
		return nil
	}); err != nil {
		return err
	}
	if !right {
		return fmt.Errorf("epoch %d of %s is NOT right: %d findings", p.Epoch, p.Community, len(v.Findings))
	}
	return nil
}
