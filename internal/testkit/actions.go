package testkit

import (
	"cmp"
	"errors"

	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/psbt/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/state"
	"moonfund/internal/store"
)

// fee is the fee of each wallet transaction, in sats; Bump pays more.
const fee = 1000

// Transfer builds a transaction that sends runes to a script and returns the rest.
func (w *World) Transfer(from *Wallet, to []byte, n amount.Runes) chain.Tx {
	w.Helper()
	return w.TransferOf(from, []Coin{from.Runes(), from.Sats()}, to, n, fee)
}

// TransferOf is like Transfer with the given coins and fee, in sats. The first coin holds the runes.
func (w *World) TransferOf(from *Wallet, coins []Coin, to []byte, n amount.Runes, fee int64) chain.Tx {
	w.Helper()
	pointer := uint32(1)
	stone := runes.Runestone{Pointer: &pointer}
	if n > 0 {
		stone.Edicts = []runes.Edict{{ID: cmp.Or(coins[0].Rune, Rune), Amount: uint128.From64(uint64(n)), Output: 0}}
	}
	script, err := stone.Script()
	Must(w, err)
	var in int64
	for _, coin := range coins {
		in += coin.Out.Value
	}
	return from.Spend(coins,
		wire.NewTxOut(vault.DustSats, to), wire.NewTxOut(vault.DustSats, from.Ordinals.Script), wire.NewTxOut(0, script),
		wire.NewTxOut(in-2*vault.DustSats-fee, from.Payment.Script))
}

// Send broadcasts a transaction.
func (w *World) Send(tx chain.Tx) chain.Tx {
	w.Helper()
	Must(w, w.Node.Broadcast(w.Context(), tx.Bytes()))
	return tx
}

// StakeAddress requests a stake address and returns its script.
func (w *World) StakeAddress(from *Wallet, n amount.Runes) (action.StakeAddress, []byte) {
	w.Helper()
	given, err := w.Actions.NewStake(w.Context(), Prefix, from.Request(n))
	Must(w, err)
	address, err := chain.ParseAddress(given.Address, w.Network)
	Must(w, err)
	return given, address.Script
}

// Deposit sends runes to a stake address of the wallet and returns the unit's id.
func (w *World) Deposit(from *Wallet, n amount.Runes) (unitID string, tx chain.Tx) {
	w.Helper()
	_, script := w.StakeAddress(from, n)
	tx = w.Send(w.Transfer(from, script, n))
	return wire.OutPoint{Hash: tx.ID}.String(), tx
}

// Act requests an action, signs its message with the ordinals key and submits it.
func (w *World) Act(from *Wallet, kind action.Type, unitIDs ...string) action.Signed {
	w.Helper()
	signed, err := w.TryAct(from, kind, unitIDs...)
	Must(w, err)
	return signed
}

// Ask requests an action and returns the message to sign. An AUTO_COMPOUND has the default number of epochs.
func (w *World) Ask(from *Wallet, kind action.Type, unitIDs ...string) (action.Requested, error) {
	if kind == action.AutoCompound || kind == action.EndAutoCompound {
		return w.Actions.PostCompounding(w.Context(), Prefix, from.Pair(), kind, 0, "")
	}
	return w.Actions.Post(w.Context(), Prefix, from.Pair(), kind, unitIDs, "")
}

// TryAct is like Act but returns the error.
func (w *World) TryAct(from *Wallet, kind action.Type, unitIDs ...string) (action.Signed, error) {
	w.Helper()
	requested, err := w.Ask(from, kind, unitIDs...)
	if err != nil {
		return action.Signed{}, err
	}
	return w.sign(from, kind, requested)
}

// TryEconomy opens an order of economy delivery at a rate, with a limit in days (0: the default), or returns the error.
func (w *World) TryEconomy(from *Wallet, kind action.Type, rate amount.FeeRate, days int64,
	unitIDs ...string) (action.Signed, error) {
	w.Helper()
	a := action.Action{Community: Prefix, Type: kind, Wallet: from.Pair()}
	requested, err := w.Actions.PostEconomy(w.Context(), a, unitIDs, "", action.EconomyRequest{Rate: rate, Days: days})
	if err != nil {
		return action.Signed{}, err
	}
	return w.sign(from, kind, requested)
}

// Economy is TryEconomy with the default limit. It fails the test on an error.
func (w *World) Economy(from *Wallet, kind action.Type, rate amount.FeeRate, unitIDs ...string) order.Order {
	w.Helper()
	signed, err := w.TryEconomy(from, kind, rate, 0, unitIDs...)
	Must(w, err)
	return *signed.Order
}

// sign signs a requested action.
func (w *World) sign(from *Wallet, kind action.Type, requested action.Requested) (action.Signed, error) {
	return w.Actions.Sign(w.Context(), Prefix, action.SignRequest{
		Wallet: from.Pair(), ActionID: requested.ActionID, Type: kind, Signature: from.Sign(requested.Message),
	})
}

// Pay sends sats to an order's address.
func (w *World) Pay(from *Wallet, o order.Order, sats amount.Sats) chain.Tx {
	w.Helper()
	return w.Send(w.Payment(from, from.Sats(), o, sats, fee))
}

