package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"
	"unicode/utf8"

	"moonfund/store"
)

// reading is what every command that only looks takes.
type reading struct {
	ledgerFlags
	JSON bool `help:"Print JSON, for programs."`
}

// view runs fn on one consistent state of the ledger.
func (r reading) view(ctx context.Context, fn func(tx *store.Tx) error) error {
	db, err := r.existing(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	return db.View(ctx, fn)
}

// existing opens the ledger, and refuses to begin a new one, or to bring an older one up under the server that works on it.
func (f ledgerFlags) existing(ctx context.Context) (*store.Store, error) {
	if err := f.exists(); err != nil {
		return nil, err
	}
	return store.OpenAsItIs(ctx, f.address())
}

// exists refuses a file that is not there, before a database is made of it.
func (f ledgerFlags) exists() error {
	if !f.onDisk() {
		return fmt.Errorf("there is no ledger at %s: name its folder with --data, or its --database", strings.TrimPrefix(f.address(), "sqlite:"))
	}
	return nil
}

// onDisk reports whether the file of the database is there; a database of another kind may be.
func (f ledgerFlags) onDisk() bool {
	path, isFile := strings.CutPrefix(f.address(), "sqlite:")
	if !isFile {
		return true
	}
	_, err := os.Stat(path)
	return !errors.Is(err, os.ErrNotExist)
}

// changing is what every command that changes something in the ledger takes.
type changing struct {
	reading
	answerable
}

// answerable is who stands for a change, and why.
type answerable struct {
	By  string `default:"${user}" help:"Who asks for it; the user's name when not given."`
	Why string `help:"Why, for the record." required:""`
	Yes bool   `help:"Do it without asking."`
}

// check refuses a change that nobody would stand for.
func (c answerable) check() error {
	switch {
	case strings.TrimSpace(c.By) == "":
		return errors.New("--by is empty: say who asks for this")
	case strings.TrimSpace(c.Why) == "":
		return errors.New("--why is empty: say why, for the record")
	case len(c.By) > 100 || len(c.Why) > 1000:
		return errors.New("--by has at most 100 bytes, --why 1,000")
	case !oneLine(strings.TrimSpace(c.By)):
		return errors.New("--by has a character that can't be shown: it stands in a record of one line each")
	case !oneLine(strings.TrimSpace(c.Why)):
		return errors.New("--why has a line break or another character that can't be shown: say it in one line, for the record")
	}
	return nil
}

// oneLine reports whether a text can stand in the record without looking like more of it than it is.
func oneLine(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) })
}

// line is the record of this command.
func (c changing) line(at time.Time, command, subject, detail string) store.OperatorLine {
	return store.OperatorLine{At: at, By: strings.TrimSpace(c.By), Command: command, Subject: subject, Why: strings.TrimSpace(c.Why), Detail: detail}
}

// errDeclined is the answer no.
var errDeclined = errors.New("nothing was done")

// agree shows what will happen and asks for a yes.
func (c answerable) agree(preview string) error {
	fmt.Fprintln(os.Stderr, strings.TrimRight(preview, "\n"))
	if c.Yes {
		return nil
	}
	fmt.Fprint(os.Stderr, "Type yes to do it: ")
	answer, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if strings.TrimSpace(answer) != "yes" {
		return errDeclined
	}
	return nil
}

// now is the instant that deadlines see: a dev network's clock may be ahead.
func now(ctx context.Context, tx *store.Tx) (time.Time, error) {
	text, err := tx.Setting(ctx, store.ClockSkew)
	if err != nil || text == "" {
		return time.Now().UTC(), err
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	return time.Now().UTC().Add(time.Duration(seconds) * time.Second), err
}

// known refuses a community that the ledger does not know.
func known(ctx context.Context, tx *store.Tx, community string) error {
	all, err := tx.Communities(ctx)
	if err != nil {
		return err
	}
	for _, prefix := range all {
		if prefix == community {
			return nil
		}
	}
	return fmt.Errorf("the ledger knows no community %q; it has: %s", community, strings.Join(all, ", "))
}

// chosen are the communities that a command is about: the one named, or all.
func chosen(ctx context.Context, tx *store.Tx, community string) ([]string, error) {
	if community == "" {
		return tx.Communities(ctx)
	}
	return []string{community}, known(ctx, tx, community)
}

// printJSON prints a value for programs.
func printJSON(value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err == nil {
		fmt.Println(string(text))
	}
	return err
}

// table prints rows for people, in columns under their titles.
func table(titles string, rows [][]string) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.ReplaceAll(titles, ",", "\t"))
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return w.Flush()
}

// fields prints pairs of a name and a value, one a line.
func fields(pairs ...string) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for i := 0; i+1 < len(pairs); i += 2 {
		fmt.Fprintf(w, "%s\t%s\n", pairs[i], pairs[i+1])
	}
	return w.Flush()
}

func shortTime(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format("2006-01-02 15:04:05")
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// height prints a block's height, "-" while there is none.
func height(n int64) string {
	if n < 0 {
		return "-"
	}
	return strconv.FormatInt(n, 10)
}

type logCommand struct {
	reading
	Limit int `default:"50" help:"How many lines, the newest."`
}

type logView struct {
	Number  int64     `json:"number"`
	At      time.Time `json:"at"`
	By      string    `json:"by"`
	Command string    `json:"command"`
	Subject string    `json:"subject"`
	Why     string    `json:"why"`
	Detail  string    `json:"detail"`
}

// Run is `moonfund log`.
func (c logCommand) Run(ctx context.Context) error {
	if c.Limit < 1 || c.Limit > 10_000 {
		return errors.New("--limit must be from 1 to 10,000")
	}
	return c.view(ctx, func(tx *store.Tx) error {
		lines, err := tx.OperatorLines(ctx, 1<<62, c.Limit)
		if err != nil {
			return err
		}
		return c.print(lines)
	})
}

func (c reading) print(lines []store.OperatorLine) error {
	if c.JSON {
		return printJSON(logViews(lines))
	}
	var rows [][]string
	for _, l := range lines {
		rows = append(rows, []string{strconv.FormatInt(l.Number, 10), shortTime(l.At), l.By, l.Command, l.Subject, l.Why})
	}
	return table("NUMBER,AT (UTC),BY,COMMAND,ABOUT,WHY", rows)
}

func logViews(lines []store.OperatorLine) []logView {
	views := []logView{}
	for _, l := range lines {
		views = append(views, logView(l))
	}
	return views
}
