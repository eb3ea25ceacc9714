package e2e

import (
	"slices"

	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/bitcoin/runes"
)

const (
	mostIDs      = 5    // runes that the edicts of one transaction name
	commitBlocks = 6    // confirmations that an etching's commitment needs
	minted       = 1000 // base units of each mint
)

// script returns the output script of a runestone, or of a random payload if it has no script.
func (c *seededChain) script(s runes.Runestone) []byte {
	text, err := s.Script()
	if err != nil {
		return c.garbage()
	}
	return text
}

// garbage returns a runestone with a random payload, which is a cenotaph in most cases.
func (c *seededChain) garbage() []byte {
	payload := make([]byte, 1+c.random.IntN(12))
	for i := range payload {
		payload[i] = byte(c.random.IntN(40))
	}
	return append([]byte{txscript.OP_RETURN, txscript.OP_13, byte(len(payload))}, payload...)
}

// someID returns the id of a rune, usually of one of the first. The rune may not exist.
func (c *seededChain) someID() runes.ID {
	if len(c.ids) == 0 {
		return runes.ID{Block: 1, Tx: 1}
	}
	return c.ids[min(c.random.IntN(len(c.ids)), c.random.IntN(len(c.ids)))]
}

func (c *seededChain) mintStone(had []runes.ID) (script []byte, ids []runes.ID) {
	id := c.someID()
	stone := runes.Runestone{Mint: &id}
	if c.keeps {
		stone.Edicts = []runes.Edict{{ID: id, Amount: uint128.From64(uint64(1 + c.random.IntN(minted-1))), Output: 1}}
		return c.script(stone), union(had, id)
	}
	if c.random.IntN(4) == 0 {
		stone.Pointer = new(uint32(c.random.IntN(3)))
	}
	return c.script(stone), union(had, id)
}

// transferStone returns a runestone for a transaction that may hold these runes. In rare cases it is a cenotaph or
// burns them.
func (c *seededChain) transferStone(ids []runes.ID) (script []byte, kept []runes.ID) {
	var stone runes.Runestone
	switch n := c.random.IntN(200); {
	case n == 0:
		return c.garbage(), ids
	case n < 20:
		return nil, ids // no runestone: all runes move to the first output
	case n < 30:
		stone.Pointer = new(uint32(c.random.IntN(3)))
	}
	for _, id := range ids {
		amount := uint128.From64(uint64(c.random.IntN(5)) * uint64(c.random.IntN(1000)))
		stone.Edicts = append(stone.Edicts, runes.Edict{ID: id, Amount: amount, Output: uint32(c.random.IntN(4))})
	}
	if c.random.IntN(20) == 0 {
		stone.Edicts = append(stone.Edicts, runes.Edict{ID: c.someID(), Amount: uint128.From64(1), Output: 1})
	}
	return c.script(stone), ids
}

// union returns the ids and id, at most mostIDs of them.
func union(ids []runes.ID, more runes.ID) []runes.ID {
	all := append(slices.Clone(ids), more)
	slices.SortFunc(all, runes.ID.Compare)
	all = slices.Compact(all)
	return all[:min(len(all), mostIDs)]
}

// gatherStone returns a runestone that gives one base unit of each rune to every output, and the rest to the first.
func (c *seededChain) gatherStone(ids []runes.ID) []byte {
	stone := runes.Runestone{Pointer: new(uint32(0))}
	for _, id := range ids {
		stone.Edicts = append(stone.Edicts, runes.Edict{ID: id, Amount: uint128.From64(1), Output: 3})
	}
	return c.script(stone)
}

// etchings returns transactions for the end of a block, the first of which has the index first: a commitment to a name,
// and an etching, of which one in four is invalid because it comes too early or its name is taken, and one in eight has
// no name.
func (c *seededChain) etchings(first uint32) (txs []*wire.MsgTx) {
	if c.height%3 != 0 || len(c.plain) < 2 {
		return nil
	}
	name := c.someName()
	script, leaf, control := commitTo(c.t, name)
	from := c.take(&c.plain, 1)
	commit := wire.NewMsgTx(2)
	commit.AddTxIn(&wire.TxIn{PreviousOutPoint: from[0].OutPoint, Witness: anyoneWitness})
	commit.AddTxOut(wire.NewTxOut(from[0].value, script))
	txs = append(txs, commit)
	c.commits = append(c.commits, announced{
		chainCoin{wire.OutPoint{Hash: commit.TxHash()}, from[0].value, nil}, leaf, control, name, c.height + 1,
	})
	if oldest := c.commits[0]; c.height+2-oldest.height >= commitBlocks || c.random.IntN(8) == 0 {
		c.commits = c.commits[1:]
		id := runes.ID{Block: uint64(c.height + 1), Tx: first + 1}
		txs, c.ids = append(txs, c.reveal(oldest, id)), append(c.ids, id)
	}
	return txs
}

// someName returns a random name, or a name that was used before.
func (c *seededChain) someName() (name runes.Name) {
	if len(c.names) > 0 && c.random.IntN(8) == 0 {
		return c.names[c.random.IntN(len(c.names))]
	}
	letters := make([]byte, 12+c.random.IntN(6)) // 12 letters are too few in the first blocks
	for i := range letters {
		letters[i] = 'A' + byte(c.random.IntN(26))
	}
	name, err := runes.ParseName(string(letters))
	must(c.t, err)
	c.names = append(c.names, name)
	return name
}

// reveal returns the transaction that etches an announced rune, which gets the id.
func (c *seededChain) reveal(a announced, id runes.ID) *wire.MsgTx {
	tx := c.pay([]chainCoin{a.chainCoin}, nil)
	tx.TxIn[0].Witness = wire.TxWitness{a.leaf, a.control}
	limit := uint64(c.random.IntN(5000))
	if c.keeps {
		limit = 1 << 40
	}
	etching := runes.Etching{Name: &a.name, Premine: new(uint128.From64(uint64(c.random.IntN(1_000_000)))),
		Divisibility: new(uint8(c.random.IntN(39))), Turbo: c.random.IntN(2) == 0,
		Terms: &runes.Terms{Amount: new(uint128.From64(minted)), Cap: new(uint128.From64(limit))}}
	if c.random.IntN(8) == 0 {
		etching.Name = nil
	}
	if c.random.IntN(2) == 0 {
		etching.Spacers, etching.Symbol = new(uint32(c.random.IntN(1<<11))), new(rune('A'+c.random.IntN(26)))
	}
	if !c.keeps && c.random.IntN(4) == 0 {
		etching.Terms.OffsetEnd, etching.Terms.HeightStart = new(uint64(c.random.IntN(300))), new(uint64(c.height+2))
	}
	stone := runes.Runestone{Etching: &etching, Pointer: new(uint32(c.random.IntN(2)))}
	if !c.keeps && c.random.IntN(6) == 0 { // a cenotaph, which etches the name without supply
		*stone.Pointer = 10
		c.cenotaphs++
	}
	tx.AddTxOut(wire.NewTxOut(0, c.script(stone)))
	for i, out := range tx.TxOut[:2] {
		c.held = append(c.held, chainCoin{wire.OutPoint{Hash: tx.TxHash(), Index: uint32(i)}, out.Value,
			[]runes.ID{id}})
	}
	return tx
}
