package sim

import (
	"bytes"
	"slices"

	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/testkit"
)

// keyStolen has a thief of the community's key try to take a stake in self-custody alone, or complete an old signature.
func (sc *scenario) keyStolen() {
	if sc.oneIn(2) {
		sc.completeOld()
		return
	}
	for _, u := range sc.tables.Units {
		if sc.model.IsSelf(u.ID) && u.Stage != string(ledger.Withdrawn) {
			sc.faults[communityKeyStolen]++
			sc.takeAlone(u.ID)
			return
		}
	}
}

// takeAlone spends a stake to a stranger with the community's key, by the key path and by both leaves. No node accepts
// any of the transactions.
func (sc *scenario) takeAlone(id string) {
	stolen := sc.Steal(id)
	stake := stolen.Stake
	out := wire.NewTxOut(int64(stolen.Unit.Value), stake.Script)
	sign := func(tx *wire.MsgTx, leaf []byte) []byte {
		fetcher := txscript.NewCannedPrevOutputFetcher(out.PkScript, out.Value)
		hashes := txscript.NewTxSigHashes(tx, fetcher)
		var signature []byte
		var err error
		if leaf == nil {
			signature, err = txscript.RawTxInTaprootSignature(tx, hashes, 0, out.Value, out.PkScript, stake.MerkleRoot,
				txscript.SigHashDefault, stolen.Key)
		} else {
			signature, err = txscript.RawTxInTapscriptSignature(tx, hashes, 0, out.Value, out.PkScript,
				txscript.NewBaseTapLeaf(leaf), txscript.SigHashDefault, stolen.Key)
		}
		testkit.Must(sc, err)
		return signature
	}
	together := stake.Together
	for what, witness := range map[string]func(tx *wire.MsgTx) wire.TxWitness{
		"the key path": func(tx *wire.MsgTx) wire.TxWitness { return wire.TxWitness{sign(tx, nil)} },
		"the leaf together": func(tx *wire.MsgTx) wire.TxWitness {
			mine := sign(tx, together.Script)
			return wire.TxWitness{mine, mine, together.Script, together.ControlBlock}
		},
		"the leaf together, unsigned": func(tx *wire.MsgTx) wire.TxWitness {
			return wire.TxWitness{sign(tx, together.Script), nil, together.Script, together.ControlBlock}
		},
		"the leaf alone": func(tx *wire.MsgTx) wire.TxWitness {
			return wire.TxWitness{sign(tx, stake.LeafScript), stake.LeafScript, stake.ControlBlock}
		},
	} {
		tx := wire.NewMsgTx(2)
		tx.AddTxIn(&wire.TxIn{PreviousOutPoint: stolen.Unit.OutPoint, Sequence: stake.Delay})
		tx.AddTxOut(wire.NewTxOut(out.Value-100, sc.strangerTo(stolen.Unit.Owner).Payment.Script))
		tx.TxIn[0].Witness = witness(tx)
		if err := runScripts(tx, out); err == nil {
			sc.Fatalf("the community's key alone spends the stake %s through %s", id, what)
		}
	}
}

// runScripts runs the scripts of a transaction's only input by the consensus rules.
func runScripts(tx *wire.MsgTx, out *wire.TxOut) error {
	fetcher := txscript.NewCannedPrevOutputFetcher(out.PkScript, out.Value)
	engine, err := txscript.NewEngine(out.PkScript, tx, 0, txscript.StandardVerifyFlags, nil,
		txscript.NewTxSigHashes(tx, fetcher), out.Value, fetcher)
	if err == nil {
		err = engine.Execute()
	}
	return err
}

// completeOld has a thief complete a signature of an owner who then canceled the order. The runes arrive at the owner's
// address, and the unit ends.
func (sc *scenario) completeOld() {
	o, from, ok := sc.newSelfOrder()
	if !ok || o.SelfUnits != int64(len(o.UnitIDs)) {
		return
	}
	own := sc.openOwn(from, o)
	if own == nil {
		return
	}
	sc.cancelOrder(sc.Order(o.ID), from, func() {})
	if sc.Order(o.ID).Status != order.Canceled {
		return
	}
	tx := sc.complete(own)
	sc.model.Completed(tx.ID)
	sc.completed = append(sc.completed, tx.ID.String())
	if !sc.Node.Valid(tx) || !sc.mineOnly(tx) {
		return
	}
	sc.faults[communityKeyStolen]++
	for range ledger.RecoveryDepth {
		sc.mineAll()
		sc.followAndCheck()
	}
	if at, _ := sc.Node.Locate(tx.ID); at < 0 || !sc.synced {
		return
	}
	for _, id := range o.UnitIDs {
		if got := sc.Unit(id).Stage; got != ledger.Withdrawn {
			sc.Fatalf("the unit %s is %s after an old signature was completed", id, got)
		}
	}
	held, _ := sc.model.Runes(wire.OutPoint{Hash: tx.ID})
	if !bytes.Equal(tx.Msg.TxOut[0].PkScript, from.Ordinals.Script) || held != int64(o.Amount) {
		sc.Fatalf("an old signature moves %d of %d base units to their owner", held, o.Amount)
	}
}

// complete returns a transaction that its owner signed, with the community's signatures.
func (sc *scenario) complete(own *ownTx) chain.Tx {
	packet := sc.packet(own.signed)
	tx := packet.UnsignedTx
	previous := map[wire.OutPoint]*wire.TxOut{}
	for i, in := range tx.TxIn {
		previous[in.PreviousOutPoint] = packet.Inputs[i].WitnessUtxo
	}
	hashes := txscript.NewTxSigHashes(tx, txscript.NewMultiPrevOutFetcher(previous))
	for i, in := range packet.Inputs {
		if len(in.TaprootScriptSpendSig) == 0 {
			signed := in.PartialSigs[0]
			tx.TxIn[i].Witness = wire.TxWitness{signed.Signature, signed.PubKey}
			continue
		}
		stolen := sc.Steal(tx.TxIn[i].PreviousOutPoint.String())
		leaf := stolen.Stake.Together
		ours, err := txscript.RawTxInTapscriptSignature(tx, hashes, i, in.WitnessUtxo.Value, in.WitnessUtxo.PkScript,
			txscript.NewBaseTapLeaf(leaf.Script), txscript.SigHashDefault, stolen.Key)
		testkit.Must(sc, err)
		owners := in.TaprootScriptSpendSig[0].Signature
		if len(owners) == schnorr.SignatureSize {
			owners = append(slices.Clone(owners), byte(txscript.SigHashAll))
		}
		tx.TxIn[i].Witness = wire.TxWitness{ours, owners, leaf.Script, leaf.ControlBlock}
	}
	return chain.NewTx(tx)
}
