package follower

import (
	"errors"
	"fmt"
	"testing"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace/noop"

	"moonfund/internal/state"
)

// statusSpan is a span that keeps its status.
type statusSpan struct {
	noop.Span
	code codes.Code
}

func (s *statusSpan) SetStatus(code codes.Code, _ string) { s.code = code }

// The span of a server that does not lead has no error.
func TestSpanStatus(t *testing.T) {
	for err, want := range map[error]codes.Code{
		nil: codes.Unset, fmt.Errorf("a step: %w", state.ErrNotLeading): codes.Unset, errors.New("x"): codes.Error,
	} {
		s := &statusSpan{}
		if endSpan(s, err); s.code != want {
			t.Errorf("%v: status %s, want %s", err, s.code, want)
		}
	}
}
