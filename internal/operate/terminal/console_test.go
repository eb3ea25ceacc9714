package terminal_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moonfund/internal/operate/terminal"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// typing runs fn with an answer on standard input and returns what it prints.
func typing(t *testing.T, answer string, fn func()) string {
	t.Helper()
	in, out, err := os.Pipe()
	must(t, err)
	_, err = io.WriteString(out, answer)
	must(t, err)
	must(t, out.Close())
	printed, err := os.Create(filepath.Join(t.TempDir(), "printed"))
	must(t, err)
	stdin, stdout := os.Stdin, os.Stdout
	os.Stdin, os.Stdout = in, printed
	defer func() { os.Stdin, os.Stdout = stdin, stdout }()
	fn()
	text, err := os.ReadFile(printed.Name())
	must(t, err)
	return string(text)
}

type item struct {
	Name string `json:"name"`
}

// TestList checks that a list is printed as a table, or as a JSON list, which is [] rather than null when it is empty.
func TestList(t *testing.T) {
	row := func(i item) []string { return []string{i.Name, terminal.YesNo(i.Name == "a")} }
	for want, list := range map[string]func() error{
		"NAME  FIRST\na     yes\nbb    no\n": func() error {
			return terminal.List(false, []item{{"a"}, {"bb"}}, "NAME,FIRST", row)
		},
		"NAME  FIRST\n": func() error { return terminal.List(false, nil, "NAME,FIRST", row) },
		"[]\n":          func() error { return terminal.List(true, nil, "NAME,FIRST", row) },
		"[\n  {\n    \"name\": \"a\"\n  }\n]\n": func() error {
			return terminal.List(true, []item{{"a"}}, "NAME,FIRST", row)
		},
		"":                   func() error { return terminal.Section("Items", "NAME", nil) },
		"\nItems\nNAME\na\n": func() error { return terminal.Section("Items", "NAME", [][]string{{"a"}}) },
		"name  a\nat    -\n": func() error {
			return terminal.Fields("name", "a", "at", terminal.Time(time.Time{}))
		},
	} {
		if got := typing(t, "", func() { must(t, list()) }); got != want {
			t.Errorf("printed %q, want %q", got, want)
		}
	}
	if got := terminal.Height(-1) + terminal.Height(7) + terminal.OrDash("") + terminal.Number(int64(8)); got != "-7-8" {
		t.Errorf("the formatted values are %q", got)
	}
}

// TestConfirm checks that only the word yes confirms a change.
func TestConfirm(t *testing.T) {
	for answer, want := range map[string]error{"yes\n": nil, " yes": nil, "y\n": terminal.ErrDeclined,
		"": terminal.ErrDeclined} {
		typing(t, answer, func() {
			if err := terminal.Confirm("something happens", false); !errors.Is(err, want) {
				t.Errorf("Confirm after the answer %q: got error %v", answer, err)
			}
		})
	}
	must(t, terminal.Confirm("something happens", true))
}

// TestPassphrase checks that a passphrase is read from the environment or from the terminal.
func TestPassphrase(t *testing.T) {
	t.Setenv(terminal.PassphraseVariable, "")
	for answer, want := range map[string]string{"a b\r\n": "a b", "last": "last", "": ""} {
		typing(t, answer, func() {
			got, err := terminal.NewInput().NewPassphrase(terminal.PassphraseVariable, "Passphrase")
			if got != want || (err != nil) != (want == "") {
				t.Errorf("passphrase typed as %q: got %q, %v", answer, got, err)
			}
		})
	}
	t.Setenv(terminal.PassphraseVariable, "secret")
	got, err := terminal.NewInput().Passphrase(terminal.PassphraseVariable, "Passphrase")
	if got != "secret" || err != nil {
		t.Errorf("passphrase in the environment: got %q, %v", got, err)
	}
}

func TestQuote(t *testing.T) {
	for word, want := range map[string]string{
		"/tmp/a.psbt": "/tmp/a.psbt", "my file": "'my file'", "it's": `'it'\''s'`, filepath.Join("a", "b$c"): "'a/b$c'",
	} {
		if got := terminal.Quote(word); got != want {
			t.Errorf("Quote(%s): got %s, want %s", word, got, want)
		}
	}
}

// TestPassphraseFromFile reads a passphrase from the file that a variable names, such as a systemd credential.
func TestPassphraseFromFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "passphrase")
	t.Setenv(terminal.PassphraseVariable, "")
	t.Setenv(terminal.PassphraseVariable+"_FILE", file)
	read := func() (string, error) {
		return terminal.NewInput().NewPassphrase(terminal.PassphraseVariable, "Passphrase")
	}
	if _, err := read(); err == nil || !strings.Contains(err.Error(), "MOONFUND_PASSPHRASE_FILE: open ") {
		t.Errorf("passphrase in a missing file: got error %v", err)
	}
	for text, want := range map[string]string{
		"": "", "\nx": "", "pass phrase\n": "pass phrase", "a\r\nb": "a", "ü": "ü",
	} {
		must(t, os.WriteFile(file, []byte(text), 0o600))
		if got, err := read(); got != want || (err == nil) != (want != "") {
			t.Errorf("passphrase in a file with %q: got %q, %v; want %q", text, got, err, want)
		}
	}
	t.Setenv(terminal.PassphraseVariable, "from the environment")
	if got, err := read(); err != nil || got != "from the environment" {
		t.Errorf("passphrase in the environment and in a file: got %q, %v", got, err)
	}
}

// TestSecret reads a secret from the environment, else from the named file, else from the systemd credential.
func TestSecret(t *testing.T) {
	const variable = "MOONFUND_NODE_PASSWORD"
	folder := t.TempDir()
	for _, name := range []string{variable, variable + "_FILE", "CREDENTIALS_DIRECTORY"} {
		t.Setenv(name, "")
	}
	wants := func(want, message string) {
		t.Helper()
		got, err := terminal.Secret(variable)
		if got != want || (err != nil) != (message != "") || err != nil && !strings.Contains(err.Error(), message) {
			t.Errorf("got %q, %v; want %q %s", got, err, want, message)
		}
	}
	wants("", "")
	t.Setenv("CREDENTIALS_DIRECTORY", folder)
	wants("", "") // the service has no such credential
	credential, file := filepath.Join(folder, "node_password"), filepath.Join(folder, "file")
	must(t, os.WriteFile(credential, nil, 0o600))
	wants("", "CREDENTIALS_DIRECTORY: "+credential+" is empty")
	must(t, os.WriteFile(credential, []byte("credential\n"), 0o600))
	wants("credential", "")
	t.Setenv(variable+"_FILE", file)
	wants("", "MOONFUND_NODE_PASSWORD_FILE: open ")
	must(t, os.WriteFile(file, []byte("file\n"), 0o600))
	wants("file", "")
	t.Setenv(variable, "environment")
	wants("environment", "")
}
