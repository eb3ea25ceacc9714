package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/fault"
	"moonfund/internal/staking/follower"
	"moonfund/internal/testkit"
)

// answering returns the error of a call to a node that answers with an HTTP status.
func answering(t *testing.T, status int) error {
	t.Helper()
	node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
	defer node.Close()
	_, _, err := chain.NewClient(chain.ClientConfig{URL: node.URL, User: "u", Password: "p"}).Best(t.Context())
	return err
}

// /readyz is 503 and names the reason while the node can't be used. The metric of the ledger's tip keeps its height,
// also on a server that started meanwhile, and the lag is not 0.
func TestUnusableNodeIsNotReady(t *testing.T) {
	_, _, refused := chain.NewClient(chain.ClientConfig{URL: "http://127.0.0.1:1"}).Best(t.Context())
	rewound := func(depth, mined int) func(*testkit.World) {
		return func(w *testkit.World) {
			w.Node.Rewind(depth)
			w.Node.Forget()
			w.Mine(mined)
		}
	}
	for _, row := range []struct {
		what, says string
		err        error
		change     func(*testkit.World)
	}{
		{"unreachable", "connection refused", refused, nil},
		{"wrong password", "refuses the user, password or cookie", answering(t, http.StatusUnauthorized), nil},
		{"forbidden", "rpcallowip", answering(t, http.StatusForbidden), nil},
		{"behind", "the node is behind", nil, rewound(3, 0)},
		{"deep reorg", "replaced more than 6 blocks", nil, rewound(follower.MaxReorg+1, follower.MaxReorg+3)},
	} {
		t.Run(row.what, func(t *testing.T) {
			w, a := audited(t)
			w.Settle(follower.MaxReorg + 5)
			height := w.Follower.State().Tip.Height
			if row.change != nil {
				row.change(w)
			}
			for range 2 { // the second time after a restart
				w.Follower.Inspect = func(context.Context) (follower.Inspection, error) {
					return follower.Inspection{}, row.err
				}
				_, _ = w.Follower.Step(t.Context())
				s := serverOf(w, a)
				checkNotReady(t, status{s}, row.says)
				text := scraped(w, a)
				for _, line := range []string{fmt.Sprintf("moonfund_tip_height %d\n", height), "moonfund_synced 0\n"} {
					if !strings.Contains(text, line) {
						t.Errorf("the metrics lack %s", line)
					}
				}
				if strings.Contains(text, "moonfund_tip_lag_blocks 0\n") {
					t.Error("the metrics show no lag")
				}
				w.Forget()
			}
		})
	}
}

func checkNotReady(t *testing.T, s status, says string) {
	t.Helper()
	err := s.Ready(t.Context())
	unfit := new(fault.Error)
	if !errors.As(err, &unfit) || !strings.Contains(unfit.Message, says) || strings.Contains(unfit.Message, "127.0.0.1") {
		t.Errorf("readyz: %v, want %q", err, says)
	}
}
