package zmq

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/chain"
)

// coreVariable is the environment variable with the path of a node of the Core family.
const coreVariable = "MOONFUND_CORE_NODE"

// coreNode is a node on regtest that publishes the changes of its mempool on all interfaces.
type coreNode struct {
	t         *testing.T
	url, dir  string
	arguments []string
	process   *exec.Cmd
}

func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// prepareCore returns a node that is not started, or skips the test.
func prepareCore(t *testing.T) *coreNode {
	t.Helper()
	binary := os.Getenv(coreVariable)
	if binary == "" {
		t.Skip(coreVariable + " names no node")
	}
	n := &coreNode{t: t, dir: t.TempDir()}
	port := freePort(t)
	n.url = "http://127.0.0.1:" + port
	n.arguments = []string{binary, "-regtest", "-datadir=" + n.dir, "-rpcport=" + port, "-listen=0", "-txindex", "-server",
		"-printtoconsole=0", "-fallbackfee=0.0001", "-zmqpubsequence=tcp://0.0.0.0:" + freePort(t)}
	t.Cleanup(n.stop)
	return n
}

func (n *coreNode) start() {
	n.t.Helper()
	n.process = exec.Command(n.arguments[0], n.arguments[1:]...)
	if err := n.process.Start(); err != nil {
		n.t.Fatal(err)
	}
	n.await(func() bool { return n.try(nil, "getblockcount") == nil })
}

// stop ends the node and waits until its process has ended.
func (n *coreNode) stop() {
	if n.process != nil {
		_ = n.process.Process.Signal(os.Interrupt)
		_ = n.process.Wait()
		n.process = nil
	}
}

func (n *coreNode) await(met func() bool) {
	n.t.Helper()
	for deadline := time.Now().Add(time.Minute); !met(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			n.t.Fatal("not within a minute")
		}
	}
}

// call calls a method that chain.Client does not have.
func (n *coreNode) call(result any, method string, parameters ...any) {
	n.t.Helper()
	if err := n.try(result, method, parameters...); err != nil {
		n.t.Fatal(err)
	}
}

func (n *coreNode) try(result any, method string, parameters ...any) error {
	cookie, err := os.ReadFile(filepath.Join(n.dir, "regtest", ".cookie"))
	if err != nil {
		return err
	}
	body, err := json.Marshal(map[string]any{"method": method, "params": append([]any{}, parameters...)})
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(n.t.Context(), http.MethodPost, n.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	user, password, _ := strings.Cut(string(cookie), ":")
	request.SetBasicAuth(user, password)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var answer struct {
		Result json.RawMessage
		Error  any
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return err
	}
	if answer.Error != nil {
		return fmt.Errorf("%s: %v", method, answer.Error)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(answer.Result, result)
}

// countingSource counts the lists.
type countingSource struct {
	*chain.Client
	lists int
}

func (s *countingSource) Mempool(ctx context.Context) ([]chainhash.Hash, error) {
	s.lists++
	return s.Client.Mempool(ctx)
}

// TestMempoolOfANode compares the tracked mempool with that of a node of the Core family: through new and replaced
// transactions, blocks, a reorg and a restart.
func TestMempoolOfANode(t *testing.T) {
	n := prepareCore(t)
	n.start()
	client := chain.NewClient(chain.ClientConfig{URL: n.url, CookieFile: filepath.Join(n.dir, "regtest", ".cookie")})
	source := &countingSource{Client: client}
	s := New(client.SequencePublisher, slog.New(slog.DiscardHandler))
	start(t, s)
	n.await(s.Connected)
	pool := chain.NewMempool(source, s.Next)
	have := map[chainhash.Hash]bool{}
	agree := func() { // waits until the tracked mempool is the node's
		t.Helper()
		n.await(func() bool {
			added, removed, err := pool.Poll(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range removed {
				delete(have, id)
			}
			for _, tx := range added {
				have[tx.ID] = true
			}
			ids, err := client.Mempool(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			same := len(ids) == len(have)
			for _, id := range ids {
				same = same && have[id] && pool.Contains(id)
			}
			return same
		})
	}
	var address, block, sent string
	n.call(nil, "createwallet", "w")
	n.call(&address, "getnewaddress")
	n.call(nil, "generatetoaddress", 110, address)
	n.call(&sent, "sendtoaddress", address, 1) // the first message: what came before it can be missing
	agree()
	lists := source.lists
	for range 10 {
		n.call(&sent, "sendtoaddress", address, 1)
		agree()
	}
	n.call(nil, "bumpfee", sent)
	agree()
	if source.lists != lists {
		t.Errorf("%d lists for transactions that were notified", source.lists-lists)
	}
	n.call(nil, "generatetoaddress", 1, address)
	agree()
	if len(have) != 0 {
		t.Errorf("%d transactions after a block", len(have))
	}
	n.call(&block, "getbestblockhash")
	n.call(nil, "invalidateblock", block)
	agree()
	if len(have) != 11 {
		t.Errorf("%d transactions after the block was undone, want 11", len(have))
	}
	n.stop()
	n.await(func() bool { return !s.Connected() })
	n.start()
	n.call(nil, "loadwallet", "w")
	n.await(s.Connected)
	n.call(nil, "sendtoaddress", address, 1)
	agree()
}
