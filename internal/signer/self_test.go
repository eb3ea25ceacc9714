package signer

import (
	"bytes"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
)

// maxSelfUnits is order.MaxSelfUnits, which this package does not import.
const maxSelfUnits = 80

// selfStake returns a stake of an owner in self-custody.
func (w *world) selfStake(owner wallet, n amount.Runes) vault.Coin {
	w.Helper()
	out, err := w.account.StakeOutput(vault.StakeKeys{Position: uint32(w.outputs), Leaf: owner.leaf, Delay: 8064,
		Self: true})
	must(w, err)
	c := out.Coin(w.outpoint(), 546, balance(n), "")
	w.balances[c.OutPoint] = c.Runes
	return c
}

// paidSelf returns a withdrawal of stakes whose payment pays, with change. Nothing is signed.
func (w *world) paidSelf(owner wallet, stakes ...vault.Coin) Request {
	w.Helper()
	var r Request
	w.withdrawal(&r, owner, "", 0, stakes...)
	payment := w.coin(vault.Payment, 60_000, 0, r.Orders[0].Delivery.OrderID)
	var err error
	r.Tx, r.Inputs, _, err = vault.BuildOneTx(vault.OneTxPlan{
		Units: stakes, Coins: []vault.Coin{payment}, Must: 1, FeeRate: amount.SatPerVB(5),
		OneTxTargets: vault.OneTxTargets{Delivery: r.Orders[0].Delivery, Change: owner.payment.Script},
	})
	must(w, err)
	return r
}

// signUnits signs the stakes in self-custody of a request through the leaf Together with a key.
func (w *world) signUnits(r *Request, key *btcec.PrivateKey, sighash txscript.SigHashType) {
	w.Helper()
	hashes, _ := hashesOf(r.Tx, r.Inputs)
	for i, coin := range r.Inputs {
		if !coin.Self {
			continue
		}
		output, err := w.account.CheckCoin(coin)
		must(w, err)
		signature, err := txscript.RawTxInTapscriptSignature(r.Tx, hashes, i, coin.Output.Value, coin.Output.PkScript,
			txscript.NewBaseTapLeaf(output.Together.Script), sighash, key)
		must(w, err)
		r.Tx.TxIn[i].Witness = wire.TxWitness{signature, output.Together.Script, output.Together.ControlBlock}
	}
}

func hashesOf(tx *wire.MsgTx, inputs []vault.Coin) (*txscript.TxSigHashes, txscript.PrevOutputFetcher) {
	previous := map[wire.OutPoint]*wire.TxOut{}
	for i := range inputs {
		previous[inputs[i].OutPoint] = &inputs[i].Output
	}
	fetcher := txscript.NewMultiPrevOutFetcher(previous)
	return txscript.NewTxSigHashes(tx, fetcher), fetcher
}

// TestSelfCustody signs withdrawals that their owner signed, for one and for two stakes, one of them in operator
// custody, also above the amount that requires signing by hand, and counts nothing against the limits.
func TestSelfCustody(t *testing.T) {
	w := newWorld(t)
	anna := newWallet(t, 1, chain.P2TR, w.network)
	changePolicy(&w.config, func(p *Policy) { p.ColdAbove, p.RunesPerDay, p.SatsPerDay = 5_000, 1, 1 })
	for _, sighash := range []txscript.SigHashType{txscript.SigHashDefault, txscript.SigHashAll} {
		for _, stakes := range [][]vault.Coin{{w.selfStake(anna, 90_000)},
			{w.selfStake(anna, 6_000), w.stake(anna, 4_000, "")}} {
			r := w.paidSelf(anna, stakes...)
			w.signUnits(&r, anna.ordinalsKey, sighash)
			tx, err := w.overSocket().Sign(t.Context(), r)
			must(t, err)
			executeAll(t, tx, r.Inputs)
			if got := chain.VSize(tx); got > vault.OneTxVBytes(tx, r.Inputs) {
				t.Errorf("it has %d vB, more than was planned", got)
			}
		}
	}
	many := make([]vault.Coin, maxSelfUnits)
	for i := range many {
		many[i] = w.selfStake(anna, 100)
	}
	full := w.paidSelf(anna, many...)
	w.signUnits(&full, anna.ordinalsKey, txscript.SigHashAll)
	if _, err := w.overSocket().Sign(t.Context(), full); err != nil {
		t.Errorf("an order with the most units in self-custody: %v", err)
	}
	r := w.paidSelf(anna, w.selfStake(anna, 1_000), w.stake(anna, 6_000, ""))
	w.signUnits(&r, anna.ordinalsKey, txscript.SigHashAll)
	if _, err := w.overSocket().Sign(t.Context(), r); !refusedFor(err, NeedsHand) {
		t.Errorf("6000 base units in operator custody: %v, want a refusal for %q", err, NeedsHand)
	}
}

