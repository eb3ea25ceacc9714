package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moonfund/console"
	"moonfund/signer"
)

// The signer's own pause switch and its record lie in its folder. These commands
// need neither the server nor a running signer.

type signerFolder struct {
	Data string `default:"signer" help:"The signer's folder." type:"existingdir"`
	JSON bool   `help:"Print JSON, for programs."`
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

type signerView struct {
	Paused bool                `json:"paused"`
	Reason string              `json:"reason"`
	Since  time.Time           `json:"since,omitzero"`
	Record []signer.RecordLine `json:"record"` // newest first
}

func pauseFile(data string) signer.PauseFile { return signer.PauseFile(filepath.Join(data, "paused")) }

// look reads the switch and its record.
func (c signerFolder) look() (view signerView, err error) {
	file := pauseFile(c.Data)
	if view.Reason, err = file.Why(); err != nil {
		return view, err
	}
	if view.Record, err = file.Record(); err != nil {
		return view, err
	}
	slices.Reverse(view.Record)
	view.Record = append([]signer.RecordLine{}, view.Record...)
	if view.Paused = view.Reason != ""; view.Paused {
		view.Since, err = file.Since()
	}
	return view, err
}

// check refuses who is nobody, and the name that stands for no person.
func (c signerPause) check() error {
	if strings.TrimSpace(c.By) == clockName {
		return fmt.Errorf("--by is %q, which stands for the signer's own clock: say who asks for this", clockName)
	}
	return c.answerable.check()
}

// Run is `moonfund signer pause`.
func (c signerPause) Run() error {
	if err := c.check(); err != nil {
		return err
	}
	file := pauseFile(c.Data)
	reason, err := file.Why()
	if err != nil {
		return err
	}
	if reason != "" {
		since, err := file.Since()
		return errors.Join(fmt.Errorf("the signer is paused already, since %s: %s", console.Time(since), reason), err)
	}
	if err := file.Set(strings.TrimSpace(c.By), strings.TrimSpace(c.Why), time.Now()); err != nil {
		return err
	}
	if c.JSON {
		return c.print()
	}
	fmt.Println("The signer signs nothing now. Paid orders wait; nothing is lost. `moonfund signer resume` ends it.")
	return nil
}

// Run is `moonfund signer resume`.
func (c signerResume) Run() error {
	if err := c.check(); err != nil {
		return err
	}
	view, err := c.look()
	if err != nil {
		return err
	}
	if !view.Paused {
		return errors.New("the signer in this folder is not paused")
	}
	if err := c.agree(fmt.Sprintf("Paused since %s, because:\n  %s\nAfter this the signer goes on by itself: what is due is signed.", console.Time(view.Since), view.Reason)); err != nil {
		return err
	}
	file := pauseFile(c.Data)
	if still, err := file.Why(); err != nil || still != view.Reason {
		return errors.Join(fmt.Errorf("the pause changed meanwhile, nothing was done: it is now %q", still), err)
	}
	if _, err := file.Lift(strings.TrimSpace(c.By), strings.TrimSpace(c.Why), time.Now()); err != nil {
		return err
	}
	if c.JSON {
		return c.print()
	}
	fmt.Println("The signer signs again.")
	return nil
}

// Run is `moonfund signer confirm-limits`.
func (c signerConfirm) Run() error {
	if err := c.check(); err != nil {
		return err
	}
	file := signer.OutflowFile(filepath.Join(c.Data, outflowFile))
	if _, err := os.Lstat(string(file)); err == nil {
		return signer.ErrOutflowsThere
	}
	if err := c.agree(fmt.Sprintf("%s is missing. After this the limits of 24 hours count from zero: what was signed before is forgotten.\n"+
		"Is this the signer's folder, and is the file really lost?", file)); err != nil {
		return err
	}
	if err := pauseFile(c.Data).ConfirmLimits(file, strings.TrimSpace(c.By), strings.TrimSpace(c.Why), time.Now()); err != nil {
		return err
	}
	if c.JSON {
		return c.print()
	}
	fmt.Println("The signer signs again, and counts from zero.")
	return nil
}

// Run is `moonfund signer status`.
func (c signerStatus) Run() error {
	if c.JSON {
		return c.print()
	}
	view, err := c.look()
	if err != nil {
		return err
	}
	if view.Paused {
		fmt.Printf("Paused since %s (UTC), because:\n  %s\n", console.Time(view.Since), view.Reason)
	} else {
		fmt.Println("Not paused: it signs what its rules allow.")
	}
	var rows [][]string
	for _, l := range view.Record {
		if l.Command == "" {
			rows = append(rows, []string{"", "", "unreadable", l.Detail})
			continue
		}
		rows = append(rows, []string{console.Time(l.At), l.By, l.Command, l.Why})
	}
	return console.Table("AT (UTC),BY,COMMAND,WHY", rows)
}

func (c signerFolder) print() error {
	view, err := c.look()
	if err != nil {
		return err
	}
	return console.JSON(view)
}
