package vault

import (
	"strings"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/runes"
)

// Probes are transactions with the shape of this package's transactions, to test whether a node's policy relays them.
// They spend an output of another owner, so they can never be sent.

// MinProbeValue is the minimum value in sats of the output that a probe spends.
const MinProbeValue amount.Sats = 10_000

// probeFee is a fee in sats far above what nodes require.
const probeFee = 5_000

// ProbeTransfer returns a transfer whose runestone is as large as limit bytes allow.
func (a Account) ProbeTransfer(point wire.OutPoint, spent *wire.TxOut, limit int) (*wire.MsgTx, error) {
	to, _ := a.TreasuryRunes()
	var stone []byte
	var longest runes.Runestone
	for n := uint64(1); ; n++ {
		longest.Edicts = append(longest.Edicts, runes.Edict{
			ID: runes.ID{Block: 840_000, Tx: 1}, Amount: uint128.From64(1_000_000_000 + n), Output: 0,
		})
		script, err := longest.Script()
		if err != nil {
			return nil, err
		}
		if len(script) > limit {
			break
		}
		stone = script
	}
	tx := probe(point, wire.TxWitness{make([]byte, 64)})
	tx.AddTxOut(wire.NewTxOut(DustSats, to.Script))
	tx.AddTxOut(wire.NewTxOut(0, stone))
	tx.AddTxOut(wire.NewTxOut(spent.Value-probeFee-DustSats, to.Script))
	return tx, nil
}

// ProbeReveal returns the reveal transaction of an etching with an inscription, or without one if it is nil.
func (a Account) ProbeReveal(point wire.OutPoint, spent *wire.TxOut, inscription *Inscription) (*wire.MsgTx, error) {
	to, _ := a.TreasuryRunes()
	name, err := runes.ParseName("PROBEPROBEPROBE")
	if err != nil {
		return nil, err
	}
	plan, err := a.PlanOrder(RuneOrder{
		ID: strings.Repeat("0", 32), Destination: to.Text, Refund: to.Text,
		Etch: &RuneEtch{Etching: runes.Etching{Name: &name}, Inscription: inscription},
	})
	if err != nil {
		return nil, err
	}
	tx := probe(point, wire.TxWitness{make([]byte, 64), plan.Leaf.Script, plan.Control})
	tx.AddTxOut(wire.NewTxOut(DustSats, to.Script))
	tx.AddTxOut(wire.NewTxOut(0, plan.Stone))
	tx.AddTxOut(wire.NewTxOut(spent.Value-probeFee-DustSats, to.Script))
	return tx, nil
}

func probe(point wire.OutPoint, witness wire.TxWitness) *wire.MsgTx {
	tx := wire.NewMsgTx(2)
	tx.AddTxIn(&wire.TxIn{PreviousOutPoint: point, Sequence: Sequence, Witness: witness})
	return tx
}
