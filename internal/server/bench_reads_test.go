package server

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"moonfund/internal/api"
	"moonfund/internal/staking/action"
	"moonfund/internal/testkit/figures"
)

const (
	readRounds = 9
	readTime   = 500 * time.Millisecond // per ledger and round
)

// measureReads measures the calls of a wallet's page (totals, units and orders) for random wallets, in comparison with
// the same queries as prepared statements.
func measureReads(b *testing.B, few, many ledgerFile) {
	ledgers := []ledgerFile{few, many}
	var asks, bares, requests [2]func(owner string)
	for i, l := range ledgers {
		asks[i], bares[i] = l.askViews(b), bareRead(b, raw(b, l.address))
		requests[i] = l.requestViews(b)
		for _, ask := range []func(string){asks[i], bares[i], requests[i]} { // warm-up
			l.perSecond(ask)
		}
	}
	var rounds [2][]round
	var longer, bareLonger, requestLonger []float64
	for range readRounds {
		var r [2]round
		var answered [2]float64
		for i, l := range ledgers {
			r[i] = round{ours: l.perSecond(asks[i]), bare: l.perSecond(bares[i])}
			rounds[i] = append(rounds[i], r[i])
			answered[i] = l.perSecond(requests[i])
		}
		longer, bareLonger = append(longer, r[0].ours/r[1].ours), append(bareLonger, r[0].bare/r[1].bare)
		requestLonger = append(requestLonger, answered[0]/answered[1])
	}
	for i, l := range ledgers {
		reportRate(b, fmt.Sprintf("a wallet's reads, %d units", l.units), rounds[i])
	}
	against := fmt.Sprintf("%d units against %d", many.units, few.units)
	figures.Report(b, figures.Figure{
		Name: "a wallet's answers over HTTP, " + against, Database: figures.Current(), Value: median(requestLonger),
		Limit: 1.25, Unit: "times as long",
	})
	// The time of the queries alone, which take longer as bare queries, too.
	figures.Report(b, figures.Figure{
		Name: "a wallet's reads in the store, " + against, Database: figures.Current(), Value: median(longer),
		Unit: "times as long", Beside: fmt.Sprintf("bare %.2f times", median(bareLonger)),
	})
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// requestViews returns the requests of a wallet's page over a loopback connection, which stays open.
func (l ledgerFile) requestViews(b *testing.B) func(owner string) {
	l.PerSource, l.PerAddress = api.Limit{PerSecond: 1e6, Burst: 1e6}, api.Limit{PerSecond: 1e6, Burst: 1e6}
	handler, err := api.New(l.apiConfig(nil))
	must(b, err)
	served := httptest.NewServer(handler)
	b.Cleanup(served.Close)
	client := served.Client()
	return func(owner string) {
		body := fmt.Sprintf(`{"w_wallet_code":%q,"w_wallet_code_ord":%[1]q}`, owner)
		for _, route := range []string{"postInfoWallet", "fetchWalletUtxos", "fetchClientPOs"} {
			request, err := http.NewRequestWithContext(b.Context(), http.MethodPost, served.URL+"/lobo/"+route,
				strings.NewReader(body))
			must(b, err)
			request.Host = "localhost"
			request.Header.Set("Content-Type", "application/json")
			response, err := client.Do(request)
			must(b, err)
			answer, err := io.ReadAll(response.Body)
			must(b, err)
			must(b, response.Body.Close())
			if response.StatusCode != http.StatusOK || !strings.Contains(string(answer), `"success":true`) {
				b.Fatalf("%s: %s, %.500s", route, response.Status, answer)
			}
		}
	}
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
