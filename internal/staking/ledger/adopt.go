package ledger

import (
	"context"
	"errors"
	"fmt"

	"moonfund/internal/state"

	"github.com/btcsuite/btcd/wire/v2"
)

// Adopt records output vout of the observed transaction, and inserts its unit. The output must be unspent and at a
// stake address that was watched only after the output's block was followed. added reports whether the output is new.
// Adopt returns a known output unchanged. It returns an error if there is no such output or if its address is no stake
// address.
func (s *Service) Adopt(ctx context.Context, tx Tx, watch WatchList, obs Observation,
	vout uint32) (output Output, added bool, err error) {
	point := wire.OutPoint{Hash: obs.Tx.ID, Index: vout}
	if output, err = tx.Outputs.Output(ctx, point); !errors.Is(err, state.ErrNotFound) {
		return output, false, err
	}
	if int(vout) >= len(obs.Tx.Msg.TxOut) {
		return output, false, fmt.Errorf("ledger: the transaction has no output %d", vout)
	}
	out := obs.Tx.Msg.TxOut[vout]
	watched, err := tx.Outputs.WatchedScripts(ctx, [][]byte{out.PkScript})
	if err != nil {
		return output, false, err
	}
	w, ours := watched[string(out.PkScript)]
	if !ours || w.Kind != StakeKind {
		return output, false, fmt.Errorf("ledger: %s is at no stake address", point)
	}
	outputs := []Output{newOutput(w, obs, vout)}
	if err := s.recordOutputs(ctx, tx, outputs, obs); err != nil {
		return outputs[0], false, err
	}
	return outputs[0], true, s.track(ctx, tx, watch, obs, outputs)
}
