package signing

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/signer"
	"moonfund/internal/store"
)

// HeadFile is the name of the file in a data folder that records the last statement that was signed for each account.
const HeadFile = "statements.json"

// StatementHeads returns the record of the last signed statements in a data folder. A marker beside the key file, one
// for each network, records that the file was created, so that a deletion is detected.
func StatementHeads(data, key string, network chain.Network) signer.Heads {
	heads := &signer.HeadFile{Path: filepath.Join(data, HeadFile)}
	if key != "" {
		heads.Marker = headMarker(key, network)
	}
	return heads
}

// headMarker returns the path of the marker that a key has signed statements on a network.
func headMarker(key string, network chain.Network) string {
	return key + "." + network.Name + ".statements"
}

// SharedHeads returns the record of a signer in a server: own and, if several servers share the database, also a note
// in the database.
func SharedHeads(own signer.Heads, db *store.Store) signer.Heads {
	if !db.Shared() {
		return own
	}
	return signer.CombinedHeads{Own: own, Shared: headNote{db}}
}

// headNote stores heads in the ledger's database, outside of its transactions.
type headNote struct{ store *store.Store }

func headName(account uint32) string { return fmt.Sprintf("signer_statement:%d", account) }

// Load implements signer.Heads.
func (n headNote) Load(ctx context.Context, account uint32) (signer.Head, error) {
	ctx, cancel := context.WithTimeout(ctx, noteTimeout)
	defer cancel()
	text, err := n.store.Note(ctx, headName(account))
	if err != nil || text == "" {
		return signer.NoHead, err
	}
	head := signer.NoHead
	if err := json.Unmarshal([]byte(text), &head); err != nil {
		return head, fmt.Errorf("the note %s: %w", headName(account), err)
	}
	return head, nil
}

// Advance implements signer.Heads. It replaces the note only if the note is below the new head and has not changed
// since it was read.
func (n headNote) Advance(ctx context.Context, account uint32, _, to signer.Head) error {
	ctx, cancel := context.WithTimeout(ctx, noteTimeout)
	defer cancel()
	before, err := n.store.Note(ctx, headName(account))
	if err != nil {
		return err
	}
	kept := signer.NoHead
	if before != "" {
		if err := json.Unmarshal([]byte(before), &kept); err != nil {
			return fmt.Errorf("the note %s: %w", headName(account), err)
		}
	}
	if kept == to {
		return nil
	}
	if kept.Sequence >= to.Sequence {
		return signer.ErrHeadMoved
	}
	after, err := json.Marshal(to)
	if err != nil {
		return err
	}
	replaced, err := n.store.ReplaceNote(ctx, headName(account), before, string(after))
	if err == nil && !replaced {
		err = signer.ErrHeadMoved
	}
	return err
}