// Payment builds a payment of an order from one coin.
func (w *World) Payment(from *Wallet, coin Coin, o order.Order, sats amount.Sats, fee int64) chain.Tx {
	w.Helper()
	return from.Spend([]Coin{coin}, wire.NewTxOut(int64(sats), o.Script),
		wire.NewTxOut(coin.Out.Value-int64(sats)-fee, from.Payment.Script))
}

// SpendToSelf builds a transaction that spends a coin to the wallet itself.
func (w *World) SpendToSelf(from *Wallet, fee int64, coins ...Coin) chain.Tx {
	w.Helper()
	var sum int64
	for _, coin := range coins {
		sum += coin.Out.Value
	}
	return from.Spend(coins, wire.NewTxOut(sum-fee, from.Payment.Script))
}

// Recover builds the transaction with which a staker recovers a unit's output through the script leaf. The node in
// memory does not check the age.
func (w *World) Recover(from *Wallet, unitID string) chain.Tx {
	w.Helper()
	return w.RecoverWith(from, unitID, from.Sats(), 100*fee)
}

// RecoverWith is like Recover with the given coin, which pays the fee, in sats.
func (w *World) RecoverWith(from *Wallet, unitID string, sats Coin, fee int64) chain.Tx {
	w.Helper()
	return w.RecoverAll(from, []string{unitID}, sats, fee)
}

// RecoverAll is like RecoverWith for several units in one transaction.
func (w *World) RecoverAll(from *Wallet, unitIDs []string, sats Coin, fee int64) chain.Tx {
	w.Helper()
	tx := wire.NewMsgTx(2)
	previous := map[wire.OutPoint]*wire.TxOut{sats.OutPoint: sats.Out}
	var held int64
	units, stakes := w.stakeOutputs(unitIDs)
	for i, unit := range units {
		tx.AddTxIn(&wire.TxIn{PreviousOutPoint: unit.OutPoint, Sequence: stakes[i].Delay})
		previous[unit.OutPoint] = wire.NewTxOut(int64(unit.Value), stakes[i].Script)
		held += int64(unit.Value)
	}
	tx.AddTxIn(&wire.TxIn{PreviousOutPoint: sats.OutPoint, Sequence: 0xfffffffd})
	tx.AddTxOut(wire.NewTxOut(held, from.Ordinals.Script))
	tx.AddTxOut(wire.NewTxOut(sats.Out.Value-fee, from.Payment.Script))
	hashes := txscript.NewTxSigHashes(tx, txscript.NewMultiPrevOutFetcher(previous))
	for i, stake := range stakes {
		spent := previous[tx.TxIn[i].PreviousOutPoint]
		leaf := txscript.NewBaseTapLeaf(stake.LeafScript)
		signature, err := txscript.RawTxInTapscriptSignature(
			tx, hashes, i, spent.Value, spent.PkScript, leaf, txscript.SigHashDefault, from.ordinalsKey)
		Must(w, err)
		tx.TxIn[i].Witness = wire.TxWitness{signature, stake.LeafScript, stake.ControlBlock}
	}
	last := len(stakes)
	witness, err := txscript.WitnessSignature(tx, hashes, last, sats.Out.Value, sats.Out.PkScript, txscript.SigHashAll,
		from.paymentKey, true)
	Must(w, err)
	tx.TxIn[last].Witness = witness
	return chain.NewTx(tx)
}

// RecoverAs signs the transaction of a PSBT, which delivers one unit, as the staker alone does: through the leaf of the
// recovery, with an annex or nil. The transaction's other inputs are coins of the payment address.
func (w *World) RecoverAs(from *Wallet, unitID string, packet *psbt.Packet, annex []byte) chain.Tx {
	w.Helper()
	_, stakes := w.stakeOutputs([]string{unitID})
	tx := packet.UnsignedTx
	tx.TxIn[0].Sequence = stakes[0].Delay
	previous := map[wire.OutPoint]*wire.TxOut{}
	for i, in := range tx.TxIn {
		previous[in.PreviousOutPoint] = packet.Inputs[i].WitnessUtxo
	}
	fetcher := txscript.NewMultiPrevOutFetcher(previous)
	hashes := txscript.NewTxSigHashes(tx, fetcher)
	var options []txscript.TaprootSigHashOption
	if annex != nil {
		options = append(options, txscript.WithAnnex(annex))
	}
	hash, err := txscript.CalcTapscriptSignaturehash(hashes, txscript.SigHashDefault, tx, 0, fetcher,
		txscript.NewBaseTapLeaf(stakes[0].LeafScript), options...)
	Must(w, err)
	signature, err := schnorr.Sign(from.ordinalsKey, hash)
	Must(w, err)
	tx.TxIn[0].Witness = wire.TxWitness{signature.Serialize(), stakes[0].LeafScript, stakes[0].ControlBlock}
	if annex != nil {
		tx.TxIn[0].Witness = append(tx.TxIn[0].Witness, annex)
	}
	for i := 1; i < len(tx.TxIn); i++ {
		out := packet.Inputs[i].WitnessUtxo
		tx.TxIn[i].Witness, err = txscript.WitnessSignature(tx, hashes, i, out.Value, out.PkScript, txscript.SigHashAll,
			from.paymentKey, true)
		Must(w, err)
	}
	return chain.NewTx(tx)
}

