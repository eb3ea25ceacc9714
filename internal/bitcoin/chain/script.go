package chain

import (
	"fmt"

	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

// CheckSignatures executes the script of every input of a signed transaction under the standard verification flags. It
// returns an error for the first input whose script fails or whose output prevouts does not return.
func CheckSignatures(tx *wire.MsgTx, prevouts func(wire.OutPoint) (*wire.TxOut, bool)) error {
	spent := map[wire.OutPoint]*wire.TxOut{}
	for i, in := range tx.TxIn {
		output, known := prevouts(in.PreviousOutPoint)
		if !known {
			return fmt.Errorf("input %d spends %s, which is not known", i, in.PreviousOutPoint)
		}
		spent[in.PreviousOutPoint] = output
	}
	fetcher := txscript.NewMultiPrevOutFetcher(spent)
	hashes := txscript.NewTxSigHashes(tx, fetcher)
	for i, in := range tx.TxIn {
		output := spent[in.PreviousOutPoint]
		engine, err := txscript.NewEngine(output.PkScript, tx, i, txscript.StandardVerifyFlags, nil, hashes, output.Value,
			fetcher)
		if err == nil {
			err = engine.Execute()
		}
		if err != nil {
			return fmt.Errorf("input %d: %w", i, err)
		}
	}
	return nil
}
