package console

import (
	"slices"
	"strings"
	"unicode"

	"moonfund/internal/operate/terminal"
)

// command is a command of moonfund with its description.
type command struct {
	Does string // the description; may be ""
	Line string // the command line, quoted for a shell
	Note string // more text, such as the preview of the change; may be ""
}

// command returns the command line of words, for this ledger.
func (c *Console) command(words ...string) string {
	return commandLine(c.Settings, append(words, c.Options...)...)
}

// commandLine returns the command line of words with a settings file. It returns "" if a word can't be pasted safely
// into a terminal: it is empty or has a character that is not printable.
func commandLine(settings string, words ...string) string {
	line := []string{"moonfund"}
	if settings != "" {
		line = append(line, "--settings", settings)
	}
	line = append(line, words...)
	if slices.ContainsFunc(line, unsafe) {
		return ""
	}
	for i, word := range line {
		line[i] = terminal.Quote(word)
	}
	return strings.Join(line, " ")
}

// unsafe reports whether a word is empty or has a character that a terminal does not print.
func unsafe(word string) bool {
	return word == "" || strings.ContainsFunc(word, func(r rune) bool {
		return r == unicode.ReplacementChar || !unicode.IsPrint(r)
	})
}

// change returns the command line of a change, with its reason for the log.
func (c *Console) change(why string, words ...string) string {
	return c.command(append(words, "--why", why)...)
}
