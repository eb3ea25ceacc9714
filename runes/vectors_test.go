package runes

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"
)

// carrier is a transaction with the script as output 0 and plain outputs after it.
func carrier(script []byte, plain int) *wire.MsgTx {
	tx := wire.NewMsgTx(2)
	tx.AddTxOut(wire.NewTxOut(0, script))
	for range plain {
		tx.AddTxOut(wire.NewTxOut(546, []byte{0x51, 0x20, 31: 0, 33: 1}))
	}
	return tx
}

// describe writes an artifact as the vectors do.
func describe(a *Artifact) (string, error) {
	switch {
	case a == nil:
		return "none", nil
	case a.Cenotaph != nil:
		return fmt.Sprintf("ceno %s %s %s", a.Cenotaph.Flaw, show((*uint128.Uint128)(a.Cenotaph.Etching)), show(a.Cenotaph.Mint)), nil
	}
	r := a.Runestone
	etching := "-"
	if e := r.Etching; e != nil {
		terms := "-"
		if t := e.Terms; t != nil {
			terms = fmt.Sprintf("T(%s %s %s %s %s %s)", show(t.Amount), show(t.Cap),
				show(t.HeightStart), show(t.HeightEnd), show(t.OffsetStart), show(t.OffsetEnd))
		}
		etching = fmt.Sprintf("E(%s %s %s %s %s %s %t)", show(e.Divisibility), show(e.Premine),
			show(e.Name), show(e.Spacers), show(e.Symbol), terms, e.Turbo)
	}
	var edicts strings.Builder
	for _, e := range r.Edicts {
		fmt.Fprintf(&edicts, "%s,%s,%d;", e.ID, e.Amount, e.Output)
	}
	script, err := r.Script()
	return fmt.Sprintf("rune %s e[%s] m%s p%s %x", etching, &edicts, show(r.Mint), show(r.Pointer), script), err
}

func show[T any](v *T) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprint(*v)
}

func TestReferenceVectors(t *testing.T) {
	data, err := os.ReadFile("testdata/decode.tsv")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); count++ {
		column := strings.Split(lines.Text(), "\t")
		plain, err := strconv.Atoi(column[0])
		if err != nil {
			t.Fatal(err)
		}
		script, err := hex.DecodeString(column[1])
		if err != nil {
			t.Fatal(err)
		}
		got, err := describe(Decipher(carrier(script, plain)))
		if err != nil || got != column[2] {
			t.Errorf("%s with %d outputs\n got %s %v\nwant %s", column[1], plain, got, err, column[2])
		}
	}
	if count != 3804 {
		t.Errorf("%d vectors, want 3804", count)
	}
}

func FuzzDecipher(f *testing.F) {
	f.Add([]byte{0x6a, 0x5d, 0x02, 0x02, 0x07}, 1)
	f.Add([]byte{0x6a, 0x5d, 0x05, 0x14, 0x01, 0x14, 0x02, 0x00}, 2)
	f.Add([]byte{0x6a, 0x5d, 0x4d, 0xff, 0xff}, 0)
	f.Fuzz(func(t *testing.T, script []byte, plain int) {
		plain &= 7
		tx := carrier(script, plain)
		a := Decipher(tx)
		if a == nil || a.Runestone == nil {
			return
		}
		again, err := a.Runestone.Script()
		if err != nil {
			t.Fatalf("what was read can't be written: %v", err)
		}
		before, _ := describe(a)
		after, err := describe(Decipher(carrier(again, plain)))
		if err != nil || before != after {
			t.Errorf("%s\nreads back as\n%s %v", before, after, err)
		}
	})
}
