// Package decisions reads a ledger for operators and records their decisions: requests to the running server, pauses,
// and treasury entries. Types with JSON tags are the output of commands with --json.
package decisions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"moonfund/internal/store"
)

// Author is the operator who makes a change, and the reason. The operator log records both.
type Author struct{ By, Why string }

// Check returns an error if By or Why is empty, too long, or does not fit on one line of the log.
func (a Author) Check() error {
	switch {
	case strings.TrimSpace(a.By) == "":
		return errors.New("--by is empty: name the operator")
	case strings.TrimSpace(a.Why) == "":
		return errors.New("--why is empty: give a reason for the log")
	case len(a.By) > 100 || len(a.Why) > 1000:
		return errors.New("--by has at most 100 bytes, --why 1,000")
	case !printable(strings.TrimSpace(a.By)):
		return errors.New("--by has a line break or another character that can't be shown")
	case !printable(strings.TrimSpace(a.Why)):
		return errors.New("--why has a line break or another character that can't be shown: " +
			"write it in one line")
	}
	return nil
}

// printable reports whether text is valid UTF-8 without line breaks and control characters, so that it can't imitate
// another line of the log.
func printable(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) })
}

// Trimmed returns the author with spaces around By and Why removed.
func (a Author) Trimmed() Author { return Author{strings.TrimSpace(a.By), strings.TrimSpace(a.Why)} }

// String returns the author in the form that causes and pauses contain.
func (a Author) String() string { return strings.TrimSpace(a.By) + ": " + strings.TrimSpace(a.Why) }

// Line returns the entry of the operator log for a command.
func (a Author) Line(at time.Time, command, subject, detail string) store.OperatorLine {
	a = a.Trimmed()
	return store.OperatorLine{At: at, By: a.By, Command: command, Subject: subject, Why: a.Why, Detail: detail}
}

// Unknown is the error for a subject that the ledger does not have. Its value is the message.
type Unknown string

func (u Unknown) Error() string { return string(u) }

// unknown formats an Unknown.
func unknown(format string, args ...any) error { return Unknown(fmt.Sprintf(format, args...)) }

// Now returns the time for deadlines. The clock of a dev network may be ahead of the system's.
func Now(ctx context.Context, tx *store.Tx) (time.Time, error) {
	text, err := tx.Setting(ctx, store.ClockSkew)
	if err != nil || text == "" {
		return time.Now().UTC(), err
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	return time.Now().UTC().Add(time.Duration(seconds) * time.Second), err
}

// CheckCommunity returns an Unknown error that lists the communities of the ledger if none has the prefix.
func CheckCommunity(ctx context.Context, tx *store.Tx, prefix string) error {
	all, err := tx.Communities(ctx)
	if err == nil && !slices.Contains(all, prefix) {
		err = unknown("the ledger has no community %q; it has: %s", prefix, strings.Join(all, ", "))
	}
	return err
}

// Communities returns the community with the prefix, or all communities for "".
func Communities(ctx context.Context, tx *store.Tx, prefix string) ([]string, error) {
	if prefix == "" {
		return tx.Communities(ctx)
	}
	return []string{prefix}, CheckCommunity(ctx, tx, prefix)
}

// BoundRune returns a community of the ledger and the id of its rune as text. An empty community selects the only one;
// it is an error if the ledger has several.
func BoundRune(ctx context.Context, tx *store.Tx, community string) (prefix, runeID string, err error) {
	if community == "" {
		all, err := tx.Communities(ctx)
		if err != nil {
			return "", "", err
		}
		if len(all) != 1 {
			return "", "", fmt.Errorf("name the --community: one of %s", strings.Join(all, ", "))
		}
		community = all[0]
	}
	if err := CheckCommunity(ctx, tx, community); err != nil {
		return "", "", err
	}
	runeID, err = tx.RuneOf(ctx, community)
	return community, runeID, err
}

// LogLine is one entry of the operator log.
type LogLine struct {
	Number  int64     `json:"number"`
	At      time.Time `json:"at"`
	By      string    `json:"by"`
	Command string    `json:"command"`
	Subject string    `json:"subject"`
	Why     string    `json:"why"`
	Detail  string    `json:"detail"`
}

// Log returns at most limit entries of the operator log, newest first.
func Log(ctx context.Context, tx *store.Tx, limit int) ([]LogLine, error) {
	lines, err := tx.OperatorLines(ctx, 1<<62, limit)
	return logLines(lines), err
}

func logLines(lines []store.OperatorLine) []LogLine {
	all := []LogLine{}
	for _, l := range lines {
		all = append(all, LogLine(l))
	}
	return all
}
