// Package nodecheck checks a Bitcoin node. At the start it checks that the node is on the right network and has every
// block, and before each step of the follower that it is at the tip of the chain and relays the server's transactions.
package nodecheck

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/fault"
	"moonfund/internal/staking/follower"
)

// SameNetwork returns an error if the node does not respond or is on another chain.
func SameNetwork(ctx context.Context, node *chain.Client, network chain.Network) error {
	genesis, err := node.GenesisHash(ctx)
	if err != nil {
		return fmt.Errorf("the node can't be reached: %w", err)
	}
	if want := *network.Params.GenesisHash; genesis != want {
		return fmt.Errorf("the node is on another network: its genesis block is %s, %s has %s", genesis, network.Name, want)
	}
	return nil
}

// stateless returns the error of a node that did not report its state.
func stateless(err error) error {
	if unreachable := new(url.Error); errors.As(err, &unreachable) {
		return fmt.Errorf("the node can't be reached: %w", err)
	}
	return fmt.Errorf("the node does not report its state: %w", err)
}

// Suitable returns an error if the node is on another chain, is pruned, or has no transaction index.
func Suitable(ctx context.Context, node *chain.Client, network chain.Network) error {
	if err := SameNetwork(ctx, node, network); err != nil {
		return err
	}
	if err := Unpruned(ctx, node); err != nil {
		return err
	}
	return Indexed(ctx, node)
}

// Unpruned returns an error if the node deletes old blocks.
func Unpruned(ctx context.Context, node *chain.Client) error {
	pruned, err := node.Pruned(ctx)
	if err != nil {
		return fmt.Errorf("the node does not report its blocks: %w", err)
	}
	if pruned {
		return errors.New("the node is pruned: it deletes old blocks, and every block is needed. " +
			"Start it with prune=0 and txindex=1; it then fetches the whole chain again")
	}
	return nil
}

// Indexed returns an error if the node has no transaction index.
func Indexed(ctx context.Context, node *chain.Client) error {
	indexed, err := node.HasTxIndex(ctx)
	if err != nil {
		return fmt.Errorf("the node does not return transactions: %w", err)
	}
	if !indexed {
		return errors.New("the node has no transaction index: start it with txindex=1")
	}
	return nil
}

// Node contains the methods of the node that Checker uses.
type Node interface {
	Condition(ctx context.Context) (chain.Condition, error)
	Policy(ctx context.Context, tx *wire.MsgTx) (chain.PolicyAnswer, error)
	SampleOutput(ctx context.Context, least amount.Sats) (wire.OutPoint, *wire.TxOut, error)
	RefusesBranches(ctx context.Context) (reason string, err error)
}

// Config configures a Checker.
type Config struct {
	Node       Node
	Network    chain.Network
	RuneOrders vault.Account      // account of the mint and etch service, for the transactions that test the policy
	Limits     chain.PolicyLimits // only DataCarrier is used
	// Refused returns the reason why the node refused a payout for good, or "". It decides while the node has not
	// answered what it relays. nil: there are no payouts.
	Refused func(ctx context.Context) (string, error)
	Log     *slog.Logger
	Now     func() time.Time
}

// Checker checks the node before each step of the follower: whether it has the whole chain, whether it was restarted,
// and whether it relays the server's transactions.
type Checker struct {
	Config

	mu      sync.Mutex
	asked   time.Time     // time of the node's last response; zero before the first, and after a failure
	uptime  time.Duration // of the node at that response
	checked int64         // number of blocks of the node at the last check of the policy since its start; 0: none
	policy  policy        // result of that check
}

// New returns a checker. It does not call the node.
func New(c Config) *Checker { return &Checker{Config: c} }

// policy contains the node's reasons for not relaying rune transfers, reveals and reveals with an inscription, as
// sentences; "" if it relays them, or if that is not known.
type policy struct {
	runes, reveals, inscriptions string
	known                        bool // the node answered for all
}

// Maximum ages of the best block. If it is older, the node does not receive new blocks. On mainnet a gap of three hours
// between blocks occurs about once in a thousand years; test networks have longer gaps.
const (
	maxTipAge     = 3 * time.Hour
	maxTipAgeTest = 24 * time.Hour
)

// Inspect implements follower.Config.Inspect.
func (c *Checker) Inspect(ctx context.Context) (follower.Inspection, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := time.Now()
	condition, err := c.Node.Condition(ctx)
	if err != nil {
		c.asked = time.Time{}
		return follower.Inspection{}, stateless(err)
	}
	// A node whose uptime grew by less than the time between two responses was restarted.
	const rounding = 2 * time.Second
	restarted := c.asked.IsZero() || condition.Uptime+rounding < c.uptime+before.Sub(c.asked)
	found := follower.Inspection{Restarted: restarted, Downloading: c.downloading(condition)}
	if restarted {
		c.checked = 0
	}
	// Without an answer, ask again in each block, which may contain an output that a probe can spend. In the old blocks
	// of a node that downloads the chain there is none.
	blocks := condition.Height + 1
	if found.Downloading == "" && (c.checked == 0 || !c.policy.known && c.checked != blocks) {
		if err := c.checkPolicy(ctx, blocks); err != nil {
			c.asked = time.Time{}
			return found, fmt.Errorf("the node does not report what it relays: %w", err)
		}
	}
	c.asked, c.uptime = time.Now(), condition.Uptime
	found.NoRunes, found.NoReveals, found.NoInscriptions = c.policy.runes, c.policy.reveals, c.policy.inscriptions
	if !c.policy.known && found.NoRunes == "" {
		found.NoRunes, err = c.refused(ctx)
	}
	return found, err
}

