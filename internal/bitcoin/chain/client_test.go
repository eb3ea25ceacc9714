package chain

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

func TestBlocks(t *testing.T) {
	eachNode(t, func(t *testing.T, start func(byte) *node) {
		n := start(1)
		ctx := t.Context()
		genesis, err := n.GenesisHash(ctx)
		if err != nil || genesis != *regtest.Params.GenesisHash {
			t.Fatalf("genesis %s, %v", genesis, err)
		}
		if hash, at := n.tip(); hash != genesis || at != 0 {
			t.Fatalf("the tip of a new chain is %s at %d", hash, at)
		}
		if has, err := n.HasTxIndex(ctx); !has || err != nil {
			t.Errorf("HasTxIndex without a block: %v, %v; want true", has, err)
		}
		blocks := n.mine(3)
		n.eventually("the index has block 1", func() bool {
			has, err := n.HasTxIndex(ctx)
			return has && err == nil
		})
		for i, block := range blocks {
			at := int64(i + 1)
			hash, err := n.BlockHash(ctx, at)
			if err != nil || hash != block.Hash || block.Height != at {
				t.Errorf("%s: %s, %v; mined %s", height(at), hash, err, block.Hash)
			}
			if i > 0 && block.Prev != blocks[i-1].Hash || block.Time.IsZero() || len(block.Txs) != 1 {
				t.Errorf("%s: %+v", height(at), block)
			}
		}
		if hash, at := n.tip(); hash != blocks[2].Hash || at != 3 {
			t.Errorf("the tip is %s at %d", hash, at)
		}
		for _, at := range []int64{-1, 4, 1 << 31, 1<<32 + 1, 1<<62 + 1} {
			if _, err := n.BlockHash(ctx, at); !errors.Is(err, ErrUnknown) {
				t.Errorf("%s: %v, want ErrUnknown", height(at), err)
			}
		}
		unknown := chainhash.HashH([]byte("no such block"))
		if _, err := n.Block(ctx, unknown, 1); !errors.Is(err, ErrUnknown) {
			t.Errorf("an unknown block: %v, want ErrUnknown", err)
		}
		if _, _, err := n.Tx(ctx, unknown); !errors.Is(err, ErrUnknown) {
			t.Errorf("an unknown transaction: %v, want ErrUnknown", err)
		}
		if _, err := n.FeeRate(ctx, 6); !errors.Is(err, ErrNoEstimate) {
			t.Errorf("FeeRate of a new node: %v, want ErrNoEstimate", err)
		}
		if _, err := n.FeeRate(ctx, 6); !errors.Is(err, ErrNoEstimate) {
			t.Errorf("second call of FeeRate: %v, want ErrNoEstimate", err)
		}
		if err := n.call(ctx, nil, "nosuchmethod"); rpcCode(err) != codeNoSuchMethod {
			t.Errorf("an unknown method: %v, want code -32601", err)
		}
		if _, _, err := n.Best(canceled(t)); err == nil {
			t.Error("a call with a canceled context succeeded")
		}
	})
}

func TestBroadcast(t *testing.T) {
	eachNode(t, func(t *testing.T, start func(byte) *node) {
		n := start(1)
		ctx := t.Context()
		coinbase := n.mine(101)[0].Txs[0]
		tx := n.spend(coinbase, 1000)
		child := n.spend(tx, 1000)

		refused := func(what string, raw []byte) {
			t.Helper()
			err := n.Broadcast(ctx, raw)
			if refusal, ok := errors.AsType[*Refusal](err); !ok || refusal.Reason == "" {
				t.Errorf("%s: %v, want a refusal", what, err)
			}
		}
		refused("missing input", child.Bytes())
		refused("garbage", []byte{1, 2, 3})
		immature := n.spend(n.mine(1)[0].Txs[0], 1000)
		refused("immature coinbase", immature.Bytes())

		n.broadcast(tx)
		n.broadcast(tx) // already in the mempool: btcd returns an error
		ids, err := n.Mempool(ctx)
		if err != nil || len(ids) != 1 || ids[0] != tx.ID {
			t.Fatalf("the mempool is %v, %v", ids, err)
		}
		got, status, err := n.Tx(ctx, tx.ID)
		if err != nil || got.ID != tx.ID || status.BlockHash != nil || status.Confirmations != 0 {
			t.Fatalf("in the mempool: %+v, %+v, %v", got, status, err)
		}
		unsigned := NewTx(n.spend(coinbase, 500).Msg)
		unsigned.Msg.TxIn[0].Witness[0][5] ^= 1
		refused("bad signature", unsigned.Bytes())
		refused("conflict that pays less", n.spend(coinbase, 500).Bytes())

		block := n.mine(1)[0]
		n.eventually("the index has the block", func() bool {
			_, status, err = n.Tx(ctx, tx.ID)
			return err == nil && status.BlockHash != nil
		})
		if *status.BlockHash != block.Hash || status.Confirmations != 1 || len(block.Txs) != 2 {
			t.Fatalf("confirmed: %+v in %s with %d transactions", status, block.Hash, len(block.Txs))
		}
		n.broadcast(tx) // confirmed, unspent
		n.broadcast(child)
		n.mine(2)
		n.broadcast(tx) // confirmed, its only output spent
		refused("conflict with a confirmed one", n.spend(coinbase, 2000).Bytes())
	})
}

