package api

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"moonfund/internal/fault"
)

// writeFault writes an error as an envelope. The message of an internal error contains only the request's id; the cause
// is logged with this id. Nothing is written for an internal error that a closed connection of the client causes.
func (h *handler) writeFault(w http.ResponseWriter, r *http.Request, err error) {
	f := fault.From(err)
	if f.Kind == fault.Internal && errors.Is(err, context.Canceled) && r.Context().Err() != nil {
		return // the client closed the connection
	}
	if f.Kind == fault.Internal {
		h.log.ErrorContext(r.Context(), "request failed", "request_id", requestID(w), "method", r.Method, "call",
			callName(r), "error", err)
		f = fault.New(fault.Internal, fault.SomethingWrongID, requestID(w))
	}
	retryAfter(w, f)
	if f.Kind == fault.Unavailable {
		if cause := errors.Unwrap(f); cause != nil {
			h.log.ErrorContext(r.Context(), "request failed", "request_id", requestID(w), "method", r.Method, "call",
				callName(r), "error", cause)
		}
	}
	writeEnvelope(w, f.Kind.Status(), failure(f))
}

// retryUnavailable is the Retry-After of 503, in seconds.
const retryUnavailable = 5

// retryAfter sets Retry-After for an error after which the call may be repeated: the seconds in its sentence, or
// retryUnavailable.
func retryAfter(w http.ResponseWriter, f *fault.Error) {
	switch {
	case f.Kind == fault.Unavailable:
		w.Header().Set("Retry-After", strconv.Itoa(retryUnavailable))
	case f.Code == fault.TooManyRequests.Code:
		w.Header().Set("Retry-After", f.Values[0])
	}
}

// tooMany writes 429 with Retry-After in whole seconds.
func (h *handler) tooMany(w http.ResponseWriter, wait time.Duration) {
	seconds := max(1, int((wait+time.Second-1)/time.Second))
	f := fault.New(fault.TooMany, fault.TooManyRequests, seconds)
	retryAfter(w, f)
	writeEnvelope(w, f.Kind.Status(), failure(f))
}

// failure returns the envelope of a fault.
func failure(f *fault.Error) Envelope {
	return Envelope{Message: f.Message, Code: optional(f.Code), Values: optionalList(f.Values)}
}

// optional returns a pointer to the text, or nil for "", which omits the field.
func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func optionalList(texts []string) *[]string {
	if len(texts) == 0 {
		return nil
	}
	return &texts
}

func writeEnvelope(w http.ResponseWriter, status int, e Envelope) {
	if !e.Success {
		e.RequestId = optional(requestID(w))
	}
	body, err := json.Marshal(e)
	if err != nil { // an Envelope without data always marshals
		slog.Error("envelope", "error", err)
		status, body = http.StatusInternalServerError, []byte(`{"success":false,"message":"","data":null}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if _, err := w.Write(append(body, '\n')); err != nil {
		slog.Debug("the client went away", "error", err)
	}
}

// newRequestID returns a random id.
func newRequestID() string {
	var id [6]byte
	rand.Read(id[:]) // never fails
	return hex.EncodeToString(id[:])
}
