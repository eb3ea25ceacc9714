package ledger

import (
	"context"
	"time"
)

// Refusal says that the node did not accept a transaction of ours at its last broadcast.
type Refusal struct {
	TxID    string
	Reason  string // the node's own words
	Passing bool   // waiting can help: the reason is the fee rate, the mempool or the chain as it is now
	Since   time.Time
}

// RefusalStore keeps the refusals.
type RefusalStore interface {
	Refusals(ctx context.Context) ([]Refusal, error) // the oldest first
	PutRefusal(ctx context.Context, r Refusal) error // a known one keeps its Since
	DropRefusal(ctx context.Context, txid string) error
}

// RecordBroadcast writes what came of a broadcast: refusals replaces what is
// recorded, except for transactions that were held back and not sent this time.
// It returns the ids of the transactions of which something else is recorded now.
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
