package devnet

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
)

// keepRunning is an environment variable. If it is set, the test binary runs a dev network in the folder that it names,
// until it is killed.
const keepRunning = "DEVNET_TEST_RUN_IN"

var btcd string

func TestMain(m *testing.M) {
	out, err := exec.Command("go", "tool", "-n", "btcd").Output()
	if err != nil {
		fmt.Fprintln(os.Stderr, "btcd cannot be built:", err)
		os.Exit(1)
	}
	btcd = strings.TrimSpace(string(out))
	if dir := os.Getenv(keepRunning); dir != "" {
		runUntilKilled(dir)
	}
	os.Exit(m.Run())
}

func runUntilKilled(dir string) {
	n, err := Open(context.Background(), testConfig(dir))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	txid, _, err := n.Faucet(context.Background(), testAddress(), 20_000, 0, "")
	fmt.Println(n.ix.tipHash(), txid, n.node.cmd.Process.Pid, err)
	select {}
}

func testConfig(dir string) Config {
	return Config{
		Dir: dir, Binary: btcd, Log: slog.New(slog.DiscardHandler),
		Runes: []Rune{
			{Prefix: "lobo", Name: "LOBO•THE•WOLF•PUP", Symbol: "🐺", Divisibility: 8, Supply: 21_000_000 * 100_000_000},
			{Prefix: "pups", Name: "PUPS•WORLD•PEACE", Symbol: "P", Divisibility: 8, Supply: 21_000_000 * 100_000_000},
		},
	}
}

func open(t *testing.T, dir string) *Network {
	t.Helper()
	n, err := Open(t.Context(), testConfig(dir))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := n.Close(); err != nil {
			t.Error(err)
		}
	})
	return n
}

// testAddress is an address that no test spends from.
func testAddress() string {
	key, _ := btcec.PrivKeyFromBytes([]byte{31: 7})
	other, err := newFaucetKey(key)
	if err != nil {
		panic(err)
	}
	return addressOf(other.script)
}

func addressOf(script []byte) string {
	network, err := chain.NetworkByName("regtest")
	if err != nil {
		panic(err)
	}
	address, ok := chain.AddressFromScript(script, network)
	if !ok {
		panic("no address")
	}
	return address.Text
}

func faucet(t *testing.T, n *Network, sats amount.Sats, units amount.Runes) chainhash.Hash {
	t.Helper()
	txid, _, err := n.Faucet(t.Context(), testAddress(), sats, units, "lobo")
	if err != nil {
		t.Fatal(err)
	}
	return txid
}

func mine(t *testing.T, n *Network, blocks int64, without ...chainhash.Hash) {
	t.Helper()
	if _, err := n.Mine(t.Context(), blocks, without); err != nil {
		t.Fatal(err)
	}
}

