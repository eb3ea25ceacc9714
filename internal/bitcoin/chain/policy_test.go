package chain

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
)

func scriptOf(t *testing.T, text string, n Network) []byte {
	t.Helper()
	a, err := ParseAddress(text, n)
	if err != nil {
		t.Fatal(err)
	}
	return a.Script
}

func TestDust(t *testing.T) {
	for text, want := range map[string]amount.Sats{
		"1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa":                             546,
		"3P14159f73E4gFr7JterCCQh9QjiTjiZrG":                             540,
		"bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4":                     294,
		"bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0": 330,
	} {
		if got := Dust(scriptOf(t, text, mainnet)); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
	if got := Dust(script(txscript.OP_0, make([]byte, 32))); got != 330 {
		t.Errorf("p2wsh: %d, want 330", got)
	}
	if got := Dust([]byte{txscript.OP_RETURN, 1, 1}); got != 0 {
		t.Errorf("OP_RETURN: %d, want 0", got)
	}
}

func TestCheckPolicy(t *testing.T) {
	taproot := scriptOf(t, "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0", mainnet)
	legacy := scriptOf(t, "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", mainnet)
	data := func(size int) []byte { // an OP_RETURN script of this many bytes, shaped like a runestone
		return append([]byte{txscript.OP_RETURN, txscript.OP_13, txscript.OP_PUSHDATA1, byte(size - 4)},
			make([]byte, size-4)...)
	}
	known := func(value int64) func(wire.OutPoint) (*wire.TxOut, bool) {
		return func(wire.OutPoint) (*wire.TxOut, bool) { return wire.NewTxOut(value, taproot), true }
	}
	// A valid transaction: 2 inputs of 10,000 sats, 3 outputs, a fee of 1,000 sats.
	good := func() *wire.MsgTx {
		tx := wire.NewMsgTx(2)
		for i := range uint32(2) {
			in := wire.NewTxIn(&wire.OutPoint{Index: i}, nil, wire.TxWitness{make([]byte, 64)})
			tx.AddTxIn(in)
		}
		tx.AddTxOut(wire.NewTxOut(546, taproot))
		tx.AddTxOut(wire.NewTxOut(0, data(83)))
		tx.AddTxOut(wire.NewTxOut(18_454, legacy))
		return tx
	}
	check := func(tx *wire.MsgTx) error { return CheckPolicy(tx, known(10_000), DefaultPolicy()) }
	for version := int32(1); version <= 3; version++ {
		tx := good()
		if tx.Version = version; check(tx) != nil {
			t.Errorf("version %d: %v", version, check(tx))
		}
	}
	for want, change := range map[string]func(tx *wire.MsgTx){
		"version 0 is not standard": func(tx *wire.MsgTx) { tx.Version = 0 },
		"version 4 is not standard": func(tx *wire.MsgTx) { tx.Version = 4 },
		"no input":                  func(tx *wire.MsgTx) { tx.TxIn = nil },
		"no output":                 func(tx *wire.MsgTx) { tx.TxOut = nil },
		"weighs":                    func(tx *wire.MsgTx) { tx.TxIn[0].Witness = wire.TxWitness{make([]byte, 400_000)} },
		"fewer than 65 bytes": func(tx *wire.MsgTx) {
			tx.TxIn, tx.TxOut = tx.TxIn[:1], []*wire.TxOut{wire.NewTxOut(0, []byte{txscript.OP_RETURN})}
		},
		"A version 3": func(tx *wire.MsgTx) {
			tx.Version, tx.TxIn[0].Witness = 3, wire.TxWitness{make([]byte, 40_000)}
		},
		"Output 2 has the impossible": func(tx *wire.MsgTx) { tx.TxOut[2].Value = -1 },
		"Output 0 has the impossible": func(tx *wire.MsgTx) { tx.TxOut[0].Value = math.MaxInt64 },
		"more than all bitcoin":       func(tx *wire.MsgTx) { tx.TxOut[0].Value, tx.TxOut[2].Value = maxMoney, maxMoney },
		"Output 0 holds 329 sats":     func(tx *wire.MsgTx) { tx.TxOut[0].Value = 329 },
		"Output 2 holds 545 sats":     func(tx *wire.MsgTx) { tx.TxOut[2].Value = 545 },
		"no standard address":         func(tx *wire.MsgTx) { tx.TxOut[0].PkScript = []byte{txscript.OP_TRUE} },
		"Output 2 pays to a script": func(tx *wire.MsgTx) {
			tx.TxOut[2].PkScript = script(txscript.OP_2, make([]byte, 32))
		},
		"has 84 bytes; the limit is 83": func(tx *wire.MsgTx) { tx.TxOut[1].PkScript = data(84) },
		"does not only push data": func(tx *wire.MsgTx) {
			tx.TxOut[1].PkScript = []byte{txscript.OP_RETURN, txscript.OP_ADD}
		},
		"of output 1 does not only":   func(tx *wire.MsgTx) { tx.TxOut[1].PkScript = []byte{txscript.OP_RETURN, 5, 1} },
		"would burn 1 sats":           func(tx *wire.MsgTx) { tx.TxOut[1].Value = 1 },
		"2 OP_RETURN outputs":         func(tx *wire.MsgTx) { tx.AddTxOut(wire.NewTxOut(0, data(10))) },
		"which another input spends":  func(tx *wire.MsgTx) { tx.TxIn[1].PreviousOutPoint = tx.TxIn[0].PreviousOutPoint },
		"signature script of input 1": func(tx *wire.MsgTx) { tx.TxIn[1].SignatureScript = []byte{txscript.OP_ADD} },
		"signature script of input 0": func(tx *wire.MsgTx) {
			tx.TxIn[0].SignatureScript = bytes.Repeat([]byte{txscript.OP_0}, 1651)
		},
		"1 sats more than the inputs": func(tx *wire.MsgTx) { tx.TxOut[2].Value += 1001 },
		"vB need to be relayed":       func(tx *wire.MsgTx) { tx.TxOut[2].Value += 800 },
	} {
		tx := good()
		change(tx)
		err := check(tx)
		if _, ok := errors.AsType[Violation](err); !ok || !strings.Contains(err.Error(), want) ||
			!strings.HasSuffix(err.Error(), ".") {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	prevouts := map[string]func(wire.OutPoint) (*wire.TxOut, bool){
		"is not known": func(o wire.OutPoint) (*wire.TxOut, bool) {
			return wire.NewTxOut(1e6, taproot), o.Index == 0
		},
		"Input 0 has the impossible":   known(-1),
		"inputs are worth more":        known(maxMoney),
		"limit of 5000000 sats":        known(3_000_000),
		"above the limit of 1000 sat/": known(200_000),
	}
	for want, prevout := range prevouts {
		if err := CheckPolicy(good(), prevout, DefaultPolicy()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	wide := DefaultPolicy()
	wide.DataCarrier = 200
	tx := good()
	tx.TxOut[1].PkScript = data(200)
	if err := CheckPolicy(tx, known(10_000), wide); err != nil {
		t.Errorf("an OP_RETURN of 200 bytes with a limit of 200: %v", err)
	}
}

func TestFeePolicy(t *testing.T) {
	p := FeePolicy{Fallback: amount.SatPerVB(20), Min: amount.SatPerVB(2), Max: amount.SatPerVB(300)}
	_, absurd := amount.FeeRateFromFloat(1e9)
	_, notANumber := amount.FeeRateFromFloat(math.NaN())
	for _, c := range []struct {
		rate amount.FeeRate
		err  error
		want int64
	}{
		{amount.SatPerVB(7), nil, 7}, {0, nil, 20}, {-1, nil, 20}, {0, ErrNoEstimate, 20}, {0, absurd, 20},
		{0, notANumber, 20},
		{amount.SatPerVB(1), nil, 2}, {math.MaxInt64, nil, 300}, {amount.SatPerVB(301), nil, 300},
		{amount.SatPerVB(9), errBusy, 20},
	} {
		if got := p.Clamp(c.rate, c.err); got != amount.SatPerVB(c.want) {
			t.Errorf("%s, %v: %s sat/vB, want %d", c.rate, c.err, got, c.want)
		}
	}
	p.Fallback = amount.SatPerVB(10_000)
	if got := p.Clamp(0, ErrNoEstimate); got != p.Max {
		t.Errorf("Clamp with a fallback above Max = %s, want Max", got)
	}
}