// TestReorg submits the longer chain of one node to another.
func TestReorg(t *testing.T) {
	eachNode(t, func(t *testing.T, start func(byte) *node) {
		a, b := start(1), start(2)
		ctx := t.Context()
		shared := a.mine(101)
		for _, block := range shared {
			if err := b.SubmitBlock(ctx, a.raw(block.Hash)); err != nil {
				t.Fatal(err)
			}
		}
		raw := a.raw(shared[100].Hash)
		if err := b.SubmitBlock(ctx, raw); err != nil {
			t.Errorf("submitting a known block: %v", err)
		}
		raw[len(raw)-1] ^= 1
		for _, bad := range [][]byte{raw, raw[:50], nil} {
			if refusal, ok := errors.AsType[*Refusal](b.SubmitBlock(ctx, bad)); !ok || refusal.Reason == "" {
				t.Error("SubmitBlock accepted an invalid block")
			}
		}
		tx := a.spend(shared[0].Txs[0], 1000)
		a.broadcast(tx)
		stale := a.mine(1)[0]
		a.eventually("the index has the block", func() bool {
			_, status, err := a.Tx(ctx, tx.ID)
			return err == nil && status.BlockHash != nil
		})
		longer := b.mine(2)
		for _, block := range longer {
			if err := a.SubmitBlock(ctx, b.raw(block.Hash)); err != nil {
				t.Fatal(err)
			}
		}
		if hash, at := a.tip(); hash != longer[1].Hash || at != 103 {
			t.Fatalf("the tip after the reorg is %s at %d", hash, at)
		}
		if _, status, err := a.Tx(ctx, tx.ID); err != nil || status.BlockHash != nil {
			t.Errorf("the transaction of the stale block is not in the mempool: %+v, %v", status, err)
		}
		if _, _, err := a.Tx(ctx, stale.Txs[0].ID); !errors.Is(err, ErrUnknown) {
			t.Errorf("the coinbase of the stale block: %v, want ErrUnknown", err)
		}
		if block, err := a.Block(ctx, stale.Hash, 102); err != nil || block.Hash != stale.Hash {
			t.Errorf("reading a stale block: %v", err)
		}
	})
}

// TestInvalidBlock submits a block with valid work whose coinbase pays too much. The node then has its header, which
// must not be mistaken for the block.
func TestInvalidBlock(t *testing.T) {
	eachNode(t, func(t *testing.T, start func(byte) *node) {
		a, b := start(1), start(2)
		ctx := t.Context()
		var msg wire.MsgBlock
		if err := msg.Deserialize(bytes.NewReader(a.raw(a.mine(1)[0].Hash))); err != nil {
			t.Fatal(err)
		}
		coinbase := msg.Transactions[0]
		coinbase.TxOut[0].Value++
		msg.Header.MerkleRoot = coinbase.TxHash()
		for hash := msg.BlockHash(); hash[31] > 0x7f; hash = msg.BlockHash() { // regtest's target
			msg.Header.Nonce++
		}
		var raw bytes.Buffer
		if err := msg.Serialize(&raw); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if refusal, ok := errors.AsType[*Refusal](b.SubmitBlock(ctx, raw.Bytes())); !ok || refusal.Reason == "" {
				t.Error("SubmitBlock accepted an invalid block")
			}
		}
		if _, at := b.tip(); at != 0 {
			t.Errorf("the tip is at height %d, want 0", at)
		}
	})
}

