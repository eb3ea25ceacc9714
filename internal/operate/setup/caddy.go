package setup

import (
	_ "embed"
	"path/filepath"
	"strings"
	"text/template"
)

//go:embed Caddyfile.tmpl
var caddyText string

var caddyTemplate = template.Must(template.New("").Parse(caddyText))

func (s *Setup) caddyfile() string { return filepath.Join(s.Folder, "Caddyfile") }

// Caddyfile returns a configuration of Caddy for the domain and the community.
func (s *Setup) Caddyfile() string {
	var text strings.Builder
	if err := caddyTemplate.Execute(&text, s); err != nil {
		panic(err) // a strings.Builder does not fail, and Setup has every value
	}
	return text.String()
}
