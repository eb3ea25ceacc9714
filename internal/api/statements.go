package api

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"moonfund/internal/fault"
	"moonfund/internal/state"
)

// Statements reads the signed statements of settled epochs. Every method returns canonical JSON, or state.ErrNotFound.
type Statements interface {
	Head(ctx context.Context, community string) (string, error)
	Signed(ctx context.Context, community string, sequence int64) (string, error)
	Details(ctx context.Context, community string, sequence int64) (string, error)
	Proof(ctx context.Context, community string, sequence int64, owner string) (string, error)
}

// The paths of statements below a prefix. They are not in an envelope: each response is exactly the bytes of the
// document, because its signature or digest covers these bytes.
const (
	statementHead    = "/statements/head"
	statementAt      = "/statements/{sequence}"
	statementDetails = "/statements/{sequence}/details"
	statementProof   = "/statements/{sequence}/proofs/{owner}"
)

// findStatement returns the path in the document of a call for statements, or "".
func findStatement(path string) string {
	rest, ok := strings.CutPrefix(path, "/statements/")
	if !ok {
		return ""
	}
	parts := strings.Split(rest, "/")
	switch {
	case parts[0] == "":
	case len(parts) == 1 && parts[0] == "head":
		return statementHead
	case len(parts) == 1:
		return statementAt
	case len(parts) == 2 && parts[1] == "details":
		return statementDetails
	case len(parts) == 3 && parts[1] == "proofs" && parts[2] != "":
		return statementProof
	}
	return ""
}

// handleStatements registers the routes of statements.
func (h *handler) handleStatements(mux *http.ServeMux) {
	for path, read := range map[string]func(r *http.Request, prefix string, sequence int64) (string, error){
		statementHead: func(r *http.Request, prefix string, _ int64) (string, error) {
			return h.services.Statements.Head(r.Context(), prefix)
		},
		statementAt: func(r *http.Request, prefix string, sequence int64) (string, error) {
			return h.services.Statements.Signed(r.Context(), prefix, sequence)
		},
		statementDetails: func(r *http.Request, prefix string, sequence int64) (string, error) {
			return h.services.Statements.Details(r.Context(), prefix, sequence)
		},
		statementProof: func(r *http.Request, prefix string, sequence int64) (string, error) {
			return h.services.Statements.Proof(r.Context(), prefix, sequence, r.PathValue("owner"))
		},
	} {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
			sequence := int64(0)
			if text := r.PathValue("sequence"); text != "" {
				n, err := strconv.ParseUint(text, 10, 53)
				if err != nil {
					h.writeFault(w, r, fault.New(fault.NotFound, fault.NoSuchStatement))
					return
				}
				sequence = int64(n)
			}
			h.serveStatement(w, r, func(prefix string) (string, error) { return read(r, prefix, sequence) })
		})
	}
}

func (h *handler) serveStatement(w http.ResponseWriter, r *http.Request, read func(prefix string) (string, error)) {
	text, err := "", state.ErrNotFound
	if h.services.Statements != nil {
		text, err = read(visitOf(r.Context()).site.Prefix)
	}
	if errors.Is(err, state.ErrNotFound) {
		err = fault.New(fault.NotFound, fault.NoSuchStatement)
	}
	if err != nil {
		h.writeFault(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte(text)) // a disconnected caller repeats the request
}
