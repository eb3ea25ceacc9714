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

// carrier returns a transaction with the script as output 0 and plain outputs after it.
func carrier(script []byte, plain int) *wire.MsgTx {
	tx := wire.NewMsgTx(2)
	tx.AddTxOut(wire.NewTxOut(0, script))
	for range plain {
		tx.AddTxOut(wire.NewTxOut(546, []byte{0x51, 0x20, 31: 0, 33: 1}))
	}
	return tx
}

// describe formats an artifact like the vectors in testdata/decode.tsv.
func describe(a *Artifact) (string, error) {
	switch {
	case a == nil:
		return "none", nil
	case a.Cenotaph != nil:
		return fmt.Sprintf("ceno %s %s %s", a.Cenotaph.Flaw, show((*uint128.Uint128)(a.Cenotaph.Etching)),
			show(a.Cenotaph.Mint)), nil
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

// vector is one line of testdata/decode.tsv: the result of the reference implementation for a script with a number of
// plain outputs after it.
type vector struct {
	plain  int
	script []byte
	want   string
}

func readVectors(t testing.TB) (all []vector) {
	t.Helper()
	data, err := os.ReadFile("testdata/decode.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		column := strings.Split(lines.Text(), "\t")
		plain, err := strconv.Atoi(column[0])
		if err != nil {
			t.Fatal(err)
		}
		script, err := hex.DecodeString(column[1])
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, vector{plain, script, column[2]})
	}
	if len(all) != 3804 {
		t.Fatalf("%d vectors, want 3804", len(all))
	}
	return all
}

func TestReferenceVectors(t *testing.T) {
	for _, v := range readVectors(t) {
		got, err := describe(Decipher(carrier(v.script, v.plain)))
		if err != nil || got != v.want {
			t.Errorf("%x with %d outputs\n got %s %v\nwant %s", v.script, v.plain, got, err, v.want)
		}
	}
}
