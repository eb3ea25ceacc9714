package dev

import (
	"testing"

	"moonfund/testkit/engine"
)

func TestMain(m *testing.M) { engine.OnBoth(m) }
