package etching_test

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"testing"

	"moonfund/internal/staking/etching"
	"moonfund/internal/testkit/engine"
)

// TestMain runs the tests on both databases, and fails unless they play every row of the state table.
func TestMain(m *testing.M) {
	engine.OnBoth(m)
	if flag.Lookup("test.run").Value.String() != "" || flag.Lookup("test.list").Value.String() != "" {
		return
	}
	for _, row := range etching.Table.Rows {
		if !played[fmt.Sprint(row.From, " ", row.Event, " ", row.To)] {
			fmt.Fprintf(os.Stderr, "no test played the row %s on %s\n", row.From, row.Event)
			defer os.Exit(1)
		}
	}
}

var (
	played = map[string]bool{}
	lock   sync.Mutex
)

// rows is a log handler that records which rows of the state table were played.
type rows struct{}

func (rows) Enabled(context.Context, slog.Level) bool { return true }
func (r rows) WithAttrs([]slog.Attr) slog.Handler     { return r }
func (r rows) WithGroup(string) slog.Handler          { return r }

func (rows) Handle(_ context.Context, record slog.Record) error {
	at := map[string]string{}
	record.Attrs(func(a slog.Attr) bool {
		at[a.Key] = a.Value.String()
		return true
	})
	lock.Lock()
	defer lock.Unlock()
	played[at["from"]+" "+at["on"]+" "+at["to"]] = true
	return nil
}