// stakeOutputs returns units and the data for spending their deposits.
func (w *World) stakeOutputs(unitIDs []string) (units []ledger.Unit, stakes []vault.StakeOutput) {
	w.Helper()
	byAddress := map[string]vault.StakeOutput{}
	Must(w, w.Store.View(w.Context(), func(tx *store.Tx) (err error) {
		if units, err = tx.UnitsByID(w.Context(), Prefix, unitIDs); err != nil {
			return err
		}
		for _, unit := range units {
			output, err := tx.Output(w.Context(), unit.OutPoint)
			if err != nil {
				return err
			}
			stake, known := byAddress[output.Ref]
			if !known {
				keys, err := tx.StakeKeys(w.Context(), output.Ref)
				if err != nil {
					return err
				}
				if stake, err = w.Account.StakeOutput(keys); err != nil {
					return err
				}
				byAddress[output.Ref] = stake
			}
			stakes = append(stakes, stake)
		}
		return nil
	}))
	if len(units) != len(unitIDs) {
		w.Fatalf("%d of %d units exist", len(units), len(unitIDs))
	}
	return units, stakes
}

// Unit returns a unit. It fails the test if the unit does not exist.
func (w *World) Unit(id string) (unit ledger.Unit) {
	w.Helper()
	w.Update(func(tx *store.Tx) (err error) {
		unit, err = tx.Unit(w.Context(), Prefix, id)
		return err
	})
	return unit
}

// Stage returns a unit's stage, or "" if the unit does not exist.
func (w *World) Stage(id string) (stage ledger.Stage) {
	w.Helper()
	w.Update(func(tx *store.Tx) error {
		unit, err := tx.Unit(w.Context(), Prefix, id)
		if errors.Is(err, state.ErrNotFound) {
			return nil
		}
		stage = unit.Stage
		return err
	})
	return stage
}

// WantStage fails the test if the stage of a unit differs.
func (w *World) WantStage(id string, want ledger.Stage) {
	w.Helper()
	if got := w.Stage(id); got != want {
		w.Fatalf("unit %s: stage %q, want %q", id, got, want)
	}
}

// Units returns the ids of a wallet's units in a stage, oldest first.
func (w *World) Units(of *Wallet, stage ledger.Stage) (ids []string) {
	w.Helper()
	w.Update(func(tx *store.Tx) error {
		units, err := tx.UnitsInStage(w.Context(), Prefix, stage)
		for _, unit := range units {
			if unit.Owner == of.Ordinals.Text {
				ids = append(ids, unit.ID)
			}
		}
		return err
	})
	return ids
}

// Order returns the current state of an order.
func (w *World) Order(id string) (o order.Order) {
	w.Helper()
	w.Update(func(tx *store.Tx) (err error) {
		o, err = tx.Order(w.Context(), id)
		return err
	})
	return o
}

// WantStatus fails the test if the status of an order differs.
func (w *World) WantStatus(id string, want order.Status) order.Order {
	w.Helper()
	o := w.Order(id)
	if o.Status != want {
		w.Fatalf("order status %s, want %s: %+v", o.Status, want, o)
	}
	return o
}

// RunesOn returns the amount of the world's rune on an output, in base units, according to the index.
func (w *World) RunesOn(out wire.OutPoint) (held amount.Runes) {
	w.Helper()
	w.Update(func(tx *store.Tx) error {
		balances, err := runes.BalancesOf(tx.Runes(w.Context()), out)
		for _, balance := range balances {
			if balance.ID == Rune {
				held += amount.Runes(balance.Amount.Lo)
			}
		}
		return err
	})
	return held
}

// Staked makes a deposit and waits until it is STAKED.
func (w *World) Staked(from *Wallet, n amount.Runes) (unitID string) {
	w.Helper()
	unitID, _ = w.Deposit(from, n)
	w.Settle(4)
	w.NextEpoch()
	w.WantStage(unitID, ledger.Staked)
	return unitID
}

// Unlocked makes a deposit and waits until it is UNLOCKED.
func (w *World) Unlocked(from *Wallet, n amount.Runes) (unitID string) {
	w.Helper()
	unitID = w.Staked(from, n)
	w.Act(from, action.Unstake, unitID)
	w.NextEpoch()
	w.NextEpoch()
	w.WantStage(unitID, ledger.Unlocked)
	return unitID
}

// Rewarded makes a deposit and waits until its owner has a CLAIMABLE unit.
func (w *World) Rewarded(from *Wallet, n amount.Runes) (staked, reward string) {
	w.Helper()
	staked = w.Staked(from, n)
	w.NextEpoch()
	w.Settle(ledger.SettleDepth)
	claimable := w.Units(from, ledger.Claimable)
	if len(claimable) != 1 {
		w.Fatalf("%d claimable units, want 1", len(claimable))
	}
	return staked, claimable[0]
}
