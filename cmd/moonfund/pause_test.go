package main

import (
	"strings"
	"testing"

	"moonfund/internal/testkit"
)

// TestResumeTheOnlyPause checks that `moonfund resume`, as alerts and doctor print it, ends the only pause, and lists
// the commands if there are several.
func TestResumeTheOnlyPause(t *testing.T) {
	w := cli{testkit.NewWorld(t)}
	w.refused("nothing is paused", "resume", "--why", "x", "--yes")
	w.must("pause", "payouts", "--community", "lobo")
	w.must("pause", "all")
	for _, want := range []string{"moonfund resume all ", "moonfund resume payouts --community lobo ", "no reason given"} {
		w.refused(want, "resume", "--why", "x", "--yes")
	}
	w.must("resume", "all", "--why", "x", "--yes")
	if text := w.must("resume", "--why", "x", "--yes"); !strings.HasPrefix(text, "Resumed: payouts:lobo.") {
		t.Errorf("resume printed %q", text)
	}
}
