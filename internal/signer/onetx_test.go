package signer

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/btcsuite/btcd/address/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/signed/message"
)

// ownCoin returns a coin at the payment address of a wallet.
func (w *world) ownCoin(owner wallet, value amount.Sats) vault.Coin {
	return vault.Coin{OutPoint: w.outpoint(), Kind: vault.Own,
		Output: wire.TxOut{Value: int64(value), PkScript: owner.payment.Script}}
}

// oneTx returns a withdrawal of stakes in one transaction, for which a coin of 20,000 sats pays. It is not signed.
func (w *world) oneTx(owner wallet, stakes ...vault.Coin) Request {
	w.Helper()
	var r Request
	w.withdrawal(&r, owner, "", 0, stakes...)
	var err error
	r.Tx, r.Inputs, _, err = vault.BuildOneTx(vault.OneTxPlan{
		Units: stakes, Coins: []vault.Coin{w.ownCoin(owner, 20_000)}, FeeRate: amount.SatPerVB(5),
		OneTxTargets: vault.OneTxTargets{Delivery: r.Orders[0].Delivery, Change: owner.payment.Script},
	})
	must(w, err)
	return r
}

// pay signs the own coins of a request with a key and a signature hash type.
func (w *world) pay(r *Request, owner wallet, sighash txscript.SigHashType) {
	w.Helper()
	previous := map[wire.OutPoint]*wire.TxOut{}
	for i := range r.Inputs {
		previous[r.Inputs[i].OutPoint] = &r.Inputs[i].Output
	}
	hashes := txscript.NewTxSigHashes(r.Tx, txscript.NewMultiPrevOutFetcher(previous))
	for i, coin := range r.Inputs {
		if coin.Kind != vault.Own {
			continue
		}
		in, script := r.Tx.TxIn[i], coin.Output.PkScript
		var err error
		switch {
		case txscript.IsPayToTaproot(script):
			in.Witness, err = txscript.TaprootWitnessSignature(r.Tx, hashes, i, coin.Output.Value, script, sighash,
				owner.paymentKey)
		case txscript.IsPayToScriptHash(script):
			hash := address.Hash160(owner.paymentKey.PubKey().SerializeCompressed())
			script = append([]byte{txscript.OP_0, 20}, hash...)
			in.SignatureScript = append([]byte{byte(len(script))}, script...)
			fallthrough
		default:
			in.Witness, err = txscript.WitnessSignature(r.Tx, hashes, i, coin.Output.Value, script, sighash,
				owner.paymentKey, true)
		}
		must(w, err)
	}
}

// nested returns the wallet with a P2SH-P2WPKH payment address of the same key.
func (w *world) nested(owner wallet) wallet {
	hash := address.Hash160(owner.payment.Script)
	script := slices.Concat([]byte{txscript.OP_HASH160, 20}, hash, []byte{txscript.OP_EQUAL})
	owner.payment, _ = chain.AddressFromScript(script, w.network)
	return owner
}

// taproot returns the wallet with a P2TR payment address of the same key.
func (w *world) taproot(owner wallet) wallet {
	w.Helper()
	script, err := txscript.PayToTaprootScript(txscript.ComputeTaprootKeyNoScript(owner.paymentKey.PubKey()))
	must(w, err)
	owner.payment, _ = chain.AddressFromScript(script, w.network)
	return owner
}

// TestOneTxAddresses signs for coins of each supported address type, and of no other.
func TestOneTxAddresses(t *testing.T) {
	w := newWorld(t)
	anna := newWallet(t, 1, chain.P2TR, w.network)
	for _, sighash := range []txscript.SigHashType{txscript.SigHashDefault, txscript.SigHashAll} {
		owner := w.taproot(anna)
		r := w.oneTx(owner, w.stake(owner, 600, ""))
		w.pay(&r, owner, sighash)
		tx, err := w.overSocket().Sign(t.Context(), r)
		must(t, err)
		executeAll(t, tx, r.Inputs)
	}
	owner := w.nested(anna)
	r := w.oneTx(owner, w.stake(owner, 600, ""))
	w.pay(&r, owner, txscript.SigHashAll)
	tx, err := w.overSocket().Sign(t.Context(), r)
	must(t, err)
	executeAll(t, tx, r.Inputs)
	r.Tx.TxIn[1].SignatureScript = nil
	if _, err := w.signer().Sign(t.Context(), r); !refusedFor(err, BadSignature) {
		t.Errorf("without the signature script: got error %v", err)
	}
}

