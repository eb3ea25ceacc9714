// Command bom lists the dependencies of moonfund: every Go module that is linked into the server
// and every npm package of the web app, with version, checksum and licence.
//
//	bom licences  > docs/licences.md
//	bom cyclonedx > bin/moonfund.cdx.json
//
// It runs at the root of the repository and reads go.sum, the module cache and
// web/package-lock.json. It exits with an error if it does not recognize a licence, which must
// then be reviewed by hand.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// part is a dependency.
type part struct {
	kind    string // golang, npm
	name    string
	version string
	sum     string // go.sum's h1:… or npm's sha512-…
	licence string // SPDX
}

func main() {
	if len(os.Args) != 2 {
		fail(errors.New("usage: bom licences|cyclonedx"))
	}
	modules, err := goModules()
	fail(err)
	packages, err := npmPackages("web/package-lock.json")
	fail(err)
	switch os.Args[1] {
	case "licences":
		fail(writeLicences(modules, packages))
	case "cyclonedx":
		fail(writeCycloneDX(append(modules, packages...)))
	default:
		fail(fmt.Errorf("%q is neither licences nor cyclonedx", os.Args[1]))
	}
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bom:", err)
		os.Exit(1)
	}
}

// goModules returns the modules of which a package is linked into the server.
func goModules() ([]part, error) {
	list := exec.Command("go", "list", "-deps", "-json=Module", "./cmd/moonfund")
	list.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	sums, err := goSums("go.sum")
	if err != nil {
		return nil, err
	}
	found := map[string]part{}
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for decoder.More() {
		var dep struct {
			Module *struct{ Path, Version, Dir string }
		}
		if err := decoder.Decode(&dep); err != nil {
			return nil, err
		}
		m := dep.Module
		if m == nil || m.Version == "" {
			continue // the standard library or the main module
		}
		if _, known := found[m.Path]; known {
			continue
		}
		licence, err := licenceIn(m.Dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Path, err)
		}
		found[m.Path] = part{"golang", m.Path, m.Version, sums[m.Path+" "+m.Version], licence}
	}
	return sorted(found), nil
}

func goSums(path string) (map[string]string, error) {
	text, err := os.ReadFile(path)
	sums := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) == 3 {
			sums[fields[0]+" "+fields[1]] = fields[2]
		}
	}
	return sums, err
}

// phrases identify the licences. The first phrase that a text contains decides.
var phrases = []struct{ spdx, phrase string }{
	{"Apache-2.0", "Apache License"},
	{"MPL-2.0", "Mozilla Public License"},
	{"ISC", "Permission to use, copy, modify, and/or distribute this software for any"},
	{"ISC", "Permission to use, copy, modify, and distribute this software for any"},
	{"BSD-3-Clause", "Neither the name"},
	{"BSD-3-Clause", "names of its contributors may"},
	{"BSD-2-Clause", "Redistribution and use in source and binary forms"},
	{"MIT", "Permission is hereby granted, free of charge"},
	{"Unlicense", "This is free and unencumbered software"},
	{"CC0-1.0", "CC0 1.0 Universal"},
}

func licenceIn(dir string) (string, error) {
	for _, pattern := range []string{"LICEN[SC]E*", "licen[sc]e*", "COPYING*"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return "", err
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				continue // a folder
			}
			words := strings.Join(strings.Fields(string(text)), " ")
			for _, p := range phrases {
				if strings.Contains(words, p.phrase) {
					return p.spdx, nil
				}
			}
		}
	}
	return "", errors.New("its licence is not known")
}

// npmPackages returns the packages of the lock file that are not development dependencies.
func npmPackages(path string) ([]part, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct {
			Version, Integrity, License string
			Dev, Optional               bool
		}
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	found := map[string]part{}
	for place, p := range lock.Packages {
		if place == "" || p.Dev {
			continue
		}
		if p.License == "" {
			return nil, fmt.Errorf("%s: its licence is not known", place)
		}
		name := place[strings.LastIndex(place, "node_modules/")+len("node_modules/"):]
		found[name+"@"+p.Version] = part{"npm", name, p.Version, p.Integrity, p.License}
	}
	return sorted(found), nil
}

func sorted(found map[string]part) (all []part) {
	for _, p := range found {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b part) int { return strings.Compare(a.name+"@"+a.version, b.name+"@"+b.version) })
	return all
}
