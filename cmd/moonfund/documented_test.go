package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

// documentedCase is what is special about the lines that begin with words of a command. Without one, a line must
// succeed in root's home, or try to reach the node.
type documentedCase struct {
	command string   // the first words of the line
	fails   string   // an error that is right on the machine; "": none
	words   []string // pairs of a placeholder and its value, before the machine's pairs
	first   string   // shell commands before it, in the root folder of the machine
	at      string   // the working directory; "": /root
	until   string   // a part of the output, after which the test types Ctrl-C; "": the command ends by itself
}

// unrun are the commands that no test runs as they are typed, with the reason.
var unrun = map[string]string{
	"moonfund dev": "it builds a network; the tests of internal/testkit/e2e use it",
}

// silent are the commands that read no settings, and the server, whose output is a log in JSON.
var silent = []string{
	"setup", "dev", "version", "recover", "key new", "manifest example", "help", "serve",
}

// names reports whether a typed line must say which settings it reads: all but those of silent and help texts do.
func names(words string) bool {
	return !strings.Contains(words, "--help") && !strings.Contains(words, "--version") &&
		!slices.ContainsFunc(silent, func(command string) bool { return strings.HasPrefix(words+" ", command+" ") })
}

var (
	fenced        = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	typedCommand  = regexp.MustCompile(`^(?:[A-Z_]+=\S+ )*(?:sudo )?moonfund `)
	quotedCommand = regexp.MustCompile("`((?:[A-Z_]+=\\S+ )*(?:sudo )?moonfund [^`]+)`")
	identifier    = regexp.MustCompile(`reward:\S+|bcrt1\w+|[0-9a-f]{32,64}(?::\d+)?|\b\d+\b`)
	scripted      = regexp.MustCompile(`moonfund [a-z](?:[a-z -]*[a-z])?`)
	usage         = regexp.MustCompile(`error: (?:expected|missing flags)`)
)

// commandsOfDocuments adds the commands of the guide, the runbooks and the alerts, without sudo and with single spaces,
// to their files.
func commandsOfDocuments(t *testing.T, found map[string][]string) {
	t.Helper()
	for _, pattern := range []string{"guide/*.md", "operations/*.md", "operations/alerts.yaml"} {
		paths, err := filepath.Glob(filepath.Join("../../docs", pattern))
		testkit.Must(t, err)
		for _, path := range paths {
			text, err := os.ReadFile(path)
			testkit.Must(t, err)
			add := func(line string) {
				line, _, _ = strings.Cut(strings.Join(strings.Fields(line), " "), " #")
				line = strings.TrimPrefix(line, "sudo ")
				found[line] = append(found[line], filepath.Base(path))
			}
			prose := fenced.ReplaceAllStringFunc(string(text), func(block string) string {
				for line := range strings.Lines(strings.ReplaceAll(block, "\\\n", " ")) {
					if line = strings.TrimSpace(line); typedCommand.MatchString(line) {
						add(line)
					}
				}
				return ""
			})
			for _, match := range quotedCommand.FindAllStringSubmatch(prose, -1) {
				add(match[1])
			}
		}
	}
}

// commandsOfPackage adds the commands that the package runs or prints when it is installed.
func commandsOfPackage(t *testing.T, found map[string][]string) {
	t.Helper()
	text, err := os.ReadFile("../../packaging/postinst")
	testkit.Must(t, err)
	for _, line := range scripted.FindAllString(string(text), -1) {
		found[line] = append(found[line], "postinst")
	}
}

// commandsOfMessages adds the commands in the texts of the program. Values in them are %s, %d or X.
func commandsOfMessages(t *testing.T, found map[string][]string) {
	t.Helper()
	eachCommandOfMessages(t, "../..", func(file, command string) {
		line := "moonfund " + strings.Join(strings.Fields(command), " ")
		found[line] = append(found[line], file)
	})
}

