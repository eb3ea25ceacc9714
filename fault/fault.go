// Package fault holds the errors that people may see: a kind, which decides the HTTP status, a code, which clients choose
// their own words by, and a sentence that is safe to show. The cause stays inside, for the log only.
package fault

import (
	"errors"
	"fmt"
)

// Kind is the kind of a fault.
type Kind int

// The kinds, each with its HTTP status.
const (
	Internal    Kind = iota // 500: ours; the sentence says nothing about it
	Refused                 // 200 with success false: a rule of the product says no
	Invalid                 // 400: the request itself is malformed
	Forbidden               // 403: asked by a page of another site
	NotFound                // 404: no such path
	Method                  // 405
	TooLarge                // 413
	MediaType               // 415
	TooMany                 // 429
	Unavailable             // 503: nothing can be answered now
)

var statuses = map[Kind]int{
	Internal: 500, Refused: 200, Invalid: 400, Forbidden: 403, NotFound: 404, Method: 405,
	TooLarge: 413, MediaType: 415, TooMany: 429, Unavailable: 503,
}

// Status returns the HTTP status of the kind.
func (k Kind) Status() int { return statuses[k] }

// Error is a fault.
type Error struct {
	Kind    Kind
	Code    string   // of the sentence, such as "UNIT_NOT_STAKED"
	Values  []string // what the sentence names, in the order of its verbs
	Message string   // the sentence for a person: never an internal error, a path or a query
	cause   error
}

// Error returns the sentence followed by the cause: for logs, never for people.
func (e *Error) Error() string {
	if e.cause == nil {
		return e.Message
	}
	return e.Message + " (" + e.cause.Error() + ")"
}

// Unwrap returns the cause, or nil.
func (e *Error) Unwrap() error { return e.cause }

// Because returns the same fault with a cause for the log.
func (e *Error) Because(cause error) *Error {
	caused := *e
	caused.cause = cause
	return &caused
}

// WithKind returns the same fault with another kind.
func (e *Error) WithKind(kind Kind) *Error {
	changed := *e
	changed.Kind = kind
	return &changed
}

// Is makes errors.Is compare kind and sentence and ignore the cause.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && other.Kind == e.Kind && other.Message == e.Message
}

// Sentence is a text of sentences.go, with fmt verbs where it names something. Its code never changes its meaning.
type Sentence struct{ Code, Text string }

// Refuse returns a refusal that the person should read: HTTP 200 with success false.
func Refuse(s Sentence, args ...any) *Error { return build(Refused, s, args) }

// Reject returns the fault of a malformed request: HTTP 400.
func Reject(s Sentence, args ...any) *Error { return build(Invalid, s, args) }

// New returns a fault of any kind.
func New(kind Kind, s Sentence, args ...any) *Error { return build(kind, s, args) }

// From returns the fault inside err. An error whose method Unavailable returns true becomes an Unavailable fault, any
// other an Internal one; both keep err as their cause.
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
