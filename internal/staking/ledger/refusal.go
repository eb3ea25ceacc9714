package ledger

import (
	"context"
	"slices"
	"time"
)

// Refusal is the node's refusal of a tracked transaction at its last broadcast.
type Refusal struct {
	TxID    string
	Reason  string    // the node's message
	Passing bool      // temporary: the reason is the fee rate, or the current state of the mempool or the chain
	Since   time.Time // of the first of its refusals in a row
	OwnPaid bool      // the owner's coins pay for it, and the owner may have spent them elsewhere; set by the store
}

// ForOperators returns the refusals that an operator can act on: refusals of transactions that no staker's coins pay
// for.
func ForOperators(refusals []Refusal) []Refusal {
	return slices.DeleteFunc(slices.Clone(refusals), func(r Refusal) bool { return r.OwnPaid })
}

// RefusalStore stores refusals.
type RefusalStore interface {
	Refusals(ctx context.Context) ([]Refusal, error) // oldest first
	PutRefusal(ctx context.Context, r Refusal) error // does not change the Since of a known refusal
	DropRefusal(ctx context.Context, txid string) error
}

// RecordBroadcast replaces the stored refusals with the refusals of the last broadcast. held contains the ids of the
// transactions that were not broadcast this time; their stored refusals remain. RecordBroadcast returns the ids of the
// transactions whose stored refusal changed.
func RecordBroadcast(ctx context.Context, tx RefusalStore, refusals []Refusal,
	held map[string]bool) (changed []string, err error) {
	recorded, err := tx.Refusals(ctx)
	if err != nil {
		return nil, err
	}
	known := map[string]Refusal{}
	for _, r := range recorded {
		known[r.TxID] = r
	}
	for _, r := range refusals {
		before, refused := known[r.TxID]
		delete(known, r.TxID)
		if refused && before.Reason == r.Reason && before.Passing == r.Passing {
			continue
		}
		if err := tx.PutRefusal(ctx, r); err != nil {
			return nil, err
		}
		changed = append(changed, r.TxID)
	}
	for txid := range known {
		if held[txid] {
			continue
		}
		if err := tx.DropRefusal(ctx, txid); err != nil {
			return nil, err
		}
		changed = append(changed, txid)
	}
	return changed, nil
}
