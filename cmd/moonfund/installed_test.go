package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/alecthomas/kong"

	"moonfund/internal/staking/community"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// Commands about the server read the installed settings. Others, and a command line that names a file, do not.
func TestInstalledSettings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "moonfund.env")
	if found := installedSettings(path, []string{"doctor"}); found != "" {
		t.Errorf("a file that does not exist: %q", found)
	}
	testkit.Must(t, os.WriteFile(path, []byte("MOONFUND_DATA=/somewhere\n"), 0o600))
	for line, want := range map[string]bool{
		"doctor": true, "order list": true, "key check FILE": true, "setup --yes": false, "dev": false,
		"key new FILE": false, "order --help": false, "--version": false, "": false, "version --json": false, "help": false,
	} {
		if got := forInstallation(strings.Fields(line)); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
	if installedSettings(path, []string{"doctor"}) != path ||
		installedSettings(path, []string{"--settings=x", "doctor"}) != "" {
		t.Error("the installed file is not read, or although another one is named")
	}
}

// A missing setting is named with its file.
func TestMissingSettings(t *testing.T) {
	for _, name := range []string{"MOONFUND_DOMAIN", "MOONFUND_COMMUNITIES"} {
		t.Setenv(name, "") // restored after the test
		testkit.Must(t, os.Unsetenv(name))
	}
	parser := newParser(t)
	_, err := parser.Parse([]string{"serve"})
	const path = "/etc/moonfund/moonfund.env"
	if hint := explainMissing(parser, err, path); hint != "set MOONFUND_COMMUNITIES and MOONFUND_DOMAIN in "+path {
		t.Errorf("missing settings: %q of %v", hint, err)
	}
}

func newParser(t *testing.T) *kong.Kong {
	t.Helper()
	var cli commands
	parser, err := kong.New(&cli, parserOptions()...)
	testkit.Must(t, err)
	return parser
}

// An unknown variable MOONFUND_… is an error that names the nearest setting, if one is near, in the settings file and
// in the environment of every command, except for those that inform about the program.
func TestUnknownSettings(t *testing.T) {
	const none = "Remove it; `moonfund COMMAND --help` names the settings"
	parser := newParser(t)
	for name, want := range map[string]string{
		"DOMAIN": "", "NODE_PASSWORD_FILE": "", "PASSPHRASE_FILE": "", "NEW_PASSPHRASE": "", "TEST_ENGINE": "",
		"CORE_NODE":     "",
		"DOMIAN":        "Do you mean MOONFUND_DOMAIN?",
		"KYE":           "Do you mean MOONFUND_KEY?",
		"BACKUP_FOLDER": "Do you mean MOONFUND_BACKUP_EVERY?",
		"BACKUP_DIR":    "Do you mean MOONFUND_BACKUPS?",
		"DATADIR":       "Do you mean MOONFUND_DATA?",
		"DOMAIN_FILE":   "Do you mean MOONFUND_DOMAIN?",
		"TEST_ENGINES":  none,
		"XYZ":           none,
		"":              none,
	} {
		name = ours + name
		for place, check := range map[string]func() error{
			"file": func() error {
				path := filepath.Join(t.TempDir(), "file")
				testkit.Must(t, os.WriteFile(path, []byte(name+"=\n"), 0o600))
				return applySettings(parser, path)
			},
			"environment": func() error { return checkNames(parser, "environment", []string{"HOME", name}) },
		} {
			err := check()
			wrong := place + ": there is no setting " + name + ". " + want
			if want == "" && err != nil || want != "" && (err == nil || !strings.HasSuffix(err.Error(), wrong)) {
				t.Errorf("%s in the %s: error %v, want %q", name, place, err, want)
			}
		}
	}
	for i, leaf := range parser.Model.Leaves(false) {
		t.Setenv("MOONFUND_DOMIAN", []string{"", "example.org"}[i%2]) // readCommand unsets an empty one
		if args := strings.Fields(leaf.Path()); informs(args) {
			if _, err := readCommand(args); err != nil {
				t.Errorf("%s with an unknown variable in the environment: %v", leaf.Path(), err)
			}
			continue
		} else if !informs(append(args, "--help")) {
			t.Errorf("%s --help does not inform", leaf.Path())
		}
		_, err := readCommand(append(strings.Fields(leaf.Path()), "--settings=x"))
		if err == nil || !strings.Contains(err.Error(), "no setting MOONFUND_DOMIAN. Do you mean MOONFUND_DOMAIN?") {
			t.Errorf("%s with an unknown variable in the environment: %v", leaf.Path(), err)
		}
	}
	path := filepath.Join(t.TempDir(), "moonfund.env")
	testkit.Must(t, os.WriteFile(path, []byte("MOONFUND_DOMIAN=example.org\n"), 0o600))
	_, err := parse(t, "--settings", path, "audit")
	if err == nil || !strings.Contains(err.Error(), path+": there is no setting MOONFUND_DOMIAN") {
		t.Errorf("--settings names a file with an unknown variable: %v", err)
	}
}

