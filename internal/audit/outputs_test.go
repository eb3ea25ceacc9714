package audit

import (
	"bytes"
	"crypto/sha256"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

var someTx = strings.Repeat("0123456789abcdef", 4)

// strangeIDs are ids of units: valid ones, and ids that only a damaged ledger has.
var strangeIDs = []string{
	someTx + ":0", someTx + ":1", someTx + ":4294967295", someTx + ":4294967296", someTx + ":01", someTx + ":", someTx,
	someTx + ":-1", someTx + ":+1",
	strings.ToUpper(someTx) + ":0", "g" + someTx[1:] + ":0", someTx[1:] + ":0", someTx + "0:0", someTx + "-0",
	"reward:0:0123456789abcdef", "reward:7:0123456789abcdef", "reward:07:0123456789abcdef", "reward:7:0123456789abcdeF",
	"reward:7:0123456789abcde",
	"reward:7:0123456789abcdef0", "reward::0123456789abcdef", "reward:-1:0123456789abcdef", "reward:7", "reward", ":", "",
	"é", "x:1",
}

// Only a result of wire.OutPoint.String is a valid outpoint, so that different texts are different outpoints.
func TestPointOf(t *testing.T) {
	for i, id := range strangeIDs {
		point, valid := pointOf(id)
		if valid != (i < 3) || (valid && point.String() != id) {
			t.Errorf("%q is an outpoint: %t, %s", id, valid, point)
		}
	}
}

// spend records the spend of an output. undo reverts the spends of a block and removes its outputs. The file has the
// same outputs afterwards.
func TestOutputsAreSpentAndUndone(t *testing.T) {
	taproot := append([]byte{0x51, 0x20}, bytes.Repeat([]byte{7}, 32)...)
	config := Config{Rules: runes.Rules{FirstHeight: 100}}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	walked := &chainState{path: filepath.Join(t.TempDir(), "walk.db")}
	must(walked.reset(config))
	saved := func() outputs {
		t.Helper()
		must(walked.save(walkedLedger{}))
		must(walked.file.close())
		walked.file = nil
		must(walked.open())
		read := &chainState{file: walked.file}
		read.empty(config)
		must(read.readWalked())
		if !reflect.DeepEqual(read.outputs, walked.outputs) {
			t.Errorf("the file contains %+v, want %+v", read.outputs, walked.outputs)
		}
		return read.outputs
	}
	for j, pkScript := range [][]byte{taproot, taproot[:22], {}, append(taproot, 1), bytes.Repeat([]byte{9}, 300)} {
		point := wire.OutPoint{Hash: chainhash.Hash(sha256.Sum256([]byte{byte(j)})), Index: uint32(j)}
		f := output{purpose: &purpose{"lobo", "stake", ""}, script: scriptOf(pkScript), value: 5,
			height: int64(10 + j), coinbase: j == 1, untracked: j == 2,
			balances: []runes.Balance{{ID: runes.ID{Block: 1, Tx: 1}, Amount: uint128.Max}}, spentHeight: chain.None}
		first := f
		walked.put(point, &f)
		in := &wire.TxIn{PreviousOutPoint: point, Witness: wire.TxWitness{{1}}}
		if !walked.spend(in, "spender", 20) || walked.spend(&wire.TxIn{}, "spender", 20) {
			t.Error("spend must report true only for our outputs")
		}
		spent := first
		spent.spentBy, spent.spentHeight, spent.byCommunity = "spender", 20, true
		if got := saved().at(point.String()); !reflect.DeepEqual(*got, spent) {
			t.Errorf("after the spend, %+v is %+v", first, got)
		}
		must(walked.undo(20))
		if got := saved().at(point.String()); !reflect.DeepEqual(*got, first) {
			t.Errorf("after undoing the spend, %+v is %+v", first, got)
		}
		must(walked.undo(10 + int64(j)))
		if got := saved(); got.at(point.String()) != nil || len(got) > 0 {
			t.Error("the output exists after its block is undone")
		}
	}
	must(walked.file.close())
}

// Different scripts have different keys, and each script has its own address.
func TestScripts(t *testing.T) {
	taproot := append([]byte{0x51, 0x20}, bytes.Repeat([]byte{7}, 32)...)
	seen := map[script]bool{}
	for _, pkScript := range [][]byte{
		{}, {0}, {0, 0}, taproot[:22], taproot, append(taproot[:34:34], 1), append(taproot[:34:34], 2),
		bytes.Repeat([]byte{9}, 300),
	} {
		seen[scriptOf(pkScript)] = true
	}
	if len(seen) != 8 {
		t.Errorf("8 scripts have %d keys", len(seen))
	}
	network, err := chain.NetworkByName("regtest")
	if err != nil {
		t.Fatal(err)
	}
	address, _ := chain.AddressFromScript(taproot, network)
	if got := scriptOf(taproot).address(network); got == "" || got != address.Text {
		t.Errorf("the address of a script is %q, want %q", got, address.Text)
	}
}
