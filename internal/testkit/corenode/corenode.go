// Package corenode runs a node of the Core family on regtest for tests.
package corenode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moonfund/internal/bitcoin/chain"
)

// Variable is the environment variable with the path of a bitcoind of the Core family.
const Variable = "MOONFUND_CORE_NODE"

// Node is a node on regtest with the transaction index.
type Node struct {
	URL, CookieFile string // of its RPC

	t         testing.TB
	arguments []string
	process   *exec.Cmd
}

// New returns a node that is not started, with additional flags. It skips the test if Variable is not set. The node is
// stopped when the test ends.
func New(t testing.TB, flags ...string) *Node {
	t.Helper()
	binary := os.Getenv(Variable)
	if binary == "" {
		t.Skip(Variable + " names no node")
	}
	dir, port := t.TempDir(), FreePort(t)
	n := &Node{t: t, URL: "http://127.0.0.1:" + port, CookieFile: filepath.Join(dir, "regtest", ".cookie")}
	n.arguments = append([]string{binary, "-regtest", "-datadir=" + dir, "-rpcport=" + port, "-listen=0", "-txindex",
		"-server", "-printtoconsole=0", "-fallbackfee=0.0001"}, flags...)
	t.Cleanup(n.Stop)
	return n
}

// IsKnots reports whether Variable names a node of Bitcoin Knots. It skips the test if Variable is not set.
func IsKnots(t testing.TB) bool {
	t.Helper()
	binary := os.Getenv(Variable)
	if binary == "" {
		t.Skip(Variable + " names no node")
	}
	version, err := exec.Command(binary, "-version").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(string(version), "Knots")
}

// FreePort returns a TCP port that is free now.
func FreePort(t testing.TB) string {
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

// Client returns a new client of the node.
func (n *Node) Client() *chain.Client {
	return chain.NewClient(chain.ClientConfig{URL: n.URL, CookieFile: n.CookieFile})
}

// Start starts the node and waits until it answers.
func (n *Node) Start() {
	n.t.Helper()
	n.process = exec.Command(n.arguments[0], n.arguments[1:]...)
	if err := n.process.Start(); err != nil {
		n.t.Fatal(err)
	}
	n.Await(func() bool { return n.Try(nil, "getblockcount") == nil })
}

// Stop ends the node and waits until its process has ended.
func (n *Node) Stop() {
	if n.process != nil {
		_ = n.process.Process.Signal(os.Interrupt)
		_ = n.process.Wait()
		n.process = nil
	}
}

// Await waits at most a minute until met returns true.
func (n *Node) Await(met func() bool) {
	n.t.Helper()
	for deadline := time.Now().Add(time.Minute); !met(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			n.t.Fatal("not within a minute")
		}
	}
}

// Call calls an RPC method and decodes its result into result, unless result is nil.
func (n *Node) Call(result any, method string, parameters ...any) {
	n.t.Helper()
	if err := n.Try(result, method, parameters...); err != nil {
		n.t.Fatal(err)
	}
}

// Try is Call, but returns the error.
func (n *Node) Try(result any, method string, parameters ...any) error {
	cookie, err := os.ReadFile(n.CookieFile)
	if err != nil {
		return err
	}
	body, err := json.Marshal(map[string]any{"method": method, "params": append([]any{}, parameters...)})
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(n.t.Context(), http.MethodPost, n.URL, bytes.NewReader(body))
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
