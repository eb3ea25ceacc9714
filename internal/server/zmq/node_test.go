package zmq

import (
	"context"
	"log/slog"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/testkit/corenode"
)

// countingSource counts the lists.
type countingSource struct {
	*chain.Client
	lists int
}

func (s *countingSource) Mempool(ctx context.Context) ([]chainhash.Hash, error) {
	s.lists++
	return s.Client.Mempool(ctx)
}

// TestMempoolOfANode compares the tracked mempool with the mempool of a node of the Core family: through new and
// replaced transactions, blocks, a reorg and a restart.
func TestMempoolOfANode(t *testing.T) {
	n := corenode.New(t, "-zmqpubsequence=tcp://0.0.0.0:"+corenode.FreePort(t)) // on all interfaces
	n.Start()
	client := n.Client()
	source := &countingSource{Client: client}
	s := New(client.SequencePublisher, slog.New(slog.DiscardHandler))
	start(t, s)
	n.Await(s.Connected)
	pool := chain.NewMempool(source, s.Next)
	have := map[chainhash.Hash]bool{}
	agree := func() { // waits until the tracked mempool equals the node's
		t.Helper()
		n.Await(func() bool {
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
	n.Call(nil, "createwallet", "w")
	n.Call(&address, "getnewaddress")
	n.Call(nil, "generatetoaddress", 110, address)
	n.Call(&sent, "sendtoaddress", address, 1) // the first message: changes before it can be missing
	agree()
	lists := source.lists
	for range 10 {
		n.Call(&sent, "sendtoaddress", address, 1)
		agree()
	}
	n.Call(nil, "bumpfee", sent)
	agree()
	if source.lists != lists {
		t.Errorf("%d lists for transactions that were notified", source.lists-lists)
	}
	n.Call(nil, "generatetoaddress", 1, address)
	agree()
	if len(have) != 0 {
		t.Errorf("%d transactions after a block", len(have))
	}
	n.Call(&block, "getbestblockhash")
	n.Call(nil, "invalidateblock", block)
	agree()
	if len(have) != 11 {
		t.Errorf("%d transactions after the block was undone, want 11", len(have))
	}
	n.Stop()
	n.Await(func() bool { return !s.Connected() })
	n.Start()
	n.Call(nil, "loadwallet", "w")
	n.Await(s.Connected)
	n.Call(nil, "sendtoaddress", address, 1)
	agree()
}
