package tracing

import (
	"testing"

	"moonfund/internal/testkit/engine"
)

func TestMain(m *testing.M) { engine.OnBoth(m) }
