package zmq

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/testkit/figures"
)

const (
	benchNodeEnv = "MOONFUND_BENCH_NODE" // file into which the node's process writes its address
	waiting      = 300_000               // transactions in the mempool
	perSecond    = 10                    // new transactions
)

// BenchmarkMempool measures the cost of reading a mempool of 300,000 transactions with 10 new ones each second and a
// block each minute: with notifications, and then with lists alone, as after the notifications ended. The process has
// only a chain.Mempool: no follower, ledger or index, which are measured elsewhere. The node is another process.
func BenchmarkMempool(b *testing.B) {
	if path := os.Getenv(benchNodeEnv); path != "" {
		serveMempool(b, path)
	}
	client := chain.NewClient(chain.ClientConfig{URL: startBenchNode(b)})
	s := New(client.SequencePublisher, slog.New(slog.DiscardHandler))
	go s.Run(b.Context())
	changes := s.Next
	pool := chain.NewMempool(client, func() ([]chain.MempoolChange, bool) { return changes() })
	for read := 0; read < waiting; { // a server that just started
		added, _, err := pool.Poll(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		read += len(added)
	}
	followFor(b, "notifications", pool, time.Minute) // a block, after which the list is fetched
	changes = func() ([]chain.MempoolChange, bool) { return nil, false }
	followFor(b, "lists", pool, 30*time.Second) // three lists
}

// followFor follows the mempool for a time and reports the cost.
func followFor(b *testing.B, mode string, pool *chain.Mempool, measured time.Duration) {
	seen, share := follow(b, pool, measured)
	b.ReportMetric(float64(seen)/measured.Seconds(), "seen_by_"+mode+"/s")
	what := "reading a mempool of 300,000 by " + mode + ", nothing else"
	figures.Report(b, figures.Figure{Name: what + ", of a core", Value: share * 100, Limit: 5, Unit: "%"})
	figures.Report(b, figures.Figure{Name: what + ", memory", Value: float64(peak()) / 1024, Limit: 200, Unit: "MiB"})
}

// follow polls each second for a time, as the follower does, and returns the number of added transactions and the
// processor time relative to the time.
func follow(b *testing.B, pool *chain.Mempool, measured time.Duration) (seen int, share float64) {
	before, began := processorTime(), time.Now()
	for time.Since(began) < measured {
		time.Sleep(time.Second)
		added, _, err := pool.Poll(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		seen += len(added)
	}
	return seen, float64(processorTime()-before) / float64(time.Since(began))
}

func usage() (u syscall.Rusage) {
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return u
}

func processorTime() time.Duration {
	u := usage()
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peak returns the greatest memory of the process so far, in KiB.
func peak() int64 { return usage().Maxrss }

// startBenchNode starts the node's process and returns the address of its RPC.
func startBenchNode(b *testing.B) string {
	path := b.TempDir() + "/address"
	node := exec.Command(os.Args[0], "-test.run=^$", "-test.bench=^BenchmarkMempool$", "-test.benchtime=1x")
	node.Env = append(os.Environ(), benchNodeEnv+"="+path)
	node.Stderr = os.Stderr
	if err := node.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = node.Process.Kill()
		_ = node.Wait()
	})
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if text, err := os.ReadFile(path); err == nil && strings.HasSuffix(string(text), "\n") {
			return strings.TrimSpace(string(text))
		}
	}
	b.Fatal("the node did not start within a minute")
	return ""
}

// benchNode is a node with a large mempool, which consists of transactions by number.
type benchNode struct {
	publisher *publisher
	mu        sync.Mutex
	first     uint32 // number of the oldest transaction
	numbers   map[string]uint32
}

func numbered(n uint32) *wire.MsgTx {
	tx := wire.NewMsgTx(2)
	tx.LockTime = n
	tx.AddTxIn(wire.NewTxIn(&wire.OutPoint{Hash: chainhash.Hash{31: 1}, Index: n}, nil, nil))
	tx.AddTxOut(wire.NewTxOut(1000, make([]byte, 34)))
	return tx
}

// serveMempool serves until the process is killed.
func serveMempool(b *testing.B, path string) {
	n := &benchNode{publisher: publish(b, "127.0.0.1:0"), numbers: make(map[string]uint32, waiting)}
	for i := range uint32(waiting) {
		n.numbers[numbered(i).TxHash().String()] = i
	}
	server := httptest.NewServer(n)
	if err := os.WriteFile(path, []byte(server.URL+"\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	for tick := 1; ; tick++ {
		time.Sleep(time.Second / perSecond)
		n.mu.Lock()
		added, removed := numbered(n.first+waiting).TxHash(), numbered(n.first).TxHash()
		n.numbers[added.String()] = n.first + waiting
		delete(n.numbers, removed.String())
		n.first++
		n.mu.Unlock()
		n.publisher.send('A', added)
		n.publisher.send('R', removed)
		if tick%(60*perSecond) == 0 {
			n.publisher.send('C', added)
		}
	}
}

// ServeHTTP answers JSON-RPC.
func (n *benchNode) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var call struct {
		Method string
		Params []any
	}
	if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	var result any
	switch call.Method {
	case "getzmqnotifications":
		result = []map[string]any{{"type": "pubsequence", "address": n.publisher.address()}}
	case "getrawmempool":
		ids := make([]string, 0, len(n.numbers))
		for id := range n.numbers {
			ids = append(ids, id)
		}
		result = ids
	case "getrawtransaction":
		number, found := n.numbers[fmt.Sprint(call.Params[0])]
		if !found {
			w.WriteHeader(http.StatusInternalServerError)
			_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"code": -5, "message": "unknown"}})
			return
		}
		var raw strings.Builder
		_ = numbered(number).Serialize(hex.NewEncoder(&raw))
		result = map[string]any{"hex": raw.String(), "confirmations": 0}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"result": result, "error": nil, "id": 1})
}