// TestOneTx signs a withdrawal in one transaction over the socket. It takes nothing from the custody, so the signer
// signs it, and every version of it, even when the limits are used up.
func TestOneTx(t *testing.T) {
	w := newWorld(t)
	anna := newWallet(t, 1, chain.P2TR, w.network)
	_, err := w.signer().Sign(t.Context(), w.claimOf(10_000))
	must(t, err)
	r := w.oneTx(anna, w.stake(anna, 600, ""), w.stake(anna, 400, ""))
	w.pay(&r, anna, txscript.SigHashAll)
	client := w.overSocket()
	for range 2 {
		tx, err := client.Sign(t.Context(), r)
		must(t, err)
		executeAll(t, tx, r.Inputs)
		if tx.TxHash() != r.Tx.TxHash() || !slices.EqualFunc(tx.TxIn[2].Witness, r.Tx.TxIn[2].Witness, bytes.Equal) {
			t.Error("the signer changed the transaction or the coin's witness")
		}
	}
	kept, err := w.config.Outflows.Load()
	must(t, err)
	if last := kept[len(kept)-1]; len(kept) != 2 || last.Runes != 0 || last.Sats != 0 || len(last.Inputs) != 2 {
		t.Errorf("the outflows are %+v", kept)
	}
	w.config.Balances = nil // a signer without an index
	_, err = w.signer().Sign(t.Context(), r)
	must(t, err)
}

