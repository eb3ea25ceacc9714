package signing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"moonfund/chain"
	"moonfund/signer"
	"moonfund/store"
)

// OutflowFile is the name, in a data folder, of the record of what was signed in the last 24 hours.
const OutflowFile = "outflow.json"

// StartOutflows opens the outflow record in a data folder, or begins it. A note beside the key file, one for each
// network, says that a record was begun, so that a deleted one is noticed.
func StartOutflows(data, key string, network chain.Network, log *slog.Logger) (signer.Outflows, error) {
	file := signer.OutflowFile(filepath.Join(data, OutflowFile))
	own, err := signer.StartOutflows(file, key+"."+network.Name+".started")
	if err != nil {
		return nil, fmt.Errorf("the folder of the key file must be writable: it keeps a note that the key has signed: %w",
			err)
	}
	if _, err := own.Load(); errors.Is(err, signer.ErrOutflowsLost) {
		log.Error("nothing is signed", "reason", err.Error())
	}
	return own, nil
}

// SharedOutflows returns where a signer in a server keeps its outflows: in a file, and with several servers on one
// database also in a note there. Nobody who can write to the database can shorten the file; a server that takes the
// lead finds the note.
func SharedOutflows(own signer.Outflows, db *store.Store) signer.Outflows {
	if !db.Shared() {
		return own
	}
	return signer.CombinedOutflows{Own: own, Shared: outflowNote{db}}
}

// outflowNote keeps outflows in the ledger's database, outside of its transactions.
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
