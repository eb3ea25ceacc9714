package testkit

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/btcsuite/btcd/chaincfg/v2"
	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/testkit/corenode"
	"moonfund/internal/testkit/engine"
)

// A world can use btcd, a real Bitcoin node, as a child process, or a node of the Core family in its place. The node in
// memory then chooses the content of blocks, like a miner, and the services use only the real node. Every block and
// transaction must therefore be valid for the real node.

// nodeVariable is the environment variable that selects the node of all worlds of a test program: "memory", "btcd" or
// "core".
const nodeVariable = "MOONFUND_TEST_NODE"

func init() {
	switch node := os.Getenv(nodeVariable); node {
	case "", "memory":
	case "btcd":
		useBtcd()
	case "core":
		useBtcd()
		core = os.Getenv(corenode.Variable)
	default:
		fmt.Fprintf(os.Stderr, "%s is %q; it is memory, btcd or core\n", nodeVariable, node)
		os.Exit(2)
	}
}

func useBtcd() {
	// coinbases mature
	realBase, Rune = time.Now().Add(-20*time.Hour).Truncate(time.Minute), runes.ID{Block: maturity + 1, Tx: 1}
}

// Real reports whether new worlds use btcd.
func Real() bool { return !realBase.IsZero() }

// OnBtcd makes the worlds of this test use btcd. Tests that run in parallel must not call it. The test is skipped with
// -short and, since the node does not depend on the database, on PostgreSQL.
func OnBtcd(t testing.TB) {
	if testing.Short() || engine.Current() == engine.Postgres {
		t.Skip("it needs btcd: it runs on SQLite, without -short")
	}
	base, rune := realBase, Rune
	useBtcd()
	t.Cleanup(func() { realBase, Rune = base, rune })
}

// OnCore is like OnBtcd, with the node of the Core family that corenode.Variable names. It skips the test if it names
// none.
func OnCore(t testing.TB) {
	binary := os.Getenv(corenode.Variable)
	if binary == "" {
		t.Skip(corenode.Variable + " names no node")
	}
	OnBtcd(t)
	before := core
	core = binary
	t.Cleanup(func() { core = before })
}

// core is the path of a bitcoind of the Core family that worlds use in place of btcd, or "".
var core string

// realBase is the time of the chain's first blocks with btcd; it is zero for the node in memory. btcd relays only while
// its tip is less than a day old, and rejects blocks whose time is in the future. With btcd the clock of block headers
// is therefore slower than the clock of deadlines: seven weeks correspond to ten hours of the chain.
var realBase time.Time

// slowdown is the factor by which the clock of block headers is slower.
const slowdown = 120

// onChain converts a time of the clock to the scale of block headers.
func onChain(at time.Time) time.Time {
	if !Real() {
		return at
	}
	return realBase.Add(at.Sub(Genesis) / slowdown)
}

// Calendar returns the start of epoch 0 and the length of an epoch, on the scale of block headers.
func Calendar() (genesis time.Time, length time.Duration) { return onChain(Genesis), epochLength() }

func epochLength() time.Duration {
	if !Real() {
		return EpochLength
	}
	return EpochLength / slowdown
}

const (
	maturity   = 100 // confirmations of a coinbase that can be spent
	startLimit = 30 * time.Second
	login      = "testkit"
)

// btcd is a btcd process and its chain. The process may not be started yet.
type btcd struct {
	t      testing.TB
	client *chain.Client
	url    string
	cmd    *exec.Cmd
	blocks [][]byte // submitted blocks by height, without the genesis block
}

var program = sync.OnceValues(func() (string, error) {
	path, err := exec.Command("go", "tool", "-n", "btcd").Output()
	return strings.TrimSpace(string(path)), err
})

// startBtcd starts a process, which is killed when the test ends, at the latest.
func startBtcd(t testing.TB) *btcd {
	t.Helper()
	for attempt := 0; ; attempt++ { // another process may bind the free port first
		n, err := tryBtcd(t)
		if err == nil {
			return n
		}
		if attempt == 3 {
			t.Fatal(err)
		}
	}
}

func tryBtcd(t testing.TB) (*btcd, error) {
	port := corenode.FreePort(t)
	n := &btcd{t: t, url: "http://127.0.0.1:" + port, cmd: command(t, port)}
	n.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	Must(t, n.cmd.Start())
	t.Cleanup(n.stop)
	n.client = chain.NewClient(chain.ClientConfig{URL: n.url, User: login, Password: login, Timeout: startLimit})
	ctx, cancel := context.WithTimeout(context.Background(), startLimit)
	defer cancel()
	poll := time.NewTicker(10 * time.Millisecond)
	defer poll.Stop()
	for {
		select {
		case <-ctx.Done():
			n.stop()
			return nil, errors.New("testkit: btcd does not answer")
		case <-poll.C:
			if _, _, err := n.client.Best(ctx); err == nil {
				return n, nil
			}
		}
	}
}