// TestOneTxRefusals sends changed withdrawals in one transaction, as a compromised server could. In most rows the
// attacker is a staker too and signs the coins again, so that only the named rule refuses the request.
func TestOneTxRefusals(t *testing.T) {
	thief := func(w *world) wallet { return newWallet(w, 9, chain.P2TR, w.network) }
	type row struct {
		reason   Reason
		unsigned bool // the row decides about the signatures
		change   func(w *world, r *Request, anna wallet)
	}
	// open opens the order with another message.
	open := func(w *world, r *Request, owner wallet, change func(*message.Intent)) {
		o := &r.Orders[0]
		intent := owner.intent("WITHDRAW", o.Delivery.Amount.String(), o.UnitIDs)
		change(&intent)
		o.Proof = owner.proof(w, intent)
		o.Delivery.OrderID = message.OrderID(o.Proof.Text)
	}
	payTo := func(payment chain.Address) func(w *world, r *Request, anna wallet) {
		return func(w *world, r *Request, anna wallet) {
			open(w, r, anna, func(x *message.Intent) { x.Payment = payment.Text })
			r.Inputs[1].Output.PkScript, r.Tx.TxOut[2].PkScript = payment.Script, payment.Script
		}
	}
	stone := func(r *Request, stone runes.Runestone) {
		script, err := stone.Script()
		must(t, err)
		r.Tx.TxOut[1].PkScript = script
	}
	zero, two := uint32(0), uint32(2)
	edict := runes.Edict{ID: lobo, Amount: uint128.From64(1_000)}
	rows := map[string]row{
		"change to the attacker": {WrongTarget, false, func(w *world, r *Request, _ wallet) {
			r.Tx.TxOut[2].PkScript = thief(w).payment.Script
		}},
		"runes to the attacker": {WrongTarget, false, func(w *world, r *Request, _ wallet) {
			r.Tx.TxOut[0].PkScript = thief(w).ordinals.Script
		}},
		"the delivery to the attacker": {WrongTarget, false, func(w *world, r *Request, _ wallet) {
			r.Tx.TxOut[0].PkScript = thief(w).ordinals.Script
			r.Orders[0].Delivery.To = thief(w).ordinals.Script
		}},
		"the attacker's message for anna's stake": {NotOwner, false, func(w *world, r *Request, _ wallet) {
			open(w, r, thief(w), func(*message.Intent) {})
			r.Orders[0].Delivery.To, r.Tx.TxOut[0].PkScript = thief(w).ordinals.Script, thief(w).ordinals.Script
		}},
		"the attacker's payment address": {WrongTarget, false, func(w *world, r *Request, _ wallet) {
			r.Inputs[1].Output.PkScript, r.Tx.TxOut[2].PkScript = thief(w).payment.Script, thief(w).payment.Script
		}},
		"sats of the stake as change": {WrongTarget, false, func(_ *world, r *Request, _ wallet) {
			r.Tx.TxOut[0].Value, r.Tx.TxOut[2].Value = 546, r.Tx.TxOut[2].Value+546
			r.Orders[0].Delivery.Value = 546
		}},
		"an additional output": {WrongTarget, false, func(w *world, r *Request, _ wallet) {
			r.Tx.AddTxOut(wire.NewTxOut(546, thief(w).ordinals.Script))
		}},
		"a pointer to the change": {WrongTarget, false, func(_ *world, r *Request, _ wallet) {
			stone(r, runes.Runestone{Edicts: []runes.Edict{edict}, Pointer: &two})
		}},
		"an edict to the change": {WrongTarget, false, func(_ *world, r *Request, _ wallet) {
			stone(r, runes.Runestone{Edicts: []runes.Edict{{ID: lobo, Amount: edict.Amount, Output: 2}}, Pointer: &zero})
		}},
		"no pointer": {WrongTarget, false, func(_ *world, r *Request, _ wallet) {
			stone(r, runes.Runestone{Edicts: []runes.Edict{edict}})
		}},
		"a cenotaph": {WrongTarget, false, func(_ *world, r *Request, _ wallet) {
			r.Tx.TxOut[1].PkScript = []byte{0x6a, 0x5d, 1, 0x7e, 1, 0}
		}},
		"another stake of anna": {WrongUnits, false, func(w *world, r *Request, anna wallet) {
			addInput(w, r, w.stake(anna, 600, ""))
		}},
		"another staker's stake as a coin": {WrongTarget, false, func(w *world, r *Request, _ wallet) {
			stake := w.stake(newWallet(w, 2, chain.P2TR, w.network), 600, "")
			stake = vault.Coin{OutPoint: stake.OutPoint, Output: stake.Output, Kind: vault.Own}
			delete(w.balances, stake.OutPoint)
			addInput(w, r, stake)
		}},
		"a coin with runes": {WrongRunes, false, func(w *world, r *Request, _ wallet) {
			w.balances[r.Inputs[1].OutPoint] = balance(5)
		}},
		"a coin with declared runes": {BadRequest, false, func(_ *world, r *Request, _ wallet) {
			r.Inputs[1].Runes = balance(5)
		}},
		"a coin with a key path": {BadRequest, false, func(_ *world, r *Request, _ wallet) {
			r.Inputs[1].Path = vault.KeyPath{vault.BranchTreasurySats, 0}
		}},
		"a payment besides": {WrongTarget, false, func(w *world, r *Request, _ wallet) {
			addInput(w, r, w.coin(vault.Payment, 5_000, 0, r.Orders[0].Delivery.OrderID))
		}},
		"sats of the treasury": {BadRequest, false, func(w *world, r *Request, _ wallet) {
			addInput(w, r, w.coin(vault.TreasurySats, 5_000, 0, ""))
		}},
		"runes of the treasury": {BadRequest, false, func(w *world, r *Request, _ wallet) {
			addInput(w, r, w.coin(vault.TreasuryRunes, 546, 500, ""))
		}},
		"two orders": {BadRequest, false, func(w *world, r *Request, anna wallet) {
			w.withdrawal(r, anna, "", 0, w.stake(anna, 600, ""))
			r.Inputs = r.Inputs[:3]
			r.Tx.AddTxIn(&wire.TxIn{PreviousOutPoint: r.Inputs[2].OutPoint, Sequence: vault.Sequence})
		}},
		"a claim": {BadRequest, false, func(_ *world, r *Request, _ wallet) { r.Orders[0].Withdraw = false }},
		"no order": {BadRequest, false, func(_ *world, r *Request, _ wallet) {
			r.Orders = nil
		}},
		"with a reward": {BadRequest, false, func(w *world, r *Request, anna wallet) {
			r.Orders[0].UnitIDs = append(r.Orders[0].UnitIDs, "reward-1")
			open(w, r, anna, func(*message.Intent) {})
		}},
		"a refund": {BadRequest, false, func(_ *world, r *Request, _ wallet) {
			r.Refund, r.Orders = &Refund{OrderID: r.Orders[0].Delivery.OrderID, Proof: r.Orders[0].Proof}, nil
		}},
		"a return": {BadRequest, false, func(_ *world, r *Request, anna wallet) {
			r.Return, r.Orders = &Return{Owner: anna.ordinals.Text, Proof: r.Orders[0].Proof}, nil
		}},
		"a withdrawal of the operator": {BadRequest, false, func(w *world, r *Request, anna wallet) {
			w.config.WithdrawTo = []string{anna.payment.Text}
			r.Withdrawal, r.Orders = &Withdrawal{Community: "lobo", To: anna.payment.Text, Sats: 1_000}, nil
		}},
		"economy delivery": {BadRequest, false, func(w *world, r *Request, anna wallet) {
			open(w, r, anna, func(x *message.Intent) { x.Rate, x.Until = 2_000, w.now.Add(7*24*time.Hour) })
		}},
		"economy delivery, the difference paid": {BadRequest, false, func(_ *world, r *Request, _ wallet) {
			r.Orders[0].Raised = true
		}},
		"a kept overpayment": {BadRequest, false, func(w *world, r *Request, _ wallet) {
			address, _, err := w.account.PaymentAddress(r.Orders[0].Delivery.OrderID)
			must(w, err)
			r.Orders[0].Delivery.Overpayment, r.Orders[0].Delivery.KeptAt = 600, address.Script
		}},
		"an older message of another order": {OtherOrder, false, func(_ *world, r *Request, _ wallet) {
			r.Orders[0].Delivery.OrderID = "order-a"
		}},
		"above cold_above": {NeedsHand, false, func(w *world, _ *Request, _ wallet) {
			changePolicy(&w.config, func(p *Policy) { p.ColdAbove = 999 })
		}},
		"above the cap of fees": {FeeTooHigh, false, func(w *world, _ *Request, _ wallet) { w.config.MaxFee = 1_000 }},
		"above the cap of the rate": {FeeTooHigh, false, func(w *world, _ *Request, _ wallet) {
			w.config.MaxFeeRate = amount.SatPerVB(5) - 100
		}},
		"version 3":   {WrongTarget, false, func(_ *world, r *Request, _ wallet) { r.Tx.Version = 3 }},
		"a lock time": {BadRequest, false, func(_ *world, r *Request, _ wallet) { r.Tx.LockTime = 9 }},
		"a final sequence": {BadRequest, false, func(_ *world, r *Request, _ wallet) {
			r.Tx.TxIn[1].Sequence = wire.MaxTxInSequenceNum
		}},
		"a coin that is not signed": {BadSignature, true, func(*world, *Request, wallet) {}},
		"signed by another key": {BadSignature, true, func(w *world, r *Request, _ wallet) {
			w.pay(r, thief(w), txscript.SigHashAll)
		}},
		"SINGLE|ANYONECANPAY": {BadSignature, true, func(w *world, r *Request, anna wallet) {
			w.pay(r, anna, txscript.SigHashSingle|txscript.SigHashAnyOneCanPay)
		}},
		"ALL|ANYONECANPAY": {BadSignature, true, func(w *world, r *Request, anna wallet) {
			w.pay(r, anna, txscript.SigHashAll|txscript.SigHashAnyOneCanPay)
		}},
		"changed after the signature": {BadSignature, true, func(w *world, r *Request, anna wallet) {
			w.pay(r, anna, txscript.SigHashAll)
			r.Tx.TxOut[2].Value--
		}},
		"another value of the coin": {BadSignature, true, func(w *world, r *Request, anna wallet) {
			w.pay(r, anna, txscript.SigHashAll)
			r.Inputs[1].Output.Value++
		}},
		"a witness of the stake": {BadRequest, false, func(_ *world, r *Request, _ wallet) {
			r.Tx.TxIn[0].Witness = wire.TxWitness{make([]byte, 64)}
		}},
		"coins of the ordinals address": {WrongTarget, false, func(w *world, r *Request, anna wallet) {
			payTo(anna.ordinals)(w, r, anna)
		}},
		"coins of the treasury": {WrongTarget, false, func(w *world, r *Request, anna wallet) {
			address, _ := w.account.TreasurySats()
			payTo(address)(w, r, anna)
		}},
		"coins of the stake's address": {WrongTarget, false, func(w *world, r *Request, anna wallet) {
			address, ok := chain.AddressFromScript(r.Inputs[0].Output.PkScript, w.network)
			if !ok {
				t.Fatal("the stake has no address")
			}
			payTo(address)(w, r, anna)
		}},
		"coins of another stake's address": {BadSignature, false, func(w *world, r *Request, anna wallet) {
			stake := w.stake(newWallet(w, 2, chain.P2TR, w.network), 600, "")
			address, _ := chain.AddressFromScript(stake.Output.PkScript, w.network)
			payTo(address)(w, r, anna)
		}},
		"coins of a legacy address": {WrongTarget, false, func(w *world, r *Request, anna wallet) {
			payTo(newWallet(w, 1, chain.P2PKH, w.network).ordinals)(w, r, anna)
		}},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			anna := newWallet(t, 1, chain.P2TR, w.network)
			r := w.oneTx(anna, w.stake(anna, 1_000, ""))
			row.change(w, &r, anna)
			if !row.unsigned {
				w.pay(&r, anna, txscript.SigHashAll)
			}
			_, err := w.overSocket().Sign(t.Context(), r)
			if !refusedFor(err, row.reason) {
				t.Errorf("got %v, want a refusal for %q", err, row.reason)
			}
		})
	}
}

