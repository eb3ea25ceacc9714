package nodecheck

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/amount"
	"moonfund/chain"
	"moonfund/testkit"
)

// policyNode is a node with a policy, and nothing else.
type policyNode struct {
	chain.Condition
	down    error
	runes   string // why it refuses a runestone
	reveals string // why it refuses a leaf
	asked   int
}

type asRelayNode struct{ *policyNode }

func (n asRelayNode) Condition(ctx context.Context) (chain.Condition, error) {
	return n.policyNode.Condition, n.down
}

func (n asRelayNode) SampleOutput(context.Context, amount.Sats) (wire.OutPoint, *wire.TxOut, error) {
	return wire.OutPoint{}, nil, chain.ErrUnknown
}

func (n asRelayNode) PolicyRefusal(_ context.Context, tx *wire.MsgTx) (string, error) {
	n.asked++
	if len(tx.TxIn[0].Witness) > 1 && n.reveals != "" {
		return n.reveals, nil
	}
	for _, out := range tx.TxOut {
		if out.PkScript[0] == txscript.OP_RETURN {
			return n.runes, nil
		}
	}
	return "", nil
}

func newChecker(t *testing.T, network string) (*policyNode, *Checker) {
	t.Helper()
	chosen, err := chain.NetworkByName(network)
	testkit.Must(t, err)
	w := testkit.NewWorld(t)
	node := &policyNode{Condition: chain.Condition{TipTime: time.Now()}}
	return node, New(Config{
		Node: asRelayNode{node}, Network: chosen, RuneOrders: w.Account, Limits: chain.DefaultPolicy(),
		Log: slog.New(slog.DiscardHandler), Now: time.Now,
	})
}

// A node that does not have the whole chain is not ready: by its own flag, and by the age of its tip.
func TestNodeInDownload(t *testing.T) {
	for _, c := range []struct {
		network string
		flag    bool
		age     time.Duration
		want    bool
	}{
		{"mainnet", false, time.Hour, false}, {"mainnet", false, 4 * time.Hour, true}, {"mainnet", true, 0, true},
		{"testnet4", false, 4 * time.Hour, false}, {"testnet4", false, 25 * time.Hour, true}, {"signet", true, 0, true},
		{"regtest", true, 300 * time.Hour, false},
	} {
		node, checker := newChecker(t, c.network)
		node.Downloading, node.TipTime = c.flag, time.Now().Add(-c.age)
		found, err := checker.Inspect(t.Context())
		if err != nil || (found.Downloading != "") != c.want {
			t.Errorf("%+v: %+v, %v", c, found, err)
		}
	}
}

// What the node relays is asked at the start and after each restart, and the answer names the setting.
func TestNodePolicy(t *testing.T) {
	node, checker := newChecker(t, "regtest")
	node.runes, node.reveals = "tokens-runes", "tokens-runes"
	found, err := checker.Inspect(t.Context())
	if err != nil || !found.Restarted || !strings.Contains(found.NoRunes, "tokens-runes") ||
		!strings.Contains(found.NoRunes, "rejecttokens=0") ||
		found.NoReveals == "" {
		t.Fatalf("as Knots comes: %+v, %v", found, err)
	}
	node.runes, node.reveals = "", "txn-datacarrier-nonstandard"
	asked := node.asked
	if found, err = checker.Inspect(t.Context()); err != nil || found.Restarted || found.NoRunes == "" ||
		node.asked != asked {
		t.Errorf("without a restart: %+v, %v", found, err)
	}
	node.down = errors.New("connection refused")
	if _, err = checker.Inspect(t.Context()); err == nil {
		t.Error("a node that is down")
	}
	node.down = nil
	found, err = checker.Inspect(t.Context())
	if err != nil || !found.Restarted || found.NoRunes != "" || !strings.Contains(found.NoReveals,
		"acceptnonstddatacarrier=1") {
		t.Errorf("after it was down: %+v, %v", found, err)
	}
	node.reveals, node.Uptime = "", time.Hour
	if found, err = checker.Inspect(t.Context()); err != nil || found.Restarted {
		t.Errorf("it runs on: %+v, %v", found, err)
	}
	node.Uptime = time.Second
	if found, err = checker.Inspect(t.Context()); err != nil || !found.Restarted || found.NoReveals != "" {
		t.Errorf("started again between two looks: %+v, %v", found, err)
	}
}
