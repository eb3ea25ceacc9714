package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"moonfund/internal/operate/decisions"
	"moonfund/internal/operate/terminal"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
)

// ledgerFlags name a ledger.
type ledgerFlags struct {
	Data     string `default:"data" env:"MOONFUND_DATA" help:"Folder of the ledger." type:"path"`
	Database string `env:"MOONFUND_DATABASE" help:"${help_database}"`
}

// address returns the address of the database.
func (f ledgerFlags) address() string {
	if f.Database != "" {
		return f.Database
	}
	return "sqlite:" + filepath.Join(f.Data, "ledger.db")
}

// existing opens the ledger. It never creates one or changes the schema.
func (f ledgerFlags) existing(ctx context.Context) (*store.Store, error) {
	if err := errors.Join(f.exists(), f.denied()); err != nil {
		return nil, err
	}
	return store.OpenWithoutMigration(ctx, f.address())
}

// exists returns an error if the ledger is a file that does not exist.
func (f ledgerFlags) exists() error {
	if !f.onDisk() {
		return fmt.Errorf("there is no ledger at %s: name its folder with --data, or its --database",
			strings.TrimPrefix(f.address(), "sqlite:"))
	}
	return nil
}

// denied returns an error that names the owner if this user can't write to the file of the ledger.
func (f ledgerFlags) denied() error {
	path, isFile := strings.CutPrefix(f.address(), "sqlite:")
	if !isFile || !errors.Is(unix.Faccessat(unix.AT_FDCWD, path, unix.R_OK|unix.W_OK, unix.AT_EACCESS), fs.ErrPermission) {
		return nil
	}
	return store.Advise(&fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}, path)
}

// onDisk reports whether the file of the database exists; true for PostgreSQL.
func (f ledgerFlags) onDisk() bool {
	path, isFile := strings.CutPrefix(f.address(), "sqlite:")
	if !isFile {
		return true
	}
	_, err := os.Stat(path)
	return !errors.Is(err, os.ErrNotExist)
}

// reading holds the flags of a command that reads the ledger.
type reading struct {
	ledgerFlags
	JSON bool `help:"Print JSON."`
}

// view runs fn on one snapshot of the ledger.
func (r reading) view(ctx context.Context, fn func(tx *store.Tx) error) error {
	db, err := r.existing(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	return db.View(ctx, fn)
}

// print prints a value as JSON with --json, and otherwise calls text.
func (r reading) print(value any, text func() error) error {
	return terminal.Print(r.JSON, value, text)
}

// read returns the result of fn on one snapshot of the ledger.
func read[T any](ctx context.Context, r reading, fn func(tx *store.Tx) (T, error)) (value T, err error) {
	err = r.view(ctx, func(tx *store.Tx) (err error) {
		value, err = fn(tx)
		return err
	})
	return value, err
}

// answerable has the flags for the author and the reason of a change.
type answerable struct {
	By  string `default:"${user}" help:"Name of the operator, for the log. Default: the user's name."`
	Why string `help:"Reason, for the log. Asked for if it is missing and a terminal is there."`
	Yes bool   `help:"Do not ask for confirmation."`
}

// AfterApply asks for a missing reason, so that a command works as messages and runbooks show it.
func (a *answerable) AfterApply() (err error) {
	if a.Why != "" {
		return nil
	}
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		return errors.New("--why is empty: give a reason for the log")
	}
	a.Why, err = terminal.NewInput().Line("Reason, for the log")
	return err
}

// unexplained has the flags for the author of a change that needs no reason.
type unexplained struct {
	By  string `default:"${user}" help:"Name of the operator, for the log. Default: the user's name."`
	Why string `default:"no reason given" help:"Reason, for the log; /status also shows the reason of a pause."`
	Yes bool   `help:"Do not ask for confirmation."`
}

func (u unexplained) author() decisions.Author { return decisions.Author{By: u.By, Why: u.Why} }

func (u unexplained) changing(r reading) changing { return changing{r, answerable(u)} }

func (a answerable) author() decisions.Author { return decisions.Author{By: a.By, Why: a.Why} }

// check returns an error if --by or --why is empty, too long or not printable.
func (a answerable) check() error { return a.author().Check() }

// agree prints the preview and, without --yes, asks for a confirmation.
func (a answerable) agree(preview string) error { return terminal.Confirm(preview, a.Yes) }

// changing has the flags of a command that changes the ledger.
type changing struct {
	reading
	answerable
}

// change previews a change, asks for a confirmation, and applies it unless the preview changed meanwhile.
func change[T any](ctx context.Context, c changing, what decisions.Change[T]) (result T, err error) {
	if err := c.check(); err != nil {
		return result, err
	}
	db, err := c.existing(ctx)
	if err != nil {
		return result, err
	}
	defer db.Close()
	return what.Make(ctx, db, c.agree)
}

// requesting has the flags of a command that sends a request to the running server.
type requesting struct {
	changing
	Wait time.Duration `default:"10s" help:"How long to wait until the server has done it."`
}

// request stores a request about a subject, waits for the server, and prints the result.
func (c requesting) request(ctx context.Context, subject string, what decisions.Change[int64]) error {
	r, err := c.carry(ctx, subject, what)
	if err != nil {
		return err
	}
	return c.report(r)
}

// carry stores a request about a subject. It returns the request when the server has executed or refused it, or after
// --wait.
func (c requesting) carry(
	ctx context.Context, subject string, what decisions.Change[int64],
) (r payout.Request, err error) {
	if err := c.check(); err != nil {
		return r, err
	}
	db, err := c.existing(ctx)
	if err != nil {
		return r, err
	}
	defer db.Close()
	number, err := what.Make(ctx, db, c.agree)
	if err != nil {
		return r, err
	}
	return decisions.AwaitRequest(ctx, db, subject, number, c.Wait)
}

// report prints the result of a request. It returns an error if the server refused it.
func (c requesting) report(r payout.Request) error {
	if c.JSON {
		if err := terminal.JSON(decisions.ViewRequest(r)); err != nil {
			return err
		}
	}
	switch {
	case r.Status == payout.RequestRefused:
		return fmt.Errorf("request %d is refused: %s", r.Number, r.Note)
	case c.JSON:
	case r.Status == payout.RequestDone:
		fmt.Printf("Request %d is carried out.\n", r.Number)
	default:
		fmt.Printf("Request %d is recorded; the running server will carry it out%s.\n", r.Number,
			decisions.NoteSuffix(r.Note))
	}
	return nil
}

type logCommand struct {
	reading
	Limit int `default:"50" help:"Number of lines, newest first."`
}

// Run is `moonfund log`.
func (c logCommand) Run(ctx context.Context) error {
	if c.Limit < 1 || c.Limit > 10_000 {
		return errors.New("--limit must be from 1 to 10,000")
	}
	lines, err := read(ctx, c.reading, func(tx *store.Tx) ([]decisions.LogLine, error) {
		return decisions.Log(ctx, tx, c.Limit)
	})
	if err != nil {
		return err
	}
	return terminal.List(c.JSON, lines, "NUMBER,AT (UTC),BY,COMMAND,ABOUT,WHY", func(l decisions.LogLine) []string {
		return []string{terminal.Number(l.Number), terminal.Time(l.At), l.By, l.Command, l.Subject, l.Why}
	})
}
