package audit

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/chain"
	"moonfund/runes"
)

var someTx = strings.Repeat("0123456789abcdef", 4)

// strangeIDs are ids as they are, and as only a damaged ledger has them.
var strangeIDs = []string{
	someTx + ":0", someTx + ":1", someTx + ":4294967295", someTx + ":4294967296", someTx + ":01", someTx + ":", someTx, someTx + ":-1", someTx + ":+1",
	strings.ToUpper(someTx) + ":0", "g" + someTx[1:] + ":0", someTx[1:] + ":0", someTx + "0:0", someTx + "-0",
	"reward:0:0123456789abcdef", "reward:7:0123456789abcdef", "reward:07:0123456789abcdef", "reward:7:0123456789abcdeF", "reward:7:0123456789abcde",
	"reward:7:0123456789abcdef0", "reward::0123456789abcdef", "reward:-1:0123456789abcdef", "reward:7", "reward", ":", "", "é", "x:1",
}

// Every id comes out as it went in, and no two become one.
func TestSubjectsArePackedAndUnpacked(t *testing.T) {
	var keys subjects
	seen := map[subject]unitKey{}
	for _, community := range []string{"lobo", "", "other"} {
		for _, id := range strangeIDs {
			key := unitKey{community, id}
			packed := keys.pack(key)
			if got := keys.unpack(packed); got != key || keys.pack(key) != packed {
				t.Errorf("%q comes out as %q", key, got)
			}
			if other, taken := seen[packed]; taken {
				t.Errorf("%q and %q are one", key, other)
			}
			seen[packed] = key
		}
	}
}

// Every unit comes out as it went in, whatever a damaged ledger says of it.
func TestUnitsArePackedAndUnpacked(t *testing.T) {
	kept, want := newUnits(), map[unitKey]unit{}
	for i, id := range strangeIDs {
		for j, odd := range []int64{chain.None, 0, 1, math.MaxInt32, math.MaxInt32 + 1, math.MinInt64, math.MaxInt64} {
			u := unit{
				community: fmt.Sprint("c", j), id: id, owner: fmt.Sprint("owner", i%3), origin: "STAKE", amount: odd, stage: fmt.Sprint("stage", j),
				notBefore: odd, eligible: 5, stakedTo: chain.None, unlock: odd, rewardEpoch: int64(i), orderID: fmt.Sprint("order", j), before: "UNLOCKED",
				txid: someTx, vout: int64(i),
			}
			if i%2 == 0 {
				u.notBefore, u.unlock = 1, 2
			}
			if i < 3 {
				u.vout = []int64{0, 1, math.MaxUint32}[i]
			}
			kept.put(unit{community: u.community, id: u.id, vout: 99, eligible: math.MaxInt64}) // replaced
			kept.put(u)
			kept.restake(unitKey{u.community, u.id})
			u.restaked = true
			want[unitKey{u.community, u.id}] = u
		}
	}
	numbers, seen := map[uint32]bool{}, 0
	for key, u := range kept.all() {
		at, exists := kept.at(key)
		numbers[u.number] = true
		if seen++; !exists || at != u {
			t.Errorf("%v is %+v by its key, %+v in the list", key, at, u)
		}
		if u.number = 0; u != want[key] {
			t.Errorf("%+v comes out as %+v", want[key], u)
		}
	}
	if seen != len(want) || len(numbers) != len(want) {
		t.Errorf("%d units with %d numbers come out of %d", seen, len(numbers), len(want))
	}
	if _, exists := kept.at(unitKey{"nobody", someTx + ":0"}); exists {
		t.Error("a unit of no community is there")
	}
}

