package ledger

import (
	"context"
	"errors"
	"fmt"

	"moonfund/state"

	"github.com/btcsuite/btcd/wire/v2"
)

// Adopt records an unspent output at a stake address that was watched only after the output's block was followed, and
// inserts its unit. added reports whether the output is new. Adopt leaves a known output unchanged and returns it.
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
	watched, ok := watch.Script(out.PkScript)
	if !ok || watched.Kind != StakeKind {
		return output, false, fmt.Errorf("ledger: %s is at no stake address", point)
	}
	outputs := []Output{newOutput(watched, obs, vout)}
	if err := s.recordOutputs(ctx, tx, outputs, obs); err != nil {
		return outputs[0], false, err
	}
	return outputs[0], true, s.track(ctx, tx, watch, obs, outputs)
}
