// Package dashboard checks the Grafana dashboard for operators.
package dashboard

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/promql/parser"
)

// Prometheus's own parser reads every query of the dashboard, and each one names the scrape job.
func TestQueries(t *testing.T) {
	file, err := os.ReadFile("../../docs/operations/dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	var dashboard struct {
		Panels []struct {
			ID      int
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(file, &dashboard); err != nil {
		t.Fatal(err)
	}
	queries, ids := 0, map[int]bool{}
	for _, panel := range dashboard.Panels {
		if ids[panel.ID] {
			t.Errorf("%s: its id %d occurs twice", panel.Title, panel.ID)
		}
		ids[panel.ID] = true
		for _, target := range panel.Targets {
			queries++
			query := strings.ReplaceAll(target.Expr, "$job", "moonfund")
			if _, err := parser.ParseExpr(query); err != nil {
				t.Errorf("%s: %s: %v", panel.Title, query, err)
			}
			if !strings.Contains(query, `job="moonfund"`) || strings.Contains(query, "$") {
				t.Errorf("%s: %s names no job, or another variable", panel.Title, query)
			}
		}
	}
	if queries < 20 {
		t.Errorf("%d queries were read", queries)
	}
}
