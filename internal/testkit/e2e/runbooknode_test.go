package e2e

import (
	"bytes"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// nodeProxy is a node as a server sees it. It can be down, and refuse transactions.
type nodeProxy struct {
	url, target string

	mutex   sync.Mutex
	down    bool
	refuses string // the reason why it refuses transactions; "": it accepts them
}

func newNodeProxy(t *testing.T, target string) *nodeProxy {
	t.Helper()
	address, err := url.Parse(target)
	must(t, err)
	p, forward := &nodeProxy{target: target}, httputil.NewSingleHostReverseProxy(address)
	forward.Transport = &http.Transport{DisableKeepAlives: true} // btcd closes connections after a response
	forward.ErrorLog = log.New(io.Discard, "", 0)                // a killed server cancels its calls
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		var call struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		_ = json.Unmarshal(body, &call) // other bodies are forwarded
		p.mutex.Lock()
		down, refuses := p.down, p.refuses
		p.mutex.Unlock()
		switch {
		case err != nil || down:
			panic(http.ErrAbortHandler) // closes the connection
		case refuses != "" && call.Method == "sendrawtransaction":
			w.WriteHeader(http.StatusInternalServerError)
			_ = json.NewEncoder(w).Encode(map[string]any{"id": call.ID, "result": nil,
				"error": map[string]any{"code": -26, "message": refuses}})
		default:
			request.Body = io.NopCloser(bytes.NewReader(body))
			forward.ServeHTTP(w, request)
		}
	}))
	t.Cleanup(server.Close)
	p.url = server.URL
	return p
}

// becomes sets whether the node is down and why it refuses transactions.
func (p *nodeProxy) becomes(down bool, refuses string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.down, p.refuses = down, refuses
}

// bitcoinCLI returns a folder with a program that calls a node like bitcoin-cli, with texts as parameters.
func bitcoinCLI(t *testing.T, node string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	script := `#!/bin/bash -e
method=$1; shift
[ $# = 0 ] || printf -v parameters ',"%s"' "$@"
exec curl -sS -u "$BITCOIN_CLI_LOGIN" -d \
	"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"$method\",\"params\":[${parameters#,}]}" ` + node + "\n"
	must(t, os.WriteFile(filepath.Join(dir, "bitcoin-cli"), []byte(script), 0o700))
	return dir
}
