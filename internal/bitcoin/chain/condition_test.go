package chain

import (
	"net/http"
	"os"
	"testing"

	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

func TestCondition(t *testing.T) {
	eachNode(t, func(t *testing.T, start func(key byte) *node) {
		n := start(1)
		n.mine(3)
		c, err := n.Condition(t.Context())
		if err != nil || c.Downloading || c.Height != 3 || c.Uptime < 0 || c.TipTime.IsZero() {
			t.Errorf("condition: %+v, %v", c, err)
		}
	})
}

// probes returns a rune transfer and a reveal that spend an output of the node, with invalid signatures.
func (n *node) probes() (transfer, reveal *wire.MsgTx) {
	n.t.Helper()
	point, spent, err := n.SampleOutput(n.t.Context(), 10_000)
	if err != nil {
		n.t.Fatal(err)
	}
	stone := script(txscript.OP_RETURN, []byte{})
	stone = append(stone[:1:1], txscript.OP_13, txscript.OP_DATA_3, 0, 1, 2)
	leaf := append([]byte{txscript.OP_FALSE, txscript.OP_IF, txscript.OP_DATA_3, 1, 2, 3, txscript.OP_ENDIF,
		txscript.OP_DATA_32}, n.script[2:]...)
	leaf = append(leaf, txscript.OP_CHECKSIG)
	build := func(witness wire.TxWitness) *wire.MsgTx {
		tx := wire.NewMsgTx(2)
		tx.AddTxIn(&wire.TxIn{PreviousOutPoint: point, Witness: witness})
		tx.AddTxOut(wire.NewTxOut(spent.Value-5000, n.script))
		tx.AddTxOut(wire.NewTxOut(0, stone))
		return tx
	}
	control := append([]byte{0xc0}, n.script[2:]...)
	return build(wire.TxWitness{make([]byte, 64)}), build(wire.TxWitness{make([]byte, 64), leaf, control})
}

func (n *node) policy(tx *wire.MsgTx) string {
	n.t.Helper()
	answer, err := n.Policy(n.t.Context(), tx)
	if err != nil || !answer.Known {
		n.t.Fatal(answer, err)
	}
	return answer.Reason
}

// A node that stops before it checks the shape gives no answer: the input is missing or spent, or the node has no
// testmempoolaccept.
func TestUnknownPolicy(t *testing.T) {
	eachNode(t, func(t *testing.T, start func(key byte) *node) {
		n := start(1)
		n.mine(110)
		transfer, _ := n.probes()
		transfer.TxIn[0].PreviousOutPoint.Index += 7
		if answer, err := n.Policy(t.Context(), transfer); err != nil || answer.Known {
			t.Errorf("a missing input: %+v, %v", answer, err)
		}
	})
	for _, answer := range []string{
		`"result":null,"error":{"code":-32601,"message":"Method not found"}`,
		`"result":[{"allowed":false,"reject-reason":"txn-mempool-conflict"}],"error":null`,
		`"result":[{"allowed":false,"reject-reason":"mempool min fee not met"}],"error":null`,
		`"result":[{"allowed":false,"reject-reason":"too-large-cluster"}],"error":null`,
	} {
		c := badNode(t, func(w http.ResponseWriter, _ *http.Request) { reply(w, 200, "{"+answer+"}") })
		if found, err := c.Policy(t.Context(), wire.NewMsgTx(2)); err != nil || found != (PolicyAnswer{}) {
			t.Errorf("%s: %+v, %v", answer, found, err)
		}
	}
}

// Knots refuses every Tapscript with OP_IF since 29.4. Core and btcd do not.
func TestRefusesBranches(t *testing.T) {
	check := func(n *node, refuses bool) {
		reason, err := n.RefusesBranches(t.Context())
		if err != nil || (reason != "") != refuses {
			t.Errorf("got %q, %v, want a reason: %v", reason, err, refuses)
		}
	}
	check(startBtcd(t, 1), false)
	if binary := os.Getenv(coreVariable); binary != "" {
		check(startCore(t, binary, 1), enforcing(t, binary) != nil)
	}
	c := badNode(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	if _, err := c.RefusesBranches(t.Context()); err == nil {
		t.Error("no error for a node that does not answer")
	}
}

// A payout that the state of the mempool does not allow now may be allowed later.
func TestTemporaryReasons(t *testing.T) {
	for _, reason := range []string{"too-large-cluster", "TRUC-violation, tx x would exceed descendant count limit"} {
		if r := (&Refusal{Code: codeRejected, Reason: reason}); !r.Passing() {
			t.Errorf("%s is not temporary", reason)
		}
	}
}

// TestPolicyRefusal checks that Policy reports what the policy of a node rejects before a transaction is signed: btcd
// with --rejectnonstd and Knots by default reject all runestones.
func TestPolicyRefusal(t *testing.T) {
	type want struct{ transfer, reveal string }
	check := func(t *testing.T, n *node, want want) {
		n.mine(110)
		transfer, reveal := n.probes()
		if got := n.policy(transfer); got != want.transfer && (want.transfer != "…" || got == "") {
			t.Errorf("policy for a transfer: %q, want %q", got, want.transfer)
		}
		if got := n.policy(reveal); got != want.reveal && (want.reveal != "…" || got == "") {
			t.Errorf("policy for a reveal: %q, want %q", got, want.reveal)
		}
	}
	t.Run("btcd", func(t *testing.T) { check(t, startBtcd(t, 1), want{}) })
	t.Run("btcd with standardness", func(t *testing.T) {
		check(t, startBtcd(t, 1, "--notls", "--txindex", "--rejectnonstd"), want{"…", "…"})
	})
	binary := os.Getenv(coreVariable)
	if binary == "" {
		return
	}
	if enforcing(t, binary) == nil { // the settings below exist only in Knots
		t.Run("core", func(t *testing.T) { check(t, startCore(t, binary, 1, "-acceptnonstdtxn=0"), want{}) })
		return
	}
	t.Run("knots as it comes", func(t *testing.T) {
		check(t, startCore(t, binary, 1, "-acceptnonstdtxn=0"), want{"tokens-runes", "tokens-runes"})
	})
	t.Run("knots with runes", func(t *testing.T) {
		check(t, startCore(t, binary, 1, "-acceptnonstdtxn=0", "-rejecttokens=0"), want{"", "txn-datacarrier-nonstandard"})
	})
	t.Run("knots with runes and etchings", func(t *testing.T) {
		check(t, startCore(t, binary, 1, "-acceptnonstdtxn=0", "-rejecttokens=0", "-acceptnonstddatacarrier=1"), want{})
	})
	t.Run("knots without data", func(t *testing.T) {
		check(t, startCore(t, binary, 1, "-acceptnonstdtxn=0", "-rejecttokens=0", "-datacarrier=0"),
			want{"scriptpubkey", "scriptpubkey"})
	})
}
