package e2e

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/corenode"
)

// ordProfile describes the chain of a comparison with ord. Its blocks follow blocks that only create coins.
type ordProfile struct {
	blocks, transactions int
	mints, transfers     int  // transactions of a block that mint, and that spend outputs which can hold runes
	inputs               int  // of each transaction that does not etch
	gathers              int  // outputs with runes that the last transaction of every fifth block spends
	keeps                bool // mints never end, and give runes to both outputs
}

// maturing is the number of first blocks, whose coinbase outputs are spent, and of the blocks that make these outputs
// spendable.
const maturing = 100

// chainCoin is an output that seededChain can spend, and the runes that it may hold.
type chainCoin struct {
	wire.OutPoint
	value int64
	ids   []runes.ID
}

// announced is a name that an output commits to.
type announced struct {
	chainCoin
	leaf, control []byte
	name          runes.Name
	height        int64
}

// seededChain mines blocks on a node. Two chains of the same profile are the same.
type seededChain struct {
	t      testing.TB
	node   *corenode.Node
	keeps  bool
	random *rand.Rand
	height int64
	prev   chainhash.Hash

	plain, held []chainCoin
	pile        chainCoin // the first output of the last gather
	commits     []announced
	names       []runes.Name
	ids         []runes.ID
	bytes       int           // of all blocks
	cenotaphs   int           // transactions that etch in a cenotaph
	before      []seededChain // before each of the last blocks, at most deepest; without bytes and cenotaphs
}

// deepest is the number of blocks of the deepest reorg.
const deepest = 6

// The scripts of all outputs except commitments. The spending input is as large as for a P2WPKH output.
var (
	anyoneRedeem = []byte{txscript.OP_2DROP, txscript.OP_TRUE}
	anyoneSpends = func() []byte {
		hash := chainhash.HashB(anyoneRedeem)
		return append([]byte{txscript.OP_0, txscript.OP_DATA_32}, hash...)
	}()
	anyoneWitness = wire.TxWitness{make([]byte, 71), make([]byte, 33), anyoneRedeem}
)

// newSeededChain starts a node with an empty chain.
func newSeededChain(t testing.TB, p ordProfile) *seededChain {
	t.Helper()
	node := corenode.New(t, "-maxtipage=1000000000", "-rest")
	node.Start()
	c := &seededChain{t: t, node: node, keeps: p.keeps, random: rand.New(rand.NewPCG(21, uint64(p.blocks)))}
	var genesis string
	node.Call(&genesis, "getblockhash", 0)
	hash, err := chainhash.NewHashFromStr(genesis)
	must(t, err)
	c.prev = *hash
	return c
}

// mineOrdChain mines the chain of a profile on a new node.
func mineOrdChain(t testing.TB, p ordProfile) *seededChain {
	t.Helper()
	c := newSeededChain(t, p)
	for range maturing {
		c.mine(nil, 50e8)
	}
	for range maturing {
		c.mine(nil, 0)
	}
	ripe, needed := c.plain, ((p.blocks+100)*p.mints+2*p.transactions)*p.inputs
	c.plain = nil
	for len(c.plain) < needed {
		c.mine([]*wire.MsgTx{c.fanOut(ripe[0])}, 0)
		ripe = ripe[1:]
	}
	for range p.blocks {
		c.mine(c.transactions(p), 0)
	}
	return c
}

// reorganize replaces the last blocks by as many and one more.
func (c *seededChain) reorganize(p ordProfile, depth int) {
	c.t.Helper()
	fork := c.before[len(c.before)-depth]
	fork.random, fork.bytes, fork.cenotaphs = c.random, c.bytes, c.cenotaphs
	fork.before = c.before[:len(c.before)-depth]
	var replaced string
	c.node.Call(&replaced, "getblockhash", fork.height+1)
	c.node.Call(nil, "invalidateblock", replaced)
	*c = fork
	for range depth + 1 {
		c.mine(c.transactions(p), 0)
	}
}

