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

// Mark is a high-water mark: how far the ledger that a key serves had come when its server last said so. It is kept
// with the key and not with the ledger, so that an old copy of the ledger is found to be one. It is written after
// the ledger's own commits. So it may lag the ledger, and never leads it.
type Mark struct {
	Ledger     string           `json:"ledger"`     // id
	Generation int64            `json:"generation"` // rises when an operator goes on with an older copy on purpose
	Counts     map[string]int64 `json:"counts"`     // numbers that only rise; see store.Tx.Standing
}

// Behind returns the name of a count that is lower than in another mark of the same ledger; ok is false when none is.
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

// ErrOtherLedger means that a key serves another ledger than the one that was named.
var ErrOtherLedger = errors.New("signer: this key serves another ledger")

// Marks keeps the mark of the ledger that a key serves on a network.
type Marks interface {
	// Kept returns the mark, a zero one where there is none.
	Kept(ctx context.Context) (Mark, error)
	// Raise brings the mark to where a ledger stands. It changes nothing and returns the kept mark when the ledger is
	// behind it, and ErrOtherLedger when it is another one's, unless replaces names that ledger.
	Raise(ctx context.Context, m Mark, replaces string) (kept Mark, err error)
}

// MarkFile keeps marks by network in a small JSON file that is replaced as a whole.
type MarkFile struct {
	Path    string
	Network string

	mu sync.Mutex
}

// Kept implements Marks. A file that does not exist holds no mark; one that can't be read is an error.
func (f *MarkFile) Kept(context.Context) (Mark, error) {
	all, err := f.read()
	return all[f.Network], err
}

// Raise implements Marks. The mark is durable when it returns.
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
	temporary, err := writeTemporary(f.Path, append(data, '\n'))
	if err != nil {
		return kept, err
	}
	if err := os.Rename(temporary, f.Path); err != nil {
		os.Remove(temporary)
		return kept, err
	}
	return m, syncFolder(f.Path)
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

// A signer that is a process of its own keeps the mark: GET /mark returns it, POST /mark raises it.
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
	Other bool `json:"other,omitempty"` // it is another ledger's
}

// serveMarks adds the calls for the mark.
func serveMarks(routes *http.ServeMux, marks Marks) {
	routes.HandleFunc("GET "+markPath, func(w http.ResponseWriter, r *http.Request) {
		kept, err := marks.Kept(r.Context())
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		reply(w, http.StatusOK, markAnswer{Kept: kept})
	})
	routes.HandleFunc("POST "+markPath, func(w http.ResponseWriter, r *http.Request) {
		var asked markRequest
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxMarkBytes)).Decode(&asked); err != nil || asked.Mark.Ledger == "" {
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

// Kept implements Marks.
func (c *Client) Kept(ctx context.Context) (Mark, error) { return c.mark(ctx, http.MethodGet, nil) }

// Raise implements Marks.
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
	if status == http.StatusNotFound {
		return Mark{}, fmt.Errorf("%w: it is an older one, which keeps no high-water mark; start it with this version", ErrUnreachable)
	}
	if status != http.StatusOK {
		return Mark{}, fmt.Errorf("signer: answered %d: %s", status, text)
	}
	var said markAnswer
	if err := json.Unmarshal(text, &said); err != nil {
		return Mark{}, fmt.Errorf("signer: the mark is not understood: %w", err)
	}
	if said.Other {
		return said.Kept, ErrOtherLedger
	}
	return said.Kept, nil
}
