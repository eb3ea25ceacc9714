package server

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/follower"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
	"moonfund/internal/testkit/figures"
)

// The chain of BenchmarkCatchUp.
const (
	runeBlocks    = 910
	runeBlockTxs  = 71
	mintsPer      = 20 // of 71 transactions
	transfersEach = 45

	leastCaughtUp = 12_700 // per second: 137,000 blocks of 4,000 transactions in 12 hours
)

// BenchmarkCatchUp measures how long an empty ledger takes to follow 910 blocks with 65,000 transactions, most of which
// mint or transfer runes. A local HTTP server answers as a node, with the delay of a real node for each call.
func BenchmarkCatchUp(b *testing.B) {
	whole := runeChain(b)
	node := httptest.NewServer(newRPCNode(whole, 200*time.Microsecond))
	defer node.Close()
	for range b.N {
		b.StopTimer()
		l := opened(b, engine.New(b, nil))
		plantMint(b, l)
		config := l.Follower.Config
		client := chain.NewClient(chain.ClientConfig{URL: node.URL, User: "user", Password: "password"})
		config.Node, config.Start, config.Lead, config.Audit, config.Inspect = client, 0, nil, nil, nil
		config.Transact = func(ctx context.Context, fn func(follower.Tx) error) error {
			return l.Store.Update(ctx, func(tx *store.Tx) error { return fn(tx.FollowerTx()) })
		}
		f := follower.New(config)
		began, used := time.Now(), processorTime()
		b.StartTimer()
		_, err := f.Step(b.Context())
		b.StopTimer()
		must(b, err)
		if tip := f.State().Tip.Height; tip != runeBlocks-1 {
			b.Fatalf("the follower's tip is block %d", tip)
		}
		took := time.Since(began)
		figures.Report(b, figures.Figure{
			Name: "transactions a second while catching up, most with runes", Database: figures.Current(),
			Value: runeBlocks * runeBlockTxs / took.Seconds(), Limit: leastCaughtUp, Least: true, Unit: "/s",
			Beside: fmt.Sprintf("%.2f s of processor time in %.2f s", (processorTime() - used).Seconds(), took.Seconds()),
		})
		client.Close()
	}
}

// plantMint stores a rune with an open mint.
func plantMint(b *testing.B, l ledgerFile) {
	amount, limit := uint128.From64(1000), uint128.From64(1<<40)
	must(b, l.Store.Update(b.Context(), func(tx *store.Tx) error {
		return tx.Runes(b.Context()).PutRuneEntry(runes.Entry{ID: runes.ID{Block: 1, Tx: 1},
			Terms: &runes.Terms{Amount: &amount, Cap: &limit}})
	}))
}

// runeChain returns blocks that mint a rune, and transfer the runes that earlier blocks minted.
func runeChain(b *testing.B) rawChain {
	var chained rawChain
	var prev chainhash.Hash
	var held, minted []wire.OutPoint
	id := runes.ID{Block: 1, Tx: 1}
	script := func(s runes.Runestone) []byte {
		text, err := s.Script()
		must(b, err)
		return text
	}
	mint := script(runes.Runestone{Mint: &id})
	transfer := script(runes.Runestone{Edicts: []runes.Edict{{ID: id, Amount: uint128.From64(1), Output: 1}}})
	for height := range runeBlocks {
		block := wire.MsgBlock{Header: wire.BlockHeader{PrevBlock: prev,
			Timestamp: time.Unix(1_700_000_000+int64(height)*600, 0)}}
		for i := range runeBlockTxs {
			tx := wire.NewMsgTx(2)
			previous := wire.OutPoint{Hash: numberHash(uint64(height*runeBlockTxs + i))}
			var stone []byte
			switch {
			case i == 0:
				previous = wire.OutPoint{Index: wire.MaxPrevOutIndex}
			case i <= mintsPer:
				stone = mint
			case i <= mintsPer+transfersEach && len(held) > 0:
				previous, held, stone = held[0], held[1:], transfer
			}
			tx.AddTxIn(&wire.TxIn{PreviousOutPoint: previous, Witness: wire.TxWitness{make([]byte, 64)},
				Sequence: uint32(height)})
			for j := range 2 {
				out := binary.BigEndian.AppendUint64([]byte{0x51, 0x20, 24: 0}, uint64(height*runeBlockTxs+i))
				tx.AddTxOut(wire.NewTxOut(1000, append(out, byte(j))))
			}
			if stone != nil {
				tx.AddTxOut(wire.NewTxOut(0, stone))
				minted = append(minted, wire.OutPoint{Hash: tx.TxHash()}, wire.OutPoint{Hash: tx.TxHash(), Index: 1})
			}
			must(b, block.AddTransaction(tx))
		}
		held, minted = append(held, minted...), nil
		block.Header.MerkleRoot = testkit.MerkleRoot(block.Transactions, (*wire.MsgTx).TxHash)
		prev = block.BlockHash()
		var raw bytes.Buffer
		must(b, block.Serialize(&raw))
		chained = append(chained, raw.Bytes())
	}
	return chained
}

// rpcNode serves a chain over JSON-RPC. Each call takes the given time.
type rpcNode struct {
	rawChain
	latency time.Duration
	blocks  map[string]string // serialized blocks in hex, by hash
}

func newRPCNode(c rawChain, latency time.Duration) rpcNode {
	n := rpcNode{c, latency, map[string]string{}}
	for height, raw := range c {
		n.blocks[c.hash(int64(height)).String()] = hex.EncodeToString(raw)
	}
	return n
}

func (n rpcNode) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var call struct {
		Method string
		Params []json.RawMessage
	}
	if json.NewDecoder(r.Body).Decode(&call) != nil {
		http.Error(w, "", http.StatusBadRequest)
		return
	}
	time.Sleep(n.latency)
	best := int64(len(n.rawChain)) - 1
	var result any
	switch call.Method {
	case "getbestblockhash":
		result = n.hash(best).String()
	case "getblockheader":
		result = map[string]any{"height": best}
	case "getblockhash":
		var height int64
		_ = json.Unmarshal(call.Params[0], &height)
		if height > best {
			_, _ = fmt.Fprint(w, `{"result":null,"error":{"code":-8,"message":"Block height out of range"},"id":1}`)
			return
		}
		result = n.hash(height).String()
	case "getblock":
		var hash string
		_ = json.Unmarshal(call.Params[0], &hash)
		result = n.blocks[hash]
	case "getrawmempool":
		result = []string{}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"result": result, "error": nil, "id": 1})
}
