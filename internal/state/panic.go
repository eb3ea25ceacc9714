package state

import (
	"fmt"
	"runtime/debug"
)

// Panic is a recovered panic with the stack of the goroutine that panicked. It is raised again in another goroutine, or
// returned as an error.
type Panic struct {
	Value any
	Stack []byte
}

// Unrecoverable is the value of a panic that must not become an error of a part of the work: as when a test fails, or
// ends a simulated process.
type Unrecoverable interface{ Unrecoverable() }

// NewPanic returns a recovered value as a Panic. It must be called by the deferred function that recovered the value.
func NewPanic(value any) *Panic {
	if p, is := value.(*Panic); is {
		return p
	}
	return &Panic{value, debug.Stack()}
}

// Error returns the value of the panic. A log of the error has the stack in a field of its own.
func (p *Panic) Error() string { return fmt.Sprintf("panic: %v", p.Value) }

// Unwrap returns the value of the panic if it is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}
