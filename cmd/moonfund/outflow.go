package main

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

// startOutflows begins or goes on with the outflow file in a data folder. That there
// was one is noted beside the key file, for each network.
func startOutflows(data, key string, network chain.Network, log *slog.Logger) (signer.Outflows, error) {
	own, err := signer.StartOutflows(signer.OutflowFile(filepath.Join(data, outflowFile)), key+"."+network.Name+".started")
	if err != nil {
		return nil, fmt.Errorf("the folder of the key file must be writable: it keeps a note that the key has signed: %w", err)
	}
	if _, err := own.Load(); errors.Is(err, signer.ErrOutflowsLost) {
		log.Error("nothing is signed", "reason", err.Error())
	}
	return own, nil
}

// outflows are where a signer in this process remembers what it let out: a file
// of its own, and with several servers on one database a note there as well. The
// file alone is what a stranger in the database can't shorten; the note alone is
// what a server that takes the lead finds.
func outflows(own signer.Outflows, db *store.Store) signer.Outflows {
	if !db.Shared() {
		return own
	}
	return signer.Both{Own: own, Shared: noted{db}}
}

// noted keeps outflows in the ledger's database, aside from its transactions.
type noted struct{ store *store.Store }

const (
	outflowNote = "signer_outflow"
	noteTime    = 5 * time.Second
)

// Load implements signer.Outflows.
func (n noted) Load() (kept []signer.Outflow, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), noteTime)
	defer cancel()
	text, err := n.store.Noted(ctx, outflowNote)
	if err != nil || text == "" {
		return nil, err
	}
	if err := json.Unmarshal([]byte(text), &kept); err != nil {
		return nil, fmt.Errorf("the note %s: %w", outflowNote, err)
	}
	return kept, nil
}

// Store implements signer.Outflows.
func (n noted) Store(kept []signer.Outflow) error {
	ctx, cancel := context.WithTimeout(context.Background(), noteTime)
	defer cancel()
	text, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	return n.store.Note(ctx, outflowNote, string(text))
}