// PolicyKnown reports whether the node answered what it relays at the last Inspect.
func (c *Checker) PolicyKnown() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.policy.known
}

// refused returns why the node does not relay rune transfers, by its refusal of a payout. A reason that is not one of a
// node's settings concerns that payout only.
func (c *Checker) refused(ctx context.Context) (string, error) {
	if c.Refused == nil {
		return "", nil
	}
	reason, err := c.Refused(ctx)
	if setting, found := settingOf(reason); err == nil && found {
		return fmt.Sprintf(fault.NodeRefusesRunes, reason, setting), nil
	}
	return "", err
}

// downloading returns why the node's chain may be incomplete, or "". On regtest it returns "", because blocks are mined
// only on demand.
func (c *Checker) downloading(condition chain.Condition) string {
	limit := maxTipAgeTest
	switch c.Network.Name {
	case "regtest":
		return ""
	case "mainnet":
		limit = maxTipAge
	}
	if condition.Downloading || c.Now().Sub(condition.TipTime) > limit {
		tip := condition.TipTime.Format("2006-01-02 15:04 UTC")
		return fmt.Sprintf(fault.NodeDownloading, condition.Height, tip)
	}
	return ""
}

// checkPolicy tests whether the node relays a rune transfer and the reveal of an etching, also with an inscription.
// blocks is the number of the node's blocks.
func (c *Checker) checkPolicy(ctx context.Context, blocks int64) error {
	point, spent, err := c.Node.SampleOutput(ctx, vault.MinProbeValue)
	if errors.Is(err, chain.ErrUnknown) { // for an unknown input, Core can still refuse the transaction's outputs
		point, spent, err = wire.OutPoint{Hash: chainhash.Hash{1}}, wire.NewTxOut(int64(vault.MinProbeValue), nil), nil
	}
	if err != nil {
		return err
	}
	found := policy{known: true}
	refusal := func(tx *wire.MsgTx, err error) (string, error) {
		if err != nil {
			return "", err
		}
		answer, err := c.Node.Policy(ctx, tx)
		found.known = found.known && answer.Known
		return answer.Reason, err
	}
	reason, err := refusal(c.RuneOrders.ProbeTransfer(point, spent, c.Limits.DataCarrier))
	if err != nil {
		return err
	}
	if reason != "" {
		found.runes = fmt.Sprintf(fault.NodeRefusesRunes, reason, settingFor(reason))
		found.reveals, found.inscriptions = found.runes, found.runes
		c.record(found, blocks)
		return nil
	}
	if reason, err = refusal(c.RuneOrders.ProbeReveal(point, spent, nil)); err != nil {
		return err
	}
	if reason != "" {
		found.reveals = fmt.Sprintf(fault.NodeRefusesReveals, reason, settingFor(reason))
		found.inscriptions = found.reveals
		c.record(found, blocks)
		return nil
	}
	inscription := &vault.Inscription{ContentType: "text/plain", Body: []byte("probe")}
	if reason, err = refusal(c.RuneOrders.ProbeReveal(point, spent, inscription)); err == nil && reason == "" {
		reason, err = c.Node.RefusesBranches(ctx)
	}
	if reason != "" {
		found.inscriptions = fmt.Sprintf(fault.NodeRefusesInscriptions, reason, settingFor(reason))
	}
	if err == nil {
		c.record(found, blocks)
	}
	return err
}

// record stores the result of a check of the policy. It logs the first result after a start of the node, and each other
// one.
func (c *Checker) record(found policy, blocks int64) {
	if c.checked == 0 || found != c.policy {
		for _, problem := range slices.Compact([]string{found.runes, found.reveals, found.inscriptions}) {
			if problem != "" {
				c.Log.Error("the node's policy", "problem", problem)
			}
		}
		switch {
		case found == policy{known: true}:
			c.Log.Info("the node relays all transactions of the server")
		case !found.known:
			c.Log.Warn("whether the node relays all transactions of the server is not known yet")
		}
	}
	c.policy, c.checked = found, blocks
}

// nodeSettings maps a part of a node's reason to the setting that allows the transaction.
var nodeSettings = []struct{ word, setting string }{
	{"tokens-", "rejecttokens=0"}, {"parasite", "rejectparasites=0"},
	{"txn-datacarrier-nonstandard", "acceptnonstddatacarrier=1"},
	{"scriptpubkey", "datacarrier=1 and datacarriersize=83"}, {"datacarrier", "datacarrier=1 and datacarriersize=83"},
	{"dust", "no dustrelayfee"}, {"standard", "relaynonstd=1 (btcd)"},
}

// settingOf returns the node's setting because of which it refuses a transaction for a reason.
func settingOf(reason string) (setting string, found bool) {
	for _, s := range nodeSettings {
		if strings.Contains(reason, s.word) {
			return s.setting, true
		}
	}
	return "", false
}

// settingFor returns the node's setting that allows a transaction which the node refuses for a reason.
func settingFor(reason string) string {
	setting, _ := settingOf(reason)
	return cmp.Or(setting, "a policy like Bitcoin Core's")
}
