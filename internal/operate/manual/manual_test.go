package manual_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"moonfund/internal/operate/manual"
)

type program struct {
	Settings string `help:"A file." placeholder:"FILE"`
	List     struct {
		Limit int    `default:"9" env:"PROG_LIMIT" help:".Most lines. 'quoted' \\ and more."`
		What  string `arg:"" enum:"all,some" help:"Which."`
	} `cmd:"" help:"List things. And more."`
	Order struct {
		Show struct {
			JSON bool `help:"Print JSON."`
		} `cmd:"" help:"Show an order."`
		Close struct{} `cmd:"" help:"Close an order."`
	} `cmd:"" help:"Orders."`
	Secret struct{} `cmd:"" hidden:"" help:"Hidden."`
}

func parse(t *testing.T) *kong.Application {
	t.Helper()
	var cli program
	parser, err := kong.New(&cli, kong.Name("prog"), kong.Description("A program."))
	if err != nil {
		t.Fatal(err)
	}
	return parser.Model
}

// TestPages formats each page with man, which warns of unknown requests.
func TestPages(t *testing.T) {
	pages := manual.Pages(parse(t), "1.2.3", "2026-11-23")
	var names []string
	for _, p := range pages {
		names = append(names, p.Name)
		if groff, err := exec.LookPath("groff"); err == nil {
			command := exec.Command(groff, "-man", "-Tutf8", "-ww")
			command.Stdin = strings.NewReader(p.Text)
			output, err := command.CombinedOutput()
			if err != nil || strings.Contains(string(output), "warning") {
				t.Errorf("%s: %v\n%s", p.Name, err, output)
			}
		}
	}
	if got := strings.Join(names, " "); got != "prog-list.1 prog-order.1 prog.1" {
		t.Errorf("pages: %s", got)
	}
	for _, words := range []string{`prog\-list \- List things`, `\fB\-\-limit\fR=\fI9\fR`,
		`\&.Most lines. 'quoted' \e and`,
		`\fBPROG_LIMIT\fR`, ".I what"} {
		if !strings.Contains(pages[0].Text, words) {
			t.Errorf("%q is missing in %s", words, pages[0].Text)
		}
	}
}

// TestCompletion compares bash's completions of each command, and checks that the other shells parse their scripts.
func TestCompletion(t *testing.T) {
	script, err := manual.Completion(parse(t), "bash")
	if err != nil {
		t.Fatal(err)
	}
	for typed, want := range map[string]string{
		"prog ": "--help --settings list order", "prog o": "order", "prog order ": "close show",
		"prog --settings f order s": "show",
		"prog order show --":        "--help --json --settings",
		"prog list ":                "--help --limit --settings all some", "prog x": "",
	} {
		words := strings.Split(typed, " ")
		ask := script + "\nCOMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _prog; printf '%s\\n' \"${COMPREPLY[@]}\" | sort"
		output, err := exec.Command("bash", append([]string{"-c", ask, "bash"}, words...)...).CombinedOutput()
		got := strings.Fields(string(output))
		slices.Sort(got)
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%q is completed by %q, want %q: %v", typed, got, want, err)
		}
	}
	for _, shell := range manual.Shells {
		script, err := manual.Completion(parse(t), shell)
		if err != nil || strings.Contains(script, "NAME") || strings.Contains(script, "secret") {
			t.Errorf("%s: %v\n%s", shell, err, script)
		}
		file := filepath.Join(t.TempDir(), "script")
		if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := exec.LookPath(shell); err == nil {
			if output, err := exec.Command(shell, "-n", file).CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", shell, err, output)
			}
		}
	}
	if _, err := manual.Completion(parse(t), "tcsh"); err == nil {
		t.Error("no error for an unknown shell")
	}
}
