package chain

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

// coreVariable is the environment variable with the path of a Core-family bitcoind. If it is set, the tests that need a
// node also run on that node.
const coreVariable = "MOONFUND_CORE_NODE"

// buildBtcd returns the path of btcd, which is built once per test run and stored in Go's build cache.
var buildBtcd = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("go", "tool", "-n", "btcd").Output()
	return strings.TrimSpace(string(out)), err
})

// node is a regtest node of a test, with its RPC client.
type node struct {
	*Client
	t      *testing.T
	core   bool
	config ClientConfig
	key    *btcec.PrivateKey // the node's blocks pay to the BIP-86 address of this key
	script []byte
}

// eachNode runs a test on btcd, and on the Core-family node if there is one.
func eachNode(t *testing.T, test func(t *testing.T, start func(key byte) *node)) {
	t.Run("btcd", func(t *testing.T) {
		t.Parallel()
		test(t, func(key byte) *node { return startBtcd(t, key) })
	})
	if binary := os.Getenv(coreVariable); binary != "" {
		t.Run("core", func(t *testing.T) {
			t.Parallel()
			test(t, func(key byte) *node { return startCore(t, binary, key) })
		})
	}
}

func newNode(t *testing.T, seed byte) *node {
	key, _ := btcec.PrivKeyFromBytes(bytes.Repeat([]byte{seed}, 32))
	output := txscript.ComputeTaprootKeyNoScript(key.PubKey())
	return &node{t: t, key: key, script: script(txscript.OP_1, schnorr.SerializePubKey(output))}
}

func (n *node) address() string {
	a, ok := AddressFromScript(n.script, regtest)
	if !ok {
		n.t.Fatal("the miner's script has no address")
	}
	return a.Text
}

// startBtcd runs btcd with additional flags, by default without TLS and with the transaction index. TLS is on if the
// first flag is --rpccert, whose file btcd creates.
func startBtcd(t *testing.T, seed byte, flags ...string) *node {
	t.Helper()
	binary, err := buildBtcd()
	if err != nil {
		t.Fatalf("build btcd: %v", err)
	}
	n := newNode(t, seed)
	dir := t.TempDir()
	if len(flags) == 0 {
		flags = []string{"--notls", "--txindex"}
	}
	scheme := "http://"
	if cert, found := strings.CutPrefix(flags[0], "--rpccert="); found {
		scheme, n.config.CertFile = "https://", cert
	}
	n.config.User, n.config.Password = "alice", "a secret of the test"
	n.start(binary, func(rpc string) []string {
		n.config.URL = scheme + rpc
		return append([]string{
			"--regtest", "--configfile=" + filepath.Join(dir, "none.conf"),
			"--datadir=" + dir, "--logdir=" + filepath.Join(dir, "logs"),
			"--rpcuser=" + n.config.User, "--rpcpass=" + n.config.Password,
			"--rpclisten=" + rpc, "--listen=" + freePort(t),
			"--utxocachemaxsize=16", "--nocfilters", "--limitfreerelay=0", "--debuglevel=error",
			"--miningaddr=" + n.address(),
		}, flags...)
	})
	return n
}

func startCore(t *testing.T, binary string, seed byte, flags ...string) *node {
	t.Helper()
	n := newNode(t, seed)
	n.core = true
	dir := t.TempDir()
	n.start(binary, func(rpc string) []string {
		n.config = ClientConfig{URL: "http://" + rpc, CookieFile: filepath.Join(dir, "regtest", ".cookie")}
		_, port, _ := net.SplitHostPort(rpc)
		return append([]string{"-regtest", "-datadir=" + dir, "-rpcport=" + port, "-listen=0", "-txindex",
			"-acceptnonstdtxn=1", "-disablewallet", "-server", "-printtoconsole=0"}, flags...)
	})
	return n
}

// start runs the node until the test ends and waits for its first response. arguments returns the command line for an
// RPC address.
func (n *node) start(binary string, arguments func(rpc string) []string) {
	n.t.Helper()
	for attempt := 0; ; attempt++ { // another process may bind a free port first
		log, answers := n.tryStart(binary, arguments(freePort(n.t)))
		if answers {
			return
		}
		if attempt == 3 {
			n.t.Fatalf("the node exited: %s", log)
		}
	}
}

