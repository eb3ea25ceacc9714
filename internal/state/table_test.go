package state_test

import (
	"strings"
	"testing"

	"moonfund/internal/state"
)

type (
	table = state.Table[string, string, string]
	row   = state.Row[string, string, string]
)

// valid returns a valid table. TestValidate changes one thing at a time to make it invalid.
func valid() table {
	return table{Of: "lamp", Ends: []string{"broken"}, Rows: []row{
		{"", "made", state.Always, "off"},
		{"off", "pressed", "by day", "off"},
		{"off", "pressed", "by night", "on"},
		{"on", "pressed", state.Always, "off"},
		{"on", "dropped", state.Always, "broken"},
	}}
}

func TestValidate(t *testing.T) {
	if err := valid().Validate(); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*table){
		`no event leads to "lit"`: func(l *table) {
			l.Rows = append(l.Rows, row{"lit", "burnt", state.Always, "broken"})
		},
		`no event leads to "off"`:          func(l *table) { l.Rows = l.Rows[1:] },
		`no event leads to the end "sold"`: func(l *table) { l.Ends = append(l.Ends, "sold") },
		`no end can be reached from "stolen"`: func(l *table) {
			l.Rows = append(l.Rows, row{"on", "taken", state.Always, "stolen"})
		},
		`no end can be reached from ""`:  func(l *table) { l.Rows = l.Rows[:4]; l.Ends = nil },
		`two rows for "on" on "pressed"`: func(l *table) { l.Rows = append(l.Rows, row{"on", "pressed", "by day", "on"}) },
		`two rows for "off" on "pressed"`: func(l *table) {
			l.Rows = append(l.Rows, row{"off", "pressed", "by night", "off"})
		},
		`a row from "on" has no event`: func(l *table) { l.Rows = append(l.Rows, row{"on", "", state.Always, "off"}) },
		`no event leads to ""`:         func(l *table) { l.Start = "other" },
	} {
		broken := valid()
		change(&broken)
		if err := broken.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestNext(t *testing.T) {
	for _, c := range []struct{ from, event, guard, to string }{
		{"", "made", "", "off"},
		{"off", "pressed", "by day", "off"},
		{"off", "pressed", "by night", "on"},
		{"on", "pressed", "by day", "off"},
		{"off", "pressed", "", ""}, // both rows need a guard
		{"broken", "pressed", "", ""},
	} {
		to, err := valid().Next(c.from, c.event, c.guard)
		if (err == nil) != (c.to != "") || to != c.to {
			t.Errorf("%q on %q for %q leads to %q, %v", c.from, c.event, c.guard, to, err)
		}
	}
}

func TestMustRefusesABrokenTable(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a table without an end was accepted")
		}
	}()
	state.Must(table{Of: "lamp", Rows: []row{{"", "made", state.Always, "off"}}})
}
