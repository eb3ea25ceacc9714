package chain

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/address/v2"
	"github.com/btcsuite/btcd/btcutil/v2/hdkeychain"
	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

// scriptsOf returns output scripts of every address type, and scripts without an address.
func scriptsOf(f *testing.F) [][]byte {
	var all [][]byte
	for _, text := range []string{
		"0014751e76e8199196d454941c45d1b3a323f1433bd6",
		"00201863143c14c5166804bd19203356da136c985678cd4d27a1b8c6329604903262",
		"76a91462e907b15cbf27d5425399ebf6f0fb50ebb88f1888ac", "a914eb53d1d8b7b7d3e0ac6dfcf5b3b0a0a2fd07b53d87",
		"5120a60869f0dbcf1dc659c9cecbaf8050135ea9e8cdc487053f1dc6880949dc684c",
		"6a5d00", "", "00", "51024e73", "5121" + strings.Repeat("02", 33) + "51ae", "21" + strings.Repeat("02", 33) + "ac",
		"0013" + strings.Repeat("00", 19), "5214" + strings.Repeat("00", 20), "5114" + strings.Repeat("00", 20),
		"76a913" + strings.Repeat("00", 19) + "88ac",
	} {
		all = append(all, unhex(f, text))
	}
	return all
}

// FuzzParseAddress parses arbitrary text as an address of each network. An accepted address has one script and one
// canonical text. An address of another network returns ErrWrongNetwork.
func FuzzParseAddress(f *testing.F) {
	for _, script := range scriptsOf(f) {
		for _, n := range networks {
			if a, ok := AddressFromScript(script, n); ok {
				f.Add(a.Text)
				f.Add(strings.ToUpper(a.Text))
				f.Add(a.Text[:len(a.Text)-1])
			}
		}
	}
	for _, text := range []string{ // the invalid addresses of BIP-173 and BIP-350
		"tc1qw508d6qejxtdg4y5r3zarvary0c5xw7kg3g4ty", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5",
		"BC13W508D6QEJXTDG4Y5R3ZARVARY0C5XW7KN40WF2",
		"bc1rw5uspcuh", "bc10w508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kw5rljs90",
		"BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P",
		"tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sL5k7", "bc1zw508d6qejxtdg4y5r3zarvaryvqyzf3du",
		"tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3pjxtptv", "bc1gmk9yu",
		"bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd",
		"bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4", "bc1pfeessrawgf",
		"bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y",
		"1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb", "bcrt1q", "1", " ", "",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		taken := false
		for _, n := range networks {
			_, err := ParseAddress(text, n)
			taken = taken || err == nil
		}
		for _, n := range networks {
			a, err := ParseAddress(text, n)
			if err != nil {
				if want := map[bool]error{true: ErrWrongNetwork, false: ErrInvalidAddress}[taken]; !errors.Is(err, want) {
					t.Fatalf("%q on %s: %v, want %v", text, n.Name, err, want)
				}
				continue
			}
			back, ok := AddressFromScript(a.Script, n)
			if !ok || back.Text != a.Text || back.Type != a.Type || !strings.EqualFold(a.Text, text) {
				t.Fatalf("%q parses as %+v; its script has the address %+v", text, a, back)
			}
		}
	})
}

// FuzzAddressFromScript uses arbitrary bytes as an output script. If the script has an address, the address parses to
// the script on each network, and the script is standard.
func FuzzAddressFromScript(f *testing.F) {
	for _, script := range scriptsOf(f) {
		f.Add(script)
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		for _, n := range networks {
			a, ok := AddressFromScript(script, n)
			if !ok {
				continue
			}
			if back, err := ParseAddress(a.Text, n); err != nil || !bytes.Equal(back.Script, script) || back.Type != a.Type ||
				Dust(script) == 0 {
				t.Fatalf("script %x has the address %s, which parses to %x, %v", script, a.Text, back.Script, err)
			}
		}
	})
}