// Every output in custody comes out as it went in; a stake's without what was checked as it was read.
func TestCustodyIsPackedAndUnpacked(t *testing.T) {
	kept, want := newCustodies(), map[string]custody{}
	for i, kind := range []string{"stake", "payment", "runes", "sats", "stake"} {
		for vout, odd := range []int64{chain.None, 0, math.MaxInt32, math.MaxInt32 + 1, math.MinInt64} {
			c := custody{
				txid: someTx, vout: int64(10*i + vout), community: "lobo", kind: kind, ref: "ref", owner: fmt.Sprint("owner", vout), script: []byte{byte(i)},
				value: odd, runes: odd, booked: i == 1, coinbase: vout == 1, height: odd, vanished: vout == 2, spentBy: []string{"", "ff"}[vout%2],
				spentOurs: vout == 3, spentHeight: -odd,
			}
			if i == 4 {
				c.quarantine = "dust"
			}
			if vout == 4 {
				c.txid = strings.ToUpper(someTx)
			}
			kept.put(c)
			if c.mark, c.script = scriptMark(c.script), nil; kind == "stake" && i == 0 && vout < 3 {
				c.ref = ""
			}
			want[c.outpoint()] = c
		}
	}
	seen := 0
	for point, c := range kept.all() {
		at, exists := kept.at(point)
		if seen++; !exists || !reflect.DeepEqual(at, c) || !reflect.DeepEqual(c, want[point]) {
			t.Errorf("%+v comes out as %+v and %+v", want[point], c, at)
		}
	}
	if seen != len(want) || kept.count() != len(want) {
		t.Errorf("%d rows come out of %d", seen, len(want))
	}
}

// What was found on the chain comes out as it was, is spent and is taken back.
func TestOutputsArePackedAndUnpacked(t *testing.T) {
	kept := newOutputs()
	taproot := append([]byte{0x51, 0x20}, bytes.Repeat([]byte{7}, 32)...)
	one, other := runes.ID{Block: 1, Tx: 1}, runes.ID{Block: 2, Tx: 2}
	for i, balances := range [][]runes.Balance{
		nil, {{ID: one, Amount: uint128.From64(5)}}, {{ID: one, Amount: uint128.From64(math.MaxUint64)}}, {{ID: one, Amount: uint128.Max}},
		{{ID: one, Amount: uint128.From64(5)}, {ID: other, Amount: uint128.From64(6)}}, {{ID: other}},
	} {
		for j, pkScript := range [][]byte{taproot, taproot[:22], {}, append(taproot, 1), bytes.Repeat([]byte{9}, 300)} {
			point := wire.OutPoint{Hash: chainhash.Hash(sha256.Sum256([]byte{byte(i), byte(j)})), Index: uint32(j)}
			f := found{purpose: purpose{"lobo", "payment", fmt.Sprint(j)}, script: scriptOf(pkScript), value: int64(i), height: int64(10 + j),
				coinbase: i == 1, stray: j == 1, balances: balances}
			kept.put(point, f)
			f.txid, f.vout, f.spentHeight = point.Hash.String(), int64(j), chain.None
			if got := kept.at(point.String()); got == nil || !reflect.DeepEqual(*got, f) || got.script.mark() != scriptMark(pkScript) {
				t.Errorf("%+v comes out as %+v", f, got)
			}
			spender := chainhash.Hash{byte(i)}
			in := &wire.TxIn{PreviousOutPoint: point, Witness: wire.TxWitness{{1}}}
			if !kept.spend(in, spender, 20) || kept.spend(&wire.TxIn{}, spender, 20) {
				t.Error("only what was found is ours")
			}
			spent := f
			spent.spentBy, spent.spentHeight, spent.keyPath = spender.String(), 20, true
			if got := kept.at(point.String()); !reflect.DeepEqual(*got, spent) {
				t.Errorf("spent, %+v comes out as %+v", spent, got)
			}
			if kept.undo(20); !reflect.DeepEqual(*kept.at(point.String()), f) {
				t.Errorf("with its spend undone, %+v comes out as %+v", f, kept.at(point.String()))
			}
			if kept.undo(10 + int64(j)); kept.at(point.String()) != nil || len(kept.rows)+len(kept.several) > 0 {
				t.Error("what a block made is there without it")
			}
		}
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

// Each part of a row is told apart from the next.
func TestMarksTellPartsApart(t *testing.T) {
	if markOf("ab", "c") == markOf("a", "bc") || markOf("a") == markOf("a", "") || markOf() == markOf("") {
		t.Error("two rows have one mark")
	}
}