// waits reports whether the node has the transaction in its mempool.
func waits(t *testing.T, n *Network, txid chainhash.Hash) bool {
	t.Helper()
	ids, err := chain.NewClient(n.ClientConfig()).Mempool(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return slices.Contains(ids, txid)
}

// confirmations returns the number of confirmations that the node reports.
func confirmations(t *testing.T, n *Network, txid chainhash.Hash) int64 {
	t.Helper()
	_, status, err := chain.NewClient(n.ClientConfig()).Tx(t.Context(), txid)
	if err != nil {
		t.Fatal(err)
	}
	return status.Confirmations
}

func TestFirstStartEtches(t *testing.T) {
	n := open(t, t.TempDir())
	client := chain.NewClient(n.ClientConfig())
	best, height, err := client.Best(t.Context())
	if err != nil || best != n.ix.tipHash() || height != n.Height() {
		t.Fatalf("the node's tip %s at %d is not the index's tip, %v", best, height, err)
	}
	for _, e := range n.Runes() {
		entry, found, err := n.ix.runes.RuneEntry(e.ID)
		if err != nil || !found || entry.Premine.Lo != uint64(e.Supply) || entry.Divisibility != 8 ||
			string(*entry.Symbol) != e.Symbol {
			t.Errorf("%s at %s: %+v, %v", e.Name, e.ID, entry, err)
		}
		if deep := height - e.Height + 1; deep < 6 {
			t.Errorf("%s has %d confirmations", e.Name, deep)
		}
	}
	if len(n.Runes()) != 2 {
		t.Errorf("etched: %+v", n.Runes())
	}
	if ahead := time.Until(n.ix.latestTime()); ahead > time.Second {
		t.Errorf("the latest header time is %v ahead of the clock", ahead)
	}
}

func TestMineWithout(t *testing.T) {
	n := open(t, t.TempDir())
	held, other := faucet(t, n, 50_000, 0), faucet(t, n, 60_000, 0)
	mine(t, n, 2, held)
	if !waits(t, n, held) || confirmations(t, n, other) != 2 {
		t.Fatal("the excluded transaction was mined, or another one was not")
	}
	mine(t, n, 1)
	if waits(t, n, held) || confirmations(t, n, held) != 1 {
		t.Fatal("the excluded transaction was not mined later")
	}
}

func TestReorgReturnsTransactions(t *testing.T) {
	n := open(t, t.TempDir())
	var txids []chainhash.Hash
	for range 3 {
		txids = append(txids, faucet(t, n, 50_000, 1_000))
		mine(t, n, 1)
	}
	before := n.Height()
	height, err := n.Reorg(t.Context(), 3, nil)
	if err != nil || height != before+1 {
		t.Fatalf("height %d after %d, %v", height, before, err)
	}
	if err := n.checkTip(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, txid := range txids {
		if !waits(t, n, txid) {
			t.Errorf("%s is not back in the mempool", txid)
		}
	}
	mine(t, n, 1)
	for _, txid := range txids {
		if confirmations(t, n, txid) != 1 {
			t.Errorf("%s was not mined again", txid)
		}
	}
}

func TestReorgForgets(t *testing.T) {
	dir := t.TempDir()
	n := open(t, dir)
	mine(t, n, 1)
	lost := faucet(t, n, 50_000, 0)
	mine(t, n, 1)
	stays := faucet(t, n, 0, 5)
	mine(t, n, 1)
	if _, err := n.Reorg(t.Context(), 3, []chainhash.Hash{lost}); err != nil {
		t.Fatal(err)
	}
	if waits(t, n, lost) || !waits(t, n, stays) {
		t.Fatal("Reorg did not delete the given transaction, or deleted another")
	}
	if _, err := n.Reorg(t.Context(), 1, []chainhash.Hash{{1}}); err == nil {
		t.Error("Reorg accepted the id of an unknown transaction")
	}
	tip := n.ix.tipHash()
	if err := n.Close(); err != nil {
		t.Fatal(err)
	}
	n = open(t, dir)
	if n.ix.tipHash() != tip || waits(t, n, lost) || !waits(t, n, stays) {
		t.Fatal("the tip or the mempool changed with a restart")
	}
}

func TestReorgLimits(t *testing.T) {
	n := open(t, t.TempDir())
	for _, depth := range []int64{0, -1, 100, n.Height()} {
		if _, err := n.Reorg(t.Context(), depth, nil); err == nil {
			t.Errorf("Reorg accepted the depth %d", depth)
		}
	}
	if _, err := n.Reorg(t.Context(), 50, nil); err == nil || !strings.Contains(err.Error(), "undo the etching") {
		t.Errorf("a reorg that would undo an etching: %v, want an error", err)
	}
}

// TestMinerWaitsForLocks checks that the miner omits a transaction whose relative lock has not passed after a reorg,
// which would make the block invalid.
func TestMinerWaitsForLocks(t *testing.T) {
	n := open(t, t.TempDir())
	parent, _, err := n.Faucet(t.Context(), addressOf(n.key.script), 100_000, 0, "")
	if err != nil {
		t.Fatal(err)
	}
	mine(t, n, 2)
	p := &payment{key: n.key, tx: wire.NewMsgTx(2)}
	p.spend(coin{OutPoint: wire.OutPoint{Hash: parent}, TxOut: wire.NewTxOut(100_000, n.key.script)})
	p.tx.TxIn[0].Sequence = 2
	p.tx.AddTxOut(wire.NewTxOut(99_000, n.key.script))
	if err := p.sign(); err != nil {
		t.Fatal(err)
	}
	child, err := n.Broadcast(t.Context(), encodeTx(p.tx))
	if err != nil {
		t.Fatal(err)
	}
	mine(t, n, 1)
	if _, err := n.Reorg(t.Context(), 3, nil); err != nil {
		t.Fatal(err)
	}
	mine(t, n, 1)
	if confirmations(t, n, parent) != 1 {
		t.Fatal("the parent was not mined again")
	}
	if _, err := n.Broadcast(t.Context(), encodeTx(p.tx)); err == nil && confirmations(t, n, child) > 0 {
		t.Fatal("the child was mined before its lock passed")
	}
	mine(t, n, 1)
	if _, err := n.Broadcast(t.Context(), encodeTx(p.tx)); err != nil {
		t.Fatal(err)
	}
	mine(t, n, 1)
	if confirmations(t, n, child) != 1 {
		t.Fatal("the child was not mined after its lock passed")
	}
}

func TestKilledNodeComesBack(t *testing.T) {
	n := open(t, t.TempDir())
	client := chain.NewClient(n.ClientConfig())
	txid := faucet(t, n, 50_000, 0)
	tip, dead := n.ix.tipHash(), n.node
	if err := syscall.Kill(dead.cmd.Process.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-dead.exited
	deadline := time.Now().Add(20 * time.Second)
	for {
		best, _, err := client.Best(t.Context())
		if err == nil && best == tip {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the node was not restarted: best block %s, %v", best, err)
		}
	}
	if !waits(t, n, txid) {
		t.Error("the mempool was not restored")
	}
	mine(t, n, 1)
	if confirmations(t, n, txid) != 1 {
		t.Error("the transaction was not mined after the restart")
	}
}

func TestKilledProgramGoesOn(t *testing.T) {
	dir := t.TempDir()
	program := exec.Command(os.Args[0])
	program.Env = append(os.Environ(), keepRunning+"="+dir)
	program.Stderr = os.Stderr
	stdout, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	var tip, txid, failed string
	var child int
	line, err := bufio.NewReader(stdout).ReadString('\n')
	fmt.Sscan(line, &tip, &txid, &child, &failed)
	program.Process.Kill()
	program.Wait()
	if err != nil || failed != "<nil>" {
		t.Fatalf("%q, %v", line, err)
	}
	n := open(t, dir)
	if n.ix.tipHash().String() != tip {
		t.Errorf("tip %s, want %s", n.ix.tipHash(), tip)
	}
	id, _ := chainhash.NewHashFromStr(txid)
	if !waits(t, n, *id) {
		t.Error("the unconfirmed transaction was not restored")
	}
	if runsOurNode(child, filepath.Join(dir, "btcd")) {
		t.Error("the node of the killed program is still running")
	}
}

func TestOrphanIsEndedAndOthersAreNot(t *testing.T) {
	dir := t.TempDir()
	orphan := exec.Command(btcd, dataDirFlag(dir), "--regtest", "--notls", "--norpc", "--nolisten", "--logdir="+dir,
		"--configfile="+filepath.Join(dir, "none"))
	if err := orphan.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- orphan.Wait() }()
	record := func(pid int) {
		if err := os.WriteFile(pidFile(dir), []byte(strconv.Itoa(pid)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	record(os.Getpid())
	if err := endOrphan(dir); err != nil {
		t.Fatal(err)
	}
	record(orphan.Process.Pid)
	if err := endOrphan(dir); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Fatal("the orphan is still running")
	}
}

func TestRunMinesByItself(t *testing.T) {
	config := testConfig(t.TempDir())
	config.Interval = 10 * time.Millisecond
	n, err := Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	txid := faucet(t, n, 50_000, 0)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	stopped := make(chan struct{})
	go func() { n.Run(ctx); close(stopped) }()
	for waits(t, n, txid) && ctx.Err() == nil {
		runtime.Gosched()
	}
	cancel()
	<-stopped
	if confirmations(t, n, txid) < 1 {
		t.Error("Run did not mine the transaction")
	}
}

// TestForeignTransactionSurvivesReorg checks that a transaction that a program broadcast directly to the node survives
// a reorg.
func TestForeignTransactionSurvivesReorg(t *testing.T) {
	n := open(t, t.TempDir())
	mine(t, n, 1)
	first := faucet(t, n, 50_000, 0)
	raw := encodeTx(n.kept.txs[first])
	if _, err := n.Reorg(t.Context(), 1, []chainhash.Hash{first}); err != nil {
		t.Fatal(err)
	}
	if waits(t, n, first) {
		t.Fatal("the transaction is still in the mempool")
	}
	if err := chain.NewClient(n.ClientConfig()).Broadcast(t.Context(), raw); err != nil {
		t.Fatal(err)
	}
	mine(t, n, 2)
	if _, err := n.Reorg(t.Context(), 2, nil); err != nil {
		t.Fatal(err)
	}
	if !waits(t, n, first) {
		t.Error("the transaction is not in the mempool after the reorg")
	}
}

func TestTornChainFile(t *testing.T) {
	dir := t.TempDir()
	n := open(t, dir)
	txid := faucet(t, n, 50_000, 0)
	parent := n.ix.tipHash()
	mine(t, n, 1)
	size := n.blocks.size
	if err := n.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(dir, "blocks"), size-1); err != nil {
		t.Fatal(err)
	}
	n = open(t, dir)
	if n.ix.tipHash() != parent || !waits(t, n, txid) {
		t.Fatalf("tip %s, want %s with the transaction unconfirmed", n.ix.tipHash(), parent)
	}
	mine(t, n, 1)
}

func TestStartErrorsAreSentences(t *testing.T) {
	dir := t.TempDir()
	config := testConfig(dir)
	config.Binary = filepath.Join(dir, "no-btcd")
	if _, err := Open(t.Context(), config); err == nil || !strings.Contains(err.Error(), "is missing") {
		t.Errorf("a missing binary: %v", err)
	}
	n := open(t, dir)
	if _, err := Open(t.Context(), testConfig(dir)); err == nil || !strings.Contains(err.Error(), "already runs") {
		t.Errorf("a second network in the folder: %v", err)
	}
	mine(t, n, 1)
	config = testConfig(t.TempDir())
	config.Runes = []Rune{{Prefix: "short", Name: "LOBO", Symbol: "L", Supply: 1}}
	if _, err := Open(t.Context(), config); err == nil || !strings.Contains(err.Error(), "13 letters") {
		t.Errorf("a short name: %v", err)
	}
}
