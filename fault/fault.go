// Package fault holds the errors that people may see: a code, which decides the HTTP status, and a sentence that is safe
// to show. What went wrong inside stays in the cause, for the log only.
package fault

import (
	"errors"
	"fmt"
)

// Code is the kind of a fault.
type Code int

// The codes, each with its HTTP status.
const (
	Internal    Code = iota // 500: ours; the sentence says nothing about it
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

var statuses = map[Code]int{
	Internal: 500, Refused: 200, Invalid: 400, Forbidden: 403, NotFound: 404, Method: 405,
	TooLarge: 413, MediaType: 415, TooMany: 429, Unavailable: 503,
}

// Status returns the HTTP status of the code.
func (c Code) Status() int { return statuses[c] }

// Error is a fault. Message is one plain sentence for a person: never an internal error, a path or a query.
type Error struct {
	Code    Code
	Message string
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
	return &Error{Code: e.Code, Message: e.Message, cause: cause}
}

// Is makes errors.Is compare code and sentence and ignore the cause.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && other.Code == e.Code && other.Message == e.Message
}

// Sentence is a text of sentences.go, with fmt verbs where it names something.
type Sentence string

// Refuse returns a refusal that the person should read: HTTP 200 with success false.
func Refuse(s Sentence, args ...any) *Error { return build(Refused, s, args) }

// Reject returns the fault of a malformed request: HTTP 400.
func Reject(s Sentence, args ...any) *Error { return build(Invalid, s, args) }

// New returns a fault of any code.
func New(code Code, s Sentence, args ...any) *Error { return build(code, s, args) }

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

func build(code Code, s Sentence, args []any) *Error {
	if len(args) == 0 {
		return &Error{Code: code, Message: string(s)}
	}
	return &Error{Code: code, Message: fmt.Sprintf(string(s), args...)}
}
