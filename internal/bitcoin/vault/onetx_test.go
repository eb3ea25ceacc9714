package vault

import (
	"errors"
	"fmt"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"pgregory.net/rapid"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
)

// ownTypes are the address types whose coins can pay in one transaction.
var ownTypes = []chain.AddressType{chain.P2WPKH, chain.P2TR, chain.P2SH}

// ownWallet is the payment address of a staker with its key.
type ownWallet struct {
	private *btcec.PrivateKey
	public  []byte // compressed
	chain.Address
}

func newOwnWallet(t testing.TB, n byte, kind chain.AddressType, network chain.Network) ownWallet {
	t.Helper()
	private, _ := stakerKey(n)
	public := private.PubKey().SerializeCompressed()
	return ownWallet{private, public, addressOf(t, kind, public, network)}
}

func (w ownWallet) coin(n int, value amount.Sats) Coin {
	return Coin{OutPoint: outpoint(n), Output: wire.TxOut{Value: int64(value), PkScript: w.Script}, Kind: Own}
}

// sign signs the own coins of a transaction with a signature hash type.
func (w ownWallet) sign(t testing.TB, unsigned *wire.MsgTx, inputs []Coin, sighash txscript.SigHashType) *wire.MsgTx {
	t.Helper()
	tx := unsigned.Copy()
	hashes := txscript.NewTxSigHashes(tx, fetcherOf(inputs))
	for i, in := range inputs {
		if in.Kind != Own {
			continue
		}
		var err error
		if w.Type == chain.P2TR {
			var signature []byte
			signature, err = txscript.RawTxInTaprootSignature(tx, hashes, i, in.Output.Value, in.Output.PkScript, nil, sighash,
				w.private)
			tx.TxIn[i].Witness = wire.TxWitness{signature}
		} else {
			if sighash == txscript.SigHashDefault {
				sighash = txscript.SigHashAll
			}
			tx.TxIn[i].Witness, err = txscript.WitnessSignature(tx, hashes, i, in.Output.Value, keyHashScript(w.public),
				sighash, w.private, true)
			tx.TxIn[i].SignatureScript = nestedScript(w.public, w.Script)
		}
		must(t, err)
	}
	return tx
}

// oneTxPlan is a withdrawal of two units whose owner has coins of these values.
func oneTxPlan(t testing.TB, c custody, w ownWallet, values ...amount.Sats) OneTxPlan {
	t.Helper()
	private, _ := stakerKey(30)
	p := OneTxPlan{
		Units: []Coin{c.stake(t, 1, 546, 700, "a"), c.stake(t, 2, 546, 300, "a")},
		OneTxTargets: OneTxTargets{Change: w.Script, Delivery: Delivery{OrderID: "a", Rune: lobo, Amount: 1_000,
			Value: 3 * DustSats, To: addressOf(t, chain.P2TR, private.PubKey().SerializeCompressed(), c.network).Script}},
		FeeRate: amount.SatPerVB(5),
	}
	for i, value := range values {
		p.Coins = append(p.Coins, w.coin(100+i, value))
	}
	return p
}

// TestOneTx builds withdrawals with coins of every type, has a wallet sign them, and compares the transaction that the
// custody signs with the size and the fee that were planned.
func TestOneTx(t *testing.T) {
	c := newCustody(t)
	for i, kind := range ownTypes {
		t.Run(string(kind), func(t *testing.T) {
			w := newOwnWallet(t, byte(3+i), kind, c.network)
			p := oneTxPlan(t, c, w, 1_000, 300, 700, 20_000)
			tx, inputs, cost, err := BuildOneTx(p)
			must(t, err)
			must(t, VerifyOneTx(tx, inputs, p.OneTxTargets, allocateHere(c)))
			if len(tx.TxOut) != 3 || cost.Fee != p.FeeRate.Fee(cost.VBytes) {
				t.Errorf("%d outputs, a fee of %d sats for %d vB", len(tx.TxOut), cost.Fee, cost.VBytes)
			}
			text, err := c.OneTxPSBT(tx, inputs, w.public)
			must(t, err)
			signed := w.sign(t, tx, inputs, txscript.SigHashAll)
			read, err := c.ReadOneTxPSBT(walletPSBT(t, text, signed, inputs), tx, inputs)
			must(t, err)
			complete := signUnits(t, c, read, inputs)
			size := chain.VSize(complete)
			if size > cost.VBytes || cost.VBytes-size > int64(len(inputs)) {
				t.Errorf("the signed transaction has %d vB, planned were %d", size, cost.VBytes)
			}
		})
	}
}