// TestOrdersRefuseOwnCoins checks that only a withdrawal in one transaction may spend coins that the signer does not
// sign.
func TestOrdersRefuseOwnCoins(t *testing.T) {
	w := newWorld(t)
	anna := newWallet(t, 1, chain.P2TR, w.network)
	for i, r := range w.honest() {
		if r.isOneTx() {
			continue
		}
		coin := w.ownCoin(anna, 20_000)
		r.Tx, r.Inputs = r.Tx.Copy(), append(slices.Clone(r.Inputs), coin)
		r.Tx.AddTxIn(&wire.TxIn{PreviousOutPoint: coin.OutPoint, Sequence: vault.Sequence})
		w.pay(&r, anna, txscript.SigHashAll)
		_, err := w.signer().Sign(t.Context(), r)
		if !refusedFor(err, BadRequest) {
			t.Errorf("request %d: got %v, want a refusal for %q", i, err, BadRequest)
		}
	}
}

// stolenOneTx changes anna's withdrawal in one transaction before anna signs it, and withdraws anna's stake with the
// attacker's message and coins.
func stolenOneTx(c *compromise) map[string]Request {
	stake := func() vault.Coin { return c.stake(c.anna, 5_000*coinLOBO, "") }
	tries := map[string]Request{}
	for name, change := range map[string]func(r *Request){
		"other change":      func(r *Request) { r.Tx.TxOut[2].PkScript = c.thief.payment.Script },
		"other destination": func(r *Request) { r.Tx.TxOut[0].PkScript = c.thief.ordinals.Script },
		"pointer":           func(r *Request) { r.Tx.TxOut[0], r.Tx.TxOut[2] = r.Tx.TxOut[2], r.Tx.TxOut[0] },
		"the attacker's change": func(r *Request) {
			r.Tx.AddTxOut(wire.NewTxOut(546, c.thief.payment.Script))
			r.Tx.TxOut[2].Value -= 546
		},
		"a second stake": func(r *Request) {
			second := stake()
			r.Inputs = append(r.Inputs, second)
			r.Tx.AddTxIn(&wire.TxIn{PreviousOutPoint: second.OutPoint, Sequence: vault.Sequence})
		},
	} {
		for paid, sighash := range map[string]txscript.SigHashType{"ALL": txscript.SigHashAll,
			"NONE|ANYONECANPAY": txscript.SigHashNone | txscript.SigHashAnyOneCanPay} {
			r := c.oneTx(c.anna, stake())
			change(&r)
			c.pay(&r, c.anna, sighash)
			tries[name+", signed "+paid] = r
		}
	}
	for name, to := range map[string]chain.Address{"the attacker": c.thief.ordinals, "anna": c.anna.ordinals} {
		r := c.oneTx(c.thief, stake())
		r.Orders[0].Delivery.To, r.Tx.TxOut[0].PkScript = to.Script, to.Script
		c.pay(&r, c.thief, txscript.SigHashAll)
		tries["the attacker's message and coins, to "+name] = r
	}
	return tries
}

// addInput adds an input to a request.
func addInput(w *world, r *Request, c vault.Coin) {
	r.Inputs = append(r.Inputs, c)
	r.Tx.AddTxIn(&wire.TxIn{PreviousOutPoint: c.OutPoint, Sequence: vault.Sequence})
}
