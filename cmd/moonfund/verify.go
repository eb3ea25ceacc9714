package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"moonfund/amount"
	"moonfund/api"
	"moonfund/audit"
	"moonfund/chain"
	"moonfund/console"
	"moonfund/ledger"
	"moonfund/operator"
	"moonfund/runes"
	"moonfund/store"
)

type epochVerify struct {
	reading
	Epoch     int64  `arg:"" help:"The settled epoch's number."`
	Community string `help:"The community's prefix; not needed where there is only one."`
	Server    string `help:"A server's address, such as https://lobo.example.org: take what it publishes, instead of a ledger of your own."`
	Rune      string `help:"With --server: the community's rune id, block:tx."`
	Network   string `env:"MOONFUND_NETWORK" help:"Network of the server; a dev network's data folder knows its own."`
	Index     string `enum:",full,followed" default:"" placeholder:"full|followed" help:"followed: read the chain from the rune's etching on only, which is quicker; of other runes it is proved that they can't be there. As the ledger does when not given; full with --server."`
	nodeFlags `prefix:"node-"`
}

// published is where an epoch's record comes from.
type published func(ctx context.Context, n int64) (audit.Published, error)

// Run is `moonfund epoch verify`. Like an audit it exits with 2 when the epoch can't be judged.
func (c epochVerify) Run(ctx context.Context) error {
	p, verdict, err := c.verify(ctx)
	if err != nil {
		return unfinished{err}
	}
	return c.print(p, verdict)
}

// verify computes the epoch's rewards from the chain and compares them with what was published.
func (c epochVerify) verify(ctx context.Context) (p audit.Published, verdict audit.Verdict, err error) {
	network, node, err := c.where()
	if err != nil {
		return p, verdict, err
	}
	source, id, followed, done, err := c.source(ctx, network)
	if err != nil {
		return p, verdict, err
	}
	defer done()
	if err := sameNetwork(ctx, node, network); err != nil {
		return p, verdict, err
	}
	verifier := audit.Verifier{Node: node, Rules: runes.RulesFor(network)}
	if c.Index == indexFollowed || (c.Index == "" && followed != nil) {
		verifier.Rules = verifier.Rules.Only(append(followed, id)...)
	}
	verifier.Start = verifier.Rules.Start()
	verifier.Rune, verifier.Earlier = id, source
	if p, err = source(ctx, c.Epoch); err != nil {
		return p, verdict, err
	}
	if c.Epoch > 0 {
		before, err := source(ctx, c.Epoch-1)
		if err != nil {
			return p, verdict, err
		}
		p.StartCut = before.Cut
	}
	if verdict, err = verifier.Verify(ctx, p); err != nil {
		return p, verdict, fmt.Errorf("epoch %d can't be judged: %w", c.Epoch, err)
	}
	return p, verdict, nil
}

// where finds the network and the node, as `moonfund audit` does.
func (c epochVerify) where() (chain.Network, *chain.Client, error) {
	where, node := running{Network: c.Network}, c.client()
	if c.Network == "" {
		var err error
		if where, err = readRunning(c.Data); err != nil {
			return chain.Network{}, nil, fmt.Errorf("%w: name the --network and the node", err)
		}
		node = chain.NewClient(where.Node)
	}
	network, err := chain.NetworkByName(where.Network)
	return network, node, err
}

// source says where records come from, the community's rune, and which runes the ledger's index follows.
func (c epochVerify) source(ctx context.Context, network chain.Network) (_ published, _ runes.ID, followed []runes.ID, done func(), _ error) {
	byHand := network.Name == "regtest"
	if c.Server != "" {
		id, err := runes.ParseID(c.Rune)
		if err != nil {
			return nil, id, nil, nil, fmt.Errorf("--rune is %q: with --server it must be the community's rune id, such as 840000:35", c.Rune)
		}
		if c.Community == "" {
			return nil, id, nil, nil, errors.New("with --server the --community must be named")
		}
		if address, err := url.Parse(c.Server); err != nil || address.Host == "" || (address.Scheme != "https" && address.Scheme != "http") {
			return nil, id, nil, nil, fmt.Errorf("--server is %q: it must be an address such as https://lobo.example.org", c.Server)
		}
		return func(ctx context.Context, n int64) (audit.Published, error) { return c.fetch(ctx, n, byHand) }, id, nil, func() {}, nil
	}
	if c.Rune != "" {
		return nil, runes.ID{}, nil, nil, errors.New("--rune is for --server: a ledger of your own knows its rune")
	}
	db, err := c.existing(ctx)
	if err != nil {
		return nil, runes.ID{}, nil, nil, err
	}
	prefix, id, err := boundRune(ctx, db, c.Community)
	if err == nil {
		err = db.View(ctx, func(tx *store.Tx) error {
			followed, err = tx.Followed(ctx)
			return err
		})
	}
	if err != nil {
		return nil, id, nil, nil, errors.Join(err, db.Close())
	}
	return func(ctx context.Context, n int64) (p audit.Published, err error) {
		err = db.View(ctx, func(tx *store.Tx) error {
			p, err = recorded(ctx, tx, prefix, n)
			return err
		})
		p.ByHand = byHand
		return p, err
	}, id, followed, func() { _ = db.Close() }, nil
}