// signUnits signs the units of a transaction whose own coins are signed, and executes every script.
func signUnits(t testing.TB, c custody, tx *wire.MsgTx, inputs []Coin) *wire.MsgTx {
	t.Helper()
	tx = tx.Copy()
	fetcher := fetcherOf(inputs)
	hashes := txscript.NewTxSigHashes(tx, fetcher)
	for i, in := range inputs {
		if in.Kind == Own {
			continue
		}
		key := c.private
		for _, step := range in.Path {
			var err error
			key, err = key.Derive(step)
			must(t, err)
		}
		private, err := key.ECPrivKey()
		must(t, err)
		signature, err := txscript.RawTxInTaprootSignature(tx, hashes, i, in.Output.Value, in.Output.PkScript, in.MerkleRoot,
			txscript.SigHashDefault, private)
		must(t, err)
		tx.TxIn[i].Witness = wire.TxWitness{signature}
	}
	for i := range inputs {
		must(t, execute(tx, i, &inputs[i].Output, fetcher))
	}
	return tx
}

// TestOneTxCoins checks which coins a withdrawal spends, and where the remaining sats go.
func TestOneTxCoins(t *testing.T) {
	c := newCustody(t)
	w := newOwnWallet(t, 3, chain.P2WPKH, c.network)
	least := func(coins int, change bool) amount.Sats {
		p := oneTxPlan(t, c, w)
		tx, err := p.template(p.Units)
		must(t, err)
		inputs := p.Units
		for i := range coins {
			inputs = append(inputs, w.coin(100+i, 0))
			tx.AddTxIn(&wire.TxIn{PreviousOutPoint: outpoint(100 + i), Sequence: Sequence})
		}
		if change {
			tx.AddTxOut(wire.NewTxOut(0, w.Script))
		}
		return p.FeeRate.Fee(OneTxVBytes(tx, inputs)) + DustSats
	}
	one, oneChange, two := least(1, false), least(1, true), least(2, false)
	tests := map[string]struct {
		values  []amount.Sats
		must    int
		spent   int         // own coins
		change  amount.Sats // 0: none
		missing amount.Sats
	}{
		"the first suffices":       {[]amount.Sats{20_000, 5_000}, 0, 1, 20_000 - oneChange, 0},
		"exactly":                  {[]amount.Sats{one, 5_000}, 0, 1, 0, 0},
		"one sat less":             {[]amount.Sats{one - 1}, 0, 0, 0, two - one + 1},
		"no change below the dust": {[]amount.Sats{oneChange + 545}, 0, 1, 0, 0},
		"change of the dust":       {[]amount.Sats{oneChange + 546}, 0, 1, 546, 0},
		"a worthless coin between": {[]amount.Sats{one - 1, 340, 341}, 0, 2, 0, 0},
		"all that must be spent":   {[]amount.Sats{340, 20_000, 20_000}, 2, 2, 20_340 - least(2, true), 0},
		"no coins":                 {nil, 0, 0, 0, one},
		"worthless coins":          {[]amount.Sats{340, 340}, 0, 0, 0, one},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := oneTxPlan(t, c, w, test.values...)
			p.Must = test.must
			tx, inputs, cost, err := BuildOneTx(p)
			if short := new(ErrSatsShort); test.missing > 0 {
				if !errors.As(err, &short) || short.Missing != test.missing {
					t.Errorf("got error %v, want %d missing", err, test.missing)
				}
				return
			}
			must(t, err)
			must(t, VerifyOneTx(tx, inputs, p.OneTxTargets, allocateHere(c)))
			var change amount.Sats
			if len(tx.TxOut) == 3 {
				change = amount.Sats(tx.TxOut[2].Value)
			}
			if len(inputs)-2 != test.spent || change != test.change {
				t.Errorf("%d coins are spent, change %d, want %d and %d", len(inputs)-2, change, test.spent, test.change)
			}
			if in, err := inputSats(inputs); err != nil || in-outputSats(tx) != cost.Fee {
				t.Errorf("the fee is %d, the cost says %d", in-outputSats(tx), cost.Fee)
			}
		})
	}
}

