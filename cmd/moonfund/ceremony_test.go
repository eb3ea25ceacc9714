package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"moonfund/internal/operate/terminal"
	"moonfund/internal/signer"
	"moonfund/internal/testkit"
)

var ceremonial = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")

// TestCeremony runs the key commands of the guide: create, back up to paper, restore, change the passphrase, lose the
// file and restore it again.
func TestCeremony(t *testing.T) {
	w := cli{testkit.NewWorld(t)}
	text, err := os.ReadFile("../../docs/guide/keys.md")
	testkit.Must(t, err)
	t.Chdir(t.TempDir())
	secret := "what two people wrote down"
	var paper, prints string
	for _, block := range ceremonial.FindAllStringSubmatch(string(text), -1) {
		for _, line := range strings.Split(strings.TrimSpace(block[1]), "\n") {
			t.Setenv(terminal.PassphraseVariable, secret)
			t.Setenv(terminal.NewPassphraseVariable, "what they wrote down next")
			words := strings.Fields(line)
			if words[0] == "rm" {
				testkit.Must(t, os.Remove(words[1]))
				continue
			}
			args, typed := words[1:], ""
			switch {
			case strings.HasSuffix(line, "--ledger"): // the file is lost; the paper backup is of the ledger's key
				testkit.Must(t, os.Remove("moonfund.key"))
				list, err := testkit.Secret(signer.SchemeSeed).Words()
				testkit.Must(t, err)
				args, typed = append(args, "--database", w.URL()), strings.Join(list, " ")+"\n"
			case args[1] == "restore":
				typed = paper + "\n"
			}
			printed, err := command(t, typed, args...)
			if err != nil {
				t.Fatalf("command %s: %v", line, err)
			}
			switch {
			case line == "moonfund key new moonfund.key":
				key, err := signer.ReadSecret("moonfund.key", secret)
				testkit.Must(t, err)
				list, err := key.Words()
				testkit.Must(t, err)
				paper = strings.Join(list, " ") // as `key backup` prints the words, only on a terminal
			case line == "moonfund key check moonfund.key":
				prints = printed
			case line == "moonfund key check trial.key" && printed != prints:
				t.Errorf("the paper backup restores another key:\n%s\nwant\n%s", printed, prints)
			case line == "moonfund key rotate moonfund.key":
				secret = "what they wrote down next"
			}
		}
	}
	left, err := filepath.Glob("*")
	testkit.Must(t, err)
	if strings.Join(left, " ") != "moonfund.key" {
		t.Errorf("files left behind: %v", left)
	}
}
