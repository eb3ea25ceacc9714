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

	"moonfund/chain"
)

// Faulty stands between a world's rooms and its btcd, and answers for it as a
// test says.
type Faulty struct {
	node *Node
	*chain.Client

	mu     sync.Mutex
	answer Answer
}

// Answer answers a call in btcd's place, or says that it does not. It may write
// anything, or hang up by a panic with http.ErrAbortHandler.
type Answer func(w http.ResponseWriter, r *http.Request, method string) (answered bool)

// patience is how long the rooms wait for a faulty node.
const patience = 300 * time.Millisecond

// Faulty lets the rooms of a world on btcd see it through a node that may be made
// to fail.
func (w *World) Faulty() *Faulty {
	w.Helper()
	f := &Faulty{node: w.Node}
	server := httptest.NewServer(http.HandlerFunc(f.serve))
	w.Cleanup(server.Close)
	f.Client = chain.NewClient(chain.ClientConfig{URL: server.URL, User: login, Password: login, Timeout: patience})
	w.Follows = f
	w.Restart()
	return f
}

// Be makes the node answer so from now on; nil: as btcd does.
func (f *Faulty) Be(answer Answer) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answer = answer
}

func (f *Faulty) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	var call struct{ Method string }
	_ = json.Unmarshal(body, &call)
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

// Broadcast gives a transaction to the node if it can be reached.
func (f *Faulty) Broadcast(ctx context.Context, raw []byte) error {
	if _, err := f.Client.BlockHash(ctx, 0); err != nil {
		return err
	}
	return f.node.Broadcast(ctx, raw)
}
