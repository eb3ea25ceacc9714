package publisher_test

import (
	"testing"

	"moonfund/testkit/engine"
)

func TestMain(m *testing.M) { engine.OnBoth(m) }