// tryStart runs the node and waits until it answers or exits. It returns the output of a node that exited.
func (n *node) tryStart(binary string, args []string) (log string, answers bool) {
	n.t.Helper()
	var output bytes.Buffer
	process := exec.Command(binary, args...)
	process.Stdout, process.Stderr = &output, &output
	if err := process.Start(); err != nil {
		n.t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = process.Wait(); close(ended) }()
	n.t.Cleanup(func() {
		if n.Client != nil {
			n.Close()
		}
		_ = process.Process.Signal(os.Interrupt)
		select {
		case <-ended:
		case <-time.After(20 * time.Second):
			_ = process.Process.Kill()
			<-ended
		}
	})
	n.eventually("the node answers", func() bool {
		select {
		case <-ended:
			return true
		default:
		}
		n.Client = NewClient(n.config) // a new client each time, because btcd may not have written the certificate yet
		_, err := n.GenesisHash(n.t.Context())
		answers = err == nil
		return answers
	})
	if !answers {
		log = output.String()
	}
	return log, answers
}

func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// eventually polls until done returns true and fails the test after 60 seconds.
func (n *node) eventually(what string, done func() bool) {
	n.t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(60 * time.Second)
	for !done() {
		select {
		case <-tick.C:
		case <-deadline:
			n.t.Fatalf("timeout while waiting until %s", what)
		}
	}
}

// mine adds blocks whose coinbase pays to the node's key.
func (n *node) mine(blocks int) []Block {
	n.t.Helper()
	var texts []string
	var err error
	if n.core {
		err = n.call(n.t.Context(), &texts, "generatetoaddress", blocks, n.address())
	} else {
		err = n.call(n.t.Context(), &texts, "generate", blocks)
	}
	if err != nil {
		n.t.Fatal(err)
	}
	_, tip := n.tip()
	mined := make([]Block, len(texts))
	for i, text := range texts {
		hash, err := chainhash.NewHashFromStr(text)
		if err != nil {
			n.t.Fatal(err)
		}
		if mined[i], err = n.Block(n.t.Context(), *hash, tip-int64(len(texts)-1-i)); err != nil {
			n.t.Fatal(err)
		}
	}
	return mined
}

func (n *node) tip() (chainhash.Hash, int64) {
	n.t.Helper()
	hash, height, err := n.Best(n.t.Context())
	if err != nil {
		n.t.Fatal(err)
	}
	return hash, height
}

// spend returns a signed transaction that sends output 0 of tx, which pays to the node's key, back to that key, minus a
// fee in sats.
func (n *node) spend(tx Tx, fee int64) Tx {
	n.t.Helper()
	prev := tx.Msg.TxOut[0]
	msg := wire.NewMsgTx(2)
	msg.AddTxIn(&wire.TxIn{PreviousOutPoint: wire.OutPoint{Hash: tx.ID}, Sequence: wire.MaxTxInSequenceNum - 2})
	msg.AddTxOut(wire.NewTxOut(prev.Value-fee, n.script))
	hashes := txscript.NewTxSigHashes(msg, txscript.NewCannedPrevOutputFetcher(prev.PkScript, prev.Value))
	witness, err := txscript.TaprootWitnessSignature(msg, hashes, 0, prev.Value, prev.PkScript, txscript.SigHashDefault,
		n.key)
	if err != nil {
		n.t.Fatal(err)
	}
	msg.TxIn[0].Witness = witness
	limits := DefaultPolicy()
	err = CheckPolicy(msg, func(wire.OutPoint) (*wire.TxOut, bool) { return prev, true }, limits)
	if err != nil {
		n.t.Fatalf("CheckPolicy: %v", err)
	}
	return NewTx(msg)
}

func (n *node) broadcast(tx Tx) {
	n.t.Helper()
	if err := n.Broadcast(n.t.Context(), tx.Bytes()); err != nil {
		n.t.Fatalf("broadcast: %v", err)
	}
}

func (n *node) raw(hash chainhash.Hash) []byte {
	n.t.Helper()
	raw, err := n.RawBlock(n.t.Context(), hash)
	if err != nil {
		n.t.Fatal(err)
	}
	return raw
}

// canceled returns a canceled context.
func canceled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

func height(n int64) string { return fmt.Sprintf("height %d", n) }
