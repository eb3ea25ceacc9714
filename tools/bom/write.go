package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// writeLicences prints the licences as a Markdown page.
func writeLicences(modules, packages []part) error {
	fmt.Print("# Licences of what is built in\n\n" +
		"Moon Fund itself is MIT licensed. The server is linked with the Go modules below, the pages contain\n" +
		"the packages below them. Modules and packages that only build or test are not listed.\n" +
		"`make generate` writes this file; `make sbom` writes the same with checksums, as CycloneDX.\n")
	for _, list := range []struct {
		title string
		parts []part
	}{{"Go modules", modules}, {"Packages of the pages", packages}} {
		fmt.Printf("\n## %s\n\n| what | version | licence |\n|---|---|---|\n", list.title)
		for _, p := range list.parts {
			fmt.Printf("| %s | %s | %s |\n", p.name, p.version, p.licence)
		}
	}
	return nil
}

type component struct {
	Type     string              `json:"type"`
	Name     string              `json:"name"`
	Version  string              `json:"version"`
	Purl     string              `json:"purl"`
	Licenses []map[string]any    `json:"licenses"`
	Property []map[string]string `json:"properties,omitempty"`
}

// writeCycloneDX prints the bill of materials in CycloneDX 1.5. It contains no date, so that the
// output is reproducible.
func writeCycloneDX(parts []part) error {
	var components []component
	for _, p := range parts {
		purl := "pkg:" + p.kind + "/" + strings.ReplaceAll(p.name, "@", "%40") + "@" + p.version
		components = append(components, component{
			Type: "library", Name: p.name, Version: p.version, Purl: purl,
			Licenses: []map[string]any{{"license": map[string]string{"id": p.licence}}},
			Property: []map[string]string{{"name": "moonfund:checksum", "value": p.sum}},
		})
	}
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", "  ")
	return out.Encode(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
		"metadata":   map[string]any{"component": map[string]string{"type": "application", "name": "moonfund"}},
		"components": components,
	})
}