// commandsOfConsole adds the commands that the console shows on the machine.
func (m *machine) commandsOfConsole(t *testing.T, found map[string][]string) {
	t.Helper()
	t.Setenv("MOONFUND_DATABASE", m.URL()) // as if the settings named it, so that the commands do not
	t.Setenv("MOONFUND_COMMUNITIES", m.path("etc/moonfund/communities"))
	t.Setenv("MOONFUND_DOMAIN", "localhost")
	client, base := openConsole(m.cli)
	shown := map[string]bool{} // without ids, so that one of the twenty epochs suffices
	for _, line := range shownCommands(m.cli, client, base) {
		if shape := identifier.ReplaceAllString(line, "ID"); !shown[shape] {
			shown[shape] = true
			found[line] = append(found[line], "the console")
		}
	}
}

// TestEveryCommandRuns types every command of the guide, the runbooks, the alerts, the package, the console and the
// messages as it stands, as root on a terminal of a machine with the package's paths, settings and user. Each must
// succeed, or fail with the error of its case or because no node answers there, and say which settings it reads, except
// for the silent ones. None may leave a file that the server can't read. TestGuide, TestRunbooks and TestPackage in
// internal/testkit/e2e run commands with a node and a server.
func TestEveryCommandRuns(t *testing.T) {
	if os.Geteuid() != 0 || testing.Short() || engine.Current() == engine.Postgres {
		t.Skip("it needs root for a root folder of its own, and is not -short; the ledger is on SQLite")
	}
	t.Setenv("USER", "olga")
	m := newMachine(t)
	found := map[string][]string{}
	commandsOfDocuments(t, found)
	commandsOfPackage(t, found)
	commandsOfMessages(t, found)
	m.commandsOfConsole(t, found)
	if len(found) < 150 {
		t.Errorf("only %d commands found", len(found))
	}
	cases := m.cases()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	var running sync.WaitGroup
	for line, from := range found {
		if unrun[line] != "" {
			continue
		}
		running.Go(func() {
			if err := m.check(ctx, cases, line); err != nil {
				t.Errorf("%s: %s: %v", strings.Join(slices.Compact(slices.Sorted(slices.Values(from))), ", "), line, err)
			}
		})
	}
	running.Wait()
	for line := range unrun {
		if found[line] == nil {
			t.Errorf("no document has %q", line)
		}
	}
}

// check types a line and compares the result with its case. A line without the arguments of its command, such as
// `moonfund order show`, only names the command, which must have a help text.
func (m *machine) check(ctx context.Context, cases []documentedCase, line string) error {
	before, words, _ := strings.Cut(line, "moonfund ")
	var c documentedCase
	for _, other := range cases {
		if strings.HasPrefix(words+" ", other.command+" ") && len(other.command) > len(c.command) {
			c = other
		}
	}
	pairs := c.words
	for _, name := range slices.Sorted(maps.Keys(m.values)) {
		pairs = append(pairs, name, m.values[name])
	}
	typed := strings.NewReplacer(pairs...).Replace(words)
	text := before + "moonfund " + typed
	output, left, err := m.types(ctx, c, text)
	if strings.Contains(output, "Settings: /etc/moonfund/moonfund.env\n") != names(typed) {
		return fmt.Errorf("typed %s: it must say which settings it reads: %v. It printed\n%s", text, names(typed), output)
	}
	if err != nil && usage.MatchString(output) && words == strings.ToLower(words) && !strings.ContainsAny(words, "-%") {
		c.fails = ""
		output, left, err = m.types(ctx, c, text+" --help")
	}
	if left != "" {
		return fmt.Errorf("typed %s: it left %s, which the service's user does not own", text, left)
	}
	right := err == nil && c.fails == "" || err != nil && c.fails != "" && strings.Contains(output, c.fails)
	if !right && !strings.Contains(output, "the node can't be reached") {
		return fmt.Errorf("typed %s: error %v, want %q in\n%s", text, err, c.fails, output)
	}
	return nil
}
