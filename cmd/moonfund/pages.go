package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"moonfund/docs"
)

// listPage is the name of a folder's page that lists the others.
const listPage = "README"

type helpCommand struct {
	Page string `arg:"" optional:"" help:"Name of the page, such as restore. Default: the list of pages."`
}

// Run is `moonfund help`.
func (c helpCommand) Run() error {
	files, err := fs.Glob(docs.Pages, "*/*.md")
	if err != nil {
		return err
	}
	if c.Page == "" {
		return listPages(files)
	}
	found := false
	for _, file := range files {
		name := pageName(file)
		if c.Page != name && c.Page != path.Base(name) {
			continue
		}
		text, err := docs.Pages.ReadFile(file)
		if err != nil {
			return err
		}
		if found { // a guide and a runbook have the same name
			fmt.Println()
		}
		found = true
		fmt.Printf("%s\n", text)
	}
	if !found {
		return errors.New("there is no page " + c.Page + ": `moonfund help` lists all pages, " +
			"and `moonfund COMMAND --help` describes a command")
	}
	return nil
}

// pageName returns the name of a page's file: its path without .md, or the folder for the page that lists the others.
func pageName(file string) string {
	return strings.TrimSuffix(strings.TrimSuffix(file, ".md"), "/"+listPage)
}

// listPages prints each page's name and title.
func listPages(files []string) error {
	fmt.Println("Pages, each shown by `moonfund help PAGE`; `moonfund COMMAND --help` describes a command:")
	for _, file := range files {
		text, err := docs.Pages.ReadFile(file)
		if err != nil {
			return err
		}
		title, _, _ := strings.Cut(strings.TrimPrefix(string(text), "# "), "\n")
		fmt.Printf("  %-28s %s\n", pageName(file), title)
	}
	return nil
}