// boundRune returns a community of the ledger, the only one when it is not named, and its rune.
func boundRune(ctx context.Context, db *store.Store, prefix string) (string, runes.ID, error) {
	var id runes.ID
	err := db.View(ctx, func(tx *store.Tx) error {
		if prefix == "" {
			all, err := tx.Communities(ctx)
			if err != nil {
				return err
			}
			if len(all) != 1 {
				return fmt.Errorf("name the --community: one of %s", strings.Join(all, ", "))
			}
			prefix = all[0]
		}
		if err := operator.CheckCommunity(ctx, tx, prefix); err != nil {
			return err
		}
		text, err := tx.RuneOf(ctx, prefix)
		if err != nil {
			return err
		}
		id, err = runes.ParseID(text)
		return err
	})
	return prefix, id, err
}

// recorded reads an epoch's record from the ledger.
func recorded(ctx context.Context, tx *store.Tx, prefix string, n int64) (p audit.Published, err error) {
	account, err := tx.AccountOf(ctx, prefix, n)
	if errors.Is(err, ledger.ErrNotFound) || (err == nil && !account.Settled) {
		return p, fmt.Errorf("epoch %d of %s is not settled", n, prefix)
	}
	if err != nil {
		return p, err
	}
	calendar, err := tx.Calendar(ctx, prefix)
	if err != nil {
		return p, err
	}
	p = audit.Published{
		Community: prefix, Epoch: n, Start: calendar.Start(n), End: calendar.End(n), Budget: int64(account.Reserved),
		StartCut: ledger.None, Cut: account.Cut, CutHash: account.CutHash,
	}
	inputs, err := tx.Inputs(ctx, prefix, n)
	for _, unit := range inputs {
		p.Inputs = append(p.Inputs, audit.PublishedUnit{ID: unit.UnitID, Owner: unit.Owner, Amount: unit.Amount})
	}
	if err != nil {
		return p, err
	}
	rewards, err := tx.Rewards(ctx, prefix, n)
	for _, r := range rewards {
		p.Rewards = append(p.Rewards, audit.PublishedReward{Owner: r.Owner, UnitID: r.UnitID, Stake: int64(r.Stake), Reward: int64(r.Reward)})
	}
	return p, err
}

const (
	fetchTime = time.Minute
	fetchMost = 1 << 30 // bytes of one epoch's record
)

// fetch takes an epoch's record from a server.
func (c epochVerify) fetch(ctx context.Context, n int64, byHand bool) (p audit.Published, err error) {
	address, err := url.JoinPath(c.Server, c.Community, "epochs", strconv.FormatInt(n, 10))
	if err != nil {
		return p, err
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return p, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return p, fmt.Errorf("the server can't be reached: %w", err)
	}
	defer answer.Body.Close()
	p, err = readPublished(io.LimitReader(answer.Body, fetchMost))
	if err != nil {
		return p, fmt.Errorf("%s (%s): %w", address, answer.Status, err)
	}
	p.Community, p.Epoch, p.ByHand = c.Community, n, byHand
	return p, nil
}

// readPublished reads the record of a settled epoch as servers publish it.
func readPublished(body io.Reader) (p audit.Published, err error) {
	var reply api.EpochDetailReply
	if err := json.NewDecoder(body).Decode(&reply); err != nil {
		return p, fmt.Errorf("it does not publish epochs: %w", err)
	}
	if reply.Data == nil {
		return p, fmt.Errorf("the server says: %s", reply.Message)
	}
	d := *reply.Data
	if !d.Epoch.Settled || d.CutHeight == nil || d.CutHash == nil {
		return p, errors.New("the epoch is not settled")
	}
	p = audit.Published{Start: time.Time(d.Epoch.Start), End: time.Time(d.Epoch.End), StartCut: ledger.None, Cut: *d.CutHeight, CutHash: *d.CutHash}
	number := func(text api.RuneAmount) int64 {
		parsed, parseErr := amount.ParseRunes(string(text))
		if err == nil && parseErr != nil {
			err = fmt.Errorf("the amount %q: %w", text, parseErr)
		}
		return int64(parsed)
	}
	p.Budget = number(api.RuneAmount(d.Epoch.Budget))
	for _, unit := range d.Inputs {
		p.Inputs = append(p.Inputs, audit.PublishedUnit{ID: unit.UnitId, Owner: unit.Owner, Amount: number(unit.Amount)})
	}
	for _, r := range d.Rewards {
		reward := audit.PublishedReward{Owner: r.Owner, Stake: number(r.Stake), Reward: number(r.Reward)}
		if r.UnitId != nil {
			reward.UnitID = *r.UnitId
		}
		p.Rewards = append(p.Rewards, reward)
	}
	return p, err
}

func (c epochVerify) print(p audit.Published, v audit.Verdict) error {
	if c.JSON {
		if err := console.JSON(struct {
			Community string   `json:"community"`
			Epoch     int64    `json:"epoch"`
			Right     bool     `json:"right"`
			Findings  []string `json:"findings"`
		}{p.Community, p.Epoch, len(v.Findings) == 0, append([]string{}, v.Findings...)}); err != nil {
			return err
		}
	} else {
		fmt.Printf("Epoch %d of %s, up to block %d (%s): %d blocks read, %d units of %d owners, %s staked, %s of %s due.\n",
			p.Epoch, p.Community, p.Cut, p.CutHash, v.Blocks, v.Units, v.Owners, amount.Runes(v.Staked).Decimal(8),
			amount.Runes(v.Rewarded).Decimal(8), amount.Runes(p.Budget).Decimal(8))
		for _, finding := range v.Findings {
			fmt.Println(" -", finding)
		}
	}
	if len(v.Findings) > 0 {
		return fmt.Errorf("epoch %d of %s is NOT right: %d findings", p.Epoch, p.Community, len(v.Findings))
	}
	if !c.JSON {
		fmt.Println("Every reward is right.")
	}
	return nil
}
