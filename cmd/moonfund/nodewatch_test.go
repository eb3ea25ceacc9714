package main

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
	"moonfund/fault"
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
	return wire.OutPoint{}, nil, chain.ErrNotFound
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

func watchNode(t *testing.T, network string) (*policyNode, *nodeWatch) {
	t.Helper()
	chosen, err := chain.NetworkByName(network)
	testkit.Must(t, err)
	w := testkit.NewWorld(t)
	node := &policyNode{Condition: chain.Condition{TipTime: time.Now()}}
	return node, &nodeWatch{
		node: asRelayNode{node}, network: chosen, orders: w.Account, limits: chain.DefaultPolicy(),
		log: slog.New(slog.DiscardHandler), now: time.Now,
	}
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
		node, watch := watchNode(t, c.network)
		node.Downloading, node.TipTime = c.flag, time.Now().Add(-c.age)
		found, err := watch.inspect(t.Context())
		if err != nil || (found.Downloading != "") != c.want {
			t.Errorf("%+v: %+v, %v", c, found, err)
		}
	}
}

// What the node relays is asked at the start and after each restart, and the answer names the setting.
func TestNodePolicy(t *testing.T) {
	node, watch := watchNode(t, "regtest")
	node.runes, node.reveals = "tokens-runes", "tokens-runes"
	found, err := watch.inspect(t.Context())
	if err != nil || !found.Restarted || !strings.Contains(found.NoRunes, "tokens-runes") || !strings.Contains(found.NoRunes, "rejecttokens=0") ||
		found.NoReveals == "" {
		t.Fatalf("as Knots comes: %+v, %v", found, err)
	}
	node.runes, node.reveals = "", "txn-datacarrier-nonstandard"
	asked := node.asked
	if found, err = watch.inspect(t.Context()); err != nil || found.Restarted || found.NoRunes == "" || node.asked != asked {
		t.Errorf("without a restart: %+v, %v", found, err)
	}
	node.down = errors.New("connection refused")
	if _, err = watch.inspect(t.Context()); err == nil {
		t.Error("a node that is down")
	}
	node.down = nil
	found, err = watch.inspect(t.Context())
	if err != nil || !found.Restarted || found.NoRunes != "" || !strings.Contains(found.NoReveals, "acceptnonstddatacarrier=1") {
		t.Errorf("after it was down: %+v, %v", found, err)
	}
	node.reveals, node.Uptime = "", time.Hour
	if found, err = watch.inspect(t.Context()); err != nil || found.Restarted {
		t.Errorf("it runs on: %+v, %v", found, err)
	}
	node.Uptime = time.Second
	if found, err = watch.inspect(t.Context()); err != nil || !found.Restarted || found.NoReveals != "" {
		t.Errorf("started again between two looks: %+v, %v", found, err)
	}
}

// readyz and /status say what the node is not fit for; what is stored can still be read.
func TestUnfitNodeIsNotReady(t *testing.T) {
	w, g := watched(t)
	node, watch := watchNode(t, "regtest")
	node.runes = "tokens-runes"
	w.Follower.Inspect = watch.inspect
	w.Step()
	h := wired(w, g)
	err := standing{h}.Ready(t.Context())
	if unfit := new(fault.Error); !errors.As(err, &unfit) || !strings.Contains(unfit.Message, "rejecttokens=0") {
		t.Errorf("readyz: %v", err)
	}
	status, err := standing{h}.Status(t.Context())
	if err != nil || status.Reason == nil || !strings.Contains(*status.Reason, "tokens-runes") {
		t.Errorf("/status: %+v, %v", status, err)
	}
}