// command returns the command that starts a real node whose RPC has a port.
func command(t testing.TB, port string) *exec.Cmd {
	dir := t.TempDir()
	config := filepath.Join(dir, "node.conf")
	write := func(lines string) { Must(t, os.WriteFile(config, []byte(lines), 0o600)) }
	if core != "" { // rejecttokens and acceptnonstddatacarrier are for Knots; Core ignores them
		write("rpcuser=" + login + "\nrpcpassword=" + login + "\nserver=1\nlisten=0\ntxindex=1\nprinttoconsole=0\n" +
			"disablewallet=1\nmaxtipage=1000000000\nrejecttokens=0\nacceptnonstddatacarrier=1\n")
		return exec.Command(core, "-regtest", "-datadir="+dir, "-conf="+config, "-rpcport="+port)
	}
	path, err := program()
	Must(t, err)
	write("rpclisten=127.0.0.1:" + port + "\nrpcuser=" + login + "\nrpcpass=" + login +
		"\nnolisten=1\nnodnsseed=1\nnoonion=1\n" +
		"nocfilters=1\nutxocachemaxsize=16\nlimitfreerelay=0\nnorelaypriority=1\ndebuglevel=error\nlogdir=" + dir + "\n")
	return exec.Command(path, "--datadir="+dir, "--configfile="+config, "--regtest", "--notls", "--txindex")
}

func (n *btcd) stop() {
	if n.cmd.ProcessState == nil {
		_ = n.cmd.Process.Kill()
		_ = n.cmd.Wait()
	}
}

// copy starts a new process with the same blocks and an empty mempool.
func (n *btcd) copy(t testing.TB) *btcd {
	t.Helper()
	next := startBtcd(t)
	next.submit(n.blocks...)
	return next
}

// restart replaces the process by one with the same blocks and an empty mempool.
func (n *btcd) restart() {
	n.stop()
	*n = *n.copy(n.t)
}

// submit submits the next blocks in one batch, because btcd needs a connection for each call. If the process is not
// started yet, submit only stores the blocks.
func (n *btcd) submit(raw ...[]byte) {
	n.t.Helper()
	n.blocks = append(n.blocks, raw...)
	if n.cmd == nil {
		return
	}
	calls := make([]map[string]any, len(raw))
	for i, block := range raw {
		calls[i] = call("submitblock", hex.EncodeToString(block))
	}
	var answers []struct{ Result, Error any }
	Must(n.t, json.Unmarshal(n.post(calls), &answers))
	for i, answer := range answers {
		if answer.Result != nil || answer.Error != nil {
			n.t.Fatalf("btcd rejects block %d: %v, %v", len(n.blocks)-len(raw)+i+1, answer.Result, answer.Error)
		}
	}
}

// rewind removes the last blocks. lowest is the hash of the first removed block.
func (n *btcd) rewind(depth int, lowest chainhash.Hash) {
	n.t.Helper()
	n.blocks = n.blocks[:len(n.blocks)-depth]
	n.post(call("invalidateblock", lowest.String()))
	if _, height, err := n.client.Best(context.Background()); err != nil || height != int64(len(n.blocks)) {
		n.t.Fatalf("btcd is at height %d, want %d: %v", height, len(n.blocks), err)
	}
}

func call(method string, params ...string) map[string]any {
	return map[string]any{"jsonrpc": "1.0", "id": 1, "method": method, "params": params}
}

