package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/amount"
	"moonfund/chain"
	"moonfund/fault"
	"moonfund/follower"
	"moonfund/vault"
)

// nodeWatch asks the node of what it is fit for, before each step of the follower:
// whether it has the whole chain, whether it was restarted, and whether it relays
// what we send.
type nodeWatch struct {
	node    relayNode
	network chain.Network
	orders  vault.Account // of the mint and etch service
	limits  chain.PolicyLimits
	log     *slog.Logger
	now     func() time.Time

	mu      sync.Mutex
	asked   time.Time // when the node last answered; zero: not yet, or it failed since
	uptime  time.Duration
	checked bool // what it relays is known since its last start
	relays  relays
}

// relayNode is the node as nodeWatch needs it.
type relayNode interface {
	Condition(ctx context.Context) (chain.Condition, error)
	PolicyRefusal(ctx context.Context, tx *wire.MsgTx) (string, error)
	SampleOutput(ctx context.Context, least amount.Sats) (wire.OutPoint, *wire.TxOut, error)
}

// relays says what the node's policy refuses, as sentences; "" for what it relays.
type relays struct{ runes, reveals string }

// oldTip is from which age on the best block of the main network shows that a node
// does not hear of new ones: a gap of three hours comes once in a thousand years.
// The test networks have longer ones.
const (
	oldTip      = 3 * time.Hour
	oldTipTests = 24 * time.Hour
)

// inspect implements follower.Config.Inspect.
func (w *nodeWatch) inspect(ctx context.Context) (follower.Inspection, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	before := time.Now()
	condition, err := w.node.Condition(ctx)
	if err != nil {
		w.asked = time.Time{}
		return follower.Inspection{}, fmt.Errorf("the node can't be asked of its state: %w", err)
	}
	// A node whose uptime grew by less than the time between two answers has started again.
	const rounding = 2 * time.Second
	restarted := w.asked.IsZero() || condition.Uptime+rounding < w.uptime+before.Sub(w.asked)
	found := follower.Inspection{Restarted: restarted, Downloading: w.downloading(condition)}
	if restarted || !w.checked {
		w.checked = false
		if err := w.check(ctx); err != nil {
			w.asked = time.Time{}
			return found, fmt.Errorf("the node can't be asked what it relays: %w", err)
		}
	}
	w.asked, w.uptime = time.Now(), condition.Uptime
	found.NoRunes, found.NoReveals = w.relays.runes, w.relays.reveals
	return found, nil
}

// downloading returns why the node's chain can't be taken for the whole one, or "".
// A regtest network has blocks when its owner wants.
func (w *nodeWatch) downloading(c chain.Condition) string {
	limit := oldTipTests
	switch w.network.Name {
	case "regtest":
		return ""
	case "mainnet":
		limit = oldTip
	}
	if c.Downloading || w.now().Sub(c.TipTime) > limit {
		return fmt.Sprintf(string(fault.NodeDownloading), c.Height, c.TipTime.Format("2006-01-02 15:04 UTC"))
	}
	return ""
}

// check asks the node whether it relays a rune transfer and the reveal of an etching.
func (w *nodeWatch) check(ctx context.Context) error {
	point, spent, err := w.node.SampleOutput(ctx, vault.ProbeLeast)
	if errors.Is(err, chain.ErrNotFound) { // then the node can only judge the outputs
		point, spent, err = wire.OutPoint{Hash: chainhash.Hash{1}}, wire.NewTxOut(int64(vault.ProbeLeast), nil), nil
	}
	if err != nil {
		return err
	}
	var found relays
	transfer, err := w.orders.ProbeTransfer(point, spent, w.limits.DataCarrier)
	if err != nil {
		return err
	}
	reason, err := w.node.PolicyRefusal(ctx, transfer)
	if err != nil {
		return err
	}
	if reason != "" {
		found.runes = fmt.Sprintf(string(fault.NodeRefusesRunes), reason, settingFor(reason))
		found.reveals = found.runes
	} else {
		reveal, err := w.orders.ProbeReveal(point, spent)
		if err != nil {
			return err
		}
		if reason, err = w.node.PolicyRefusal(ctx, reveal); err != nil {
			return err
		}
		if reason != "" {
			found.reveals = fmt.Sprintf(string(fault.NodeRefusesReveals), reason, settingFor(reason))
		}
	}
	w.note(found)
	return nil
}

func (w *nodeWatch) note(found relays) {
	if !w.checked && found != w.relays || found != (relays{}) {
		for _, problem := range []string{found.runes, found.reveals} {
			if problem != "" {
				w.log.Error("the node's policy", "problem", problem)
			}
		}
		if found == (relays{}) {
			w.log.Info("the node relays everything that is sent")
		}
	}
	w.relays, w.checked = found, true
}

// settings lead from a part of a node's reason to the setting that ends it.
var nodeSettings = []struct{ word, setting string }{
	{"tokens-", "rejecttokens=0"}, {"parasite", "rejectparasites=0"}, {"txn-datacarrier-nonstandard", "acceptnonstddatacarrier=1"},
	{"scriptpubkey", "datacarrier=1 and datacarriersize=83"}, {"datacarrier", "datacarrier=1 and datacarriersize=83"},
	{"dust", "no dustrelayfee"}, {"standard", "relaynonstd=1 (btcd)"},
}

func settingFor(reason string) string {
	for _, s := range nodeSettings {
		if strings.Contains(reason, s.word) {
			return s.setting
		}
	}
	return "a policy like Bitcoin Core's"
}
