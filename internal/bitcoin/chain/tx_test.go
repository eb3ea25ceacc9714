package chain

import (
	"bytes"
	"slices"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

// bip143 is the signed P2WPKH example of BIP-143.
const bip143 = "" +
	"01000000000102fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f0000000049483045022100" +
	"8b9d1dc26ba6a9cb62127b02742fa9d754cd3bebf337f7a55d114c8e5cdd30be022040529b194ba3f9281a99f2b1c0a19c04" +
	"89bc22ede944ccf4ecbab4cc618ef3ed01eeffffffef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b9" +
	"0ec68a0100000000ffffffff02202cb206000000001976a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac909351" +
	"0d000000001976a9143bde42dbee7e4dbe6a21b2d50ce2f0167faa815988ac000247304402203609e17b84f6a7d30c80bfa6" +
	"10b5b4542f32a8a0d5447a12fb1366d7f01cc44a0220573a954c4518331561406f90300e8f3358f51928d43c212a8caed02d" +
	"e67eebee0121025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee635711000000"

func TestDecodeTx(t *testing.T) {
	raw := unhex(t, bip143)
	tx, err := DecodeTx(raw)
	if err != nil {
		t.Fatal(err)
	}
	if tx.ID != chainhash.DoubleHashH(withoutWitness(tx)) || !bytes.Equal(tx.Bytes(), raw) {
		t.Error("the id is not the hash without witnesses, or the transaction encodes to other bytes")
	}
	stripped := int64(tx.Msg.SerializeSizeStripped())
	if weight := Weight(tx.Msg); weight != stripped*3+int64(len(raw)) || VSize(tx.Msg) != (weight+3)/4 {
		t.Errorf("weight %d, vsize %d", weight, VSize(tx.Msg))
	}
	many := []byte{0xfe, 0xff, 0xff, 0x0b, 0x00}
	manyInputs := append(append([]byte{2, 0, 0, 0}, many...), make([]byte, 60)...)
	manyOutputs := append(append(append([]byte{2, 0, 0, 0, 1}, make([]byte, 41)...), many...), make([]byte, 60)...)
	manyWitnesses := append(append(append([]byte{2, 0, 0, 0, 0, 1, 1}, make([]byte, 41+1+9)...), many...),
		make([]byte, 60)...)
	manyWitnesses[7+41] = 1
	emptyWitness := append(append(bytes.Clone(raw[:4]), 0, 1), withoutWitness(tx)[4:]...)
	emptyWitness = append(emptyWitness[:len(emptyWitness)-4], 0, 0, 17, 0, 0, 0)
	for name, bad := range map[string][]byte{
		"nothing": nil, "cut": raw[:len(raw)-1], "longer": append(bytes.Clone(raw), 0), "no input": make([]byte, 10),
		"too many inputs": manyInputs, "too many outputs": manyOutputs, "too many witnesses": manyWitnesses,
		"superfluous witness": emptyWitness, "huge": make([]byte, MaxBlockBytes+1),
	} {
		if got, err := DecodeTx(bad); err == nil {
			t.Errorf("%s: decoded %v", name, got.ID)
		}
	}
}

func withoutWitness(tx Tx) []byte {
	var b bytes.Buffer
	_ = tx.Msg.SerializeNoWitness(&b)
	return b.Bytes()
}

// TestDecodeBlockIDs checks the ids of transactions with and without witnesses.
func TestDecodeBlockIDs(t *testing.T) {
	signed, err := DecodeTx(unhex(t, bip143))
	if err != nil {
		t.Fatal(err)
	}
	genesis := networks[0].Params.GenesisBlock
	block := wire.MsgBlock{
		Header: genesis.Header, Transactions: []*wire.MsgTx{genesis.Transactions[0], signed.Msg, genesis.Transactions[0]},
	}
	var b bytes.Buffer
	if err := block.Serialize(&b); err != nil {
		t.Fatal(err)
	}
	decoded, err := DecodeBlock(b.Bytes(), 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, tx := range decoded.Txs {
		if want := block.Transactions[i].TxHash(); tx.ID != want {
			t.Errorf("transaction %d: id %s, want %s", i, tx.ID, want)
		}
	}
}

func TestDecodeBlock(t *testing.T) {
	for _, n := range networks {
		var b bytes.Buffer
		if err := n.Params.GenesisBlock.Serialize(&b); err != nil {
			t.Fatal(err)
		}
		block, header, err := decodeBlock(b.Bytes(), 7)
		if err != nil || block.Hash != *n.Params.GenesisHash || block.Height != 7 || len(block.Txs) != 1 {
			t.Errorf("%s: %+v, %v", n.Name, block, err)
		}
		if block.merkleRoot() != header.MerkleRoot || block.Time.Unix() != header.Timestamp.Unix() ||
			block.Prev != (chainhash.Hash{}) {
			t.Errorf("%s: %+v", n.Name, block)
		}
		for name, bad := range map[string][]byte{
			"nothing": nil, "cut": b.Bytes()[:b.Len()-1], "longer": append(bytes.Clone(b.Bytes()), 0),
			"no transaction": append(bytes.Clone(b.Bytes()[:80]), 0), "huge": make([]byte, MaxBlockBytes+1),
			"superfluous witness": slices.Concat(b.Bytes()[:85], []byte{0, 1}, b.Bytes()[85:b.Len()-4], make([]byte, 5)),
		} {
			if _, err := DecodeBlock(bad, 0); err == nil {
				t.Errorf("%s: %s decoded, want an error", n.Name, name)
			}
		}
	}
}