// post makes a call or a batch of calls that chain.Client does not support, and returns the response.
func (n *btcd) post(calls any) []byte {
	n.t.Helper()
	body, err := json.Marshal(calls)
	Must(n.t, err)
	request, err := http.NewRequest(http.MethodPost, n.url, bytes.NewReader(body))
	Must(n.t, err)
	request.SetBasicAuth(login, login)
	answer, err := http.DefaultClient.Do(request)
	Must(n.t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	Must(n.t, err)
	return text
}

// realNode is the node that the services use if there is a real node. Its queries go to the real node.
type realNode struct{ *Node }

// Best implements follower.Node.
func (r realNode) Best(ctx context.Context) (chainhash.Hash, int64, error) {
	return r.real.client.Best(ctx)
}

// BlockHash implements follower.Node.
func (r realNode) BlockHash(ctx context.Context, height int64) (chainhash.Hash, error) {
	return r.real.client.BlockHash(ctx, height)
}

// Block implements follower.Node.
func (r realNode) Block(ctx context.Context, hash chainhash.Hash, height int64) (chain.Block, error) {
	return r.real.client.Block(ctx, hash, height)
}

// Mempool implements follower.Node.
func (r realNode) Mempool(ctx context.Context) ([]chainhash.Hash, error) {
	return r.real.client.Mempool(ctx)
}

// Tx implements follower.Node.
func (r realNode) Tx(ctx context.Context, id chainhash.Hash) (chain.Tx, chain.Status, error) {
	return r.real.client.Tx(ctx, id)
}

// kind returns "memory", "btcd" or "core".
func (n *Node) kind() string {
	switch {
	case n.real == nil:
		return "memory"
	case core != "":
		return "core"
	}
	return "btcd"
}

// subsidy returns the value of a coinbase in sats. With btcd it decreases with the subsidy.
func (n *Node) subsidy(height int64) int64 {
	if n.real == nil {
		return 40e8
	}
	return (50e8 >> (height / 150)) * 8 / 10
}

// solvedBlock returns a block with a coinbase, transactions and a valid proof of work.
func (n *Node) solvedBlock(height int64, coinbase *wire.MsgTx, txs []chain.Tx) *wire.MsgBlock {
	coinbase.TxIn[0].Witness = wire.TxWitness{make([]byte, chainhash.HashSize)}
	all := []*wire.MsgTx{coinbase}
	for _, tx := range txs {
		all = append(all, tx.Msg)
	}
	root := MerkleRoot(all, func(tx *wire.MsgTx) chainhash.Hash {
		if tx == coinbase {
			return chainhash.Hash{}
		}
		return tx.WitnessHash()
	})
	commitment := chainhash.DoubleHashB(append(root[:], make([]byte, chainhash.HashSize)...))
	coinbase.AddTxOut(wire.NewTxOut(0, append([]byte{txscript.OP_RETURN, 36, 0xaa, 0x21, 0xa9, 0xed}, commitment...)))
	block := wire.NewMsgBlock(&wire.BlockHeader{
		Version: 0x20000000, PrevBlock: n.blocks[height-1].Hash, Bits: chaincfg.RegressionNetParams.PowLimitBits,
		Timestamp: n.nextTime(),
	})
	block.Transactions = all
	block.Header.MerkleRoot = MerkleRoot(all, (*wire.MsgTx).TxHash)
	for ; ; block.Header.Nonce++ { // about every second nonce is valid
		hash := block.Header.BlockHash()
		for i := range len(hash) / 2 {
			hash[i], hash[len(hash)-1-i] = hash[len(hash)-1-i], hash[i]
		}
		if new(big.Int).SetBytes(hash[:]).Cmp(chaincfg.RegressionNetParams.PowLimit) <= 0 {
			return block
		}
	}
}

// nextTime returns the header time of the next block: the clock's time, but at least one second after the median time
// of the last eleven blocks.
func (n *Node) nextTime() time.Time {
	var last []int64
	for _, block := range n.blocks[max(0, len(n.blocks)-11):] {
		last = append(last, block.Time.Unix())
	}
	slices.Sort(last)
	return time.Unix(max(last[len(last)/2]+1, n.clock.onChain().Unix()), 0).UTC()
}

// MerkleRoot returns the root of the Merkle tree whose leaves are the hashes of transactions.
func MerkleRoot(txs []*wire.MsgTx, leaf func(*wire.MsgTx) chainhash.Hash) chainhash.Hash {
	level := make([]chainhash.Hash, len(txs))
	for i, tx := range txs {
		level[i] = leaf(tx)
	}
	for len(level) > 1 {
		if len(level)%2 == 1 {
			level = append(level, level[len(level)-1])
		}
		for i := range len(level) / 2 {
			level[i] = chainhash.DoubleHashH(append(bytes.Clone(level[2*i][:]), level[2*i+1][:]...))
		}
		level = level[:len(level)/2]
	}
	return level[0]
}

// newRealNode returns a node with a btcd process and enough blocks to spend the first coinbase.
func newRealNode(t testing.TB, clock *Clock) *Node {
	t.Helper()
	n := emptyNode(clock)
	n.real = &btcd{t: t}
	genesis := chaincfg.RegressionNetParams.GenesisBlock
	n.blocks = []chain.Block{{
		Hash: genesis.BlockHash(), Time: genesis.Header.Timestamp.UTC(),
		Txs: []chain.Tx{chain.NewTx(genesis.Transactions[0])},
	}}
	n.unspent.undo = append(n.unspent.undo, nil)
	for range maturity {
		n.Mine()
	}
	n.real = n.real.copy(t)
	return n
}

// mineReal submits a mined block to btcd and returns it.
func (n *Node) mineReal(height int64, coinbase *wire.MsgTx, txs []chain.Tx) chain.Block {
	block := n.solvedBlock(height, coinbase, txs)
	var raw bytes.Buffer
	if err := block.Serialize(&raw); err != nil {
		panic(fmt.Sprint("testkit: ", err))
	}
	n.real.submit(raw.Bytes())
	mined := chain.Block{Height: height, Hash: block.BlockHash(), Prev: block.Header.PrevBlock,
		Time: block.Header.Timestamp}
	for _, tx := range block.Transactions {
		mined.Txs = append(mined.Txs, chain.NewTx(tx))
	}
	return mined
}

// Mature mines empty blocks until the staker of a unit can recover its output. It does nothing for the node in memory,
// which does not check relative lock times.
func (w *World) Mature(unitID string) {
	w.Helper()
	if w.Node.real == nil {
		return
	}
	for unit := w.Unit(unitID); w.Node.Height()+1 < unit.Height+delay; {
		w.Node.MineOnly()
	}
	w.Step()
}
