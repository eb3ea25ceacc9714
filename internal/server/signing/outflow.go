package signing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/signer"
	"moonfund/internal/store"
)

// OutflowFile is the name of the outflow file in a data folder, the record of the signatures of the last 24 hours.
const OutflowFile = "outflow.json"

// StartOutflows opens or creates the outflow file in a data folder. A marker beside the key file, one for each network,
// records that the file was created, so that a deletion is detected.
func StartOutflows(data, key string, network chain.Network, log *slog.Logger) (signer.StartedOutflows, error) {
	file := signer.OutflowFile(filepath.Join(data, OutflowFile))
	own, err := signer.StartOutflows(file, startedMarker(key, network))
	if err != nil {
		return own, fmt.Errorf("the folder of the key file must be writable, for the marker that the key has signed: %w",
			err)
	}
	if _, err := own.Load(); errors.Is(err, signer.ErrOutflowsLost) {
		log.Error("nothing is signed", "reason", err.Error())
	}
	return own, nil
}

// startedMarker returns the path of the marker that a key has signed on a network.
func startedMarker(key string, network chain.Network) string {
	return key + "." + network.Name + ".started"
}

// BeginOutflows returns marks that end the first start of outflows when the ledger first reports its progress: a ledger
// that has payouts shows that the key was moved without its records.
func BeginOutflows(marks signer.Marks, outflows signer.StartedOutflows) signer.Marks {
	return beginningMarks{marks, outflows}
}

type beginningMarks struct {
	signer.Marks
	outflows signer.StartedOutflows
}

// Raise implements signer.Marks.
func (b beginningMarks) Raise(ctx context.Context, m signer.Mark, replaces string) (signer.Mark, error) {
	if err := b.outflows.Begin(m.Counts[store.PayoutVersions] > 0); err != nil {
		return signer.Mark{}, err
	}
	return b.Marks.Raise(ctx, m, replaces)
}

// SharedOutflows returns the outflow store of a signer in a server: own and, if several servers share the database,
// also a note in the database. Write access to the database is not enough to delete entries of the file, and a server
// that becomes the leader finds the note.
func SharedOutflows(own signer.Outflows, db *store.Store) signer.Outflows {
	if !db.Shared() {
		return own
	}
	return signer.CombinedOutflows{Own: own, Shared: outflowNote{db}}
}

// outflowNote stores outflows in the ledger's database, outside of its transactions.
type outflowNote struct{ store *store.Store }

const (
	noteName    = "signer_outflow"
	noteTimeout = 5 * time.Second
)

// Load implements signer.Outflows.
func (n outflowNote) Load() (kept []signer.Outflow, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), noteTimeout)
	defer cancel()
	text, err := n.store.Note(ctx, noteName)
	if err != nil || text == "" {
		return nil, err
	}
	if err := json.Unmarshal([]byte(text), &kept); err != nil {
		return nil, fmt.Errorf("the note %s: %w", noteName, err)
	}
	return kept, nil
}

// Store implements signer.Outflows.
func (n outflowNote) Store(kept []signer.Outflow) error {
	ctx, cancel := context.WithTimeout(context.Background(), noteTimeout)
	defer cancel()
	text, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	return n.store.PutNote(ctx, noteName, string(text))
}
