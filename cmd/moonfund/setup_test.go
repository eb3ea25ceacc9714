package main

import (
	"context"
	"testing"
)

// Ctrl-C ends a prompt at which nothing is typed.
func TestSetupIsInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	block := make(chan string)
	defer close(block)
	ask := interruptible(ctx, func(prompt string) (string, error) {
		if prompt == "first" {
			return "typed", nil
		}
		interrupt()
		return <-block, nil
	})
	if text, err := ask("first"); text != "typed" || err != nil {
		t.Errorf("the first answer is %q, error %v", text, err)
	}
	if text, err := ask("second"); err == nil || err.Error() != "interrupted" {
		t.Errorf("after Ctrl-C the answer is %q, error %v", text, err)
	}
}
