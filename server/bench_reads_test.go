package server

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"moonfund/action"
	"moonfund/testkit/figures"
)

const (
	readRounds = 9
	readTime   = 500 * time.Millisecond // per ledger and round
)

// measureReads measures the calls of a wallet's page (totals, units and orders) for random wallets, in comparison with
// the same queries as prepared statements.
func measureReads(b *testing.B, few, many ledgerFile) {
	ledgers := []ledgerFile{few, many}
	var asks, bares [2]func(owner string)
	for i, l := range ledgers {
		asks[i], bares[i] = l.askViews(b), bareRead(b, raw(b, l.address))
		l.perSecond(asks[i]) // warm-up
		l.perSecond(bares[i])
	}
	var rounds [2][]round
	var longer, bareLonger []float64
	for range readRounds {
		var r [2]round
		for i, l := range ledgers {
			r[i] = round{ours: l.perSecond(asks[i]), bare: l.perSecond(bares[i])}
			rounds[i] = append(rounds[i], r[i])
		}
		longer, bareLonger = append(longer, r[0].ours/r[1].ours), append(bareLonger, r[0].bare/r[1].bare)
	}
	for i, l := range ledgers {
		reportRate(b, fmt.Sprintf("a wallet's reads, %d units", l.units), rounds[i])
	}
	slices.Sort(longer)
	slices.Sort(bareLonger)
	figures.Report(b, figures.Figure{
		Name: fmt.Sprintf("those at %d units against %d", many.units, few.units), Database: figures.Current(),
		Value: longer[len(longer)/2], Limit: 1.25, Unit: "times as long",
		Beside: fmt.Sprintf("bare %.2f times", bareLonger[len(bareLonger)/2]),
	})
}

// askViews returns the calls of a wallet's page.
func (l ledgerFile) askViews(b *testing.B) func(owner string) {
	v := views{l.Server}
	return func(owner string) {
		w := action.Wallet{Ordinals: owner}
		_, err := v.Totals(b.Context(), "lobo", w)
		must(b, err)
		units, err := v.Units(b.Context(), "lobo", w, false)
		must(b, err)
		_, err = v.Orders(b.Context(), "lobo", w)
		must(b, err)
		if len(units) != unitsEach {
			b.Fatalf("%s has %d units", owner, len(units))
		}
	}
}

// bareRead returns the same queries as prepared statements.
func bareRead(b *testing.B, db *sql.DB) func(owner string) {
	ctx := context.Background() // a cancellable context costs the driver time
	var questions []*sql.Stmt
	for _, text := range []string{
		`SELECT stage, SUM(amount) FROM unit WHERE community = 'lobo' AND owner = $1 GROUP BY stage`,
		`SELECT * FROM unit_view WHERE community = 'lobo' AND owner = $1 ORDER BY number DESC`,
		`SELECT * FROM payment_order WHERE community = 'lobo' AND owner = $1 ORDER BY number DESC`,
	} {
		question, err := db.PrepareContext(ctx, text)
		must(b, err)
		questions = append(questions, question)
	}
	return func(owner string) {
		for _, question := range questions {
			rows, err := question.QueryContext(ctx, owner)
			must(b, err)
			columns, err := rows.Columns()
			must(b, err)
			values := make([]any, len(columns))
			for i := range values {
				values[i] = new(any)
			}
			for rows.Next() {
				must(b, rows.Scan(values...))
			}
			must(b, rows.Err())
			must(b, rows.Close())
		}
	}
}

// perSecond calls ask with random wallets for the duration readTime and returns the calls per second.
func (l ledgerFile) perSecond(ask func(owner string)) float64 {
	began, asked := time.Now(), 0
	for time.Since(began) < readTime {
		ask(l.wallet(rand.IntN(l.units)))
		asked++
	}
	return float64(asked) / time.Since(began).Seconds()
}
