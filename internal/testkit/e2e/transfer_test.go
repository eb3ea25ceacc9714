package e2e

import (
	"bytes"
	"encoding/hex"
	"strconv"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

const (
	postage = 546 // sats on an output that carries runes
	feeRate = 3   // of the wallet's transactions, in sat/vB
)

// coin is an unspent output in the format of GET /dev/utxos.
type coin struct {
	TxID  string `json:"txid"`
	Vout  uint32 `json:"vout"`
	Value int64  `json:"value"`
	Runes []struct {
		RuneID string `json:"rune_id"`
		Amount string `json:"amount"`
	} `json:"runes"`
	Confirmations int64 `json:"confirmations"`
}

// holds returns the amount of a rune on the coin, in base units.
func (c coin) holds(t testing.TB, rune string) (units int64) {
	t.Helper()
	for _, balance := range c.Runes {
		if balance.RuneID == rune {
			n, err := strconv.ParseInt(balance.Amount, 10, 64)
			must(t, err)
			units += n
		}
	}
	return units
}

// spending is an unfinished transaction.
type spending struct {
	tx     *wire.MsgTx
	owners []account
	spent  []*wire.TxOut
}

func (s *spending) add(t testing.TB, a account, c coin) {
	t.Helper()
	hash, err := chainhash.NewHashFromStr(c.TxID)
	must(t, err)
	in := wire.NewTxIn(wire.NewOutPoint(hash, c.Vout), nil, nil)
	in.Sequence = 0xfffffffd
	s.tx.AddTxIn(in)
	s.owners = append(s.owners, a)
	s.spent = append(s.spent, wire.NewTxOut(c.Value, a.script))
}

// finish pays the fee from the coins, returns the change to the payer, signs, and returns the transaction in hex.
func (s *spending) finish(t testing.TB, payer account, coins []coin) string {
	t.Helper()
	change := wire.NewTxOut(0, payer.script)
	s.tx.AddTxOut(change)
	for _, c := range coins {
		if len(c.Runes) > 0 {
			continue
		}
		s.add(t, payer, c)
		s.sign(t)
		if left := s.left(); left >= postage {
			change.Value = left
			s.sign(t)
			return encode(t, s.tx)
		}
	}
	t.Fatalf("%s has too few sats", payer.text)
	return ""
}

func (s *spending) sign(t testing.TB) {
	t.Helper()
	for i, owner := range s.owners {
		owner.signInput(t, s.tx, i, s.spent)
	}
}

// left returns the sats of the inputs minus the sats of the outputs and the fee.
func (s *spending) left() (sats int64) {
	for _, out := range s.spent {
		sats += out.Value
	}
	for _, out := range s.tx.TxOut {
		sats -= out.Value
	}
	weight := 3*s.tx.SerializeSizeStripped() + s.tx.SerializeSize()
	return sats - feeRate*int64((weight+3)/4+2) // the size of signatures may vary by a byte
}

func encode(t testing.TB, tx *wire.MsgTx) string {
	t.Helper()
	var b bytes.Buffer
	must(t, tx.Serialize(&b))
	return hex.EncodeToString(b.Bytes())
}

func decodeTx(t testing.TB, text string) *wire.MsgTx {
	t.Helper()
	raw, err := hex.DecodeString(text)
	must(t, err)
	tx := &wire.MsgTx{}
	must(t, tx.Deserialize(bytes.NewReader(raw)))
	return tx
}

// edict returns a runestone that sends an amount of a rune to output 0 and all other runes to output 1.
func edict(t testing.TB, rune string, units int64) []byte {
	t.Helper()
	const tagBody, tagPointer = 0, 22
	blockText, txText, _ := strings.Cut(rune, ":")
	block, err := strconv.ParseUint(blockText, 10, 64)
	must(t, err)
	index, err := strconv.ParseUint(txText, 10, 64)
	must(t, err)
	var payload []byte
	for _, n := range []uint64{tagPointer, 1, tagBody, block, index, uint64(units), 0} {
		payload = leb128(payload, n)
	}
	script := []byte{txscript.OP_RETURN, txscript.OP_13, byte(len(payload))} // less than 76 bytes: one direct push
	return append(script, payload...)
}

// leb128 appends an integer, seven bits per byte, least significant first.
func leb128(to []byte, n uint64) []byte {
	for ; n >= 0x80; n >>= 7 {
		to = append(to, byte(n)|0x80)
	}
	return append(to, byte(n))
}

// transferRunes builds a transaction that sends base units of a rune to an address.
func (w wallet) transferRunes(t testing.TB, rune string, units int64, to string, ordinals, payment []coin) string {
	t.Helper()
	s := &spending{tx: wire.NewMsgTx(2)}
	var got int64
	for _, c := range ordinals {
		if held := c.holds(t, rune); held > 0 && got < units {
			s.add(t, w.ordinals, c)
			got += held
		}
	}
	if got < units {
		t.Fatalf("%s holds %d base units, want at least %d", w.ordinals.text, got, units)
	}
	s.tx.AddTxOut(wire.NewTxOut(postage, scriptOf(t, to)))
	s.tx.AddTxOut(wire.NewTxOut(postage, w.ordinals.script))
	s.tx.AddTxOut(wire.NewTxOut(0, edict(t, rune, units)))
	return s.finish(t, w.payment, payment)
}

// sendSats builds a transaction that sends sats to an address.
func (w wallet) sendSats(t testing.TB, sats int64, to string, payment []coin) string {
	t.Helper()
	s := &spending{tx: wire.NewMsgTx(2)}
	s.tx.AddTxOut(wire.NewTxOut(sats, scriptOf(t, to)))
	return s.finish(t, w.payment, payment)
}
