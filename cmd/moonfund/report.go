package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"moonfund/internal/operate/decisions"
	"moonfund/internal/store"
)

type treasuryReport struct {
	reading
	Community string `arg:"" help:"The community's prefix."`
	Month     string `help:"Calendar month in UTC, such as 2026-10." required:"" placeholder:"YYYY-MM"`
}

// Run is `moonfund treasury report`.
func (c treasuryReport) Run(ctx context.Context) error {
	month, err := time.Parse("2006-01", c.Month)
	if err != nil {
		return fmt.Errorf("--month is %q; it must be a month such as 2026-10", c.Month)
	}
	lines, err := read(ctx, c.reading, func(tx *store.Tx) ([]decisions.ReportLine, error) {
		return decisions.Report(ctx, tx, c.Community, month)
	})
	if err != nil {
		return err
	}
	return c.print(lines, func() error { return decisions.WriteReport(os.Stdout, lines) })
}