// TestSelfCustodyRefusals changes a withdrawal of a stake in self-custody, before or after its owner signed it.
func TestSelfCustodyRefusals(t *testing.T) {
	for name, row := range map[string]struct {
		reason Reason
		change func(w *world, r *Request, anna wallet)
	}{
		"not signed": {BadSignature, func(w *world, r *Request, _ wallet) { r.Tx.TxIn[0].Witness = nil }},
		"another key": {BadSignature, func(w *world, r *Request, _ wallet) {
			w.signUnits(r, newWallet(w, 2, chain.P2TR, w.network).ordinalsKey, txscript.SigHashAll)
		}},
		"sighash 0x81": {BadSignature, func(w *world, r *Request, anna wallet) { w.signUnits(r, anna.ordinalsKey, 0x81) }},
		"sighash 0x82": {BadSignature, func(w *world, r *Request, anna wallet) { w.signUnits(r, anna.ordinalsKey, 0x82) }},
		"sighash 0x83": {BadSignature, func(w *world, r *Request, anna wallet) { w.signUnits(r, anna.ordinalsKey, 0x83) }},
		"sighash 0x02": {BadSignature, func(w *world, r *Request, anna wallet) { w.signUnits(r, anna.ordinalsKey, 0x02) }},
		"sighash 0x03": {BadSignature, func(w *world, r *Request, anna wallet) { w.signUnits(r, anna.ordinalsKey, 0x03) }},
		"the leaf alone": {BadSignature, func(w *world, r *Request, _ wallet) {
			output, err := w.account.CheckCoin(r.Inputs[0])
			must(w, err)
			r.Tx.TxIn[0].Witness[1], r.Tx.TxIn[0].Witness[2] = output.LeafScript, output.ControlBlock
		}},
		"two signatures": {BadSignature, func(w *world, r *Request, _ wallet) {
			in := r.Tx.TxIn[0]
			in.Witness = append(wire.TxWitness{in.Witness[0]}, in.Witness...)
		}},
		"an output changed after signing": {BadSignature, func(w *world, r *Request, _ wallet) { r.Tx.TxOut[2].Value-- }},
		"a treasury coin of runes added": {BadRequest, func(w *world, r *Request, _ wallet) {
			addInput(w, r, w.coin(vault.TreasuryRunes, 546, 900_000, ""))
		}},
		"a treasury coin of sats added": {BadRequest, func(w *world, r *Request, _ wallet) {
			addInput(w, r, w.coin(vault.TreasurySats, 5_000, 0, ""))
		}},
		"a payment of another order": {WrongTarget, func(w *world, r *Request, _ wallet) {
			addInput(w, r, w.coin(vault.Payment, 5_000, 0, "order-b"))
		}},
		"a unit left out": {WrongUnits, func(_ *world, r *Request, _ wallet) {
			r.Orders[0].Units = nil
			r.Tx.TxIn, r.Inputs = r.Tx.TxIn[1:], r.Inputs[1:]
		}},
		"returned to its owner": {BadRequest, func(_ *world, r *Request, anna wallet) {
			*r = Request{Tx: r.Tx, Inputs: r.Inputs, Return: &Return{Owner: anna.ordinals.Text}}
		}},
		"in operator custody, it says": {NotOurs, func(_ *world, r *Request, _ wallet) { r.Inputs[0].Self = false }},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			anna := newWallet(t, 1, chain.P2TR, w.network)
			r := w.paidSelf(anna, w.selfStake(anna, 1_000))
			w.signUnits(&r, anna.ordinalsKey, txscript.SigHashAll)
			row.change(w, &r, anna)
			_, err := w.overSocket().Sign(t.Context(), r)
			if refusal := refusedFor(err, row.reason) || name == "a unit left out" && err != nil ||
				name == "in operator custody, it says" && err != nil; !refusal {
				t.Errorf("got %v, want a refusal for %q", err, row.reason)
			}
		})
	}
}

