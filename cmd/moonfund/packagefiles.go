package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/alecthomas/kong"

	"moonfund/internal/operate/manual"
	"moonfund/internal/operate/setup"
)

type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Run is `moonfund completion`.
func (c completionCommand) Run(parsed *kong.Kong) error {
	script, err := manual.Completion(parsed.Model, c.Shell)
	if err == nil {
		fmt.Print(script)
	}
	return err
}

// packageFiles writes what a package contains besides the program: man pages, completions, and the systemd unit.
type packageFiles struct {
	Folder string `arg:"" help:"Where to write them." type:"path"`
	Date   string `required:"" help:"Day of the man pages."`
}

// Run is `moonfund package-files`.
func (c packageFiles) Run(parsed *kong.Kong) error {
	texts := map[string]string{"moonfund.service": setup.DefaultUnitOf("/usr/bin/moonfund").Text()}
	for _, page := range manual.Pages(parsed.Model, "moonfund "+version, c.Date) {
		texts[filepath.Join("man", page.Name)] = page.Text
	}
	for _, shell := range manual.Shells {
		script, err := manual.Completion(parsed.Model, shell)
		if err != nil {
			return err
		}
		texts[filepath.Join("completion", shell)] = script
	}
	for name, text := range texts {
		path := filepath.Join(c.Folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
