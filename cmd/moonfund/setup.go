package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	"golang.org/x/term"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/operate/setup"
	"moonfund/internal/operate/terminal"
)

type setupCommand struct {
	setup.Answers
	setup.Options
	NodePasswordFile string `help:"File with the node's password." type:"path"`
	Yes              bool   `help:"Do not ask; every answer comes from a flag or has a usual value."`
	Overwrite        bool   `help:"Replace existing files. A key file is never replaced."`
	DespiteChecks    bool   `help:"Write the files although a check fails or an answer is doubtful."`
}

// Run is `moonfund setup`.
func (c setupCommand) Run(ctx context.Context) error {
	program, err := os.Executable()
	if err != nil { // a chroot without /proc
		if program, err = exec.LookPath(os.Args[0]); err != nil {
			return err
		}
	}
	in := terminal.NewInput()
	s := &setup.Setup{
		Answers: c.Answers, Options: c.Options, Program: program, Now: time.Now, Overwrite: c.Overwrite,
		DespiteChecks: c.DespiteChecks, Cookies: setup.CookieFiles(),
		Say: func(line string) { fmt.Fprintln(os.Stderr, line) },
		Passphrase: func(again bool) (string, error) {
			if again {
				return in.NewPassphrase(terminal.PassphraseVariable, "Passphrase for the new key file")
			}
			return in.Passphrase(terminal.PassphraseVariable, "Passphrase of the key file")
		},
	}
	if c.NodePasswordFile != "" {
		secret, err := os.ReadFile(c.NodePasswordFile)
		if err != nil {
			return fmt.Errorf("--node-password-file: %w", err)
		}
		s.NodePassword = strings.TrimRight(string(secret), "\r\n")
	}
	if !c.Yes && term.IsTerminal(int(os.Stdin.Fd())) {
		s.Ask = interruptible(ctx, in.Line)
		s.Hidden = interruptible(ctx, func(prompt string) (string, error) { return in.Passphrase("", prompt) })
	}
	if s.Ask != nil && onTerminal() {
		s.ShowWords = onPaper(in).Copy
	}
	if err := s.Collect(ctx); err != nil {
		return err
	}
	findings := s.Check(ctx)
	printFindings(findings)
	if setup.Worst(findings) == setup.Fail && !c.DespiteChecks {
		return errors.New("a check failed, and nothing was written. Do what it says, and run this again, " +
			"or give --despite-checks:\n  " + s.Resume())
	}
	return c.write(s)
}

// interruptible returns ask with an error if ctx is done before a line is typed, so that Ctrl-C ends a setup with the
// command that goes on from there. It restores a terminal that does not echo.
func interruptible(ctx context.Context, ask func(prompt string) (string, error)) func(prompt string) (string, error) {
	type line struct {
		text string
		err  error
	}
	return func(prompt string) (string, error) {
		state, noTerminal := term.GetState(int(os.Stdin.Fd()))
		typed := make(chan line, 1)
		go func() {
			text, err := ask(prompt)
			typed <- line{text, err}
		}()
		select {
		case l := <-typed:
			return l.text, l.err
		case <-ctx.Done():
			if noTerminal == nil {
				_ = term.Restore(int(os.Stdin.Fd()), state)
			}
			return "", errors.New("interrupted")
		}
	}
}

// write previews the files, asks for confirmation, writes the files, and prints the next steps.
func (c setupCommand) write(s *setup.Setup) error {
	plan, err := s.Plan()
	if err != nil {
		return err
	}
	preview := "These files are written:"
	for _, f := range plan.Files {
		preview += fmt.Sprintf("\n  %s (%s)", f.Path, f.What)
	}
	if err := terminal.Confirm(preview, s.Ask == nil); err != nil {
		return fmt.Errorf("%w. To go on from here:\n  %s", err, s.Resume())
	}
	if err := plan.Write(c.Overwrite); err != nil {
		return err
	}
	s.Finish()
	fmt.Println("Written. Next:")
	for _, step := range s.Next() {
		fmt.Println("  " + step)
	}
	return nil
}

func printFindings(findings []setup.Finding) {
	for _, f := range findings {
		fmt.Printf("%-4s  %-9s  %s\n", f.Level, f.Check, f.Found)
		if f.Do != "" {
			fmt.Printf("%17s%s\n", "", f.Do)
		}
	}
}

// doctorCommand takes the settings of `moonfund serve`.
type doctorCommand struct {
	serveCommand
	JSON bool `help:"Print JSON."`
}

// troubled is the error for findings of `moonfund doctor`. Its exit code is 1 if a check failed, and 3 if there are
// only warnings.
type troubled setup.Level

func (t troubled) Error() string {
	if setup.Level(t) == setup.Fail {
		return "a check failed"
	}
	return "a check warns"
}

// ExitCode implements kong.ExitCoder.
func (t troubled) ExitCode() int {
	if setup.Level(t) == setup.Fail {
		return 1
	}
	return 3
}

// Run is `moonfund doctor`.
func (c doctorCommand) Run(ctx context.Context) error {
	network, err := chain.NetworkByName(c.Network)
	if err != nil {
		return unfinished{err}
	}
	if err := c.checkNames(); err != nil {
		return unfinished{err}
	}
	findings := setup.Installation{
		Network: network, Node: c.client(), Communities: c.Communities, Data: c.Data, Database: c.ledger().address(),
		Key: c.Key, Signer: c.Signer, Backups: c.Backups, BackupEvery: c.BackupEvery, BackupCommand: c.BackupCommand,
		Domains: c.Domain, Listen: c.Listen, Metrics: c.Metrics, Proxies: c.Proxy, Version: version, Now: time.Now,
		Synchronized: setup.ClockSynchronized, Client: http.DefaultClient, Receivers: c.receivers,
	}.Examine(ctx)
	if c.JSON {
		err = terminal.JSON(findings)
	} else {
		printFindings(findings)
	}
	if worst := setup.Worst(findings); err == nil && worst != setup.OK {
		return troubled(worst)
	}
	return err
}

// settingsFlag is the path of a settings file. Its variables apply unless the environment sets them.
type settingsFlag string

// BeforeReset sets the variables of the file. kong calls it before the flags read the environment.
func (settingsFlag) BeforeReset(ctx *kong.Context, trace *kong.Path) error {
	path, _ := ctx.FlagValue(trace.Flag).(settingsFlag)
	return applySettings(ctx.Kong, kong.ExpandPath(string(path)))
}
