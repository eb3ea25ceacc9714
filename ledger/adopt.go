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
func (b *Book) Adopt(ctx context.Context, tx Tx, watch Watch, s Observation,
	vout uint32) (output Output, added bool, err error) {
	point := wire.OutPoint{Hash: s.Tx.ID, Index: vout}
	if output, err = tx.Outputs.Output(ctx, point); !errors.Is(err, state.ErrNotFound) {
		return output, false, err
	}
	if int(vout) >= len(s.Tx.Msg.TxOut) {
		return output, false, fmt.Errorf("ledger: the transaction has no output %d", vout)
	}
	out := s.Tx.Msg.TxOut[vout]
	watched, ok := watch.Script(out.PkScript)
	if !ok || watched.Kind != StakeKind {
		return output, false, fmt.Errorf("ledger: %s is at no stake address", point)
	}
	outputs := []Output{newOutput(watched, s, vout)}
	if err := b.recordOutputs(ctx, tx, outputs, s); err != nil {
		return outputs[0], false, err
	}
	return outputs[0], true, b.track(ctx, tx, watch, s, outputs)
}
