package testkit

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"

	"moonfund/internal/bitcoin/chain"
)

// Faulty is a proxy between the services and btcd. A test can replace its responses.
type Faulty struct {
	URL  string // URL of the proxy
	node *Node
	*chain.Client

	mu     sync.Mutex
	answer Response
}

// Response responds to a call instead of btcd, or returns false. It can read the call from the body of r. It may write
// anything, and can close the connection with a panic of http.ErrAbortHandler.
type Response func(w http.ResponseWriter, r *http.Request, method string) (answered bool)

// patience is the timeout of the services for a faulty node.
const patience = time.Second

// Faulty inserts a proxy between the services of a world that uses btcd and the node, and restarts the services.
func (w *World) Faulty() *Faulty {
	w.Helper()
	f := &Faulty{node: w.Node}
	server := httptest.NewServer(http.HandlerFunc(f.serve))
	w.Cleanup(server.Close)
	f.URL = server.URL
	f.Client = chain.NewClient(chain.ClientConfig{URL: server.URL, User: login, Password: login, Timeout: patience})
	w.FollowedNode = f
	w.Restart()
	return f
}

// SetResponse replaces the responses of the node; nil restores btcd's responses.
func (f *Faulty) SetResponse(answer Response) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answer = answer
}

func (f *Faulty) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost { // btcd has no REST interface
		http.NotFound(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	var call struct{ Method string }
	_ = json.Unmarshal(body, &call)
	r.Body = io.NopCloser(bytes.NewReader(body))
	f.mu.Lock()
	answer := f.answer
	f.mu.Unlock()
	if answer != nil && answer(w, r, call.Method) {
		return
	}
	forward, err := http.NewRequestWithContext(r.Context(), http.MethodPost, f.node.real.url, bytes.NewReader(body))
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	forward.SetBasicAuth(login, login)
	reply, err := http.DefaultClient.Do(forward)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer reply.Body.Close()
	w.WriteHeader(reply.StatusCode)
	_, _ = io.Copy(w, reply.Body)
}

// Broadcast broadcasts a transaction if the node can be reached.
func (f *Faulty) Broadcast(ctx context.Context, raw []byte) error {
	if _, err := f.Client.BlockHash(ctx, 0); err != nil {
		return err
	}
	return f.node.Broadcast(ctx, raw)
}
