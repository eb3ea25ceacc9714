package follower_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/chaincfg/v2"

	"moonfund/internal/staking/order"
	"moonfund/internal/testkit"
)

func rpc(w http.ResponseWriter, body string, args ...any) bool {
	_, _ = io.WriteString(w, fmt.Sprintf(body, args...))
	return true
}

// faults are failures of a node, and the error that the follower reports for each.
var faults = []struct {
	name   string
	be     func(w *testkit.World) testkit.Response
	says   string
	broken bool // the call fails; otherwise its answers are correct but old
}{
	{"gone", func(*testkit.World) testkit.Response {
		return func(http.ResponseWriter, *http.Request, string) bool { panic(http.ErrAbortHandler) }
	}, "node: ", true},
	{"slow", func(*testkit.World) testkit.Response {
		return func(_ http.ResponseWriter, r *http.Request, method string) bool {
			if method == "getbestblockhash" {
				<-r.Context().Done() // until the client disconnects
			}
			return false
		}
	}, "no answer within", true},
	{"warming up", func(*testkit.World) testkit.Response {
		return func(w http.ResponseWriter, _ *http.Request, _ string) bool {
			return rpc(w, `{"result":null,"error":{"code":-28,"message":"Loading block index…"}}`)
		}
	}, "Loading block index", true},
	{"pruned", func(*testkit.World) testkit.Response {
		return func(w http.ResponseWriter, _ *http.Request, method string) bool {
			return method == "getblock" &&
				rpc(w, `{"result":null,"error":{"code":-1,"message":"Block not available (pruned data)"}}`)
		}
	}, "pruned data", true},
	{"on the wrong network", func(*testkit.World) testkit.Response {
		main := chaincfg.MainNetParams.GenesisBlock.BlockHash()
		return func(w http.ResponseWriter, _ *http.Request, method string) bool {
			switch method {
			case "getbestblockhash", "getblockhash":
				return rpc(w, `{"result":"%s","error":null}`, main)
			case "getblockheader":
				return rpc(w, `{"result":{"height":900000},"error":null}`)
			}
			return false
		}
	}, "another network", true},
	{"behind", func(w *testkit.World) testkit.Response {
		height := w.Node.Height() - 20
		hash, err := w.Node.BlockHash(w.Context(), height)
		testkit.Must(w, err)
		return func(r http.ResponseWriter, _ *http.Request, method string) bool {
			switch method {
			case "getbestblockhash":
				return rpc(r, `{"result":"%s","error":null}`, hash)
			case "getblockheader":
				return rpc(r, `{"result":{"height":%d},"error":null}`, height)
			}
			return false
		}
	}, "the node is behind", false},
}

// While a node fails, the follower reports the error and changes nothing. It continues when the node works again.
func TestNodeFaults(t *testing.T) {
	testkit.OnBtcd(t)
	w := testkit.NewWorld(t)
	w.GiveSignerIndex()
	node := w.Faulty()
	for _, fault := range faults {
		t.Run(fault.name, func(t *testing.T) {
			id := w.Unlocked(w.Anna, 5000)
			waiting := withdraw(w, id)
			paid := w.Pay(w.Anna, waiting, waiting.Due())
			w.Step()
			before := w.Dump()
			node.SetResponse(fault.be(w))
			w.Clock.Advance(time.Minute)
			w.Node.MineOnly(paid)
			w.Clock.Advance(2 * order.FeeValid)
			for range 2 {
				_, err := w.Follower.Step(t.Context())
				if (err != nil) != fault.broken {
					t.Fatalf("Step: got error %v", err)
				}
			}
			state := w.Follower.State()
			if state.Synced || state.Err == nil || !strings.Contains(state.Err.Error(), fault.says) {
				t.Errorf("error of the state: got %v, want %q", state.Err, fault.says)
			}
			if after := w.Dump(); after != before {
				t.Errorf("the ledger changed:\n%s", difference(before, after))
			}
			node.SetResponse(nil)
			w.Step()
			if !w.Follower.State().Synced {
				t.Errorf("not synced again: %v", w.Follower.State().Err)
			}
			if got := w.Order(waiting.ID).Status; got != order.Sent {
				t.Errorf("status of the order: got %s, want SENT", got)
			}
			w.Settle(6)
			w.WantStatus(waiting.ID, order.Consolidated)
			w.Audit()
		})
	}
}