// FuzzKey uses arbitrary bytes as a public key. The bytes derive the addresses of a known key only if they are the
// known key.
func FuzzKey(f *testing.F) {
	master, err := hdkeychain.NewMaster(bytes.Repeat([]byte{7}, 32), mainnet.Params)
	if err != nil {
		f.Fatal(err)
	}
	key, err := master.ECPubKey()
	if err != nil {
		f.Fatal(err)
	}
	public := key.SerializeCompressed()
	addresses := map[AddressType]Address{}
	hash := address.Hash160(public)
	witness := script(txscript.OP_0, hash)
	output, err := txscript.PayToTaprootScript(txscript.ComputeTaprootKeyNoScript(key))
	if err != nil {
		f.Fatal(err)
	}
	for kind, pays := range map[AddressType][]byte{P2PKH: scriptP2PKH(hash), P2WPKH: witness,
		P2SH: scriptP2SH(address.Hash160(witness)), P2TR: output} {
		addresses[kind], _ = AddressFromScript(pays, mainnet)
	}
	for _, seed := range [][]byte{
		public, public[1:], key.SerializeUncompressed(), append([]byte{public[0] ^ 1}, public[1:]...),
		addresses[P2TR].Script[2:],
		append([]byte{2}, addresses[P2TR].Script[2:]...), bytes.Repeat([]byte{0xff}, 32), make([]byte, 33), nil,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, candidate []byte) {
		xonly, err := XOnly(candidate)
		if err == nil && (len(xonly) != 32 || !bytes.HasSuffix(candidate, xonly) || len(candidate) > 33) {
			t.Fatalf("%x has the x-only key %x", candidate, xonly)
		}
		for kind, a := range addresses {
			owns := bytes.Equal(candidate, public) || kind == P2TR && err == nil && bytes.Equal(xonly, public[1:])
			if a.DerivesFrom(candidate) != owns {
				t.Fatalf("%s: DerivesFrom(%x) = %v", a.Text, candidate, !owns)
			}
		}
	})
}

// transactions returns serialized transactions of many shapes.
func transactions(f *testing.F) [][]byte {
	all := [][]byte{unhex(f, bip143)}
	for _, n := range networks {
		all = append(all, NewTx(n.Params.GenesisBlock.Transactions[0]).Bytes())
	}
	shape := wire.NewMsgTx(2)
	shape.AddTxIn(&wire.TxIn{PreviousOutPoint: wire.OutPoint{Hash: chainhash.Hash{1}}, Sequence: 0xfffffffd,
		Witness: wire.TxWitness{make([]byte, 64)}})
	for _, script := range scriptsOf(f) {
		shape.AddTxOut(wire.NewTxOut(546, script))
	}
	all = append(all, NewTx(shape).Bytes()) // a key path spend, and every type of output
	leaf := shape.Copy()
	leaf.Version = 3
	leaf.TxIn[0].Witness = wire.TxWitness{make([]byte, 64), append([]byte{32}, make([]byte, 33)...), make([]byte, 33)}
	leaf.AddTxIn(&wire.TxIn{SignatureScript: []byte{0x16, 0x00, 0x14, 21: 1, 22: 1}})
	all = append(all, NewTx(leaf).Bytes()) // a script path spend, and an input without a witness
	bare := shape.Copy()
	bare.TxIn[0].Witness = nil
	return append(all, NewTx(bare).Bytes())
}

