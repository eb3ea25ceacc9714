package server

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"moonfund/internal/testkit"
)

type alertFile struct {
	Groups []struct {
		Name  string
		Rules []alertRule
	}
}

type alertRule struct {
	Alert, Expr, For    string
	Labels, Annotations map[string]string
}

var (
	figureName = regexp.MustCompile(`moonfund_[a-z_]+`)
	labelPair  = regexp.MustCompile(`[a-z]+="[^"]+"`)
)

func alertRules(t *testing.T) []alertRule {
	t.Helper()
	text, err := os.ReadFile("../../docs/operations/alerts.yaml")
	testkit.Must(t, err)
	var file alertFile
	decoder := yaml.NewDecoder(strings.NewReader(string(text)))
	decoder.KnownFields(true)
	testkit.Must(t, decoder.Decode(&file))
	if len(file.Groups) != 1 {
		t.Fatalf("%d groups", len(file.Groups))
	}
	return file.Groups[0].Rules
}

// TestPackageHasOperations checks that the package has the alerts, the dashboard and the runbooks.
func TestPackageHasOperations(t *testing.T) {
	text, err := os.ReadFile("../../packaging/nfpm.yaml")
	testkit.Must(t, err)
	for _, file := range []string{"alerts.yaml, dst: /usr/share/doc/moonfund/examples/",
		"dashboard.json, dst: /usr/share/doc/moonfund/examples/", "*.md, dst: /usr/share/doc/moonfund/operations/"} {
		if !strings.Contains(string(text), "{src: docs/operations/"+file) {
			t.Errorf("the package has no docs/operations/%s", file)
		}
	}
}

// TestAlerts checks that every alert uses existing metrics and labels of the server and links to an existing runbook.
func TestAlerts(t *testing.T) {
	w, a := audited(t)
	w.OrderInAudit() // puts an order in AUDIT
	w.Settle(1)
	text := scraped(w, a)
	if want := `moonfund_refunds_due_orders{community="lobo"} 1`; !strings.Contains(text, want) {
		t.Errorf("no %s for the order in AUDIT, whose refund is due", want)
	}
	known := map[string]bool{}
	for line := range strings.Lines(text) {
		known[figureName.FindString(line)] = true
	}
	var names, used []string
	for _, rule := range alertRules(t) {
		names = append(names, rule.Alert)
		figures := figureName.FindAllString(rule.Expr, -1)
		used = append(used, figures...)
		for _, figure := range figures {
			if !known[figure] {
				t.Errorf("%s: the server has no metric %s", rule.Alert, figure)
			}
		}
		for _, pair := range labelPair.FindAllString(rule.Expr, -1) {
			if pair != `job="moonfund"` && !strings.Contains(text, pair) { // Prometheus adds the job label
				t.Errorf("%s: no metric has the label %s", rule.Alert, pair)
			}
		}
		if rule.For != "" {
			_, err := time.ParseDuration(rule.For)
			testkit.Must(t, err)
		}
		if severity := rule.Labels["severity"]; severity != "page" && severity != "ticket" {
			t.Errorf("%s: severity %q", rule.Alert, severity)
		}
		if _, err := os.Stat(filepath.Join("../..", rule.Annotations["runbook"])); err != nil ||
			rule.Annotations["summary"] == "" {
			t.Errorf("%s: runbook %q: %v", rule.Alert, rule.Annotations["runbook"], err)
		}
		if strings.Count(rule.Expr, "(") != strings.Count(rule.Expr, ")") {
			t.Errorf("%s: %s", rule.Alert, rule.Expr)
		}
	}
	if slices.Sort(names); len(slices.Compact(names)) != len(names) || len(names) == 0 {
		t.Errorf("alerts: %v", names)
	}
	for _, figure := range []string{"moonfund_audit_ok", "moonfund_paused", "moonfund_tip_lag_blocks",
		"moonfund_payouts_waiting_orders", "moonfund_synced"} {
		if !slices.Contains(used, figure) {
			t.Errorf("no alert uses %s", figure)
		}
	}
}