// remember stores the state before a block.
func (c *seededChain) remember() {
	state := *c
	state.before = nil
	state.plain, state.held = slices.Clone(c.plain), slices.Clone(c.held)
	state.commits, state.names, state.ids = slices.Clone(c.commits), slices.Clone(c.names), slices.Clone(c.ids)
	c.before = append(c.before[max(0, len(c.before)+1-deepest):], state)
}

// fanOut returns a transaction that splits a coin into 2,000.
func (c *seededChain) fanOut(from chainCoin) *wire.MsgTx {
	tx := wire.NewMsgTx(2)
	tx.AddTxIn(&wire.TxIn{PreviousOutPoint: from.OutPoint, Witness: anyoneWitness})
	const parts = 2000
	for range parts {
		tx.AddTxOut(wire.NewTxOut(from.value/parts, anyoneSpends))
	}
	for i := range tx.TxOut {
		out := wire.OutPoint{Hash: tx.TxHash(), Index: uint32(i)}
		c.plain = append(c.plain, chainCoin{OutPoint: out, value: from.value / parts})
	}
	return tx
}

// transactions returns the transactions of the next block. They spend outputs of this block and of earlier ones.
func (c *seededChain) transactions(p ordProfile) (txs []*wire.MsgTx) {
	if p.gathers > 0 {
		c.remember()
	}
	for i := range p.transactions {
		carries := i < p.mints+p.transfers
		from := &c.plain
		if i >= p.mints && carries && len(c.held) >= p.inputs {
			from = &c.held
		}
		var stone []byte
		var ids []runes.ID
		inputs := c.take(from, p.inputs)
		for _, in := range inputs {
			ids = append(ids, in.ids...)
		}
		switch {
		case i < p.mints:
			stone, ids = c.mintStone(ids)
		case carries:
			stone, ids = c.transferStone(ids)
		}
		tx := c.pay(inputs, stone)
		txs = append(txs, tx)
		to := &c.plain
		if carries {
			to = &c.held
		}
		for j, out := range tx.TxOut[:2] {
			*to = append(*to, chainCoin{wire.OutPoint{Hash: tx.TxHash(), Index: uint32(j)}, out.Value, ids})
		}
	}
	if p.gathers > 0 && c.height%5 == 0 && len(c.held) >= p.gathers {
		txs = append(txs, c.gather(p.gathers))
	}
	return append(txs, c.etchings(uint32(len(txs)+1))...)
}

// gather returns a transaction whose outputs hold the runes of n outputs, and of the first output of the last gather.
func (c *seededChain) gather(n int) *wire.MsgTx {
	inputs := c.take(&c.held, n)
	if c.pile.value > 0 {
		inputs = append(inputs, c.pile)
	}
	var ids []runes.ID
	for _, in := range inputs {
		ids = append(ids, in.ids...)
	}
	slices.SortFunc(ids, runes.ID.Compare)
	ids = slices.Compact(ids)
	tx := c.pay(inputs, c.gatherStone(ids))
	c.pile = chainCoin{wire.OutPoint{Hash: tx.TxHash()}, tx.TxOut[0].Value, ids}
	second := wire.OutPoint{Hash: tx.TxHash(), Index: 1}
	c.held = append(c.held, chainCoin{second, tx.TxOut[1].Value, ids[:min(len(ids), mostIDs)]})
	return tx
}

// take removes n random coins.
func (c *seededChain) take(from *[]chainCoin, n int) (taken []chainCoin) {
	for range n {
		all := *from
		i := c.random.IntN(len(all))
		taken = append(taken, all[i])
		all[i] = all[len(all)-1]
		*from = all[:len(all)-1]
	}
	return taken
}