// stolenSelfStakes are requests by which an attacker takes a stake in self-custody, or part of its sats.
func stolenSelfStakes(c *compromise) map[string]Request {
	all := map[string]Request{}
	add := func(what string, change func(r *Request)) {
		r := c.paidSelf(c.anna, c.selfStake(c.anna, 10_000*coinLOBO))
		c.signUnits(&r, c.anna.ordinalsKey, txscript.SigHashAll)
		change(&r)
		all[what] = r
	}
	add("to the thief, signed by the owner for herself", func(r *Request) {
		r.Tx.TxOut[0].PkScript = c.thief.ordinals.Script
	})
	add("to the thief, signed by the thief", func(r *Request) {
		r.Tx.TxOut[0].PkScript, r.Orders[0].Delivery.To = c.thief.ordinals.Script, c.thief.ordinals.Script
		c.signUnits(r, c.thief.ordinalsKey, txscript.SigHashAll)
	})
	add("change to the thief", func(r *Request) { r.Tx.TxOut[2].PkScript = c.thief.payment.Script })
	add("returned to the thief", func(r *Request) {
		*r = Request{Tx: r.Tx, Inputs: r.Inputs, Return: &Return{Owner: c.thief.ordinals.Text}}
	})
	add("ordered by the thief", func(r *Request) {
		theirs := c.paidSelf(c.thief, r.Inputs[0])
		c.signUnits(&theirs, c.thief.ordinalsKey, txscript.SigHashAll)
		*r = theirs
	})
	return all
}

// keyMovesSelf tries to spend a stake in self-custody with the community's key and all that a thief can have: an old
// signature of its owner of another transaction. It returns how the script answers. At any age of the output, no script
// accepts one of the witnesses.
func keyMovesSelf(t *testing.T) string {
	t.Helper()
	c := newCompromise(t, ownNode)
	keys, err := c.keys.accountKeys(0, c.network)
	must(t, err)
	coin := c.selfStake(c.anna, 10_000*coinLOBO)
	old := c.paidSelf(c.anna, coin)
	c.signUnits(&old, c.anna.ordinalsKey, txscript.SigHashAll)
	key, err := private(keys.private, coin.Path)
	must(t, err)
	output, err := c.account.CheckCoin(coin)
	must(t, err)
	tx := wire.NewMsgTx(2)
	tx.AddTxIn(&wire.TxIn{PreviousOutPoint: coin.OutPoint, Sequence: output.Delay})
	tx.AddTxOut(wire.NewTxOut(300, c.thief.ordinals.Script))
	hashes, fetcher := hashesOf(tx, []vault.Coin{coin})
	sign := func(leaf []byte) []byte {
		signature, err := txscript.RawTxInTapscriptSignature(tx, hashes, 0, coin.Output.Value, coin.Output.PkScript,
			txscript.NewBaseTapLeaf(leaf), txscript.SigHashDefault, key)
		must(t, err)
		return signature
	}
	byKey, err := txscript.RawTxInTaprootSignature(tx, hashes, 0, coin.Output.Value, coin.Output.PkScript,
		output.MerkleRoot, txscript.SigHashDefault, key)
	must(t, err)
	together, alone, owners := output.Together, sign(output.LeafScript), old.Tx.TxIn[0].Witness[0]
	for what, witness := range map[string]wire.TxWitness{
		"the key path": {byKey},
		"together, signed twice": {sign(together.Script), sign(together.Script), together.Script,
			together.ControlBlock},
		"together, an empty signature": {sign(together.Script), nil, together.Script, together.ControlBlock},
		"together, an old signature":   {sign(together.Script), owners, together.Script, together.ControlBlock},
		"alone":                        {alone, output.LeafScript, output.ControlBlock},
		"alone, an old signature":      {owners, output.LeafScript, output.ControlBlock},
		"another leaf": {alone, bytes.Replace(output.LeafScript, output.Leaf, output.CommunityKey, 1),
			output.ControlBlock},
	} {
		tx.TxIn[0].Witness = witness
		engine, err := txscript.NewEngine(coin.Output.PkScript, tx, 0, txscript.StandardVerifyFlags, nil, hashes,
			coin.Output.Value, fetcher)
		if err == nil && engine.Execute() == nil {
			t.Errorf("the key moves a stake in self-custody: %s", what)
			return "all"
		}
	}
	return "impossible (script)"
}