// variable matches a name of a variable of this program, or its beginning up to an underscore.
var variable = regexp.MustCompile(ours + `[A-Z0-9_]+`)

// Every variable MOONFUND_… in documents, scripts and programs is a setting or one of otherVariables. Each of these
// is used.
func TestVariablesOfTheTree(t *testing.T) {
	known := variables(newParser(t))
	used := map[string]bool{"MOONFUND_X": true, "MOONFUND_X_FILE": true} // examples in a comment
	list, err := exec.Command("git", "-C", "../..", "ls-files").Output()
	testkit.Must(t, err)
	unread := []string{"installed.go", "installed_test.go", "files_test.go"} // they have wrong ones
	for _, file := range strings.Fields(string(list)) {
		if slices.Contains(unread, filepath.Base(file)) {
			continue
		}
		text, err := os.ReadFile(filepath.Join("../..", file))
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // a deleted file is not committed yet
			t.Error(err)
		}
		for _, name := range variable.FindAllString(string(text), -1) {
			if !strings.HasSuffix(name, "_") && !known[name] && !slices.Contains(otherVariables, name) && !used[name] {
				t.Errorf("%s: %s is neither a setting nor one of otherVariables", file, name)
			}
			used[name] = true
		}
	}
	for _, name := range otherVariables {
		if !used[name] {
			t.Errorf("nothing uses %s", name)
		}
	}
}

