package nodecheck

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/testkit"
)

// policyNode is a node with only a relay policy.
type policyNode struct {
	chain.Condition
	down    error
	sampled bool   // there is an output that a probe can spend
	runes   string // reason for refusing a runestone
	reveals string // reason for refusing a reveal
	asked   int

	branches string // reason for refusing OP_IF in Tapscript
}

type asRelayNode struct{ *policyNode }

func (n asRelayNode) Condition(ctx context.Context) (chain.Condition, error) {
	return n.policyNode.Condition, n.down
}

func (n asRelayNode) SampleOutput(context.Context, amount.Sats) (wire.OutPoint, *wire.TxOut, error) {
	if n.sampled {
		return wire.OutPoint{Hash: chainhash.Hash{7}}, wire.NewTxOut(50_000, nil), nil
	}
	return wire.OutPoint{}, nil, chain.ErrUnknown
}

// Policy answers as Core does: it checks the outputs, then looks up the inputs, then checks the witnesses.
func (n asRelayNode) Policy(_ context.Context, tx *wire.MsgTx) (chain.PolicyAnswer, error) {
	n.asked++
	hasStone := slices.ContainsFunc(tx.TxOut, func(out *wire.TxOut) bool { return out.PkScript[0] == txscript.OP_RETURN })
	switch {
	case hasStone && n.runes != "":
		return chain.PolicyAnswer{Known: true, Reason: n.runes}, nil
	case tx.TxIn[0].PreviousOutPoint.Hash != chainhash.Hash{7}:
		return chain.PolicyAnswer{}, nil
	case len(tx.TxIn[0].Witness) > 1:
		return chain.PolicyAnswer{Known: true, Reason: n.reveals}, nil
	}
	return chain.PolicyAnswer{Known: true}, nil
}

func (n asRelayNode) RefusesBranches(context.Context) (string, error) { return n.branches, nil }

func newChecker(t *testing.T, network string) (*policyNode, *Checker) {
	t.Helper()
	chosen, err := chain.NetworkByName(network)
	testkit.Must(t, err)
	w := testkit.NewWorld(t)
	node := &policyNode{Condition: chain.Condition{TipTime: time.Now()}, sampled: true}
	return node, New(Config{
		Node: asRelayNode{node}, Network: chosen, RuneOrders: w.Account, Limits: chain.DefaultPolicy(),
		Log: slog.New(slog.DiscardHandler), Now: time.Now,
	})
}

// A node without the whole chain is not ready. This is detected by the node's own flag and by the age of its tip.
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

// The relay policy is tested at the start and after each restart. The finding names the node's setting.
func TestNodePolicy(t *testing.T) {
	node, checker := newChecker(t, "regtest")
	node.runes, node.reveals = "tokens-runes", "tokens-runes"
	found, err := checker.Inspect(t.Context())
	if err != nil || !found.Restarted || !strings.Contains(found.NoRunes, "tokens-runes") ||
		!strings.Contains(found.NoRunes, "rejecttokens=0") ||
		found.NoReveals == "" {
		t.Fatalf("with the default settings of Knots: %+v, %v", found, err)
	}
	node.runes, node.reveals = "", "txn-datacarrier-nonstandard"
	asked := node.asked
	if found, err = checker.Inspect(t.Context()); err != nil || found.Restarted || found.NoRunes == "" ||
		node.asked != asked {
		t.Errorf("without a restart: %+v, %v", found, err)
	}
	node.down = errors.New("connection refused")
	if _, err = checker.Inspect(t.Context()); err == nil {
		t.Error("no error for a node that is down")
	}
	node.down = nil
	found, err = checker.Inspect(t.Context())
	if err != nil || !found.Restarted || found.NoRunes != "" || !strings.Contains(found.NoReveals,
		"acceptnonstddatacarrier=1") {
		t.Errorf("after it was down: %+v, %v", found, err)
	}
	node.reveals, node.Uptime = "", time.Hour
	if found, err = checker.Inspect(t.Context()); err != nil || found.Restarted {
		t.Errorf("while it runs: %+v, %v", found, err)
	}
	node.Uptime = time.Second
	if found, err = checker.Inspect(t.Context()); err != nil || !found.Restarted || found.NoReveals != "" ||
		found.NoInscriptions != "" {
		t.Errorf("restarted between two checks: %+v, %v", found, err)
	}
	node.branches, node.down = "OP_IF is not allowed", errors.New("connection refused")
	if _, err = checker.Inspect(t.Context()); err == nil {
		t.Error("no error for a node that is down")
	}
	node.down = nil
	if found, err = checker.Inspect(t.Context()); err != nil || found.NoReveals != "" ||
		!strings.Contains(found.NoInscriptions, "OP_IF is not allowed") {
		t.Errorf("a node that refuses OP_IF: %+v, %v", found, err)
	}
}

// Without an output that a probe can spend, the policy is not known, and the node is asked again in each block. Until
// it answers, its refusal of a payout decides, if the reason is a setting of the node.
func TestPolicyIsNotKnownYet(t *testing.T) {
	node, checker := newChecker(t, "regtest")
	node.sampled, node.Uptime = false, time.Hour
	refused := ""
	checker.Refused = func(context.Context) (string, error) { return refused, nil }
	inspect := func(known bool, asks int, noRunes string) {
		t.Helper()
		before := node.asked
		found, err := checker.Inspect(t.Context())
		if err != nil || checker.PolicyKnown() != known || node.asked != before+asks ||
			(found.NoRunes == "") != (noRunes == "") || !strings.Contains(found.NoRunes, noRunes) {
			t.Errorf("known %v, asked %d times, %+v, %v; want %v, %d, %q", checker.PolicyKnown(), node.asked-before, found,
				err, known, asks, noRunes)
		}
	}
	inspect(false, 3, "")
	inspect(false, 0, "")
	node.Height++
	inspect(false, 3, "")
	refused = "mandatory-script-verify-flag-failed"
	inspect(false, 0, "")
	refused = "tokens-runes"
	inspect(false, 0, "rejecttokens=0")
	refused = ""
	inspect(false, 0, "")
	node.Height++
	node.sampled = true
	inspect(true, 3, "")
	node.Height++
	refused = "tokens-runes" // the node has answered since: this payout was refused for another cause, or before
	inspect(true, 0, "")
	node.Uptime = 0
	node.sampled, node.runes, refused = false, "datacarrier", "" // Core refuses outputs before it looks up inputs
	inspect(true, 1, "datacarriersize=83")
}
