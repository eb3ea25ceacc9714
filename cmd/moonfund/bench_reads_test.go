package main

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"moonfund/action"
)

const readTime = 2 * time.Second

// reads measures what a wallet's page asks for — its totals, its units, its
// orders — over random wallets, against the same questions put to the database.
func (t *figures) reads(b *testing.B, few, many ledgerFile) {
	var took [2]float64
	for i, l := range []ledgerFile{few, many} {
		ours, bare := l.readsPerSecond(b)
		t.rate(fmt.Sprintf("a wallet's reads, %d units", l.units), ours, bare)
		took[i] = 1 / ours
	}
	t.bound(fmt.Sprintf("a wallet's reads at %d units against %d", many.units, few.units), fmt.Sprintf("%.2f times as long", took[1]/took[0]), "1.5")
}

func (l ledgerFile) readsPerSecond(b *testing.B) (ours, bare float64) {
	v := views{l.house}
	ask := func(owner string) {
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
	db := l.raw(b)
	defer db.Close()
	return l.perSecond(ask), l.perSecond(l.bareRead(b, db))
}

// bareRead returns the same questions as prepared statements.
func (l ledgerFile) bareRead(b *testing.B, db *sql.DB) func(owner string) {
	var questions []*sql.Stmt
	for _, text := range []string{
		`SELECT stage, SUM(amount) FROM unit WHERE community = 'lobo' AND owner = $1 GROUP BY stage`,
		`SELECT * FROM unit_view WHERE community = 'lobo' AND owner = $1 ORDER BY number DESC`,
		`SELECT * FROM payment_order WHERE community = 'lobo' AND owner = $1 ORDER BY number DESC`,
	} {
		question, err := db.PrepareContext(b.Context(), text)
		must(b, err)
		questions = append(questions, question)
	}
	return func(owner string) {
		for _, question := range questions {
			rows, err := question.QueryContext(b.Context(), owner)
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

// perSecond asks for random wallets for a while, the first time only to warm up.
func (l ledgerFile) perSecond(ask func(owner string)) float64 {
	random := rand.New(rand.NewPCG(1, 2))
	round := func(length time.Duration) float64 {
		began, asked := time.Now(), 0
		for time.Since(began) < length {
			ask(l.wallet(random.IntN(l.units)))
			asked++
		}
		return float64(asked) / time.Since(began).Seconds()
	}
	round(readTime / 2)
	return round(readTime)
}