// pay returns a transaction with two outputs of half the inputs' value, and a third one with the runestone, if any.
func (c *seededChain) pay(inputs []chainCoin, stone []byte) *wire.MsgTx {
	tx := wire.NewMsgTx(2)
	var value int64
	for _, in := range inputs {
		tx.AddTxIn(&wire.TxIn{PreviousOutPoint: in.OutPoint, Witness: anyoneWitness})
		value += in.value
	}
	for range 2 {
		tx.AddTxOut(wire.NewTxOut(value/2, anyoneSpends))
	}
	if stone != nil {
		tx.AddTxOut(wire.NewTxOut(0, stone))
	}
	return tx
}

// mine submits a block with these transactions, whose coinbase output becomes a coin if it has a value.
func (c *seededChain) mine(txs []*wire.MsgTx, subsidy int64) {
	c.t.Helper()
	c.height++
	coinbase := wire.NewMsgTx(2)
	number, err := txscript.NewScriptBuilder().AddInt64(c.height).AddOp(txscript.OP_0).Script()
	must(c.t, err)
	coinbase.AddTxIn(&wire.TxIn{PreviousOutPoint: wire.OutPoint{Index: wire.MaxPrevOutIndex}, SignatureScript: number,
		Witness: wire.TxWitness{make([]byte, 32)}, Sequence: wire.MaxTxInSequenceNum})
	coinbase.AddTxOut(wire.NewTxOut(subsidy, anyoneSpends))
	block := wire.MsgBlock{Transactions: append([]*wire.MsgTx{coinbase}, txs...)}
	root := testkit.MerkleRoot(block.Transactions, func(tx *wire.MsgTx) chainhash.Hash {
		if tx == coinbase {
			return chainhash.Hash{}
		}
		return tx.WitnessHash()
	})
	commitment := chainhash.DoubleHashB(append(root[:], make([]byte, 32)...))
	coinbase.AddTxOut(wire.NewTxOut(0, append([]byte{txscript.OP_RETURN, 36, 0xaa, 0x21, 0xa9, 0xed}, commitment...)))
	block.Header = wire.BlockHeader{Version: 0x20000000, PrevBlock: c.prev, Bits: 0x207fffff,
		MerkleRoot: testkit.MerkleRoot(block.Transactions, (*wire.MsgTx).TxHash),
		Timestamp:  time.Unix(1_600_000_000+c.height*600, 0)}
	for block.Header.BlockHash()[chainhash.HashSize-1] > 0x7f { // the regtest target
		block.Header.Nonce++
	}
	var raw bytes.Buffer
	must(c.t, block.Serialize(&raw))
	c.bytes += raw.Len()
	var refused any
	c.node.Call(&refused, "submitblock", hex.EncodeToString(raw.Bytes()))
	if refused != nil {
		c.t.Fatalf("block %d: %v", c.height, refused)
	}
	c.prev = block.BlockHash()
	if subsidy > 0 {
		c.plain = append(c.plain, chainCoin{OutPoint: wire.OutPoint{Hash: coinbase.TxHash()}, value: subsidy})
	}
}

// commitTo returns an output script that commits to a name, and the witness that spends it.
func commitTo(t testing.TB, name runes.Name) (script, leaf, control []byte) {
	leaf, err := txscript.NewScriptBuilder().AddData(name.Commitment()).AddOp(txscript.OP_DROP).AddOp(txscript.OP_TRUE).
		Script()
	must(t, err)
	_, internal := btcec.PrivKeyFromBytes(binary.BigEndian.AppendUint64(make([]byte, 24), 21))
	tree := txscript.AssembleTaprootScriptTree(txscript.NewBaseTapLeaf(leaf))
	root := tree.RootNode.TapHash()
	key := txscript.ComputeTaprootOutputKey(internal, root[:])
	block := tree.LeafMerkleProofs[0].ToControlBlock(internal)
	control, err = block.ToBytes()
	must(t, err)
	return append([]byte{txscript.OP_1, txscript.OP_DATA_32}, schnorr.SerializePubKey(key)...), leaf, control
}
