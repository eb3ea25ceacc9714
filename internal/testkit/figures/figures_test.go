package figures

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReportedFiguresMakeOneTable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "figures")
	t.Setenv(File, path)
	for _, f := range []Figure{
		{Name: "closing an epoch", Database: SQLite, Value: 12.34, Limit: 15, Unit: "s", Beside: "bare 9 s"},
		{Name: "signed actions", Database: SQLite, Value: 3250.4, Limit: 500, Least: true, Unit: "/s"},
		{Name: "closing an epoch", Database: PostgreSQL, Value: 14, Limit: 15, Unit: "s"},
		{Name: "memory", Value: 123, Unit: "MiB"},
	} {
		Report(t, f)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	all, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	missed, err := Print(&out, all)
	if err != nil || missed != 0 {
		t.Fatal(missed, err)
	}
	want := strings.TrimPrefix(`
| figure           | SQLite  | PostgreSQL | target         | met | beside   |
|------------------|---------|------------|----------------|-----|----------|
| closing an epoch | 12.3 s  | 14 s       | at most 15 s   | yes | bare 9 s |
| signed actions   | 3,250/s |            | at least 500/s | yes |          |
| memory           | 123 MiB |            |                |     |          |
`, "\n")
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

// TestMissedTargets checks that a figure is marked as missed if it misses its target on one of two databases, in either
// order of the reports.
func TestMissedTargets(t *testing.T) {
	slow := Figure{Name: "start", Database: SQLite, Value: 2.1, Limit: 2, Unit: "s"}
	quick := Figure{Name: "start", Database: PostgreSQL, Value: 1.9, Limit: 2, Unit: "s"}
	for _, all := range [][]Figure{{slow, quick}, {quick, slow}} {
		var out bytes.Buffer
		missed, err := Print(&out, all)
		if err != nil || missed != 1 || !strings.Contains(out.String(), "| NO ") {
			t.Errorf("%d missed, %v\n%s", missed, err, out.String())
		}
	}
	for _, f := range []Figure{
		{Value: 499.9, Limit: 500, Least: true},
		{Value: math.NaN(), Limit: 500},
		{Value: math.NaN(), Limit: 500, Least: true},
	} {
		if f.Met() {
			t.Errorf("%+v meets its target", f)
		}
	}
}
