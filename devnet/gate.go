package devnet

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// maxQuestion bounds the body of one RPC call: a full block in hex and some room.
const maxQuestion = 16 << 20

// gate is the node's RPC as the rest of the program sees it: one address for
// the whole run, whatever port the node has, and silent while the node's chain
// is being rebuilt. Without it a follower would see the chain fall back to
// genesis at every restart of the node. Calls that come meanwhile wait.
type gate struct {
	mu       sync.RWMutex // held for writing while the node is being rebuilt
	target   string       // the node's host:port
	server   *http.Server
	listener net.Listener
	client   *http.Client
}

func newGate() (*gate, error) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	g := &gate{listener: listener, client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
	g.server = &http.Server{Handler: http.HandlerFunc(g.forward), ReadHeaderTimeout: 10 * time.Second}
	g.mu.Lock() // closed until the first chain is there
	go func() {
		if err := g.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			slog.Error("dev network: the node's gate ended", "error", err)
		}
	}()
	return g, nil
}

// forward passes one call on, whole in both directions: btcd closes its
// connection after every answer, which streaming would pass on as a fault.
func (g *gate) forward(w http.ResponseWriter, r *http.Request) {
	question, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxQuestion))
	if err != nil {
		http.Error(w, "the call cannot be read", http.StatusBadRequest)
		return
	}
	g.mu.RLock()
	defer g.mu.RUnlock()
	answer, status, err := g.ask(r, question)
	if err != nil {
		http.Error(w, "the dev network's node does not answer: "+err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(answer) // the caller is gone when this fails
}

func (g *gate) ask(r *http.Request, question []byte) (answer []byte, status int, err error) {
	request, err := http.NewRequestWithContext(r.Context(), r.Method, "http://"+g.target, bytes.NewReader(question))
	if err != nil {
		return nil, 0, err
	}
	request.Header.Set("Authorization", r.Header.Get("Authorization"))
	request.Header.Set("Content-Type", "application/json")
	response, err := g.client.Do(request)
	if err != nil {
		return nil, 0, err
	}
	defer response.Body.Close()
	answer, err = io.ReadAll(response.Body)
	return answer, response.StatusCode, err
}

// shut holds back every call until open; calls under way end first.
func (g *gate) shut() { g.mu.Lock() }

// open lets calls through to the node at addr.
func (g *gate) open(addr string) {
	g.target = addr
	g.mu.Unlock()
}

func (g *gate) url() string  { return "http://" + g.listener.Addr().String() }
func (g *gate) close() error { return g.server.Close() }
