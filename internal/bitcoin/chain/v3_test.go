package chain

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

// TestVersion3 sends transactions of version 3 (TRUC, BIP-431) to btcd, which ignores the version, and to the
// Core-family node if there is one. Core allows such a transaction a single unconfirmed child, of version 3 and at most
// 1,000 vB, so that a replacement stays cheap.
func TestVersion3(t *testing.T) {
	t.Run("btcd", func(t *testing.T) {
		t.Parallel()
		n := startBtcd(t, 1)
		if relays, err := n.RelaysV3(t.Context()); relays || err != nil {
			t.Errorf("RelaysV3 on btcd = %t, %v; want false", relays, err)
		}
		coinbase := n.mine(101)[0].Txs[0]
		parent := n.version(3, coinbase, 1000, 0)
		n.broadcast(parent)
		n.broadcast(n.version(2, parent, 1000, 0)) // btcd accepts the version but does not apply BIP-431
	})
	if binary := os.Getenv(coreVariable); binary != "" {
		t.Run("core", func(t *testing.T) {
			t.Parallel()
			n := startCore(t, binary, 1, enforcing(t, binary)...)
			coinbase := n.mine(101)[0].Txs[0]
			parent := n.version(3, coinbase, 1000, 0)
			n.broadcast(parent)
			n.refuses("a child of version 2", n.version(2, parent, 1000, 0))
			n.refuses("a child of more than 1,000 vB", n.version(3, parent, 100_000, 24))
			child := n.version(3, parent, 1000, 12)
			n.broadcast(child)
			n.refuses("a grandchild", n.version(3, child, 1000, 0))
			n.broadcast(n.version(3, coinbase, 4000, 0)) // pays more than the two transactions that it replaces
			if ids, err := n.Mempool(t.Context()); err != nil || len(ids) != 1 {
				t.Errorf("the mempool after the replacement: %v, %v", ids, err)
			}
		})
	}
}

// enforcing returns the flags with which a node applies BIP-431, as Core always does. Only nodes with the option
// -mempooltruc need any.
func enforcing(t *testing.T, binary string) []string {
	help, err := exec.Command(binary, "-help").Output()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(help), "-mempooltruc") {
		return []string{"-mempooltruc=enforce"}
	}
	return nil
}

func (n *node) refuses(what string, tx Tx) {
	n.t.Helper()
	err := n.Broadcast(n.t.Context(), tx.Bytes())
	if refusal, ok := errors.AsType[*Refusal](err); !ok {
		n.t.Errorf("%s: %v, want a refusal", what, err)
	} else {
		n.t.Logf("%s: %s", what, refusal.Reason)
	}
}

// version returns a signed transaction of the given version that sends output 0 of tx back to the node's key, with a
// number of additional outputs of 43 vB each.
func (n *node) version(version int32, tx Tx, fee int64, outputs int) Tx {
	n.t.Helper()
	prev := tx.Msg.TxOut[0]
	msg := wire.NewMsgTx(version)
	msg.AddTxIn(&wire.TxIn{PreviousOutPoint: wire.OutPoint{Hash: tx.ID}, Sequence: wire.MaxTxInSequenceNum - 2})
	msg.AddTxOut(wire.NewTxOut(prev.Value-fee-600*int64(outputs), n.script))
	for range outputs {
		msg.AddTxOut(wire.NewTxOut(600, n.script))
	}
	hashes := txscript.NewTxSigHashes(msg, txscript.NewCannedPrevOutputFetcher(prev.PkScript, prev.Value))
	witness, err := txscript.TaprootWitnessSignature(msg, hashes, 0, prev.Value, prev.PkScript, txscript.SigHashDefault,
		n.key)
	if err != nil {
		n.t.Fatal(err)
	}
	msg.TxIn[0].Witness = witness
	return NewTx(msg)
}
