package follower_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/btcsuite/btcd/chaincfg/v2"
	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/testkit"
)

// missed are the blocks that a server lacks while its node sends wrong answers.
type missed struct {
	t      *testing.T
	hashes []chainhash.Hash
	raw    [][]byte
	height int64 // of the first block
}

// mineMissed mines blocks that the server does not follow yet. Two transactions of each move the runes of a coin.
func mineMissed(t *testing.T, w *testkit.World, node *testkit.Faulty, held *testkit.Coin) missed {
	m := missed{t: t, height: w.Node.Height() + 1}
	for range missedBlocks {
		var txs []chain.Tx
		for range 2 {
			tx := w.SpendToSelf(w.Anna, 0, *held)
			txs = append(txs, tx)
			*held = testkit.Coin{OutPoint: wire.OutPoint{Hash: tx.ID}, Out: tx.Msg.TxOut[0]}
		}
		w.Node.MineOnly(txs...)
	}
	for height := m.height; height <= w.Node.Height(); height++ {
		hash, err := node.BlockHash(t.Context(), height)
		testkit.Must(t, err)
		raw, err := node.RawBlock(t.Context(), hash)
		testkit.Must(t, err)
		m.hashes, m.raw = append(m.hashes, hash), append(m.raw, raw)
	}
	return m
}

// wrong is the index of the block for which a node sends a wrong answer, when the server has already fetched later
// blocks.
const wrong = 9

// block answers the calls for the wrong block.
func (m missed) block(answer string) testkit.Response {
	return func(w http.ResponseWriter, r *http.Request, method string) bool {
		return method == "getblock" && parameter(r) == m.hashes[wrong].String() &&
			rpc(w, `{"result":"%s","error":null,"id":1}`, answer)
	}
}

// hash answers the calls for the hash of the wrong block.
func (m missed) hash(answer chainhash.Hash) testkit.Response {
	return func(w http.ResponseWriter, r *http.Request, method string) bool {
		return method == "getblockhash" && parameter(r) == json.Number(fmt.Sprint(m.height+wrong)) &&
			rpc(w, `{"result":"%s","error":null,"id":1}`, answer)
	}
}

// parameter returns the first parameter of a call.
func parameter(r *http.Request) any {
	var call struct{ Params []any }
	decoder := json.NewDecoder(r.Body)
	decoder.UseNumber()
	if decoder.Decode(&call) != nil || len(call.Params) == 0 {
		return nil
	}
	return call.Params[0]
}

// changed returns the wrong block with the same header and other transactions, in hex.
func (m missed) changed(change func(txs []*wire.MsgTx) []*wire.MsgTx) string {
	var block wire.MsgBlock
	testkit.Must(m.t, block.Deserialize(bytes.NewReader(m.raw[wrong])))
	block.Transactions = change(block.Transactions)
	var raw bytes.Buffer
	testkit.Must(m.t, block.Serialize(&raw))
	return hex.EncodeToString(raw.Bytes())
}

// wrongAnswers are wrong answers of a node while the server catches up, and the error that the follower reports.
var wrongAnswers = []struct {
	name   string
	answer func(m missed) testkit.Response
	says   string // "": the answers are late but correct
}{
	{"no answer before the timeout", func(m missed) testkit.Response {
		return func(_ http.ResponseWriter, r *http.Request, method string) bool {
			if method == "getblock" && parameter(r) == m.hashes[wrong].String() {
				<-r.Context().Done()
			}
			return false
		}
	}, "no answer within"},
	{"blocks out of order", func(m missed) testkit.Response { return m.outOfOrder() }, ""},
	{"a block twice", func(m missed) testkit.Response {
		return m.block(hex.EncodeToString(m.raw[wrong-1]))
	}, "the answer is not block"},
	{"a block of another network", func(m missed) testkit.Response {
		var raw bytes.Buffer
		testkit.Must(m.t, chaincfg.MainNetParams.GenesisBlock.Serialize(&raw))
		return m.block(hex.EncodeToString(raw.Bytes()))
	}, "the answer is not block"},
	{"the hash of another network", func(m missed) testkit.Response {
		return m.hash(*chaincfg.MainNetParams.GenesisHash)
	}, "not found"},
	{"the hash of a block that does not follow", func(m missed) testkit.Response {
		return m.hash(m.hashes[wrong+2])
	}, "the node's chain changed"},
	{"half of a block", func(m missed) testkit.Response {
		return m.block(hex.EncodeToString(m.raw[wrong][:len(m.raw[wrong])/2]))
	}, "decode block"},
	{"half a byte less", func(m missed) testkit.Response {
		text := hex.EncodeToString(m.raw[wrong])
		return m.block(text[:len(text)-1])
	}, "is not understood"},
	{"no hex", func(m missed) testkit.Response { return m.block("block") }, "is not understood"},
	{"the right header without a transaction", func(m missed) testkit.Response {
		return m.block(m.changed(func(txs []*wire.MsgTx) []*wire.MsgTx { return txs[:2] }))
	}, "the answer is not block"},
	{"the right header with a transaction of another block", func(m missed) testkit.Response {
		var other wire.MsgBlock
		testkit.Must(m.t, other.Deserialize(bytes.NewReader(m.raw[wrong-1])))
		return m.block(m.changed(func(txs []*wire.MsgTx) []*wire.MsgTx { return append(txs[:2], other.Transactions[2]) }))
	}, "the answer is not block"},
	{"the right merkle root with a transaction twice", func(m missed) testkit.Response { // CVE-2012-2459
		return m.block(m.changed(func(txs []*wire.MsgTx) []*wire.MsgTx { return append(txs, txs[2]) }))
	}, "the answer is not block"},
	{"a best block that it does not have", func(m missed) testkit.Response {
		return func(w http.ResponseWriter, _ *http.Request, method string) bool {
			switch method {
			case "getbestblockhash":
				return rpc(w, `{"result":"%s","error":null,"id":1}`, chaincfg.MainNetParams.GenesisHash)
			case "getblockheader":
				return rpc(w, `{"result":{"height":%d},"error":null,"id":1}`, m.height+missedBlocks+5)
			}
			return false
		}
	}, "the node's chain changed"},
	{"a best block that goes back", func(m missed) testkit.Response { return m.goesBack() }, "the node is behind"},
}

