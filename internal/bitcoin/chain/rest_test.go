package chain

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A client reads blocks over REST without credentials. If the node does not serve valid blocks over REST, the client
// uses JSON-RPC and does not try REST again for restPause.
func TestBlockOverREST(t *testing.T) {
	genesis := regtest.Params.GenesisBlock
	var raw strings.Builder
	if err := genesis.Serialize(&raw); err != nil {
		t.Fatal(err)
	}
	hash := genesis.BlockHash()
	for name, c := range map[string]struct {
		rest        http.HandlerFunc
		asked, rpcs int64 // in two calls
	}{
		"served": {func(w http.ResponseWriter, r *http.Request) {
			if _, _, sent := r.BasicAuth(); sent {
				t.Error("credentials were sent")
			}
			_, _ = io.WriteString(w, raw.String())
		}, 2, 0},
		"not served": {http.NotFound, 1, 2},
		"cut": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(raw.Len()))
			_, _ = io.WriteString(w, raw.String()[:100])
		}, 1, 2},
		"too long": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(MaxBlockBytes+1))
		}, 1, 2},
		"redirected": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(http.StatusFound)
		}, 1, 2},
		"no answer": {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, 1, 2},
		"another block": {func(w http.ResponseWriter, _ *http.Request) {
			other := *genesis
			other.Header.Nonce++
			_ = other.Serialize(w)
		}, 1, 2},
		"half a block": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, raw.String()[:100])
		}, 1, 2},
		"a page": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "<!doctype html><title>A proxy</title>")
		}, 1, 2},
	} {
		t.Run(name, func(t *testing.T) {
			var asked, rpcs atomic.Int64
			node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch r.URL.Path {
				case "/rest/block/" + hash.String() + ".bin":
					asked.Add(1)
					c.rest(w, r)
				case "/":
					rpcs.Add(1)
					_, _ = fmt.Fprintf(w, `{"result":"%s","error":null,"id":1}`, hex.EncodeToString([]byte(raw.String())))
				default:
					t.Errorf("asked for %s", r.URL.Path)
				}
			}))
			defer node.Close()
			client := NewClient(ClientConfig{URL: node.URL, User: "user", Password: "password", Timeout: time.Second})
			defer client.Close()
			for range 2 {
				block, err := client.Block(t.Context(), hash, 0)
				if err != nil || block.Hash != hash {
					t.Errorf("block %s, error %v", block.Hash, err)
				}
			}
			if asked.Load() != c.asked || rpcs.Load() != c.rpcs {
				t.Errorf("%d requests over REST and %d over JSON-RPC", asked.Load(), rpcs.Load())
			}
		})
	}
}

// A canceled call over REST does not make the client avoid REST.
func TestBlockOverRESTIsCanceled(t *testing.T) {
	genesis := regtest.Params.GenesisBlock
	ctx, cancel := context.WithCancel(t.Context())
	hold := true
	node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			t.Error("a call over JSON-RPC")
		}
		if hold {
			hold = false
			cancel()
			<-r.Context().Done()
			return
		}
		_ = genesis.Serialize(w)
	}))
	defer node.Close()
	client := NewClient(ClientConfig{URL: node.URL})
	defer client.Close()
	if _, err := client.Block(ctx, genesis.BlockHash(), 0); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v", err)
	}
	if _, err := client.Block(t.Context(), genesis.BlockHash(), 0); err != nil {
		t.Error(err)
	}
}