// TestOneTxLimits checks the number of coins, the size, and the plans that are refused.
func TestOneTxLimits(t *testing.T) {
	c := newCustody(t)
	w := newOwnWallet(t, 3, chain.P2WPKH, c.network)
	many := make([]amount.Sats, 30)
	for i := range many {
		many[i] = 345 // 5 sats more than the input costs
	}
	p := oneTxPlan(t, c, w, many...)
	if _, _, _, err := BuildOneTx(p); !errors.As(err, new(*ErrSatsShort)) {
		t.Errorf("30 small coins: got error %v", err)
	}
	p = oneTxPlan(t, c, w, 1_000_000)
	p.Units, p.Delivery.Amount = nil, 0
	for i := range 200 {
		p.Units = append(p.Units, c.stake(t, 1_000+i, 546, 1, "a"))
		p.Delivery.Amount++
	}
	if _, _, _, err := BuildOneTx(p); !errors.As(err, new(*ErrTooMany)) {
		t.Errorf("200 units: got error %v", err)
	}
	other := newOwnWallet(t, 4, chain.P2WPKH, c.network)
	legacy := addressOf(t, chain.P2PKH, w.public, c.network)
	for name, change := range map[string]func(p *OneTxPlan){
		"no units":                    func(p *OneTxPlan) { p.Units = nil },
		"a payment as a unit":         func(p *OneTxPlan) { p.Units[0].Kind = Payment },
		"a coin of the treasury":      func(p *OneTxPlan) { p.Coins[0] = c.coin(t, TreasurySats, 9, 20_000, 0, "") },
		"a coin of another address":   func(p *OneTxPlan) { p.Coins[0] = other.coin(9, 20_000) },
		"a coin with runes":           func(p *OneTxPlan) { p.Coins[0].Runes = balance(1) },
		"a coin twice":                func(p *OneTxPlan) { p.Coins = append(p.Coins, p.Coins[0]) },
		"more than the units hold":    func(p *OneTxPlan) { p.Delivery.Amount++ },
		"less than the units hold":    func(p *OneTxPlan) { p.Delivery.Amount-- },
		"the ordinals address pays":   func(p *OneTxPlan) { p.Delivery.To = w.Script },
		"a legacy payment address":    func(p *OneTxPlan) { p.Change = legacy.Script },
		"an overpayment":              func(p *OneTxPlan) { p.Delivery.Overpayment, p.Delivery.KeptAt = 600, w.Script },
		"no fee rate":                 func(p *OneTxPlan) { p.FeeRate = 0 },
		"more than all must be spent": func(p *OneTxPlan) { p.Must = 2 },
		"a replaced fee of 0":         func(p *OneTxPlan) { p.Replaced.VBytes = 100 },
	} {
		p := oneTxPlan(t, c, w, 20_000)
		change(&p)
		if _, _, _, err := BuildOneTx(p); err == nil {
			t.Errorf("%s: built", name)
		}
	}
}

// TestOneTxReplacement checks the rules of BIP-125 for a second version at any fee rate.
func TestOneTxReplacement(t *testing.T) {
	c := newCustody(t)
	rapid.Check(t, func(r *rapid.T) {
		w := newOwnWallet(t, 3, rapid.SampledFrom(ownTypes).Draw(r, "type"), c.network)
		var values []amount.Sats
		for i := range rapid.IntRange(1, 25).Draw(r, "coins") {
			values = append(values, amount.Sats(rapid.Int64Range(300, 30_000).Draw(r, fmt.Sprint("coin ", i))))
		}
		p := oneTxPlan(t, c, w, values...)
		p.FeeRate = amount.FeeRate(rapid.Int64Range(1, 30_000).Draw(r, "rate"))
		_, first, cost, err := BuildOneTx(p)
		if errors.As(err, new(*ErrSatsShort)) {
			return
		}
		must(t, err)
		p.Coins, p.Must = append(append([]Coin{}, first[2:]...), w.coin(500, 100_000)), len(first)-2
		p.FeeRate = amount.FeeRate(rapid.Int64Range(1, 30_000).Draw(r, "next rate"))
		p.Replaced = cost
		tx, inputs, next, err := BuildOneTx(p)
		if len(first) == 2+MaxOwnCoins && errors.As(err, new(*ErrSatsShort)) {
			return
		}
		must(t, err)
		must(t, VerifyOneTx(tx, inputs, p.OneTxTargets, allocateHere(c)))
		for i, coin := range first {
			if tx.TxIn[i].PreviousOutPoint != coin.OutPoint {
				r.Fatalf("input %d is not the one of the replaced version", i)
			}
		}
		if next.Fee < cost.Fee+minimumRelay.Fee(next.VBytes) || next.Fee < p.FeeRate.Fee(next.VBytes) ||
			next.Fee*amount.Sats(cost.VBytes) <= cost.Fee*amount.Sats(next.VBytes) {
			r.Fatalf("%+v replaces %+v", next, cost)
		}
	})
}
