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

// maxQuestion limits the body of an RPC call: a full block in hex and a margin.
const maxQuestion = 16 << 20

// gate is a proxy for the node's RPC with a constant address, because the node's port changes at each restart. Calls
// wait while the node's chain is being rebuilt; otherwise a follower would see the chain return to genesis at each
// restart.
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
	g.mu.Lock() // closed until the first chain is ready
	go func() {
		if err := g.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			slog.Error("dev network: the node's gate ended", "error", err)
		}
	}()
	return g, nil
}

// forward forwards one call. It buffers the request and the response, because btcd closes the connection after each
// response, which a streaming proxy would report as an error.
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
	w.Write(answer) // fails only if the caller has disconnected
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

// shut waits for calls in progress and blocks new ones until open.
func (g *gate) shut() { g.mu.Lock() }

// open forwards calls to the node at addr.
func (g *gate) open(addr string) {
	g.target = addr
	g.mu.Unlock()
}

func (g *gate) url() string  { return "http://" + g.listener.Addr().String() }
func (g *gate) close() error { return g.server.Close() }