// outOfOrder holds the answer for each second block until the next block was answered.
func (m missed) outOfOrder() testkit.Response {
	next := map[string]chan struct{}{} // by hash of the held block
	after := map[string]chan struct{}{}
	for i := 0; i+1 < len(m.hashes); i += 2 {
		asked := make(chan struct{}, 1)
		next[m.hashes[i].String()], after[m.hashes[i+1].String()] = asked, asked
	}
	return func(w http.ResponseWriter, r *http.Request, method string) bool {
		if method != "getblock" {
			return false
		}
		hash, _ := parameter(r).(string)
		if asked, held := next[hash]; held {
			select {
			case <-asked:
			case <-r.Context().Done():
			}
			return false
		}
		if asked, found := after[hash]; found {
			i := slices.IndexFunc(m.hashes, func(h chainhash.Hash) bool { return h.String() == hash })
			defer func() { asked <- struct{}{} }()
			return rpc(w, `{"result":"%x","error":null,"id":1}`, m.raw[i])
		}
		return false
	}
}

// goesBack reports the last block once, and then a block three below it.
func (m missed) goesBack() testkit.Response {
	var calls atomic.Int64
	return func(w http.ResponseWriter, _ *http.Request, method string) bool {
		switch {
		case method == "getbestblockhash" && calls.Add(1) > 1:
			return rpc(w, `{"result":"%s","error":null,"id":1}`, m.hashes[missedBlocks-4])
		case method == "getblockheader" && calls.Load() > 1:
			return rpc(w, `{"result":{"height":%d},"error":null,"id":1}`, m.height+missedBlocks-4)
		}
		return false
	}
}

// While a node sends late or wrong answers, a server that catches up stores only blocks of the chain and reports the
// error. It continues when the node works again.
func TestWrongAnswersWhileCatchingUp(t *testing.T) {
	testkit.OnBtcd(t)
	w := testkit.NewWorld(t)
	twin := w.Copy()
	held := w.Anna.Runes()
	node := w.Faulty()
	for _, c := range wrongAnswers {
		t.Run(c.name, func(t *testing.T) {
			m := mineMissed(t, w, node, &held)
			node.SetResponse(c.answer(m))
			defer node.SetResponse(nil)
			for range 2 {
				_, _ = w.Follower.Step(t.Context()) // the state has the error
			}
			state := w.Follower.State()
			if c.says == "" && state.Err != nil {
				t.Errorf("error: got %v", state.Err)
			}
			if c.says != "" && (state.Synced || state.Err == nil || !strings.Contains(state.Err.Error(), c.says)) {
				t.Errorf("error: got %v, want %q", state.Err, c.says)
			}
			node.SetResponse(nil)
			twin.Step()
			const blocks = `SELECT height, hash FROM block ORDER BY 1`
			if got := w.Rows(blocks); got == "" || !strings.HasPrefix(twin.Rows(blocks), got) {
				t.Errorf("blocks: got\n%s", got)
			}
			w.Step()
			if got, want := w.Dump(), twin.Dump(); got != want || !w.Follower.State().Synced {
				t.Errorf("the ledgers differ:\n%s", difference(want, got))
			}
		})
	}
}
