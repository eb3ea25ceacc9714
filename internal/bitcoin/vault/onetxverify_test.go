package vault

import (
	"testing"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

// TestVerifyOneTx changes a withdrawal in one transaction, its inputs or its delivery.
func TestVerifyOneTx(t *testing.T) {
	c := newCustody(t)
	w := newOwnWallet(t, 3, chain.P2WPKH, c.network)
	other := newOwnWallet(t, 4, chain.P2WPKH, c.network)
	legacy := addressOf(t, chain.P2PKH, w.public, c.network).Script
	type withdrawal struct {
		tx       *wire.MsgTx
		inputs   []Coin
		delivery Delivery
		change   []byte
	}
	stone := func(x *withdrawal, stone runes.Runestone) {
		script, err := stone.Script()
		must(t, err)
		x.tx.TxOut[1].PkScript = script
	}
	addInput := func(x *withdrawal, coin Coin) {
		x.inputs = append(x.inputs, coin)
		x.tx.AddTxIn(&wire.TxIn{PreviousOutPoint: coin.OutPoint, Sequence: Sequence})
	}
	zero, one, two := uint32(0), uint32(1), uint32(2)
	edict := func(n uint64, output uint32) runes.Edict {
		return runes.Edict{ID: lobo, Amount: uint128.From64(n), Output: output}
	}
	changes := map[string]func(x *withdrawal){
		"version 1":                 func(x *withdrawal) { x.tx.Version = 1 },
		"version 3":                 func(x *withdrawal) { x.tx.Version = 3 },
		"a lock time":               func(x *withdrawal) { x.tx.LockTime = 1 },
		"a final sequence":          func(x *withdrawal) { x.tx.TxIn[2].Sequence = 0xffffffff },
		"a relative lock":           func(x *withdrawal) { x.tx.TxIn[0].Sequence = 26280 },
		"an input less":             func(x *withdrawal) { x.tx.TxIn = x.tx.TxIn[:2] },
		"another input":             func(x *withdrawal) { x.tx.TxIn[0].PreviousOutPoint.Index++ },
		"an input twice":            func(x *withdrawal) { addInput(x, x.inputs[2]) },
		"no coins":                  func(x *withdrawal) { x.tx.TxIn, x.inputs = x.tx.TxIn[:2], x.inputs[:2] },
		"no units":                  func(x *withdrawal) { x.tx.TxIn, x.inputs = x.tx.TxIn[2:], x.inputs[2:] },
		"a stake after the coins":   func(x *withdrawal) { addInput(x, c.stake(t, 9, 546, 5, "b")) },
		"a payment":                 func(x *withdrawal) { addInput(x, c.coin(t, Payment, 9, 5_000, 0, "a")) },
		"runes of the treasury":     func(x *withdrawal) { addInput(x, c.coin(t, TreasuryRunes, 9, 546, 5, "")) },
		"sats of the treasury":      func(x *withdrawal) { addInput(x, c.coin(t, TreasurySats, 9, 5_000, 0, "")) },
		"a coin of another address": func(x *withdrawal) { addInput(x, other.coin(9, 5_000)) },
		"a coin with runes":         func(x *withdrawal) { x.inputs[2].Runes = balance(1) },
		"a coin with a key path":    func(x *withdrawal) { x.inputs[2].Path = treasurySatsPath },
		"21 coins": func(x *withdrawal) {
			for i := range MaxOwnCoins {
				addInput(x, w.coin(300+i, 5_000))
			}
		},
		"a negative coin":            func(x *withdrawal) { x.inputs[2].Output.Value = -1 },
		"worth less than its output": func(x *withdrawal) { x.inputs[2].Output.Value = 1_000 },
		"one output":                 func(x *withdrawal) { x.tx.TxOut = x.tx.TxOut[:1] },
		"a fourth output":            func(x *withdrawal) { x.tx.AddTxOut(wire.NewTxOut(546, w.Script)) },
		"another destination":        func(x *withdrawal) { x.tx.TxOut[0].PkScript = other.Script },
		"less sats delivered":        func(x *withdrawal) { x.tx.TxOut[0].Value-- },
		"more sats delivered":        func(x *withdrawal) { x.tx.TxOut[0].Value++ },
		"a runestone with sats":      func(x *withdrawal) { x.tx.TxOut[1].Value = 1 },
		"other change":               func(x *withdrawal) { x.tx.TxOut[2].PkScript = other.Script },
		"change to the treasury":     func(x *withdrawal) { _, x.tx.TxOut[2].PkScript = c.change(t) },
		"change of dust":             func(x *withdrawal) { x.tx.TxOut[2].Value = 545 },
		"the change first":           func(x *withdrawal) { x.tx.TxOut[0], x.tx.TxOut[2] = x.tx.TxOut[2], x.tx.TxOut[0] },
		"the ordinals address pays":  func(x *withdrawal) { x.change = x.delivery.To },
		"an unsupported address":     func(x *withdrawal) { x.change = legacy },
		"an overpayment":             func(x *withdrawal) { x.delivery.Overpayment, x.delivery.KeptAt = 600, w.Script },
		"more delivered":             func(x *withdrawal) { x.delivery.Amount++ },
		"less delivered":             func(x *withdrawal) { x.delivery.Amount-- },
		"another rune delivered":     func(x *withdrawal) { x.delivery.Rune.Tx++ },
		"a unit that holds less":     func(x *withdrawal) { x.inputs[0].Runes = balance(699) },
		"a unit that holds more":     func(x *withdrawal) { x.inputs[0].Runes = balance(701) },
		"a unit with another rune": func(x *withdrawal) {
			x.inputs[0].Runes = append(balance(700), runes.Balance{ID: runes.ID{Block: 1}, Amount: uint128.From64(5)})
		},
		"no runestone": func(x *withdrawal) { x.tx.TxOut[1].PkScript = []byte{0x6a} },
		"a cenotaph":   func(x *withdrawal) { x.tx.TxOut[1].PkScript = []byte{0x6a, 0x5d, 1, 0x7e, 1, 0} },
		"no pointer":   func(x *withdrawal) { stone(x, runes.Runestone{Edicts: []runes.Edict{edict(1_000, 0)}}) },
		"a pointer to the change": func(x *withdrawal) {
			stone(x, runes.Runestone{Edicts: []runes.Edict{edict(1_000, 0)}, Pointer: &two})
		},
		"a pointer to the runestone": func(x *withdrawal) {
			stone(x, runes.Runestone{Edicts: []runes.Edict{edict(1_000, 0)}, Pointer: &one})
		},
		"no edict": func(x *withdrawal) { stone(x, runes.Runestone{Pointer: &zero}) },
		"two edicts": func(x *withdrawal) {
			stone(x, runes.Runestone{Edicts: []runes.Edict{edict(500, 0), edict(500, 0)}, Pointer: &zero})
		},
		"an edict of all": func(x *withdrawal) {
			stone(x, runes.Runestone{Edicts: []runes.Edict{edict(0, 0)}, Pointer: &zero})
		},
		"an edict to the change": func(x *withdrawal) {
			stone(x, runes.Runestone{Edicts: []runes.Edict{edict(1_000, 2)}, Pointer: &zero})
		},
		"an edict to every output": func(x *withdrawal) {
			stone(x, runes.Runestone{Edicts: []runes.Edict{edict(500, 3)}, Pointer: &zero})
		},
		"a mint": func(x *withdrawal) {
			stone(x, runes.Runestone{Edicts: []runes.Edict{edict(1_000, 0)}, Pointer: &zero, Mint: &runes.ID{Block: 1}})
		},
		"an etching": func(x *withdrawal) {
			stone(x, runes.Runestone{Edicts: []runes.Edict{edict(1_000, 0)}, Pointer: &zero, Etching: &runes.Etching{}})
		},
		"a runestone in two pushes": func(x *withdrawal) {
			script := x.tx.TxOut[1].PkScript
			x.tx.TxOut[1].PkScript = append([]byte{0x6a, 0x5d, 1, script[3], byte(len(script) - 4)}, script[4:]...)
		},
	}
	for name, change := range changes {
		p := oneTxPlan(t, c, w, 20_000)
		tx, inputs, _, err := BuildOneTx(p)
		must(t, err)
		x := withdrawal{tx, inputs, p.Delivery, p.Change}
		must(t, VerifyOneTx(x.tx, x.inputs, OneTxTargets{Delivery: x.delivery, Change: x.change}, allocateHere(c)))
		change(&x)
		if VerifyOneTx(x.tx, x.inputs, OneTxTargets{Delivery: x.delivery, Change: x.change}, allocateHere(c)) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// TestOneTxPSBTChecksItsInputs checks that OneTxPSBT refuses inputs that do not match the custody's outputs.
func TestOneTxPSBTChecksItsInputs(t *testing.T) {
	c := newCustody(t)
	w := newOwnWallet(t, 3, chain.P2SH, c.network)
	for name, change := range map[string]func(inputs []Coin, key *[]byte){
		"a script that is not of the unit": func(inputs []Coin, _ *[]byte) { inputs[0].Output.PkScript = w.Script },
		"another input":                    func(inputs []Coin, _ *[]byte) { inputs[1].OutPoint.Index++ },
		"no key":                           func(_ []Coin, key *[]byte) { *key = nil },
		"another key": func(_ []Coin, key *[]byte) {
			*key = newOwnWallet(t, 4, chain.P2SH, c.network).public
		},
	} {
		tx, inputs, _, err := BuildOneTx(oneTxPlan(t, c, w, amount.Sats(20_000)))
		must(t, err)
		key := w.public
		change(inputs, &key)
		if _, err := c.OneTxPSBT(tx, inputs, key); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
