// Package fault holds the errors that users may see. An error has a kind, which decides the HTTP status, a code, by
// which clients choose a translation, and a sentence that is safe to show. The cause is only logged.
package fault

import (
	"errors"
	"fmt"
)

// Kind classifies an error.
type Kind int

// The kinds, each with its HTTP status.
const (
	Internal    Kind = iota // 500: a server error; the sentence contains no details
	Refused                 // 200 with success false: a rule of the product forbids it
	Invalid                 // 400: the request is malformed
	Forbidden               // 403: the request comes from a page of another site
	NotFound                // 404: no such path
	Method                  // 405
	TooLarge                // 413
	MediaType               // 415
	TooMany                 // 429
	Unavailable             // 503: the server can't answer now
)

var statuses = map[Kind]int{
	Internal: 500, Refused: 200, Invalid: 400, Forbidden: 403, NotFound: 404, Method: 405,
	TooLarge: 413, MediaType: 415, TooMany: 429, Unavailable: 503,
}

// Status returns the HTTP status of the kind.
func (k Kind) Status() int { return statuses[k] }

// Error is an error that users may see.
type Error struct {
	Kind    Kind
	Code    string   // of the sentence, such as "UNIT_NOT_STAKED"
	Values  []string // values in the sentence, in the order of its verbs
	Message string   // the sentence; never contains an internal error, a path or a query
	cause   error
}

// Error returns the sentence followed by the cause. It is for logs and must not be shown to users.
func (e *Error) Error() string {
	if e.cause == nil {
		return e.Message
	}
	return e.Message + " (" + e.cause.Error() + ")"
}

// Unwrap returns the cause, or nil.
func (e *Error) Unwrap() error { return e.cause }

// Because returns a copy of the error with the given cause, which is only logged.
func (e *Error) Because(cause error) *Error {
	caused := *e
	caused.cause = cause
	return &caused
}

// WithKind returns a copy of the error with another kind.
func (e *Error) WithKind(kind Kind) *Error {
	changed := *e
	changed.Kind = kind
	return &changed
}

// Is reports whether target has the same kind and sentence. It ignores the cause.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && other.Kind == e.Kind && other.Message == e.Message
}

// Sentence is a text from sentences.go with its code. The text contains fmt verbs where it names a value. The meaning
// of a code never changes.
type Sentence struct{ Code, Text string }

// Refuse returns an error for a request that a rule of the product forbids: HTTP 200 with success false.
func Refuse(s Sentence, args ...any) *Error { return build(Refused, s, args) }

// Reject returns an error for a malformed request: HTTP 400.
func Reject(s Sentence, args ...any) *Error { return build(Invalid, s, args) }

// New returns an error of the given kind.
func New(kind Kind, s Sentence, args ...any) *Error { return build(kind, s, args) }

// From returns the *Error in err's chain. If there is none, it returns an Unavailable error when err has a method
// Unavailable that returns true, and an Internal error otherwise; both have err as their cause.
func From(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	var away interface{ Unavailable() bool }
	if errors.As(err, &away) && away.Unavailable() {
		return New(Unavailable, NotAnswering).Because(err)
	}
	return New(Internal, SomethingWrong).Because(err)
}

func build(kind Kind, s Sentence, args []any) *Error {
	e := &Error{Kind: kind, Code: s.Code, Message: s.Text}
	if len(args) > 0 {
		e.Message = fmt.Sprintf(s.Text, args...)
	}
	for _, arg := range args {
		e.Values = append(e.Values, fmt.Sprint(arg))
	}
	return e
}