// A command of root leaves files of the user that owns the data folder, and can still write root's own files.
func TestRootActsAsService(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	const service = 64_998
	data := t.TempDir()
	testkit.Must(t, os.Chmod(filepath.Dir(data), 0o755))
	testkit.Must(t, os.Chown(data, service, service))
	groups, err := os.Getgroups()
	testkit.Must(t, err)
	defer func() {
		testkit.Must(t, syscall.Setresuid(-1, 0, -1))
		testkit.Must(t, syscall.Setresgid(-1, 0, -1))
		testkit.Must(t, syscall.Setgroups(groups))
	}()
	home := t.TempDir()
	manifest, err := community.Examples.ReadFile("manifests/dev/lobo.toml")
	testkit.Must(t, err)
	testkit.Must(t, os.WriteFile(filepath.Join(home, "lobo.toml"), manifest, 0o600))
	testkit.Must(t, os.Chmod(home, 0o700))
	testkit.Must(t, actAsService(data))
	write := func(name string) error { return os.WriteFile(filepath.Join(data, name), nil, 0o600) }
	testkit.Must(t, write("key.mark"))
	testkit.Must(t, asRoot(func() error { return errors.Join(write("manifest"), write("ledger.db")) }))
	testkit.Must(t, writeNew(filepath.Join(home, "payout.psbt"), "a file of root's own folder"))
	if text, err := readFile(filepath.Join(home, "payout.psbt")); err != nil || len(text) == 0 || os.Geteuid() != service {
		t.Errorf("the file of root's own folder: %q, %v; the user is %d", text, err, os.Geteuid())
	}
	testkit.Must(t, writeNew(filepath.Join(data, "backup.zip"), "a file of the service's folder"))
	if _, err := community.LoadDir(home, "regtest"); !errors.Is(err, fs.ErrPermission) ||
		!strings.Contains(store.Advise(err, "").Error(), home+" belongs to root, and this program runs as ") {
		t.Errorf("manifests in root's own folder, read by the service's user: %v", err)
	}
	testkit.Must(t, asCaller(func() error {
		manifests, err := community.LoadDir(home, "regtest")
		if err == nil && len(manifests) != 1 {
			err = fmt.Errorf("%d manifests in root's own folder", len(manifests))
		}
		return err
	}))
	if _, err := (ledgerFlags{Data: data}).existing(t.Context()); err == nil ||
		!strings.Contains(err.Error(), "ledger.db belongs to root, and this program runs as ") ||
		!strings.Contains(err.Error(), "Give it to that user: chown ") {
		t.Errorf("a ledger of another user: %v", err)
	}
	for name, want := range map[string]uint32{"key.mark": service, "backup.zip": service, "manifest": 0} {
		info, err := os.Stat(filepath.Join(data, name))
		testkit.Must(t, err)
		if owner := info.Sys().(*syscall.Stat_t).Uid; owner != want {
			t.Errorf("%s belongs to user %d, want %d", name, owner, want)
		}
	}
}

// documented matches a command in a document, alert or text.
var documented = regexp.MustCompile(
	"(?:`|\n|: )(?:sudo (?:-u \\w+ )?)?moonfund ((?:[^`\n\"]|\n *[^`\n\"]){2,}?)(?:`|\n)")

// Every command of the guides, runbooks and alerts is one of this program, with flags that it has.
func TestDocumentedCommands(t *testing.T) {
	var files []string
	for _, pattern := range []string{"guide/*.md", "operations/*.md", "operations/alerts.yaml"} {
		found, err := filepath.Glob(filepath.Join("../../docs", pattern))
		testkit.Must(t, err)
		files = append(files, found...)
	}
	for name, value := range map[string]string{"COMMUNITIES": "/etc/moonfund/communities", "DOMAIN": "example.org"} {
		t.Setenv("MOONFUND_"+name, value)
	}
	seen := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		testkit.Must(t, err)
		for _, match := range documented.FindAllStringSubmatch(string(text), -1) {
			seen++
			if err := parseDocumented(t, match[1]); err != nil {
				t.Errorf("%s: moonfund %s: %v", filepath.Base(file), match[1], err)
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d commands found", seen)
	}
}

// parseDocumented parses a command with placeholders. One without arguments, such as `moonfund order`, is only a name.
func parseDocumented(t *testing.T, line string) error {
	for _, end := range []string{" #", " | ", " > ", " && ", "…"} {
		line, _, _ = strings.Cut(line, end)
	}
	words := strings.Fields(strings.ReplaceAll(line, "\\\n", " "))
	for i, word := range words {
		words[i] = strings.Trim(word, "'\"")
		if word == "N" || word == "E" || word == "ID" && words[0] == "notify" {
			words[i] = "1"
		}
	}
	if words[0] == "COMMAND" || strings.Contains(line, "--version") || strings.Contains(line, "--help") {
		return nil
	}
	_, err := parse(t, append(words, "--why", "x")...)
	if err != nil && strings.Contains(err.Error(), "unknown flag --why") {
		_, err = parse(t, words...)
	}
	for _, incomplete := range []string{
		`expected "<`, "expected one of", "missing flags", "value but got", "no such file",
	} {
		if err != nil && strings.Contains(err.Error(), incomplete) {
			return nil
		}
	}
	return err
}