// FuzzDecodeTx decodes arbitrary bytes as a transaction. An accepted transaction encodes to the same bytes, its id is
// the hash without witnesses, and CheckPolicy accepts no fee out of bounds.
func FuzzDecodeTx(f *testing.F) {
	for _, raw := range transactions(f) {
		f.Add(raw)
		f.Add(raw[:len(raw)-1])
		f.Add(append(bytes.Clone(raw), 0))
	}
	f.Add([]byte{2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0})
	f.Add(append([]byte{2, 0, 0, 0, 0xfe, 0xff, 0xff, 0x0b, 0x00}, make([]byte, 60)...))
	const value = 100_000
	f.Fuzz(func(t *testing.T, raw []byte) {
		tx, err := DecodeTx(raw)
		if err != nil {
			return
		}
		if !bytes.Equal(tx.Bytes(), raw) || tx.ID != chainhash.DoubleHashH(withoutWitness(tx)) {
			t.Fatalf("%x encodes to %x", raw, tx.Bytes())
		}
		for _, other := range [][]byte{raw[:len(raw)-1], append(bytes.Clone(raw), 0)} {
			if _, err := DecodeTx(other); err == nil {
				t.Fatalf("both %x and %x decode", raw, other)
			}
		}
		limits := DefaultPolicy()
		if CheckPolicy(tx.Msg, func(wire.OutPoint) (*wire.TxOut, bool) {
			return wire.NewTxOut(value, nil), true
		}, limits) != nil {
			return
		}
		fee := int64(len(tx.Msg.TxIn)) * value
		for _, out := range tx.Msg.TxOut {
			fee -= out.Value
		}
		if fee < int64(limits.MinRelay.Fee(VSize(tx.Msg))) || fee > int64(limits.MaxFee) || Weight(tx.Msg) > maxWeight {
			t.Fatalf("CheckPolicy accepts %x with a fee of %d sats", raw, fee)
		}
	})
}

// blocks returns serialized blocks: the genesis block of each network, and blocks with transactions of many shapes and
// the matching merkle root.
func blocks(f *testing.F) [][]byte {
	var all [][]byte
	write := func(block *wire.MsgBlock) {
		var b bytes.Buffer
		if err := block.Serialize(&b); err != nil {
			f.Fatal(err)
		}
		all = append(all, b.Bytes())
	}
	for _, n := range networks {
		write(n.Params.GenesisBlock)
	}
	full := wire.MsgBlock{Header: regtest.Params.GenesisBlock.Header,
		Transactions: regtest.Params.GenesisBlock.Transactions}
	for _, raw := range transactions(f) {
		tx, err := DecodeTx(raw)
		if err != nil {
			f.Fatal(err)
		}
		full.Transactions = append(full.Transactions, tx.Msg)
		full.Header.MerkleRoot = rootOf(full.Transactions)
		write(&full)
	}
	return all
}

// rootOf returns the merkle root of the transactions by its definition: pairs are hashed, and the last hash of a row of
// odd length is paired with itself.
func rootOf(txs []*wire.MsgTx) chainhash.Hash {
	row := make([]chainhash.Hash, len(txs))
	for i, tx := range txs {
		row[i] = tx.TxHash()
	}
	for len(row) > 1 {
		var above []chainhash.Hash
		for i := 0; i < len(row); i += 2 {
			right := row[min(i+1, len(row)-1)]
			above = append(above, chainhash.DoubleHashH(append(row[i].CloneBytes(), right[:]...)))
		}
		row = above
	}
	return row[0]
}

// FuzzDecodeBlock decodes arbitrary bytes as a block. An accepted block encodes to the same bytes and has the hash of
// its header and the merkle root of its transactions.
func FuzzDecodeBlock(f *testing.F) {
	for _, raw := range blocks(f) {
		f.Add(raw)
		f.Add(raw[:len(raw)-1])
		f.Add(append(bytes.Clone(raw), 0))
	}
	f.Add(append(blocks(f)[0][:80:80], 0))
	f.Fuzz(func(t *testing.T, raw []byte) {
		block, header, err := decodeBlock(raw, 1)
		if err != nil {
			return
		}
		var again bytes.Buffer
		_ = header.Serialize(&again) // a bytes.Buffer never fails
		_ = wire.WriteVarInt(&again, 0, uint64(len(block.Txs)))
		var txs []*wire.MsgTx
		for _, tx := range block.Txs {
			again.Write(tx.Bytes())
			txs = append(txs, tx.Msg)
		}
		if !bytes.Equal(again.Bytes(), raw) || block.Hash != header.BlockHash() || block.Prev != header.PrevBlock {
			t.Fatalf("%x encodes to %x", raw, again.Bytes())
		}
		if block.merkleRoot() != rootOf(txs) {
			t.Fatalf("%x: merkleRoot differs from rootOf", raw)
		}
	})
}

