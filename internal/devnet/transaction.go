package devnet

import (
	"context"
	"net/http"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

// transaction is the response of GET /dev/transaction, with the data that a block explorer shows.
// Values are in sats, rune amounts in base units.
type transaction struct {
	TxID          string     `json:"txid"`
	Confirmations int64      `json:"confirmations"` // 0: in the mempool
	Height        *int64     `json:"height"`
	Time          *time.Time `json:"time"` // header time of its block
	VBytes        int64      `json:"vbytes"`
	Fee           *int64     `json:"fee"` // null for a coinbase
	Inputs        []txInput  `json:"inputs"`
	Outputs       []txOutput `json:"outputs"`
	Stone         *txStone   `json:"runestone"`
}

type txInput struct {
	TxID    string  `json:"txid"`
	Vout    uint32  `json:"vout"`
	Value   int64   `json:"value"`
	Address *string `json:"address"`
}

type txOutput struct {
	Value   int64    `json:"value"`
	Address *string  `json:"address"` // null: OP_RETURN, or a script without one
	Spent   bool     `json:"spent"`   // if by a mined transaction, Runes is empty
	Runes   []txRune `json:"runes"`
}

type txRune struct {
	ID           string `json:"id"`
	Name         string `json:"name"` // with spacers; empty if the rune is unknown
	Divisibility uint8  `json:"divisibility"`
	Amount       string `json:"amount"`
}

// txStone is the runestone of a transaction.
type txStone struct {
	Cenotaph bool     `json:"cenotaph"` // malformed: all runes of the inputs are burned
	Etches   bool     `json:"etches"`
	Mints    *string  `json:"mints"`
	Pointer  *uint32  `json:"pointer"`
	Edicts   []txMove `json:"edicts"`
}

type txMove struct {
	txRune
	Output uint32 `json:"output"`
}

func (c controls) transaction(ctx context.Context, r *http.Request) (any, error) {
	txid, err := txidParameter(r.URL.Query())
	if err != nil {
		return nil, err
	}
	if err := c.enter(ctx); err != nil {
		return nil, err
	}
	defer c.leave()
	pool, err := c.readMempool(ctx)
	if err != nil {
		return nil, err
	}
	out := transaction{TxID: txid.String()}
	tx, waits := pool.txs[txid]
	if mined, known := c.ix.txs[txid]; known {
		tx, waits = mined.msg, true
		at := c.ix.blocks[mined.height].Header.Timestamp.UTC()
		out.Height, out.Time, out.Confirmations = &mined.height, &at, c.ix.height()-mined.height+1
	}
	if !waits {
		return nil, unknown("transaction " + txid.String())
	}
	c.describe(&out, tx, pool)
	return out, nil
}

// describe sets the fields that explain the transaction.
func (c controls) describe(out *transaction, tx *wire.MsgTx, pool *mempool) {
	out.VBytes, out.Inputs, out.Outputs, out.Stone = chain.VSize(tx), []txInput{}, []txOutput{}, c.stone(tx)
	fee, whole := int64(0), true
	for _, in := range tx.TxIn {
		at := in.PreviousOutPoint
		previous := pool.previous(at)
		if previous == nil { // a coinbase has no previous output
			whole = false
			continue
		}
		fee += previous.Value
		out.Inputs = append(out.Inputs, txInput{at.Hash.String(), at.Index, previous.Value, c.addressOf(previous.PkScript)})
	}
	id := tx.TxHash()
	for vout, o := range tx.TxOut {
		fee -= o.Value
		at := wire.OutPoint{Hash: id, Index: uint32(vout)}
		_, unspent := pool.output(at)
		_, taken := pool.spent[at]
		entry := txOutput{Value: o.Value, Address: c.addressOf(o.PkScript), Spent: entrySpent(o, unspent, taken),
			Runes: []txRune{}}
		for _, b := range pool.balances(at) {
			entry.Runes = append(entry.Runes, c.named(b.ID, b.Amount.String()))
		}
		out.Outputs = append(out.Outputs, entry)
	}
	if whole {
		out.Fee = &fee
	}
}

// entrySpent reports whether an output is spent. An OP_RETURN output is never spent.
func entrySpent(o *wire.TxOut, unspent, taken bool) bool {
	burned := len(o.PkScript) > 0 && o.PkScript[0] == 0x6a // OP_RETURN
	return !burned && (taken || !unspent)
}

// previous returns the output that an input spends, or nil for a coinbase.
func (m *mempool) previous(at wire.OutPoint) *wire.TxOut {
	tx := m.txs[at.Hash]
	if mined, known := m.ix.txs[at.Hash]; known {
		tx = mined.msg
	}
	if at.Hash == (chainhash.Hash{}) || tx == nil || int(at.Index) >= len(tx.TxOut) {
		return nil
	}
	return tx.TxOut[at.Index]
}

func (c controls) addressOf(script []byte) *string {
	address, ok := chain.AddressFromScript(script, c.chain)
	if !ok {
		return nil
	}
	return &address.Text
}

func (c controls) named(id runes.ID, amount string) txRune {
	named := txRune{ID: id.String(), Amount: amount}
	if entry, known, _ := c.ix.runes.RuneEntry(id); known { // the in-memory store has no errors
		named.Name, named.Divisibility = entry.SpacedName().String(), entry.Divisibility
	}
	return named
}

func (c controls) stone(tx *wire.MsgTx) *txStone {
	artifact := runes.Decipher(tx)
	if artifact == nil {
		return nil
	}
	if artifact.Cenotaph != nil {
		return &txStone{Cenotaph: true, Edicts: []txMove{}}
	}
	stone := txStone{Etches: artifact.Runestone.Etching != nil, Pointer: artifact.Runestone.Pointer, Edicts: []txMove{}}
	if mint := artifact.Runestone.Mint; mint != nil {
		text := mint.String()
		stone.Mints = &text
	}
	for _, e := range artifact.Runestone.Edicts {
		stone.Edicts = append(stone.Edicts, txMove{c.named(e.ID, e.Amount.String()), e.Output})
	}
	return &stone
}
