package signer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"sync"
)

// Mark is a high-water mark: the progress of the ledger that a key serves, as last reported by its server. It is stored
// with the key and not with the ledger, so that the server detects an old copy of the ledger. It is written after the
// ledger's own commits, so it may lag behind the ledger but is never ahead of it.
type Mark struct {
	Ledger     string           `json:"ledger"`     // id of the ledger
	Generation int64            `json:"generation"` // increases when an operator accepts an older copy of the ledger
	Counts     map[string]int64 `json:"counts"`     // counters that never decrease; see store.Tx.Mark
}

// Behind returns the name of a count that is lower in m than in kept, a mark of the same ledger. ok is false if there
// is none.
func (m Mark) Behind(kept Mark) (name string, ok bool) {
	if m.Generation != kept.Generation {
		return "generation", m.Generation < kept.Generation
	}
	for name, n := range kept.Counts {
		if m.Counts[name] < n {
			return name, true
		}
	}
	return "", false
}

// ErrOtherLedger means that the stored mark belongs to another ledger than the given mark.
var ErrOtherLedger = errors.New("signer: this key serves another ledger")

// Marks stores the mark of the ledger that a key serves on a network.
type Marks interface {
	// Load returns the stored mark, or a zero Mark if there is none.
	Load(ctx context.Context) (Mark, error)
	// Raise stores the mark if it is not behind the stored one, and returns the stored mark either way. It returns
	// ErrOtherLedger if the stored mark is of another ledger, unless replaces is the id of that ledger.
	Raise(ctx context.Context, m Mark, replaces string) (kept Mark, err error)
}

// MarkFile stores marks by network in a small JSON file that is replaced atomically.
type MarkFile struct {
	Path    string
	Network string

	mu sync.Mutex
}

// Load implements Marks. A missing file holds no mark; an unreadable file is an error.
func (f *MarkFile) Load(context.Context) (Mark, error) {
	all, err := f.read()
	return all[f.Network], err
}

// Raise implements Marks. The mark is durable when Raise returns.
func (f *MarkFile) Raise(_ context.Context, m Mark, replaces string) (Mark, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	all, err := f.read()
	if err != nil {
		return Mark{}, err
	}
	kept := all[f.Network]
	if kept.Ledger != "" && kept.Ledger != m.Ledger && kept.Ledger != replaces {
		return kept, ErrOtherLedger
	}
	if kept.Ledger == m.Ledger {
		if _, behind := m.Behind(kept); behind {
			return kept, nil
		}
		if m.Generation == kept.Generation && maps.Equal(m.Counts, kept.Counts) {
			return kept, nil
		}
	}
	all[f.Network] = m
	data, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return kept, err
	}
	if err := ReplaceFile(f.Path, append(data, '\n')); err != nil {
		return kept, err
	}
	return m, nil
}

func (f *MarkFile) read() (map[string]Mark, error) {
	all := map[string]Mark{}
	data, err := os.ReadFile(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	if err != nil {
		return nil, fmt.Errorf("the high-water mark %s can't be read: %w", f.Path, err)
	}
	return all, nil
}

// A signer in its own process stores the mark: GET /mark returns it, POST /mark raises it.
const (
	markPath     = "/mark"
	maxMarkBytes = 64 << 10
)

type markRequest struct {
	Mark     Mark   `json:"mark"`
	Replaces string `json:"replaces,omitempty"`
}

type markAnswer struct {
	Kept  Mark `json:"kept"`
	Other bool `json:"other,omitempty"` // the stored mark is of another ledger
}

// serveMarks registers the handlers for the mark.
func serveMarks(routes *http.ServeMux, marks Marks) {
	routes.HandleFunc("GET "+markPath, func(w http.ResponseWriter, r *http.Request) {
		kept, err := marks.Load(r.Context())
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		reply(w, http.StatusOK, markAnswer{Kept: kept})
	})
	routes.HandleFunc("POST "+markPath, func(w http.ResponseWriter, r *http.Request) {
		var asked markRequest
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxMarkBytes)).Decode(&asked); err != nil ||
			asked.Mark.Ledger == "" {
			http.Error(w, "not a mark", http.StatusBadRequest)
			return
		}
		kept, err := marks.Raise(r.Context(), asked.Mark, asked.Replaces)
		if err != nil && !errors.Is(err, ErrOtherLedger) {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		reply(w, http.StatusOK, markAnswer{Kept: kept, Other: err != nil})
	})
}

// Load implements Marks. It returns an error that wraps ErrUnreachable if the signer does not answer.
func (c *Client) Load(ctx context.Context) (Mark, error) { return c.mark(ctx, http.MethodGet, nil) }

// Raise implements Marks. It returns an error that wraps ErrUnreachable if the signer does not answer.
func (c *Client) Raise(ctx context.Context, m Mark, replaces string) (Mark, error) {
	body, err := json.Marshal(markRequest{Mark: m, Replaces: replaces})
	if err != nil {
		return Mark{}, err
	}
	return c.mark(ctx, http.MethodPost, body)
}

func (c *Client) mark(ctx context.Context, method string, body []byte) (Mark, error) {
	status, text, err := c.call(ctx, method, markPath, body)
	if err != nil {
		return Mark{}, err
	}
	if status != http.StatusOK {
		return Mark{}, fmt.Errorf("signer: answered %d: %s", status, text)
	}
	var said markAnswer
	if err := json.Unmarshal(text, &said); err != nil {
		return Mark{}, fmt.Errorf("signer: the mark can't be parsed: %w", err)
	}
	if said.Other {
		return said.Kept, ErrOtherLedger
	}
	return said.Kept, nil
}