// answering is a transport that returns the same response to every request.
type answering struct {
	status int
	body   []byte
}

func (a answering) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: a.status, Body: io.NopCloser(bytes.NewReader(a.body)), Header: http.Header{}}, nil
}

// FuzzNodeAnswer gives the client arbitrary responses. The client returns either the requested data or an error.
func FuzzNodeAnswer(f *testing.F) {
	genesis, tx := blocks(f)[4], transactions(f)[0]
	asked, err := DecodeTx(tx)
	if err != nil {
		f.Fatal(err)
	}
	hash := *regtest.Params.GenesisHash
	for _, result := range []string{
		`"` + hex.EncodeToString(genesis) + `"`, `{"hex":"` + hex.EncodeToString(tx) + `"}`,
		`{"hex":"` + hex.EncodeToString(tx) + `","blockhash":"` + hash.String() + `","confirmations":3}`,
		`{"hex":"` + hex.EncodeToString(tx) + `","blockhash":"` + hash.String() + `","confirmations":0}`,
		`"` + hash.String() + `"`, `["` + hash.String() + `"]`,
		`{"height":5,"confirmations":1}`, `{"feerate":0.00012}`, `{"feerate":1e300}`, `{"feerate":-1}`, `0.00012`, `null`,
		`{"errors":["no data"]}`, `{"pruned":true}`, `{"pruned":"true"}`,
		`{"version":290000,"subversion":"/Satoshi:29.0.0/"}`, `{"value":1,"scriptPubKey":{"hex":"51"}}`,
		`"` + hash.String()[:63] + `"`,
	} {
		f.Add(0, []byte(`{"result":`+result+`,"error":null,"id":1}`))
	}
	for _, code := range []string{"-1", "-5", "-8", "-22", "-25", "-26", "-27", "-28", "-32601", "-32603", "1e3", `"x"`} {
		f.Add(1, []byte(`{"result":null,"error":{"code":`+code+`,"message":"no"},"id":1}`))
	}
	f.Add(2, []byte("<html>"))
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		c := NewClient(ClientConfig{URL: "http://127.0.0.1:1", User: canary, Password: canary})
		c.http.Transport = answering{[]int{200, 500, 404, 401}[uint(status)%4], body}
		ctx := t.Context()
		_, _, best := c.Best(ctx)
		block, blockErr := c.Block(ctx, hash, 0)
		if blockErr == nil && (block.Hash != hash || block.merkleRoot() != regtest.Params.GenesisBlock.Header.MerkleRoot) {
			t.Errorf("Block returned %s, want %s", block.Hash, hash)
		}
		got, place, txErr := c.Tx(ctx, asked.ID)
		if txErr == nil && (got.ID != asked.ID || place.BlockHash != nil && place.Confirmations < 1) {
			t.Errorf("Tx returned %s, want %s; status %+v", got.ID, asked.ID, place)
		}
		rate, rateErr := c.FeeRate(ctx, 6)
		if rateErr == nil && rate <= 0 {
			t.Errorf("FeeRate returned %s, want a positive rate", rate)
		}
		_, mempool := c.Mempool(ctx)
		_, index := c.HasTxIndex(ctx)
		_, v3 := c.RelaysV3(ctx)
		_, pruned := c.Pruned(ctx)
		for _, err := range []error{best, blockErr, txErr, rateErr, mempool, index, v3, pruned, c.Broadcast(ctx, tx),
			c.SubmitBlock(ctx, genesis)} {
			if err != nil && strings.Contains(err.Error(), canary) {
				t.Errorf("an error contains a credential: %v", err)
			}
		}
	})
}
