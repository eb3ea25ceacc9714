package main

import (
	"os"
	"strings"
	"testing"

	"moonfund/internal/testkit"
)

// Every guide and runbook is in the program, by its name.
func TestHelpPrintsPages(t *testing.T) {
	list, err := command(t, "", "help")
	testkit.Must(t, err)
	for name, file := range map[string]string{
		"restore": "operations/restore", "operations/node-down": "operations/node-down", "operator": "guide/operator",
		"reference": "guide/reference", "operations": "operations/README",
	} {
		want, err := os.ReadFile("../../docs/" + file + ".md")
		testkit.Must(t, err)
		if printed, err := command(t, "", "help", name); err != nil || printed != string(want)+"\n" {
			t.Errorf("moonfund help %s prints %.80q, error %v", name, printed, err)
		}
		if entry := strings.TrimSuffix(file, "/README"); !strings.Contains(list, "  "+entry+" ") {
			t.Errorf("%s is not listed in\n%s", entry, list)
		}
	}
	if both, err := command(t, "", "help", "notifications"); err != nil || !strings.Contains(both, "# Notifications") ||
		strings.Count(both, "\n# ") != 1 {
		t.Errorf("moonfund help notifications prints %.200q, error %v", both, err)
	}
	if _, err := command(t, "", "help", "restor"); err == nil || !strings.Contains(err.Error(), "lists all pages") {
		t.Errorf("an unknown page: got error %v", err)
	}
}
