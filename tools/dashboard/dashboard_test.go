// Package dashboard checks the Grafana dashboard for operators.
package dashboard

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/promql/parser"
)

// TestQueries parses every query of the dashboard with Prometheus's parser and checks that each query selects the
// scrape job.
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
			t.Errorf("%s: the panel id %d is not unique", panel.Title, panel.ID)
		}
		ids[panel.ID] = true
		for _, target := range panel.Targets {
			queries++
			query := strings.ReplaceAll(target.Expr, "$job", "moonfund")
			if _, err := parser.ParseExpr(query); err != nil {
				t.Errorf("%s: %s: %v", panel.Title, query, err)
			}
			if !strings.Contains(query, `job="moonfund"`) || strings.Contains(query, "$") {
				t.Errorf("%s: %s selects no job, or uses another variable", panel.Title, query)
			}
		}
	}
	if queries < 20 {
		t.Errorf("found %d queries, want at least 20", queries)
	}
}
