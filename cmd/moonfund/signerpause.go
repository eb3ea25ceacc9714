package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"moonfund/internal/operate/terminal"
	"moonfund/internal/server/signing"
	"moonfund/internal/signer"
)

// The signer's folder contains its pause switch and the log of the switch. These commands need neither the server nor a
// running signer.

type signerFolder struct {
	Data string `default:"signer" help:"The signer's folder." type:"existingdir"`
	JSON bool   `help:"Print JSON."`
}

type signerPause struct {
	signerFolder
	answerable
}

type signerResume struct {
	signerFolder
	answerable
}

type signerConfirm struct {
	signerFolder
	answerable
}

type signerStatus struct{ signerFolder }

// printDone prints the new state of the switch as JSON, or as a sentence.
func (c signerFolder) printDone(text string) error {
	if c.JSON {
		state, err := signing.PauseFile(c.Data).State()
		if err != nil {
			return err
		}
		return terminal.JSON(state)
	}
	fmt.Println(text)
	return nil
}

// check also returns an error if --by is the name by which the signer's clock pauses.
func (c signerPause) check() error {
	if strings.TrimSpace(c.By) == signing.ClockName {
		return fmt.Errorf("--by is %q, which is reserved for the signer's clock: name the operator", signing.ClockName)
	}
	return c.answerable.check()
}

// Run is `moonfund signer pause`.
func (c signerPause) Run() error {
	if err := c.check(); err != nil {
		return err
	}
	file := signing.PauseFile(c.Data)
	reason, err := file.Why()
	if err != nil {
		return err
	}
	if reason != "" {
		since, err := file.Since()
		return errors.Join(fmt.Errorf("the signer is paused already, since %s: %s", terminal.Time(since), reason), err)
	}
	a := c.author().Trimmed()
	if err := file.Set(a.By, a.Why, time.Now()); err != nil {
		return err
	}
	return c.printDone("The signer signs nothing now. Paid orders wait; nothing is lost. `moonfund signer resume --data " +
		terminal.Quote(c.Data) + "` ends it.")
}

// Run is `moonfund signer resume`.
func (c signerResume) Run() error {
	if err := c.check(); err != nil {
		return err
	}
	file := signing.PauseFile(c.Data)
	state, err := file.State()
	if err != nil {
		return err
	}
	if !state.Paused {
		return errors.New("the signer in this folder is not paused")
	}
	if err := c.agree(fmt.Sprintf("Paused since %s, because:\n  %s\n"+
		"After this the signer signs every payout that is due.", terminal.Time(state.Since),
		state.Reason)); err != nil {
		return err
	}
	if still, err := file.Why(); err != nil || still != state.Reason {
		return errors.Join(fmt.Errorf("the pause changed meanwhile, nothing was changed: it is now %q", still), err)
	}
	a := c.author().Trimmed()
	if _, err := file.Lift(a.By, a.Why, time.Now()); err != nil {
		return err
	}
	return c.printDone("The signer signs again.")
}

// Run is `moonfund signer confirm-limits`.
func (c signerConfirm) Run() error {
	if err := c.check(); err != nil {
		return err
	}
	file := signer.OutflowFile(filepath.Join(c.Data, signing.OutflowFile))
	if _, err := os.Lstat(string(file)); err == nil {
		return signer.ErrOutflowsExist
	}
	if err := c.agree(fmt.Sprintf("%s is missing. After this the limits of 24 hours count from zero: "+
		"what was signed before is forgotten.\nIs this the signer's folder, and is the file really lost?",
		file)); err != nil {
		return err
	}
	a := c.author().Trimmed()
	if err := signing.PauseFile(c.Data).ConfirmLimits(file, a.By, a.Why, time.Now()); err != nil {
		return err
	}
	return c.printDone("The signer signs again, and counts from zero.")
}

// Run is `moonfund signer status`.
func (c signerStatus) Run() error {
	state, err := signing.PauseFile(c.Data).State()
	if err != nil {
		return err
	}
	return terminal.Print(c.JSON, state, func() error {
		if state.Paused {
			fmt.Printf("Paused since %s (UTC), because:\n  %s\n", terminal.Time(state.Since), state.Reason)
		} else {
			fmt.Println("Not paused: the signer signs what its rules allow.")
		}
		return terminal.Table("AT (UTC),BY,COMMAND,WHY", terminal.Rows(state.Record, func(l signer.RecordLine) []string {
			if l.Command == "" {
				return []string{"", "", "unreadable", l.Detail}
			}
			return []string{terminal.Time(l.At), l.By, l.Command, l.Why}
		}))
	})
}
