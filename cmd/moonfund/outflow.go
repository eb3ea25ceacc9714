package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"moonfund/signer"
	"moonfund/store"
)

// outflows are where a signer in this process remembers what it let out: a file
// of its own, and with several servers on one database a note there as well. The
// file alone is what a stranger in the database can't shorten; the note alone is
// what a server that takes the lead finds.
func outflows(data string, db *store.Store) signer.Outflows {
	own := signer.OutflowFile(filepath.Join(data, outflowFile))
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