func TestMempoolOnNode(t *testing.T) {
	eachNode(t, func(t *testing.T, start func(byte) *node) {
		n := start(1)
		ctx := t.Context()
		coinbase := n.mine(101)[0].Txs[0]
		pool := NewMempool(n.Client, nil)
		poll := func(added, removed int) []Tx {
			t.Helper()
			txs, gone, err := pool.Poll(ctx)
			if err != nil || len(txs) != added || len(gone) != removed {
				t.Fatalf("added %d, removed %d, %v; want %d, %d", len(txs), len(gone), err, added, removed)
			}
			return txs
		}
		poll(0, 0)
		family := []Tx{n.spend(coinbase, 1000)}
		for range 9 {
			family = append(family, n.spend(family[len(family)-1], 1000))
		}
		for _, tx := range family {
			n.broadcast(tx)
		}
		for i, tx := range poll(10, 0) {
			if tx.ID != family[i].ID {
				t.Errorf("generation %d is %s", i, tx.ID)
			}
		}
		poll(0, 0)
		n.mine(1)
		poll(0, 10)
		poll(0, 0)
	})
}

func TestCredentials(t *testing.T) {
	t.Parallel()
	n := startBtcd(t, 1)
	bad := n.config
	bad.Password = "canary-4711"
	_, _, err := NewClient(bad).Best(t.Context())
	if !errors.Is(err, ErrUnauthorized) || strings.Contains(err.Error(), "canary") {
		t.Errorf("wrong password: %v, want ErrUnauthorized without the password", err)
	}
	inURL := ClientConfig{URL: strings.Replace(n.config.URL, "//", "//alice:a%20secret%20of%20the%20test@", 1)}
	if _, _, err := NewClient(inURL).Best(t.Context()); err != nil {
		t.Errorf("credentials in the URL: %v", err)
	}
}

func TestNoTxIndex(t *testing.T) {
	t.Parallel()
	n := startBtcd(t, 1, "--notls")
	n.mine(1)
	if has, err := n.HasTxIndex(t.Context()); has || err != nil {
		t.Errorf("HasTxIndex of a node without the index: %v, %v; want false", has, err)
	}
}

// TestPruned checks that Pruned reports a pruning node, even before the node has deleted a block.
func TestPruned(t *testing.T) {
	t.Parallel()
	look := func(t *testing.T, n *node, want bool) {
		t.Helper()
		n.mine(1)
		if pruned, err := n.Pruned(t.Context()); pruned != want || err != nil {
			t.Errorf("pruned: %v, %v, want %v", pruned, err, want)
		}
	}
	t.Run("btcd", func(t *testing.T) {
		look(t, startBtcd(t, 1), false)
		look(t, startBtcd(t, 1, "--notls", "--prune=1536"), true)
	})
	if binary := os.Getenv(coreVariable); binary != "" {
		t.Run("core", func(t *testing.T) {
			look(t, startCore(t, binary, 1), false)
			n := startCore(t, binary, 1, "-txindex=0", "-prune=1", "-fastprune")
			look(t, n, true)
			n.losesBlocks()
		})
	}
}

// losesBlocks makes a node with manual pruning delete its first blocks, and checks that the error for such a block says
// that the node is pruned.
func (n *node) losesBlocks() {
	n.t.Helper()
	ctx := n.t.Context()
	first, err := n.BlockHash(ctx, 1)
	if err != nil {
		n.t.Fatal(err)
	}
	for range 20 {
		n.mine(50)
	}
	if err := n.call(ctx, nil, "pruneblockchain", 600); err != nil {
		n.t.Fatal(err)
	}
	if _, err := n.Block(ctx, first, 1); err == nil || errors.Is(err, ErrUnknown) ||
		!strings.Contains(err.Error(), "is pruned and has thrown block "+first.String()+" away") {
		n.t.Errorf("reading a pruned block: %v", err)
	}
}

func TestTLS(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cert := filepath.Join(dir, "rpc.cert")
	n := startBtcd(t, 1, "--rpccert="+cert, "--rpckey="+filepath.Join(dir, "rpc.key"))
	if genesis, err := n.GenesisHash(t.Context()); err != nil || genesis != *regtest.Params.GenesisHash {
		t.Errorf("over TLS: %v", err)
	}
	unpinned := n.config
	unpinned.CertFile = ""
	if _, err := NewClient(unpinned).GenesisHash(t.Context()); err == nil {
		t.Error("a certificate from an unknown authority was accepted")
	}
	missing := n.config
	missing.CertFile = filepath.Join(dir, "none")
	if _, err := NewClient(missing).GenesisHash(t.Context()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing certificate file: %v, want os.ErrNotExist", err)
	}
	missing.CertFile = filepath.Join(dir, "rpc.key")
	if _, err := NewClient(missing).GenesisHash(t.Context()); err == nil {
		t.Error("a certificate file without a certificate was accepted")
	}
}
